//! A program on the disk, and the group of processes that it becomes.

use process_wrap::std::{ChildWrapper, CommandWrap};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio},
};

/// A program to start, with its arguments and folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub path: PathBuf,
    pub args: Vec<String>,
    /// Where it runs; `None` is the folder that it lies in, where engines look for their networks.
    pub folder: Option<PathBuf>,
}

/// Who ends the engine if we cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeper {
    /// Only we do. If we are killed, an engine that ignores the end of its input stays.
    Nobody,
    /// A program that calls [`keeper::run`](super::keeper::run) with what stands behind these
    /// arguments.
    Program { path: PathBuf, args: Vec<OsString> },
}

impl Keeper {
    /// This program itself, if its `main` hands [`keeper::ARGUMENT`](super::keeper::ARGUMENT) on to
    /// [`keeper::run`](super::keeper::run).
    pub fn this_program() -> Self {
        // The running program, also if its file has been replaced since.
        let running = Path::new("/proc/self/exe");
        let path = if cfg!(target_os = "linux") && running.exists() {
            Some(running.to_owned())
        } else {
            std::env::current_exe().ok()
        };
        path.map_or(Self::Nobody, |path| Self::Program {
            path,
            args: vec![super::keeper::ARGUMENT.into()],
        })
    }
}

impl Program {
    /// A program without arguments.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            args: Vec::new(),
            folder: None,
        }
    }

    /// Why the file cannot be started, as far as a look at it tells.
    pub fn complaint(&self) -> Option<String> {
        let path = self.path.display();
        let metadata = match fs::metadata(&self.path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Some(format!("there is no file {path}"));
            }
            Err(error) => return Some(format!("{path}: {error}")),
        };
        if !metadata.is_file() {
            return Some(format!("{path} is not a file"));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            if metadata.permissions().mode() & 0o111 == 0 {
                return Some(format!(
                    "{path} may not be run; allow it with chmod +x {path}"
                ));
            }
        }
        None
    }
}

/// A running program with whatever it starts itself.
#[derive(Debug)]
pub(super) struct Group {
    child: Box<dyn ChildWrapper>,
    /// Whether it is below a keeper, which does the ending.
    is_kept: bool,
}

impl Group {
    /// Starts a program with pipes for everything.
    pub(super) fn spawn(program: &Program, keeper: &Keeper) -> io::Result<Self> {
        let (path, leading): (&Path, &[OsString]) = match keeper {
            Keeper::Nobody => (&program.path, &[]),
            Keeper::Program { path, args } => (path, args),
        };
        let is_kept = matches!(keeper, Keeper::Program { .. });
        let mut command = command(path);
        command.args(leading);
        if is_kept {
            command.arg(&program.path);
        }
        command
            .args(&program.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let own = program.path.parent().filter(|it| it.is_dir());
        if let Some(folder) = program.folder.as_deref().or(own) {
            command.current_dir(folder);
        }
        let child = spawn(command)?;
        Ok(Self { child, is_kept })
    }

    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        let child = &mut self.child;
        let stdin = child.stdin().take()?;
        let stdout = child.stdout().take()?;
        let stderr = child.stderr().take()?;
        Some((stdin, stdout, stderr))
    }

    /// How it ended, if it did.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Asks the whole group to end. A keeper has heard of it by the end of its input.
    pub(super) fn terminate(&mut self) {
        if !self.is_kept {
            terminate(&mut *self.child);
        }
    }

    /// Ends the whole group.
    pub(super) fn kill(&mut self) {
        // Who is gone already cannot be killed.
        self.child.start_kill().ok();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.ended().is_none() {
            self.kill();
            // Reaped, so that no entry of it stays in the system's table.
            self.child.wait().ok();
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that starts processes"
)]
fn command(path: &Path) -> std::process::Command {
    std::process::Command::new(path)
}

/// Starts a command as the head of a group of its own: a terminal's Ctrl-C does not reach it, and
/// what it starts can be ended with it.
pub(super) fn spawn(command: std::process::Command) -> io::Result<Box<dyn ChildWrapper>> {
    let mut wrapped = CommandWrap::from(command);
    #[cfg(unix)]
    wrapped.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    wrapped.wrap(process_wrap::std::JobObject);
    wrapped.spawn()
}

/// A command that the keeper may start, with its own pipes as far as the keeper need not pass on.
pub(super) fn kept_command(path: &Path) -> std::process::Command {
    let mut command = command(path);
    command.stdin(if cfg!(unix) {
        Stdio::inherit()
    } else {
        Stdio::piped()
    });
    command
}

/// Keeps this thread, and the engines that it starts from now on, to one of the cores, counted
/// around. Where the system has no way to do that, nothing happens.
pub fn keep_to_core(number: usize) {
    #[cfg(target_os = "linux")]
    {
        use nix::{
            sched::{CpuSet, sched_getaffinity, sched_setaffinity},
            unistd::Pid,
        };
        let this_thread = Pid::from_raw(0);
        let Ok(allowed) = sched_getaffinity(this_thread) else {
            return;
        };
        let cores: Vec<usize> = (0..CpuSet::count())
            .filter(|core| allowed.is_set(*core) == Ok(true))
            .collect();
        let mut only = CpuSet::new();
        if let Some(core) = cores.get(number % cores.len().max(1))
            && only.set(*core).is_ok()
        {
            sched_setaffinity(this_thread, &only).ok();
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = number;
}

/// Asks a group to end, where the system has a way to ask.
pub(super) fn terminate(child: &mut dyn ChildWrapper) {
    // Who is gone already needs no asking.
    #[cfg(unix)]
    child.signal(nix::sys::signal::Signal::SIGTERM as i32).ok();
    #[cfg(not(unix))]
    child.start_kill().ok();
}
