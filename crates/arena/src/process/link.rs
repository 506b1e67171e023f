//! A running engine as lines in and lines out, in bounded memory.

use super::{Keeper, Now, Program, Step, Tail, Trouble, program::Group};
use std::{
    collections::VecDeque,
    io::{Read, Write as _},
    process::{ChildStdin, ExitStatus},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
    time::Duration,
};

/// The longest line that is read.
const LINE_MAX: usize = 64 << 10;

/// What an engine may send at once, and a second later again a quarter of it.
const BURST_MAX: u64 = 4 << 20;
const BYTES_PER_MS: u64 = 1 << 10;

/// Lines that nobody has read yet; of more, the oldest are forgotten.
const UNREAD_MAX: usize = 1 << 20;

/// Commands that the engine has not read yet.
const UNSENT_MAX: usize = 1 << 20;

/// How long a wait is before the clock and the flags are looked at again.
const SLICE: Duration = Duration::from_millis(5);

/// Why nothing more will be heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gone {
    /// The engine has closed its output.
    Closed,
    LongLine,
    Flood,
}

#[derive(Debug, Default)]
struct Inbox {
    lines: VecDeque<String>,
    n_bytes: usize,
    gone: Option<Gone>,
}

#[derive(Debug, Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
    /// Whether the engine refuses to be written to.
    is_deaf: std::sync::atomic::AtomicBool,
    n_unsent: AtomicUsize,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, line: String) {
        let mut inbox = self.lock();
        inbox.n_bytes += line.len();
        inbox.lines.push_back(line);
        while inbox.n_bytes > UNREAD_MAX {
            let Some(oldest) = inbox.lines.pop_front() else {
                break;
            };
            inbox.n_bytes -= oldest.len();
        }
        drop(inbox);
        self.changed.notify_all();
    }

    fn end(&self, gone: Gone) {
        self.lock().gone.get_or_insert(gone);
        self.changed.notify_all();
    }
}

/// A running engine. Dropped, it is killed.
pub(super) struct Link {
    group: Group,
    /// Gone when the engine's input is closed.
    outbox: Option<Sender<String>>,
    shared: Arc<Shared>,
    now: Now,
    /// What it was told and what it said.
    conversation: Tail,
    /// What it said on its standard error.
    errors: Tail,
    /// What it is doing, for the sentences of trouble.
    pub(super) step: Step,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link")
            .field("group", &self.group)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

impl Link {
    pub(super) fn open(
        program: &Program,
        keeper: &Keeper,
        now: &Now,
        conversation: &Tail,
        errors: &Tail,
    ) -> Result<Self, Trouble> {
        let cannot = |reason: String| Trouble::CannotStart { reason };
        if let Some(reason) = program.complaint() {
            return Err(cannot(reason));
        }
        let mut group = Group::spawn(program, keeper).map_err(|error| cannot(error.to_string()))?;
        let pipes = group.pipes();
        let (stdin, stdout, stderr) = pipes.ok_or_else(|| cannot("no pipes".to_owned()))?;
        let shared = Arc::new(Shared::default());
        let (outbox, sent) = channel::<String>();
        let writing = Arc::clone(&shared);
        thread::spawn(move || write_lines(stdin, &sent, &writing));
        let (reading, clock) = (Arc::clone(&shared), Arc::clone(now));
        thread::spawn(move || {
            let gone = read_lines(stdout, &*clock, |line| reading.add(line));
            reading.end(gone);
        });
        let (complaining, clock, tail) = (Arc::clone(&shared), Arc::clone(now), errors.clone());
        thread::spawn(move || {
            // Long lines are cut there; that it closes its standard error is its own business.
            let gone = read_lines(Cut(stderr), &*clock, |line| tail.push(&line));
            if gone == Gone::Flood {
                complaining.end(gone);
            }
        });
        Ok(Self {
            group,
            outbox: Some(outbox),
            shared,
            now: Arc::clone(now),
            conversation: conversation.clone(),
            errors: errors.clone(),
            step: Step::Greeting,
        })
    }

    pub(super) fn now_ms(&self) -> u64 {
        (self.now)()
    }

