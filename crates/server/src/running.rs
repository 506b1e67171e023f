//! One server a home: a lock that ends with its process, and a note where to find it.

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
    /// What to open in a browser. The token stands where servers and logs do not see it.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// Whether a server of ours answers there and knows the token.
    fn is_alive(&self) -> bool {
        self.ask().unwrap_or(false)
    }

    fn ask(&self) -> io::Result<bool> {
        const PATIENCE: Duration = Duration::from_secs(2);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let Self { port, token } = self;
        write!(
            stream,
            "GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
             Connection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.take(64 << 10).read_to_string(&mut answer)?;
        // Asked too often is alive, too.
        Ok(answer.starts_with("HTTP/1.1 200") || answer.starts_with("HTTP/1.1 429"))
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
    /// We do.
    Ours(Claim),
    /// Somebody else does, and answers here.
    Theirs(String),
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
                    return Ok(Claimed::Theirs(note.url()));
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
