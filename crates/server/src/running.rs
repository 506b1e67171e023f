//! One server a home: a lock that ends with its process, and a note where to find it.

use crate::wire::Invitation;
use app::{Disk, Home};
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, TryLockError},
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::PathBuf,
    time::Duration,
};

/// How to find the running server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Note {
    /// Whether a server of ours answers there and knows the token.
    fn is_alive(&self) -> bool {
        // Asked too often is alive, too.
        let answer = self.ask("GET /api/about");
        answer.is_ok_and(|(status, _)| matches!(status, 200 | 429))
    }

    /// Asks that server for an address that lets one browser in.
    fn invite(&self) -> io::Result<String> {
        let (status, body) = self.ask("POST /api/invitations")?;
        let found = serde_json::from_str::<Invitation>(&body);
        found.map(|invitation| invitation.url).map_err(|_| {
            io::Error::other(format!("the running kibitz answered {status}; try again"))
        })
    }

    fn ask(&self, what: &str) -> io::Result<(u16, String)> {
        const PATIENCE: Duration = Duration::from_secs(2);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let Self { port, token } = self;
        write!(
            stream,
            "{what} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: 0\r\nConnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.take(64 << 10).read_to_string(&mut answer)?;
        let status = answer.get(9..12).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
        Ok((status.unwrap_or(0), body.unwrap_or_default().to_owned()))
    }
}

/// A server for this home that another process runs.
#[derive(Clone)]
pub struct Elsewhere(Note);

impl std::fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elsewhere")
            .field("port", &self.0.port)
            .finish_non_exhaustive()
    }
}

impl Elsewhere {
    /// An address that lets one browser in, once.
    pub fn invite(&self) -> io::Result<String> {
        self.0.invite()
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.0.port))
    }
}

/// The right to serve a home. It ends when this is dropped, or with the process.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Locked as long as it is open.
    _lock: File,
    note: PathBuf,
}

/// Who serves a home.
#[derive(Debug)]
pub(crate) enum Claimed {
    Ours(Claim),
    /// Somebody else does, and answers here.
    Theirs(Elsewhere),
}

fn note_file(home: &Home) -> PathBuf {
    home.path().join("server.json")
}

/// Takes the right to serve a home, or finds who has it.
pub(crate) fn claim(home: &Home) -> io::Result<Claimed> {
    /// A server that has just started may not have written its note yet.
    const TRIES: u32 = 20;
    const BETWEEN: Duration = Duration::from_millis(100);
    let lock = File::create(home.path().join("server.lock"))?;
    for _ in 0..TRIES {
        match lock.try_lock() {
            Ok(()) => {
                let note = note_file(home);
                return Ok(Claimed::Ours(Claim { _lock: lock, note }));
            }
            Err(TryLockError::WouldBlock) => {
                let note = std::fs::read(note_file(home)).ok();
                let note = note.and_then(|text| serde_json::from_slice::<Note>(&text).ok());
                if let Some(note) = note.filter(Note::is_alive) {
                    return Ok(Claimed::Theirs(Elsewhere(note)));
                }
                std::thread::park_timeout(BETWEEN);
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::Error::other(
        "another kibitz uses this folder but does not answer; end it, or use another --home",
    ))
}

impl Claim {
    /// Tells others where we are.
    pub(crate) fn announce(&self, note: &Note) -> io::Result<()> {
        let text = serde_json::to_vec(note).map_err(io::Error::other)?;
        Disk::real().replace_private(&self.note, &text)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // It may never have been written.
        std::fs::remove_file(&self.note).ok();
    }
}