    /// Sends a line. It returns at once, whether the engine reads or not.
    pub(super) fn say(&self, line: &str) -> Result<(), Trouble> {
        self.conversation.push(&format!("> {line}"));
        let deaf = Trouble::Deaf { step: self.step };
        let n_unsent = self
            .shared
            .n_unsent
            .fetch_add(line.len() + 1, Ordering::Relaxed);
        if n_unsent + line.len() > UNSENT_MAX {
            return Err(deaf);
        }
        let outbox = self.outbox.as_ref().ok_or(deaf.clone())?;
        outbox.send(format!("{line}\n")).map_err(|_| deaf)
    }

    /// The next line, if one comes within some milliseconds.
    pub(super) fn listen(&mut self) -> Result<Option<String>, Trouble> {
        let shared = Arc::clone(&self.shared);
        let mut inbox = shared.lock();
        if inbox.lines.is_empty() && inbox.gone.is_none() {
            let waited = shared.changed.wait_timeout(inbox, SLICE);
            inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if inbox.gone == Some(Gone::Flood) {
            // What it sent is not worth reading.
            inbox.lines.clear();
        }
        if let Some(line) = inbox.lines.pop_front() {
            inbox.n_bytes -= line.len();
            drop(inbox);
            self.conversation.push(&format!("< {line}"));
            return Ok(Some(line));
        }
        let gone = inbox.gone;
        drop(inbox);
        match gone {
            Some(gone) => Err(self.explain(gone)),
            None if shared.is_deaf.load(Ordering::Relaxed) => Err(self.explain_silence()),
            None => match self.group.ended() {
                Some(status) => Err(self.exited(status)),
                None => Ok(None),
            },
        }
    }

    /// Waits for a line that `take` makes something of.
    pub(super) fn expect<T>(
        &mut self,
        limit_ms: u64,
        mut take: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Trouble> {
        let start_ms = self.now_ms();
        loop {
            if let Some(found) = self.listen()?.as_deref().and_then(&mut take) {
                return Ok(found);
            }
            if self.now_ms().saturating_sub(start_ms) >= limit_ms {
                return Err(Trouble::NoAnswer {
                    step: self.step,
                    time: Duration::from_millis(limit_ms),
                });
            }
        }
    }

    fn explain(&mut self, gone: Gone) -> Trouble {
        let step = self.step;
        match gone {
            Gone::LongLine => Trouble::LongLine {
                step,
                kilobytes: LINE_MAX >> 10,
            },
            Gone::Flood => Trouble::Flood {
                step,
                megabytes: (BURST_MAX >> 20) as usize,
            },
            Gone::Closed => match self.wait(EXIT_MS) {
                Some(status) => self.exited(status),
                None => Trouble::Mute { step },
            },
        }
    }

    /// An engine that closed its input: either it is about to end, or it does not listen.
    fn explain_silence(&mut self) -> Trouble {
        match self.wait(EXIT_MS) {
            Some(status) => self.exited(status),
            None => Trouble::Deaf { step: self.step },
        }
    }

    fn exited(&self, status: ExitStatus) -> Trouble {
        if status.code() == Some(super::keeper::CANNOT_START)
            && let Some(reason) = self.errors.last()
        {
            return Trouble::CannotStart { reason };
        }
        let words = self.errors.last().map_or_else(String::new, |words| {
            let cut = words.floor_char_boundary(200);
            format!("; it last said: {}", &words[..cut])
        });
        Trouble::Exited {
            step: self.step,
            how: how(status),
            words,
        }
    }

    /// Ends the engine: a word to quit, the end of its input, a request to the group, a kill. Each
    /// gets its time, and is left out if the one before was enough.
    pub(super) fn end(mut self, farewell: Option<&str>, quit_ms: u64, terminate_ms: u64) {
        if let Some(word) = farewell
            && self.say(word).is_ok()
            && self.wait(quit_ms).is_some()
        {
            return;
        }
        self.outbox = None;
        self.group.terminate();
        // A group that is still there is killed when it is dropped.
        self.wait(terminate_ms);
    }

    /// How it ended, if it did within this time.
    fn wait(&mut self, limit_ms: u64) -> Option<ExitStatus> {
        let start_ms = self.now_ms();
        loop {
            if let Some(status) = self.group.ended() {
                return Some(status);
            }
            if self.now_ms().saturating_sub(start_ms) >= limit_ms {
                return None;
            }
            thread::park_timeout(SLICE);
        }
    }
}

/// A keeper sees the end of its engine a moment after us.
const EXIT_MS: u64 = 500;

fn how(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        // A keeper tells signals as shells do.
        let told = status.code().filter(|code| (129..=192).contains(code));
        if let Some(signal) = status.signal().or(told.map(|code| code - 128)) {
            let name = nix::sys::signal::Signal::try_from(signal).map_or_else(
                |_| format!("signal {signal}"),
                |signal| signal.as_str().to_owned(),
            );
            return format!(" (killed by {name})");
        }
    }
    match status.code() {
        Some(code) => format!(" (exit code {code})"),
        None => String::new(),
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &std::sync::mpsc::Receiver<String>, shared: &Shared) {
    for line in lines {
        if stdin
            .write_all(line.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            shared.is_deaf.store(true, Ordering::Relaxed);
            shared.changed.notify_all();
            return;
        }
        shared.n_unsent.fetch_sub(line.len(), Ordering::Relaxed);
    }
}

/// How much an engine may still send: a bucket that time fills.
struct Bucket {
    room: u64,
    filled_ms: u64,
}

impl Bucket {
    fn take(&mut self, n_bytes: u64, now_ms: u64) -> bool {
        let passed_ms = now_ms.saturating_sub(self.filled_ms);
        self.filled_ms = now_ms.max(self.filled_ms);
        let gained = passed_ms.saturating_mul(BYTES_PER_MS);
        self.room = self.room.saturating_add(gained).min(BURST_MAX);
        let fits = n_bytes <= self.room;
        self.room = self.room.saturating_sub(n_bytes);
        fits
    }
}

/// Lines of any bytes; those that are no UTF-8 are replaced.
fn read_lines(mut from: impl Read, now: &dyn Fn() -> u64, mut tell: impl FnMut(String)) -> Gone {
    let mut bucket = Bucket {
        room: BURST_MAX,
        filled_ms: now(),
    };
    let mut buffer = [0; 16 << 10];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let n = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        if !bucket.take(n as u64, now()) {
            return Gone::Flood;
        }
        for part in buffer[..n].split_inclusive(|&byte| byte == b'\n') {
            line.extend_from_slice(part);
            if line.len() > LINE_MAX {
                return Gone::LongLine;
            }
            if line.ends_with(b"\n") {
                tell(text(&line));
                line.clear();
            }
        }
    }
    if !line.is_empty() {
        tell(text(&line));
    }
    Gone::Closed
}

fn text(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end_matches(['\r', '\n']).to_owned()
}

/// A stream whose lines are not too long: a break is put in where there is none for long.
struct Cut<R>(R);

impl<R: Read> Read for Cut<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let room = buffer.len().saturating_sub(1).min(4 << 10);
        let n = self.0.read(&mut buffer[..room])?;
        if n == room && n > 0 && !buffer[..n].contains(&b'\n') {
            buffer[n] = b'\n';
            return Ok(n + 1);
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], ms_per_look: u64) -> (Vec<String>, Gone) {
        let time = std::cell::Cell::new(0);
        let now = || {
            time.set(time.get() + ms_per_look);
            time.get()
        };
        let mut lines = Vec::new();
        let gone = read_lines(bytes, &now, |line| lines.push(line));
        (lines, gone)
    }

