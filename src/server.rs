//! The HTTP server: accepts connections, serves them, drains on shutdown.
//!
//! With its own accept loop, because axum's has no timers: half-sent heads would stay open forever, and a graceful
//! shutdown would wait for every stream (tokio-rs/axum#2741, tokio-rs/axum#2673).

use crate::app::AppState;
use crate::http;
use crate::http::streams::Streams;
use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tracing::{debug, info, warn};

mod stall;

use stall::StallGuard;

const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_HEADERS: usize = 64;
/// Limit for a request head in bytes, and hyper's read buffer.
const MAX_BUFFER: usize = 16 * 1024;
/// How long new connections are still accepted (turns get 503) while load balancers notice the shutdown.
const LISTEN_ON: Duration = Duration::from_secs(1);
/// How long running turns may take to finish.
const GRACE: Duration = Duration::from_millis(23_500);
/// How long open connections may take to write their last bytes.
const FAREWELL: Duration = Duration::from_secs(1);

/// A bound server.
pub struct Server {
    app: AppState,
    listener: TcpListener,
}

impl Server {
    /// Binds to the configured address.
    ///
    /// # Errors
    /// If the address is taken or not local.
    pub async fn bind(app: AppState) -> std::io::Result<Self> {
        let listener = TcpListener::bind(app.config.http.bind_addr).await?;
        Ok(Self { app, listener })
    }

    /// The bound address.
    ///
    /// # Errors
    /// If the socket is closed.
    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `shutdown`, then drains: no new turns, no new connections, running turns finish or are interrupted.
    pub async fn run(self, shutdown: CancellationToken) {
        let Self { app, listener } = self;
        let housekeeping = CancellationToken::new();
        let keeper = tokio::spawn({
            let (conversations, end) = (app.conversations.clone(), housekeeping.clone());
            async move { Box::pin(conversations.maintain(end)).await }
        });
        // Precompute the dummy hash, so that the first unknown e-mail is not measurably slower than later ones.
        tokio::task::spawn_blocking(crate::password::warm_up);
        let graceful = GracefulShutdown::new();
        let limiter = ConnectionLimiter::new(&app);
        let streams = Streams::default();
        let router = http::router(app.clone(), streams.clone());
        let closing = async {
            shutdown.cancelled().await;
            app.conversations.refuse_new_turns();
            streams.leave();
            sleep(if app.conversations.running() > 0 {
                LISTEN_ON
            } else {
                Duration::ZERO
            })
            .await;
        };
        tokio::select! {
            () = accept(&listener, &limiter, &router, &graceful) => {}
            () = closing => {}
        }
        drop(listener);
        info!(
            turns = app.conversations.running(),
            "Draining: {} turns still run",
            app.conversations.running()
        );
        app.conversations.drain(GRACE).await;
        if timeout(FAREWELL, graceful.shutdown()).await.is_err() {
            debug!("Some connections were still open and are closed now");
        }
        housekeeping.cancel();
        let _ = timeout(Duration::from_millis(500), keeper).await;
    }
}

/// Limits open connections in total and per address.
struct ConnectionLimiter {
    all: Arc<Semaphore>,
    per_address: usize,
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// The permit of an open connection; released on drop.
struct ConnectionPermit {
    _permit: tokio::sync::OwnedSemaphorePermit,
    address: IpAddr,
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = inside.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                inside.remove(&self.address);
            }
        }
    }
}

impl ConnectionLimiter {
    fn new(app: &AppState) -> Self {
        let config = &app.config.http;
        Self {
            all: Arc::new(Semaphore::new(config.max_connections.clamp(1, Semaphore::MAX_PERMITS))),
            per_address: config.max_connections_per_address,
            inside: Arc::default(),
        }
    }

    /// `None` if the address has reached its limit.
    fn enter(&self, permit: tokio::sync::OwnedSemaphorePermit, address: IpAddr) -> Option<ConnectionPermit> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let count = inside.entry(address).or_default();
        if self.per_address > 0 && *count >= self.per_address {
            return None;
        }
        *count += 1;
        drop(inside);
        Some(ConnectionPermit {
            _permit: permit,
            address,
            inside: Arc::clone(&self.inside),
        })
    }
}

async fn accept(listener: &TcpListener, limiter: &ConnectionLimiter, router: &Router, graceful: &GracefulShutdown) {
    loop {
        // Waits for a permit before accepting, so that further connections wait in the kernel's queue.
        let Ok(permit) = Arc::clone(&limiter.all).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, address)) => {
                if let Some(place) = limiter.enter(permit, address.ip()) {
                    serve(stream, address, router.clone(), graceful, place);
                }
            }
            Err(error) => {
                warn!(error = %error, "A connection could not be accepted");
                // Probably out of file descriptors: wait until other connections close.
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn serve(stream: TcpStream, address: SocketAddr, router: Router, graceful: &GracefulShutdown, place: ConnectionPermit) {
    // Without TCP_NODELAY every small write may wait 40 ms for the client's delayed ACK.
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        request.map(axum::body::Body::new)
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_BUFFER)
        // Copied into one buffer: for a token that costs less than a vectored write of its three parts.
        .writev(false)
        .serve_connection(TokioIo::new(StallGuard::new(stream)), TowerToHyperService::new(service));
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            debug!(error = %error, "A connection ended early");
        }
        drop(place);
    });
}
