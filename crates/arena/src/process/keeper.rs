//! The process between us and an engine, which ends the engine when we are gone.
//!
//! Pipes go between the engine and us directly: the keeper costs nothing while they talk. It holds
//! the reading end of the engine's input beside the engine, reads nothing there, and sees when
//! nobody writes any more, because we closed the pipe or because we were killed. Then it ends the
//! engine: it asks the group to end, and kills it. On Linux it adopts what the engine leaves behind,
//! so that it also ends processes that left the group. (Where the system has no way to wait for the
//! end of a pipe without reading, the keeper reads and passes on.)

#[cfg(not(unix))]
mod relay;

use super::program::{kept_command, spawn, terminate};
use process_wrap::std::ChildWrapper;
use std::{
    ffi::OsString,
    io::{self, Write as _},
    path::PathBuf,
    process::{ExitCode, ExitStatus},
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
    #[cfg(unix)]
    let status = keep(&mut *child, wait_for_end);
    #[cfg(not(unix))]
    let status = {
        let mut relay = relay::Relay::start(child.stdin().take());
        keep(&mut *child, |wait| relay.wait_for_end(wait))
    };
    sweep();
    code_of(status)
}

/// Until the engine has ended. `is_over` waits for a while, and says whether nobody speaks with the
/// engine any more.
fn keep(
    child: &mut dyn ChildWrapper,
    mut is_over: impl FnMut(Duration) -> bool,
) -> Option<ExitStatus> {
    let mut looks_left = None;
    loop {
        match looks_left {
            None if is_over(LOOK) => {
                terminate(child);
                looks_left = Some(LOOKS_TO_END);
            }
            None => {}
            Some(_) => thread::park_timeout(LOOK),
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

/// Whether all who could write into our input have closed it, after a while at most. Nothing is
/// read: what is in the pipe is the engine's.
#[cfg(unix)]
fn wait_for_end(wait: Duration) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd as _;
    let stdin = io::stdin();
    let mut pipes = [PollFd::new(stdin.as_fd(), PollFlags::empty())];
    let limit = PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO);
    match poll(&mut pipes, limit) {
        Ok(0) => false,
        Ok(_) => true,
        Err(nix::errno::Errno::EINTR) => false,
        Err(_) => true,
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
