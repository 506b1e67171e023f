//! One request after the other, with pauses where servers ask for them, and answers that are read as
//! they come.

use super::{LiveError, Outside, Progress, Service, Source};
use crate::{
    NetError, Patience,
    library::{Intake, LibraryError},
    net,
};
use std::{
    cell::Cell,
    io::{self, Read},
    sync::{
        atomic::AtomicBool,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    time::Duration,
};
use ureq::{
    Agent,
    http::{StatusCode, header},
};

/// How long a server that was asked too much is left alone.
const SILENCE_MS: u64 = 60_000;

/// How often in a row it may ask for that.
const SILENCES_MAX: u32 = 5;

/// Waits are looked at by whoever wants to stop after so long.
const SLICE_MS: u64 = 200;

/// A round that is followed may be silent so many times longer than an answer that is under way.
const FOLLOWED: u32 = 20;

/// Parts of an answer between the network and whoever reads them.
const PARTS: usize = 16;
const PART_BYTES: usize = 16 << 10;

/// Games that wait are stored after so long.
const STORE_EVERY_MS: u64 = 1_000;

/// Why an attempt brought no more.
#[derive(Debug)]
pub(super) enum Stumble {
    /// Another attempt may do better.
    Again(LiveError),
    /// The server wants to be left alone for a while.
    Busy,
    Final(LiveError),
}

impl From<LiveError> for Stumble {
    fn from(error: LiveError) -> Self {
        Self::Final(error)
    }
}

impl From<LibraryError> for Stumble {
    fn from(error: LibraryError) -> Self {
        Self::Final(error.into())
    }
}

/// Asks one service, a request at a time, and waits as long as it says.
pub(super) struct Asker<'a> {
    pub(super) outside: &'a Outside<'a>,
    agent: Agent,
    base: &'a str,
    /// What is asked for, in a sentence.
    what: String,
    service: Service,
    /// Months that were read, of so many.
    pub(super) months: Cell<Option<(u64, u64)>>,
    stored_ms: Cell<u64>,
    /// Whether the attempt under way has brought anything that was not there before it.
    has_gained: Cell<bool>,
}

impl<'a> Asker<'a> {
    pub(super) fn new(outside: &'a Outside<'a>, source: &Source) -> Self {
        let (service, base) = match source {
            Source::ChessComPlayer { .. } => (Service::ChessCom, &outside.addresses.chesscom),
            _ => (Service::Lichess, &outside.addresses.lichess),
        };
        let follows = matches!(source, Source::LichessRound { follows: true, .. });
        let read = outside.patience.read;
        let patience = Patience {
            read: if follows { read * FOLLOWED } else { read },
            ..outside.patience
        };
        Self {
            outside,
            agent: net::agent(&patience),
            base: base.trim_end_matches('/'),
            what: source.to_string(),
            service,
            months: Cell::new(None),
            stored_ms: Cell::new(0),
            has_gained: Cell::new(false),
        }
    }

    pub(super) fn host(&self) -> String {
        net::host_of(self.base)
    }

    pub(super) fn odd(&self, detail: impl Into<String>) -> LiveError {
        LiveError::Odd {
            host: self.host(),
            detail: detail.into(),
        }
    }

    /// An answer that ended before its end.
    pub(super) fn cut(&self) -> Stumble {
        Stumble::Again(LiveError::CutOff {
            host: self.host(),
            attempts: 1,
        })
    }

    /// Notes that something new has come. A server that sends the same again and again, and never
    /// an end, is given up.
    pub(super) fn gain(&self) {
        self.has_gained.set(true);
    }

    pub(super) fn tell(&self, intake: &Intake<'_>, message: &str) {
        (self.outside.tell)(Progress {
            message,
            months: self.months.get(),
            report: intake.report(),
        });
    }

    /// Stores games that wait, if they are many or wait for long; whether it did.
    pub(super) fn store_now_and_then(&self, intake: &mut Intake<'_>) -> Result<bool, LiveError> {
        let now_ms = (self.outside.now_ms)();
        let is_due = now_ms.saturating_sub(self.stored_ms.get()) >= STORE_EVERY_MS;
        let is_time = intake.is_full() || (is_due && intake.n_waiting() > 0);
        if !is_time {
            return Ok(false);
        }
        intake.store(false)?;
        self.stored_ms.set(now_ms);
        Ok(true)
    }

