//! Connections: how many at once, how long they may take to say what they want and to take what
//! they asked for, and their end.

use crate::{
    patience::Patient,
    rate::Ration,
    seats::{Seats, Ticket},
};
use axum::{Router, body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    time::Instant,
};

/// Connections that the system keeps for us until they are accepted.
const BACKLOG: u32 = 1_024;

/// What the system keeps of an answer that its client has not read yet. Little: the sooner a
/// client that does not read is noticed, the less there is to keep.
const SEND_BUFFER: u32 = 256 << 10;

/// What is kept of a request's headers, and of an answer on its way to the system.
const BUFFER: usize = 64 << 10;

/// How long to wait for file handles to be given back.
const BREATH: Duration = Duration::from_millis(100);

/// What a client may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Connections at once. One more gets the place of a client who needs it less.
    pub(crate) connections: usize,
    /// From the beginning of a connection, or from the last answer, to the end of a request's
    /// headers. Who says nothing so long is cut off.
    pub(crate) head: Duration,
    /// From the moment when a client falls behind to the moment when it has read everything. Who
    /// takes longer is cut off.
    pub(crate) taken: Duration,
}

impl Default for Limits {
    /// A browser has six connections, a person a few tabs.
    fn default() -> Self {
        Self {
            connections: 512,
            head: Duration::from_secs(10),
            taken: Duration::from_secs(15),
        }
    }
}

/// Listens on an address; a port of 0 is any free one. To be called inside of a runtime.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // A port is free again as soon as its server has ended. On Windows this would mean to share it.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // Accepted sockets inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The routes for one connection, whose place they are told.
struct Seated {
    routes: TowerToHyperService<Router>,
    ticket: Arc<Ticket>,
}

type Answering<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

impl Service<Request<Incoming>> for Seated {
    type Response = axum::response::Response<Body>;
    type Error = std::convert::Infallible;
    type Future = Answering<Self::Response, Self::Error>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        self.ticket.hear();
        let seat = &self.ticket.seat;
        let wait = seat.wait(Instant::now());
        let busy = seat.busy();
        request.extensions_mut().insert(Arc::clone(seat));
        let routes = self.routes.clone();
        Box::pin(async move {
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
            let answer = routes.call(request).await;
            drop(busy);
            answer
        })
    }
}

/// Serves until `ended`, then finishes what was accepted.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    ended: impl Future<Output = ()>,
) {
    let seats = Seats::new(limits.connections);
    let graceful = GracefulShutdown::new();
    let mut ended = pin!(ended);
    loop {
        let (stream, ticket) = tokio::select! {
            () = &mut ended => break,
            next = next(&listener, &seats) => next,
        };
        // Answers are small and somebody waits for them.
        stream.set_nodelay(true).ok();
        let ticket = Arc::new(ticket);
        let service = Seated {
            routes: TowerToHyperService::new(router.clone()),
            ticket: Arc::clone(&ticket),
        };
        let socket = Patient::new(stream, limits.taken);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(socket), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            tokio::select! {
                // First, so that a request which has arrived is seen before the place is given up.
                biased;
                _ended = connection => {}
                () = ticket.wanted() => {}
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// The next connection, once there is room for it.
async fn next(listener: &TcpListener, seats: &Arc<Seats>) -> (TcpStream, Ticket) {
    static FAILED: Ration = Ration::new(0.1, 10.0);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, seats.take().await),
            // The client has gone, or the system has no file handle left for us.
            Err(error) => {
                if let Some(left_out) = FAILED.spend(Instant::now()) {
                    tracing::warn!(%error, left_out, "cannot accept a connection");
                }
                seats.ask_one_to_leave();
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
        let router = Router::new()
            .route("/", get(async || "here"))
            .route("/long", get(async || vec![b'x'; 4 << 20]));
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
            taken: PATIENCE,
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
    async fn silent_clients_make_room_for_those_who_speak() {
        let limits = Limits {
            connections: 2,
            head: PATIENCE,
            taken: PATIENCE,
        };
        with_server(limits, async |address| {
            let mut silent = Vec::new();
            for _ in 0..20 {
                silent.push(TcpStream::connect(address).await.unwrap());
                let answer = ask(address).await;
                assert!(answer.ends_with("here"), "{answer}");
            }
            drop(silent);
        })
        .await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn clients_that_ask_and_never_read_are_cut_off() {
        let limits = Limits {
            connections: 64,
            head: PATIENCE,
            taken: Duration::from_millis(50),
        };
        with_server(limits, async |address| {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let request = b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n";
            // Answers pile up unread until the server has had enough of it.
            while stream.write_all(request).await.is_ok() {}
        })
        .await;
    }
}
