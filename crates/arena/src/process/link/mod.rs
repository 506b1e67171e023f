//! A running engine as lines in and lines out, in bounded memory.

#[cfg(unix)]
#[path = "polled.rs"]
mod pipes;
#[cfg(not(unix))]
#[path = "threaded.rs"]
mod pipes;

use super::{Keeper, Now, Program, Step, Tail, Trouble, plain, program::Group};
use pipes::Pipes;
use std::{io::Read, process::ExitStatus, sync::Arc, thread, time::Duration};

/// The longest line that is read.
const LINE_MAX: usize = 64 << 10;

/// What an engine may send at once, and a second later again a quarter of it.
const BURST_MAX: u64 = 4 << 20;
const BYTES_PER_MS: u64 = 1 << 10;

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

/// What came from an engine.
enum Heard {
    Line(String),
    /// Nothing within some milliseconds.
    Nothing,
    Gone(Gone),
    /// The engine refuses to be written to.
    Deaf,
}

/// A running engine. Dropped, it is killed.
pub(super) struct Link {
    group: Group,
    pipes: Pipes,
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
        let opened = group.pipes();
        let (stdin, stdout, stderr) = opened.ok_or_else(|| cannot("no pipes".to_owned()))?;
        let pipes = Pipes::open(stdin, stdout, stderr, now, errors);
        Ok(Self {
            group,
            pipes: pipes.map_err(|error| cannot(error.to_string()))?,
            now: Arc::clone(now),
            conversation: conversation.clone(),
            errors: errors.clone(),
            step: Step::Greeting,
        })
    }

    pub(super) fn now_ms(&self) -> u64 {
        (self.now)()
    }

    /// Sends a line, or several at once. It returns at once, whether the engine reads or not.
    pub(super) fn say(&mut self, text: &str) -> Result<(), Trouble> {
        for line in text.lines() {
            self.conversation.push_with("> ", line);
        }
        if self.pipes.send(text) {
            Ok(())
        } else {
            Err(Trouble::Deaf { step: self.step })
        }
    }

    /// The next line, if one comes within some milliseconds.
    pub(super) fn listen(&mut self) -> Result<Option<String>, Trouble> {
        match self.pipes.receive(SLICE) {
            Heard::Line(line) => {
                self.conversation.push_with("< ", &line);
                Ok(Some(line))
            }
            Heard::Gone(gone) => Err(self.explain(gone)),
            Heard::Deaf => Err(self.explain_silence()),
            Heard::Nothing => match self.group.ended() {
                Some(status) => Err(self.exited(status)),
                None => Ok(None),
            },
        }
    }

    /// The next line of what was taken already.
    pub(super) fn heard(&mut self) -> Result<Option<String>, Trouble> {
        if self.pipes.has_lines() {
            return self.listen();
        }
        Ok(None)
    }

    /// Takes what the engine has said already, without waiting.
    pub(super) fn glance(&mut self) {
        self.pipes.glance();
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
        // Its last words may still be on their way.
        let start_ms = self.now_ms();
        while !self.pipes.has_heard_errors() && self.now_ms().saturating_sub(start_ms) < EXIT_MS {
            thread::park_timeout(Duration::from_millis(1));
        }
        if status.code() == Some(super::keeper::CANNOT_START)
            && let Some(reason) = self.errors.last()
        {
            let reason = plain(&reason);
            return Trouble::CannotStart { reason };
        }
        let words = self.errors.last().map(|it| plain(&it));
        let words = words.map_or_else(String::new, |words| {
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
        self.pipes.close_input();
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

/// Bytes that become lines.
struct Assembler {
    bucket: Bucket,
    line: Vec<u8>,
}

impl Assembler {
    const fn new(now_ms: u64) -> Self {
        Self {
            bucket: Bucket {
                room: BURST_MAX,
                filled_ms: now_ms,
            },
            line: Vec::new(),
        }
    }

    /// Takes what was read, and tells the lines that are whole.
    fn take(&mut self, bytes: &[u8], now_ms: u64, mut tell: impl FnMut(String)) -> Option<Gone> {
        if !self.bucket.take(bytes.len() as u64, now_ms) {
            return Some(Gone::Flood);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.len() > LINE_MAX {
                return Some(Gone::LongLine);
            }
            if self.line.ends_with(b"\n") {
                tell(text(&self.line));
                self.line.clear();
            }
        }
        None
    }

    /// Nothing more comes: what there is of a line is one.
    fn end(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        (!line.is_empty()).then(|| text(&line))
    }
}

/// Reads to the end, on a thread that may wait. Lines may have any bytes; those that are no UTF-8
/// are replaced.
fn read_lines(mut from: impl Read, now: &dyn Fn() -> u64, mut tell: impl FnMut(String)) -> Gone {
    let mut assembler = Assembler::new(now());
    let mut buffer = [0; 16 << 10];
    loop {
        let n = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        if let Some(gone) = assembler.take(&buffer[..n], now(), &mut tell) {
            return gone;
        }
    }
    if let Some(line) = assembler.end() {
        tell(line);
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