    #[test]
    fn lines_of_all_kinds_are_read() {
        let (lines, gone) = read(b"id name x\r\n\n\xff\0\nlast", 0);
        assert_eq!(lines, ["id name x", "", "\u{fffd}\0", "last"]);
        assert_eq!(gone, Gone::Closed);
    }

    #[test]
    fn a_long_line_and_a_flood_end_the_reading() {
        assert_eq!(
            read(&vec![b'x'; LINE_MAX + 1], 0),
            (Vec::new(), Gone::LongLine)
        );
        let many = b"info depth 1\n".repeat(1 << 19);
        let (lines, gone) = read(&many, 0);
        assert_eq!(gone, Gone::Flood);
        assert!(lines.len() * 13 <= BURST_MAX as usize);
        // The same in enough time is no flood.
        assert_eq!(read(&many, 16).1, Gone::Closed);
    }

    #[test]
    fn endless_lines_are_cut() {
        let bytes = vec![b'x'; 100_000];
        let now = || 0;
        let mut lines = Vec::new();
        let gone = read_lines(Cut(bytes.as_slice()), &now, |line| lines.push(line));
        assert_eq!(gone, Gone::Closed);
        assert_eq!(lines.iter().map(String::len).sum::<usize>(), 100_000);
        assert!(lines.iter().all(|line| line.len() <= 4 << 10));
    }
}
