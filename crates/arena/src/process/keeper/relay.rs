//! What comes on our input is passed on to the engine, for systems where the end of a pipe is seen
//! by reading alone.

use std::{
    io::{self, Read as _, Write as _},
    process::ChildStdin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

/// An engine that does not read so much of what it is told will not read the rest.
const UNREAD_MAX: usize = 1 << 20;

/// What a keeper hears of.
enum News {
    /// Bytes for the engine.
    Input(Vec<u8>),
    /// Whoever started the keeper is gone.
    End,
}

/// The way of our input to the engine.
pub(super) struct Relay {
    news: Receiver<News>,
    pass_on: Option<Mailbox>,
}

impl Relay {
    pub(super) fn start(stdin: Option<ChildStdin>) -> Self {
        let (tell, news) = channel();
        thread::spawn(move || read_input(&tell));
        Self {
            news,
            pass_on: stdin.map(Mailbox::new),
        }
    }

    /// Passes on what comes within a while. Whether nobody speaks any more, or the engine does not
    /// read: then it will not read the word to quit either.
    pub(super) fn wait_for_end(&mut self, wait: Duration) -> bool {
        let is_over = match self.news.recv_timeout(wait) {
            Ok(News::Input(ref bytes)) => !self.pass_on.as_ref().is_some_and(|to| to.send(bytes)),
            Ok(News::End) | Err(RecvTimeoutError::Disconnected) => true,
            Err(RecvTimeoutError::Timeout) => false,
        };
        if is_over {
            self.pass_on = None;
        }
        is_over
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
