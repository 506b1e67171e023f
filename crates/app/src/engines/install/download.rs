//! A download that survives cuts: what is there already is not fetched again.

use super::{InstallError, Progress, World};
use crate::{
    Disk,
    disk::OpenFile,
    engines::Remote,
    net::{self, NetError, agent, host_of},
};
use sha2::{Digest as _, Sha256};
use std::{
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
    sync::atomic::Ordering,
};
use ureq::{
    Agent, Body,
    http::{Response, StatusCode, header},
};

/// A list of engines has no more bytes than this.
const LIST_MAX: u64 = 4 << 20;

/// Why an attempt brought no more.
enum Stumble {
    /// Another attempt may do better.
    Again(InstallError),
    Final(InstallError),
}

impl From<InstallError> for Stumble {
    fn from(error: InstallError) -> Self {
        Self::Final(error)
    }
}

/// Asks for an address from some byte on, following where it leads.
fn request(agent: &Agent, url: &str, from: u64) -> Result<Response<Body>, Stumble> {
    let range = (from > 0).then(|| (header::RANGE, format!("bytes={from}-")));
    let response = net::get(agent, url, range.as_slice()).map_err(|error| match error {
        NetError::Address(reason) => Stumble::Final(InstallError::Address(reason)),
        NetError::Unreachable { .. } => Stumble::Again(InstallError::Unreachable(error)),
    })?;
    let status = response.status();
    if matches!(
        status,
        StatusCode::OK | StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE
    ) {
        return Ok(response);
    }
    let error = InstallError::Status {
        host: host_of(url),
        status: status.as_u16(),
    };
    // A server that is busy may be less so later.
    let is_passing = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    Err(if is_passing {
        Stumble::Again(error)
    } else {
        Stumble::Final(error)
    })
}

/// A download under way.
struct Download<'a> {
    file: Box<dyn OpenFile>,
    path: &'a Path,
    hash: Sha256,
    bytes: u64,
    total: Option<u64>,
}

impl Download<'_> {
    fn failed(&self, source: std::io::Error) -> InstallError {
        InstallError::Write {
            path: self.path.display().to_string(),
            source,
        }
    }

    /// The server begins anew, so do we.
    fn restart(&mut self) -> Result<(), InstallError> {
        if self.bytes > 0 {
            let emptied = self.file.truncate(0);
            let rewound = emptied.and_then(|()| self.file.seek(SeekFrom::Start(0)));
            rewound.map_err(|source| self.failed(source))?;
            self.hash = Sha256::new();
            self.bytes = 0;
        }
        Ok(())
    }

    /// One answer of a server, as far as it comes.
    fn attempt(
        &mut self,
        agent: &Agent,
        url: &str,
        world: &World<'_>,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<(), Stumble> {
        let response = request(agent, url, self.bytes)?;
        if response.status() == StatusCode::RANGE_NOT_SATISFIABLE
            || (response.status() == StatusCode::PARTIAL_CONTENT
                && first_byte(&response) != Some(self.bytes))
        {
            self.restart()?;
            return Err(Stumble::Again(self.cut_off(0)));
        }
        if response.status() == StatusCode::OK {
            self.restart()?;
        }
        let length = response.body().content_length();
        self.total = length.map(|length| self.bytes.saturating_add(length));
        if self
            .total
            .is_some_and(|total| total > world.bounds.download_max)
        {
            return Err(too_large(world).into());
        }
        let mut body = response.into_body().into_reader();
        let mut buffer = vec![0; 64 << 10];
        loop {
            if world.stop.load(Ordering::Relaxed) {
                return Err(InstallError::Stopped.into());
            }
            let n = match body.read(&mut buffer) {
                Ok(0) if self.total.is_some_and(|total| self.bytes < total) => {
                    return Err(Stumble::Again(self.cut_off(0)));
                }
                Ok(0) => return Ok(()),
                Ok(n) => n,
                Err(_) => return Err(Stumble::Again(self.cut_off(0))),
            };
            if self.bytes + n as u64 > world.bounds.download_max {
                return Err(too_large(world).into());
            }
            let written = self.file.write_all(&buffer[..n]);
            written.map_err(|source| self.failed(source))?;
            self.hash.update(&buffer[..n]);
            self.bytes += n as u64;
            let (bytes, total) = (self.bytes, self.total);
            observe(Progress::Downloading { bytes, total });
        }
    }

    const fn cut_off(&self, attempts: u32) -> InstallError {
        InstallError::CutOff {
            bytes: self.bytes,
            attempts,
        }
    }
}

const fn too_large(world: &World<'_>) -> InstallError {
    InstallError::TooLarge {
        megabytes: world.bounds.download_max >> 20,
    }
}

/// The number behind `bytes` in `Content-Range: bytes 100-199/200`.
fn first_byte(response: &Response<Body>) -> Option<u64> {
    let range = response.headers().get(header::CONTENT_RANGE)?;
    let (first, _) = range
        .to_str()
        .ok()?
        .strip_prefix("bytes ")?
        .split_once('-')?;
    first.trim().parse().ok()
}

/// Downloads to a file and checks that it is what the list describes.
pub(super) fn fetch(
    disk: &Disk,
    remote: &Remote<'_>,
    path: &Path,
    world: &World<'_>,
    observe: &mut dyn FnMut(Progress),
) -> Result<(), InstallError> {
    let file = disk.create_private(path).map_err(super::failed(path))?;
    let mut download = Download {
        file,
        path,
        hash: Sha256::new(),
        bytes: 0,
        total: remote.size,
    };
    let agent = agent(&world.patience);
    let (mut fruitless, mut attempts) = (0, 0);
    loop {
        let before = download.bytes;
        match download.attempt(&agent, remote.url, world, observe) {
            Ok(()) => break,
            Err(Stumble::Final(error)) => return Err(error),
            Err(Stumble::Again(error)) => {
                attempts += 1;
                fruitless = if download.bytes > before {
                    0
                } else {
                    fruitless + 1
                };
                // A server that sends a little and cuts, again and again, is given up, too.
                if fruitless >= world.patience.attempts || attempts >= 20 * world.patience.attempts
                {
                    return Err(match error {
                        InstallError::CutOff { .. } => download.cut_off(fruitless.max(1)),
                        other => other,
                    });
                }
                if world.stop.load(Ordering::Relaxed) {
                    return Err(InstallError::Stopped);
                }
                (world.patience.pause)(250 << fruitless.min(5));
            }
        }
    }
    let synced = download.file.sync();
    synced.map_err(|source| download.failed(source))?;
    let found = hexadecimal(&download.hash.finalize());
    let expected = remote.sha256.to_ascii_lowercase();
    if found != expected {
        return Err(InstallError::WrongHash { expected, found });
    }
    Ok(())
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

/// A small file, whole.
pub(super) fn fetch_small(url: &str, world: &World<'_>) -> Result<Vec<u8>, InstallError> {
    let response = match request(&agent(&world.patience), url, 0) {
        Ok(response) => response,
        Err(Stumble::Again(error) | Stumble::Final(error)) => return Err(error),
    };
    let mut bytes = Vec::new();
    let body = response.into_body().into_reader();
    let read = body.take(LIST_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|_| InstallError::CutOff {
        bytes: bytes.len() as u64,
        attempts: 1,
    })?;
    if bytes.len() as u64 > LIST_MAX {
        return Err(InstallError::TooLarge {
            megabytes: LIST_MAX >> 20,
        });
    }
    Ok(bytes)
}
