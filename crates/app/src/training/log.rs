//! A log file that is written on a thread of its own.

use crate::Disk;
use std::{
    io,
    path::Path,
    sync::mpsc::{Sender, channel},
    thread::JoinHandle,
};

/// Takes lines and writes them on a thread of its own; all are on disk when it is closed.
#[derive(Debug)]
pub(super) struct Log {
    lines: Option<Sender<String>>,
    writer: Option<JoinHandle<io::Result<()>>>,
}

impl Log {
    /// A new log file.
    pub(super) fn create(disk: &Disk, path: &Path) -> io::Result<Self> {
        disk.replace(path, b"")?;
        let (disk, path) = (disk.clone(), path.to_owned());
        let (sender, receiver) = channel::<String>();
        let writer = std::thread::Builder::new().spawn(move || {
            while let Ok(mut text) = receiver.recv() {
                text.push('\n');
                // What has gathered meanwhile goes with it.
                for line in receiver.try_iter() {
                    text.push_str(&line);
                    text.push('\n');
                }
                disk.append(&path, text.as_bytes())?;
            }
            Ok(())
        })?;
        Ok(Self {
            lines: Some(sender),
            writer: Some(writer),
        })
    }

    /// Adds a line. After the disk has failed it goes nowhere; closing tells.
    pub(super) fn line(&self, line: String) {
        if let Some(lines) = &self.lines {
            lines.send(line).ok();
        }
    }

    /// Waits until everything is written; whether it was.
    pub(super) fn close(mut self) -> io::Result<()> {
        self.finish()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.lines = None;
        match self.writer.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(written)) => written,
            Some(Err(_)) => Err(io::Error::other("the log's thread panicked")),
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // The training is ending with an error already, which is told.
        self.finish().ok();
    }
}