    /// Begins a request. Nobody else may be under way: whoever calls has read the answer before to
    /// its end, or has dropped it.
    pub(super) fn open(&self, path: &str, accept: &str) -> Result<Stream<'a>, Stumble> {
        let url = format!("{}{path}", self.base);
        let mut headers = vec![(header::ACCEPT, accept.to_owned())];
        let token = self.outside.token.as_ref();
        if let Some(token) = token.filter(|_| self.service == Service::Lichess) {
            headers.push((header::AUTHORIZATION, token.bearer()));
        }
        let response = net::get(&self.agent, &url, &headers).map_err(|error| match error {
            NetError::Address(_) => Stumble::Final(error.into()),
            NetError::Unreachable { .. } => Stumble::Again(error.into()),
        })?;
        let status = response.status();
        let (host, what) = (self.host(), self.what.clone());
        let hint = match self.service {
            Service::Lichess => "it may be private: give a token of yours that may read it",
            Service::ChessCom => "Chess.com may not like where the request comes from",
        };
        let number = status.as_u16();
        match status {
            StatusCode::OK => {
                let reader = response.into_body().into_reader();
                Stream::start(Box::new(reader), self.outside.stop)
                    .map_err(|error| Stumble::Final(self.odd(format!("no thread: {error}"))))
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                Err(LiveError::NotFound { host, what }.into())
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(LiveError::Refused {
                host,
                what,
                status: number,
                hint,
            }
            .into()),
            StatusCode::TOO_MANY_REQUESTS => Err(Stumble::Busy),
            _ => {
                let error = LiveError::Status {
                    host,
                    status: number,
                };
                Err(if status.is_server_error() {
                    Stumble::Again(error)
                } else {
                    error.into()
                })
            }
        }
    }

    /// Repeats an attempt until it succeeds, as long as it brings something now and then.
    pub(super) fn persist<T>(
        &self,
        intake: &mut Intake<'_>,
        mut attempt: impl FnMut(&mut Intake<'_>) -> Result<T, Stumble>,
    ) -> Result<T, LiveError> {
        let (mut fruitless, mut silences) = (0, 0);
        loop {
            self.has_gained.set(false);
            let stumble = match attempt(intake) {
                Ok(done) => return Ok(done),
                Err(stumble) => stumble,
            };
            let has_gained = self.has_gained.get();
            intake.store(false)?;
            match stumble {
                Stumble::Final(error) => return Err(error),
                Stumble::Again(error) => {
                    fruitless = if has_gained { 0 } else { fruitless + 1 };
                    if fruitless >= self.outside.patience.attempts || self.outside.is_stopped() {
                        return Err(match error {
                            LiveError::CutOff { host, .. } => LiveError::CutOff {
                                host,
                                attempts: fruitless.max(1),
                            },
                            other => other,
                        });
                    }
                    self.tell(intake, &format!("{error}. Asking again."));
                    self.wait(500 << fruitless.min(5));
                }
                Stumble::Busy => {
                    silences = if has_gained { 1 } else { silences + 1 };
                    let host = self.host();
                    if silences > SILENCES_MAX || self.outside.is_stopped() {
                        return Err(LiveError::Busy { host });
                    }
                    let message = format!("{host} asks for a pause: going on in a minute.");
                    self.tell(intake, &message);
                    self.wait(SILENCE_MS);
                }
            }
        }
    }

    /// Waits; whoever wants to stop does not wait long.
    fn wait(&self, ms: u64) {
        let mut left = ms;
        while left > 0 && !self.outside.is_stopped() {
            let slice = left.min(SLICE_MS);
            (self.outside.patience.pause)(slice);
            left -= slice;
        }
    }
}

/// An answer that is read on a thread of its own, so that a stop does not wait for the server.
pub(super) struct Stream<'a> {
    parts: Receiver<io::Result<Vec<u8>>>,
    part: Vec<u8>,
    at: usize,
    is_over: bool,
    stop: &'a AtomicBool,
}

impl<'a> Stream<'a> {
    fn start(mut body: Box<dyn Read + Send>, stop: &'a AtomicBool) -> io::Result<Self> {
        let (sender, parts) = sync_channel(PARTS);
        std::thread::Builder::new()
            .name("kibitz-answer".to_owned())
            .spawn(move || {
                loop {
                    let mut part = vec![0; PART_BYTES];
                    let read = body.read(&mut part);
                    let is_over = !matches!(read, Ok(1..));
                    let told = read.map(|n| {
                        part.truncate(n);
                        part
                    });
                    // An empty part is the end. A reader who has gone needs no more.
                    if sender.send(told).is_err() || is_over {
                        return;
                    }
                }
            })?;
        Ok(Self {
            parts,
            part: Vec::new(),
            at: 0,
            is_over: false,
            stop,
        })
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.part.len() && !self.is_over {
            if self.stop.load(std::sync::atomic::Ordering::SeqCst) {
                return Err(io::Error::other("stopped"));
            }
            let slice = Duration::from_millis(SLICE_MS);
            match self.parts.recv_timeout(slice) {
                Ok(part) => {
                    self.part = part?;
                    self.at = 0;
                    self.is_over = self.part.is_empty();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
        let n = buffer.len().min(self.part.len() - self.at);
        buffer[..n].copy_from_slice(&self.part[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}
