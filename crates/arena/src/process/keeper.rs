//! The process between us and an engine, which ends the engine when we are gone.
//!
//! Its own input is ours, and it passes on what comes there; the engine's output goes to us
//! directly. When the input ends, because we closed it or because we were killed, it ends the
//! engine: it closes the engine's input, asks the group to end, and kills it. On Linux it adopts
//! what the engine leaves behind, so that it also ends processes that left the group.

use super::program::{kept_command, spawn, terminate};
use process_wrap::std::ChildWrapper;
use std::{
    ffi::OsString,
    io::{self, Read as _, Write as _},
    path::PathBuf,
    process::{ChildStdin, ExitCode, ExitStatus},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

/// The first argument by which a program knows that it is to be a keeper.
pub const ARGUMENT: &str = "keep-engine";

/// The exit code of a keeper that could not start its engine; the reason is its last word on the
/// standard error.
pub(super) const CANNOT_START: i32 = 125;

/// How often it looks whether the engine is still there.
const LOOK: Duration = Duration::from_millis(50);

/// How many looks an engine gets to end after it was asked to.
const LOOKS_TO_END: u32 = 6;

/// An engine that does not read so much of what it is told will not read the rest.
const UNREAD_MAX: usize = 1 << 20;

/// What a keeper hears of.
enum News {
    /// Bytes for the engine.
    Input(Vec<u8>),
    /// Whoever started the keeper is gone.
    End,
}

/// Starts the program that the arguments name and keeps it until it ends or our input does.
pub fn run(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(path) = args.next().map(PathBuf::from) else {
        return fail("expected the program of an engine");
    };
    adopt_orphans();
    let mut command = kept_command(&path);
    command.args(args);
    let mut child = match spawn(command) {
        Ok(child) => child,
        Err(error) => return fail(&format!("{}: {error}", path.display())),
    };
    leave_output();
    let (tell, news) = channel();
    let pass_on = child.stdin().take().map(Mailbox::new);
    thread::spawn(move || read_input(&tell));
    let status = keep(&mut *child, &news, pass_on);
    sweep();
    code_of(status)
}

/// Until the engine has ended.
fn keep(
    child: &mut dyn ChildWrapper,
    news: &Receiver<News>,
    mut pass_on: Option<Mailbox>,
) -> Option<ExitStatus> {
    let mut looks_left = None;
    loop {
        match news.recv_timeout(LOOK) {
            Ok(News::Input(ref bytes)) if pass_on.as_ref().is_some_and(|to| to.send(bytes)) => {
                continue;
            }
            // It does not read: then it will not read the word to quit either.
            Ok(News::Input(_)) if looks_left.is_some() => {}
            Ok(News::Input(_)) => {
                pass_on = None;
                terminate(child);
                looks_left = Some(LOOKS_TO_END);
            }
            Ok(News::End) | Err(RecvTimeoutError::Disconnected) if looks_left.is_none() => {
                pass_on = None;
                terminate(child);
                looks_left = Some(LOOKS_TO_END);
            }
            Ok(News::End) | Err(RecvTimeoutError::Disconnected) => thread::park_timeout(LOOK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        looks_left = match looks_left {
            Some(0) => {
                child.start_kill().ok();
                return child.wait().ok();
            }
            Some(left) => Some(left - 1),
            None => None,
        };
    }
}

/// Passes on our input, whether or not the engine reads it, and says when it ends.
fn read_input(tell: &Sender<News>) {
    let mut stdin = io::stdin().lock();
    let mut buffer = [0; 8 << 10];
    loop {
        match stdin.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                if tell.send(News::Input(buffer[..n].to_vec())).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // Nobody listens when the engine has ended already.
    tell.send(News::End).ok();
}

/// The way to the engine's input.
struct Mailbox {
    to: Sender<Vec<u8>>,
    /// Bytes that the engine has not taken yet.
    unread: Arc<AtomicUsize>,
}

impl Mailbox {
    /// A thread that writes to the engine; it may wait for an engine that does not read.
    fn new(mut stdin: ChildStdin) -> Self {
        let (to, from) = channel::<Vec<u8>>();
        let unread = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&unread);
        thread::spawn(move || {
            for bytes in from {
                if stdin
                    .write_all(&bytes)
                    .and_then(|()| stdin.flush())
                    .is_err()
                {
                    return;
                }
                left.fetch_sub(bytes.len(), Ordering::Relaxed);
            }
        });
        Self { to, unread }
    }

    /// Whether there was room for it. An engine that closed its input ends by itself, or we are told
    /// to end it.
    fn send(&self, bytes: &[u8]) -> bool {
        let before = self.unread.fetch_add(bytes.len(), Ordering::Relaxed);
        before + bytes.len() <= UNREAD_MAX && {
            self.to.send(bytes.to_vec()).ok();
            true
        }
    }
}

fn fail(reason: &str) -> ExitCode {
    // Without a standard error nobody asks for the reason.
    writeln!(io::stderr(), "{reason}").ok();
    ExitCode::from(CANNOT_START as u8)
}

/// The engine's code; 128 and the signal if one ended it, as shells have it.
fn code_of(status: Option<ExitStatus>) -> ExitCode {
    let Some(status) = status else {
        return ExitCode::FAILURE;
    };
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return ExitCode::from(128 | (signal as u8 & 0x7f));
        }
    }
    ExitCode::from(status.code().unwrap_or(1) as u8)
}

/// What the engine started becomes our child when its own parent ends.
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // Without it, only the group is ended.
    nix::sys::prctl::set_child_subreaper(true).ok();
}

/// The engine alone holds the output, so that its end is seen when the engine closes it.
fn leave_output() {
    #[cfg(unix)]
    if let Ok(nothing) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
        nix::unistd::dup2_stdout(&nothing).ok();
        nix::unistd::dup2_stderr(&nothing).ok();
    }
}

/// Ends all that the engine left behind, also what it put into groups of its own.
#[cfg(target_os = "linux")]
fn sweep() {
    use nix::{
        sys::{
            signal::{Signal, kill},
            wait::{WaitPidFlag, waitpid},
        },
        unistd::Pid,
    };
    // Those that a killed process leaves become ours in turn; a process that starts others faster
    // than we end them is given up.
    for _ in 0..100 {
        let children = children();
        if children.is_empty() {
            return;
        }
        for pid in children {
            let pid = Pid::from_raw(pid);
            kill(pid, Signal::SIGKILL).ok();
            waitpid(pid, Some(WaitPidFlag::empty())).ok();
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn sweep() {}

/// The processes whose parent we are.
#[cfg(target_os = "linux")]
fn children() -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ours = std::process::id();
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| parent_of(*pid) == Some(ours))
        .collect()
}

/// The parent stands behind the name, which is in brackets and may contain anything.
#[cfg(target_os = "linux")]
fn parent_of(pid: i32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}
