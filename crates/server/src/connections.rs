//! Connections: how many at once, how long they may take to say what they want, and their end.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};

/// Connections that the system keeps for us while we have enough of them.
const BACKLOG: u32 = 1_024;

/// How long to wait for file handles to be given back.
const BREATH: Duration = Duration::from_millis(100);

/// What a client may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Connections at once. More wait until one ends.
    pub(crate) connections: usize,
    /// From the beginning of a connection, or from the last answer, to the end of a request's
    /// headers. Who says nothing so long is cut off.
    pub(crate) head: Duration,
}

impl Default for Limits {
    /// A browser has six connections, a person a few tabs.
    fn default() -> Self {
        Self {
            connections: 256,
            head: Duration::from_secs(10),
        }
    }
}

/// Listens on an address; a port of 0 is any free one. To be called inside of a runtime.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // A port is free again as soon as its server has ended. On Windows this would mean to share it.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `ended`, then finishes what was accepted.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    ended: impl Future<Output = ()>,
) {
    let slots = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut ended = pin!(ended);
    loop {
        let (stream, slot) = tokio::select! {
            () = &mut ended => break,
            next = next(&listener, &slots) => next,
        };
        // Answers are small and somebody waits for them.
        stream.set_nodelay(true).ok();
        let service = TowerToHyperService::new(router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(slot);
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// The next connection, once there is room for it.
async fn next(listener: &TcpListener, slots: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    let slot = Arc::clone(slots).acquire_owned().await;
    let slot = slot.expect("nobody closes the semaphore");
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, slot),
            // The client has gone, or the system has no file handle left for us.
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use std::net::Ipv4Addr;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        sync::oneshot,
    };

    /// Longer than anything takes; a test that waits so long has failed.
    const PATIENCE: Duration = Duration::from_secs(60);

    async fn with_server<T>(limits: Limits, client: impl AsyncFnOnce(SocketAddr) -> T) -> T {
        let listener = listen((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = oneshot::channel::<()>();
        let router = Router::new().route("/", get(async || "here"));
        let ended = async {
            ended.await.ok();
        };
        let serving = tokio::spawn(serve(listener, router, limits, ended));
        let client = tokio::time::timeout(PATIENCE, client(address)).await;
        let client = client.expect("the server was held up");
        end.send(()).unwrap();
        let serving = tokio::time::timeout(PATIENCE, serving).await;
        serving.expect("the server does not end").unwrap();
        client
    }

    async fn ask(address: SocketAddr) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn clients_that_never_finish_a_request_are_cut_off() {
        let limits = Limits {
            connections: 4,
            head: Duration::from_millis(50),
        };
        let left_over = with_server(limits, async |address| {
            let mut slow = Vec::new();
            for text in [
                "",
                "G",
                "GET / HTTP/1.1\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n",
            ] {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.write_all(text.as_bytes()).await.unwrap();
                slow.push(stream);
            }
            // All connections are taken, and nobody gives one back.
            let answer = ask(address).await;
            assert!(answer.ends_with("here"), "{answer}");
            let mut left_over = 0;
            for mut stream in slow {
                let mut rest = Vec::new();
                // The end of the stream, or a reset: both mean that it was cut.
                left_over += stream.read_to_end(&mut rest).await.unwrap_or(0);
            }
            left_over
        })
        .await;
        // Nobody was answered who had not asked.
        assert_eq!(left_over, 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn connections_beyond_the_limit_wait_for_their_turn() {
        let limits = Limits {
            connections: 2,
            head: PATIENCE,
        };
        with_server(limits, async |address| {
            let first = TcpStream::connect(address).await.unwrap();
            let second = TcpStream::connect(address).await.unwrap();
            let mut waiting = tokio::spawn(ask(address));
            let too_early = tokio::time::timeout(Duration::from_millis(300), &mut waiting).await;
            assert!(too_early.is_err(), "there was no limit");
            drop(first);
            let answer = waiting.await.unwrap();
            assert!(answer.ends_with("here"), "{answer}");
            drop(second);
        })
        .await;
    }
}
