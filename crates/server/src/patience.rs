//! A socket whose client has to take what it asked for.
//!
//! Without a deadline for writing, a client that asks and never reads holds its connection, and
//! the answer in memory, for ever. And while an answer waits to be taken nothing more is read:
//! otherwise a client that only asks would have its answers pile up here.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// A socket with a deadline for writing.
#[derive(Debug)]
pub(crate) struct Patient<S> {
    socket: S,
    within: Duration,
    /// Runs from the first byte that could not be written until everything has been.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Whether reading was put off until then.
    reader_waits: bool,
}

impl<S> Patient<S> {
    /// Everything that is written has to be taken within this time.
    pub(crate) const fn new(socket: S, within: Duration) -> Self {
        Self {
            socket,
            within,
            deadline: None,
            reader_waits: false,
        }
    }

    /// What became of a write: an error if the client has had its time.
    fn watch(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_pending() && self.deadline.is_none() {
            self.deadline = Some(Box::pin(sleep(self.within)));
        }
        let deadline = self.deadline.as_mut();
        if deadline.is_some_and(|deadline| deadline.as_mut().poll(context).is_ready()) {
            let message = "the client does not take what it asked for";
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)));
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.deadline.is_some() {
            self.reader_waits = true;
            return Poll::Pending;
        }
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, slices);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    /// Called when everything has been handed to the system.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.deadline = None;
        if std::mem::take(&mut self.reader_waits) {
            context.waker().wake_by_ref();
        }
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    const WITHIN: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_gets_everything() {
        let (server, mut client) = duplex(64);
        let mut server = Patient::new(server, WITHIN);
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            client.read_to_end(&mut all).await
        });
        server.write_all(&vec![7; 100_000]).await.unwrap();
        server.shutdown().await.unwrap();
        drop(server);
        assert_eq!(reading.await.unwrap().unwrap(), 100_000);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_given_up() {
        let (server, _client) = duplex(64);
        let mut server = Patient::new(server, WITHIN);
        let error = server.write_all(&[7; 100]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_a_byte_a_second_is_given_up() {
        let (server, mut client) = duplex(64);
        let mut server = Patient::new(server, WITHIN);
        let reading = tokio::spawn(async move {
            while client.read_u8().await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        });
        let error = server.write_all(&[7; 1_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(server);
        reading.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_read_while_an_answer_waits() {
        let (server, mut client) = duplex(64);
        let server = Patient::new(server, WITHIN);
        let (mut read, mut write) = tokio::io::split(server);
        client.write_all(b"more").await.unwrap();
        let writing = tokio::spawn(async move {
            write.write_all(&[7; 100]).await.unwrap();
            write.flush().await.unwrap();
            write
        });
        tokio::task::yield_now().await;
        let mut four = [0; 4];
        let early = tokio::time::timeout(Duration::from_secs(1), read.read_exact(&mut four)).await;
        assert!(early.is_err(), "it was read before the answer was taken");
        let mut answer = [0; 100];
        client.read_exact(&mut answer).await.unwrap();
        read.read_exact(&mut four).await.unwrap();
        assert_eq!(&four, b"more");
        drop(writing.await.unwrap());
    }
}
