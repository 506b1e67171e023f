//! Starting and ending: the lock, the socket, the desk, the runtime, and the way out.

use crate::{
    connections::{self, Limits},
    events::Hub,
    guard::Guard,
    passes::secret,
    routes::{self, Budgets, Context},
    running::{self, Claim, Claimed, Elsewhere, Note},
};
use app::{
    ConfigFile, Desk, Home, Keeper,
    desk::{OpenError, Surroundings},
};
use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::{net::TcpListener, runtime::Runtime, sync::watch, task::JoinHandle};

/// How long requests that were accepted may take to end when the server does.
const PATIENCE: Duration = Duration::from_secs(10);

/// Threads for requests that wait for the desk; there are never more of those at the same time.
const BLOCKING_THREADS: usize = 96;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The home is in use or cannot be used.
    #[error("cannot use {home}: {source}")]
    Home { home: String, source: io::Error },
    /// The port is taken.
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Port { port: u16, source: io::Error },
    /// The system gives no random bytes for a token.
    #[error("cannot make a token: {0}")]
    Token(String),
    /// Threads or the like.
    #[error("cannot start the server: {0}")]
    Runtime(io::Error),
    #[error(transparent)]
    Desk(#[from] OpenError),
}

/// What starting came to.
#[derive(Debug)]
pub enum Started {
    /// A server of our own.
    Here(Server),
    /// There is one for this home already, at this address.
    Elsewhere(Elsewhere),
}

/// A server that listens on its own threads until it is told to stop.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    guard: Arc<Guard>,
    port: u16,
    token: String,
    desk: Desk,
    hub: Hub,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
    claim: Claim,
}

fn no_chance(error: getrandom::Error) -> StartError {
    StartError::Token(error.to_string())
}

/// The one real clock of the server; everything below is handed it.
#[expect(
    clippy::disallowed_methods,
    reason = "the server is where real time enters; libraries take a clock"
)]
fn clock() -> app::desk::NowMs {
    let start = std::time::Instant::now();
    Arc::new(move || start.elapsed().as_millis() as u64)
}

fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name("kibitz-http")
        .enable_all()
        .build()
}

/// What the desk is handed: real time, real chance, and a listener that tells all streams.
fn surroundings(hub: Hub, keeper: Keeper) -> Surroundings {
    Surroundings {
        keeper,
        now_ms: clock(),
        memory_mb: app::memory::available_mb(),
        // The standard library's own chance for hash tables.
        chance: Box::new(|| RandomState::new().build_hasher().finish()),
        listener: Arc::new(move |event| hub.tell(event)),
    }
}

/// Starts serving a home, unless somebody does already. A port of 0 is any free one; without one
/// the configuration decides. The keeper ends foreign engines if this program cannot.
pub fn start(
    home: Home,
    config: ConfigFile,
    port: Option<u16>,
    keeper: Keeper,
) -> Result<Started, StartError> {
    let home_error = |source| StartError::Home {
        home: home.path().display().to_string(),
        source,
    };
    let claim = match running::claim(&home).map_err(home_error)? {
        Claimed::Ours(claim) => claim,
        Claimed::Theirs(other) => return Ok(Started::Elsewhere(other)),
    };
    let api = config.config().api.clone();
    let wanted = port.unwrap_or(api.port);
    let port_error = |source| StartError::Port {
        port: wanted,
        source,
    };
    let runtime = runtime().map_err(StartError::Runtime)?;
    let listener = {
        let _inside = runtime.enter();
        connections::listen((Ipv4Addr::LOCALHOST, wanted).into()).map_err(port_error)?
    };
    let port = listener.local_addr().map_err(port_error)?.port();
    let token = if api.token.is_empty() {
        secret().map_err(no_chance)?
    } else {
        api.token
    };
    let hub = Hub::new();
    let note = Note {
        port,
        token: token.clone(),
    };
    let home_shown = home.path().display().to_string();
    let desk = Desk::open(home, config, surroundings(hub.clone(), keeper))?;
    desk.open_collection();
    let guard = Arc::new(Guard::new(port, token.clone(), api.rate_limit_rps));
    let context = Context {
        desk: desk.clone(),
        hub: hub.clone(),
        guard: Arc::clone(&guard),
        budgets: Budgets::default(),
    };
    let (stop, stopped) = watch::channel(false);
    let serving = runtime.spawn(serve(listener, context, stopped));
    claim.announce(&note).map_err(|source| StartError::Home {
        home: home_shown,
        source,
    })?;
    tracing::info!(port, "serving");
    Ok(Started::Here(Server {
        runtime,
        guard,
        port,
        token,
        desk,
        hub,
        stop,
        serving,
        claim,
    }))
}

