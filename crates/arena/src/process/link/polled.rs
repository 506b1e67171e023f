//! Pipes of an engine that are read and written by whoever speaks with it: no thread stands between,
//! so that a question and its answer cost a few calls of the system.

use super::{Assembler, Cut, Gone, Heard, Now, Tail, UNSENT_MAX, read_lines};
use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
};
use std::{
    collections::VecDeque,
    io::{self, Read as _, Write as _},
    os::fd::AsFd,
    process::{ChildStderr, ChildStdin, ChildStdout},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// After so many lines that wait to be taken, more is read.
const READ_AHEAD: usize = 32;

/// Of so much that nobody has taken, nothing more is read: the engine waits.
const UNREAD_MAX: usize = 8 << 20;

/// The ends of an engine's pipes.
pub(super) struct Pipes {
    /// Gone when the engine's input is closed.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    now: Now,
    /// What the engine has not taken yet.
    unsent: Vec<u8>,
    assembler: Assembler,
    lines: VecDeque<String>,
    /// Bytes of the lines that nobody has taken yet.
    n_unread: usize,
    gone: Option<Gone>,
    is_deaf: bool,
    /// Whether it floods its standard error, and whether everything that it said there was read.
    floods_errors: Arc<AtomicBool>,
    errors_ended: Arc<AtomicBool>,
    buffer: Box<[u8]>,
}

fn never_wait(pipe: impl AsFd) -> io::Result<()> {
    fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

impl Pipes {
    pub(super) fn open(
        stdin: ChildStdin,
        stdout: ChildStdout,
        stderr: ChildStderr,
        now: &Now,
        errors: &Tail,
    ) -> io::Result<Self> {
        never_wait(&stdin)?;
        never_wait(&stdout)?;
        let floods_errors = Arc::new(AtomicBool::new(false));
        let errors_ended = Arc::new(AtomicBool::new(false));
        let (floods, clock, tail) = (Arc::clone(&floods_errors), Arc::clone(now), errors.clone());
        let ended = Arc::clone(&errors_ended);
        thread::spawn(move || {
            // Long lines are cut there; that it closes its standard error is its own business.
            let gone = read_lines(Cut(stderr), &*clock, |line| tail.push(&line));
            floods.store(gone == Gone::Flood, Ordering::Relaxed);
            ended.store(true, Ordering::Release);
        });
        Ok(Self {
            stdin: Some(stdin),
            stdout,
            assembler: Assembler::new(now()),
            now: Arc::clone(now),
            unsent: Vec::new(),
            lines: VecDeque::new(),
            n_unread: 0,
            gone: None,
            is_deaf: false,
            floods_errors,
            errors_ended,
            buffer: vec![0; 16 << 10].into(),
        })
    }

    /// Whether the engine can be told. What it does not take now is sent while it is listened to.
    pub(super) fn send(&mut self, text: &str) -> bool {
        if self.stdin.is_none() || self.unsent.len() + text.len() > UNSENT_MAX {
            return false;
        }
        self.unsent.extend_from_slice(text.as_bytes());
        self.unsent.push(b'\n');
        self.flush();
        true
    }

    fn flush(&mut self) {
        let Some(stdin) = &mut self.stdin else {
            return;
        };
        while !self.unsent.is_empty() && !self.is_deaf {
            match stdin.write(&self.unsent) {
                Ok(n) => drop(self.unsent.drain(..n)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.is_deaf = true,
            }
        }
    }

    /// The next line, or why there is none within this time.
    pub(super) fn receive(&mut self, wait: Duration) -> Heard {
        if self.lines.is_empty() && self.gone.is_none() {
            self.await_news(wait);
        } else if self.lines.len() % READ_AHEAD == READ_AHEAD - 1 && self.n_unread < UNREAD_MAX {
            // A flood is known by how fast it comes, not by how fast it is understood.
            self.read();
        }
        if self.floods_errors.load(Ordering::Relaxed) {
            self.gone = Some(Gone::Flood);
        }
        if self.gone == Some(Gone::Flood) {
            // What it sent is not worth reading.
            self.lines.clear();
        }
        match (self.lines.pop_front(), self.gone) {
            (Some(line), _) => {
                self.n_unread -= line.len();
                Heard::Line(line)
            }
            (None, Some(gone)) => Heard::Gone(gone),
            (None, None) if self.is_deaf => Heard::Deaf,
            (None, None) => Heard::Nothing,
        }
    }

    /// Takes what has come already. Where an answer is expected to be there, that saves the wait.
    pub(super) fn glance(&mut self) {
        if self.lines.is_empty() && self.gone.is_none() {
            self.read();
        }
    }

    /// Whether a line waits to be taken.
    pub(super) fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    fn await_news(&mut self, wait: Duration) {
        let mut waits_to_send = false;
        {
            let stdout = PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN);
            let limit = PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO);
            let polled = match self.stdin.as_ref().filter(|_| !self.unsent.is_empty()) {
                Some(stdin) => {
                    waits_to_send = true;
                    let stdin = PollFd::new(stdin.as_fd(), PollFlags::POLLOUT);
                    poll(&mut [stdout, stdin], limit)
                }
                None => poll(&mut [stdout], limit),
            };
            // An interrupted wait is one without news.
            match polled {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
        if waits_to_send {
            self.flush();
        }
        self.read();
    }

    /// Takes what the engine has sent, without waiting.
    fn read(&mut self) {
        if self.gone.is_some() {
            return;
        }
        let (lines, n_unread) = (&mut self.lines, &mut self.n_unread);
        let mut add = |line: String| {
            *n_unread += line.len();
            lines.push_back(line);
        };
        match self.stdout.read(&mut self.buffer) {
            Ok(0) => {
                if let Some(line) = self.assembler.end() {
                    add(line);
                }
                self.gone = Some(Gone::Closed);
            }
            Ok(n) => self.gone = self.assembler.take(&self.buffer[..n], (self.now)(), add),
            Err(error) if is_nothing(&error) => {}
            Err(_) => self.gone = Some(Gone::Closed),
        }
    }

    /// Whether all that it said on its standard error is known.
    pub(super) fn has_heard_errors(&self) -> bool {
        self.errors_ended.load(Ordering::Acquire)
    }

    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }
}

fn is_nothing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}
