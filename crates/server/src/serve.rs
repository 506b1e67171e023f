//! Starting and ending: the lock, the socket, the desk, the runtime, and the way out.

use crate::{
    connections::{self, Limits},
    events::Hub,
    guard::Guard,
    routes::{self, Context},
    running::{self, Claim, Claimed, Note},
};
use app::{ConfigFile, Desk, Home, desk::OpenError};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::{net::TcpListener, runtime::Runtime, sync::watch, task::JoinHandle};

/// How long requests that were accepted may take to end when the server does.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The home is in use or cannot be used.
    #[error("cannot use {home}: {source}")]
    Home {
        /// Which.
        home: String,
        /// Why not.
        source: io::Error,
    },
    /// The port is taken.
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Port {
        /// Which.
        port: u16,
        /// Why not.
        source: io::Error,
    },
    /// No chance for a token.
    #[error("cannot make a token: {0}")]
    Token(String),
    /// Threads or the like.
    #[error("cannot start the server: {0}")]
    Runtime(io::Error),
    /// The desk.
    #[error(transparent)]
    Desk(#[from] OpenError),
}

/// What starting came to.
#[derive(Debug)]
pub enum Started {
    /// A server of our own.
    Here(Server),
    /// There is one for this home already, at this address.
    Elsewhere(String),
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    note: String,
    port: u16,
    token: String,
    desk: Desk,
    hub: Hub,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
    /// Given up last.
    claim: Claim,
}

/// 32 bytes that nobody can guess, in hexadecimal.
fn secret() -> Result<String, StartError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| StartError::Token(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
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

/// Starts serving a home, unless somebody does already. A port of 0 is any free one; without one
/// the configuration decides.
pub fn start(home: Home, config: ConfigFile, port: Option<u16>) -> Result<Started, StartError> {
    let home_error = |source| StartError::Home {
        home: home.path().display().to_string(),
        source,
    };
    let claim = match running::claim(&home).map_err(home_error)? {
        Claimed::Ours(claim) => claim,
        Claimed::Theirs(url) => return Ok(Started::Elsewhere(url)),
    };
    let api = config.config().api.clone();
    let wanted = port.unwrap_or(api.port);
    let port_error = |source| StartError::Port {
        port: wanted,
        source,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("kibitz-http")
        .enable_all()
        .build()
        .map_err(StartError::Runtime)?;
    let listener = {
        let _inside = runtime.enter();
        connections::listen((Ipv4Addr::LOCALHOST, wanted).into()).map_err(port_error)?
    };
    let port = listener.local_addr().map_err(port_error)?.port();
    let token = if api.token.is_empty() {
        secret()?
    } else {
        api.token
    };
    let hub = Hub::new();
    let telling = hub.clone();
    let listen = Box::new(move |event| telling.tell(event));
    let note = Note {
        port,
        token: token.clone(),
    };
    let home_shown = home.path().display().to_string();
    let desk = Desk::open(home, config, clock(), listen)?;
    let context = Context {
        desk: desk.clone(),
        hub: hub.clone(),
        guard: Arc::new(Guard::new(
            port,
            token.clone(),
            secret()?,
            api.rate_limit_rps,
        )),
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
        note: note.url(),
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
    /// What to open in a browser.
    pub fn url(&self) -> &str {
        &self.note
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// What lets programs in.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Serves until somebody presses Ctrl-C or asks the process to end, then ends in peace.
    pub fn run(self) -> io::Result<()> {
        self.runtime.block_on(asked_to_end())?;
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
        desk.close();
        runtime.shutdown_timeout(Duration::from_secs(1));
        drop(claim);
        match ended {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(io::Error::other(error)),
            // Somebody holds a connection open; nothing of theirs is lost.
            Err(_) => Ok(()),
        }
    }
}

#[cfg(unix)]
async fn asked_to_end() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn asked_to_end() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}