async fn serve(listener: TcpListener, context: Context, mut stopped: watch::Receiver<bool>) {
    let ended = async move {
        // An error means that the server was dropped, which is an end, too.
        stopped.wait_for(|stopped| *stopped).await.ok();
    };
    connections::serve(listener, routes::router(context), Limits::default(), ended).await;
}

impl Server {
    /// An address that lets one browser in, once and within ten minutes.
    pub fn invite(&self) -> Result<String, StartError> {
        self.guard.invite().map_err(no_chance)
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// What lets programs in.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Listens to the signals that ask the process to end. Whoever prints the address does this
    /// first: a user may press Ctrl-C as soon as there is something to see.
    pub fn watch_for_end(&self) -> io::Result<EndSignals> {
        let _inside = self.runtime.enter();
        EndSignals::new()
    }

    /// Serves until the user presses Ctrl-C, closes the terminal or asks the process to end. Then
    /// ends in peace.
    pub fn run(self, signals: EndSignals) -> io::Result<()> {
        self.runtime.block_on(signals.any())?;
        self.stop()
    }

    /// Ends: what was accepted is finished, games are saved.
    pub fn stop(self) -> io::Result<()> {
        let Self {
            runtime,
            desk,
            hub,
            stop,
            serving,
            claim,
            ..
        } = self;
        tracing::info!("ending");
        stop.send_replace(true);
        hub.close();
        let ended = runtime.block_on(async { tokio::time::timeout(PATIENCE, serving).await });
        let closed = desk.close();
        runtime.shutdown_timeout(Duration::from_secs(1));
        drop(claim);
        // What could not be saved is lost now: the exit code says so.
        closed.map_err(io::Error::other)?;
        match ended {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(io::Error::other(error)),
            // Somebody holds a connection open; nothing of theirs is lost.
            Err(_) => Ok(()),
        }
    }
}

/// The signals that end the server.
#[cfg(unix)]
#[derive(Debug)]
pub struct EndSignals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// `None` where `nohup` asked for it: listening would undo that.
    hang_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl EndSignals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let hang_up = (!ignores_hang_up()).then(|| signal(SignalKind::hangup()));
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: hang_up.transpose()?,
        })
    }

    async fn any(mut self) -> io::Result<()> {
        let hang_up = async {
            match &mut self.hang_up {
                Some(hang_up) => hang_up.recv().await.unwrap_or(()),
                None => std::future::pending::<()>().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => Ok(()),
            _ = self.terminate.recv() => Ok(()),
            () = hang_up => Ok(()),
        }
    }
}

/// Whether the process was started so that it outlives its terminal. Only Linux tells.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The first signal has the lowest bit.
    ignored.is_some_and(|mask| mask & 1 != 0)
}

/// The signal that ends the server: Ctrl-C.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct EndSignals;

#[cfg(not(unix))]
impl EndSignals {
    #[expect(clippy::unnecessary_wraps, reason = "Unix may refuse to listen")]
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn any(self) -> io::Result<()> {
        tokio::signal::ctrl_c().await
    }
}
