//! Listens, serves, and ends in order.
//!
//! The accept loop is our own because the framework's has no timer: half-sent heads would stay open for ever, and a graceful
//! shutdown would wait for every stream.

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
/// Bytes of a request head, and of hyper's read buffer.
const MAX_BUFFER: usize = 16 * 1024;
/// New connections are still answered (with 503 for turns) while load balancers notice.
const LISTEN_ON: Duration = Duration::from_secs(1);
/// Running turns may finish within this time.
const GRACE: Duration = Duration::from_millis(23_500);
/// Open connections may write their last bytes within this time.
const FAREWELL: Duration = Duration::from_secs(1);

/// A bound server.
pub struct Server {
    app: AppState,
    listener: TcpListener,
}

impl Server {
    /// Binds the configured address.
    ///
    /// # Errors
    /// Where the address is taken or not ours.
    pub async fn bind(app: AppState) -> std::io::Result<Self> {
        let listener = TcpListener::bind(app.config.http.bind_addr).await?;
        Ok(Self { app, listener })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// Where the socket is gone.
    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `shutdown`, then drains: no new turns, no new connections, running turns finish or are interrupted.
    pub async fn run(self, shutdown: CancellationToken) {
        let Self { app, listener } = self;
        let housekeeping = CancellationToken::new();
        let keeper = tokio::spawn({
            let (conversations, end) = (app.conversations.clone(), housekeeping.clone());
            async move { conversations.maintain(end).await }
        });
        // The first unknown e-mail shall not take longer than the second.
        tokio::task::spawn_blocking(crate::password::warm_up);
        let graceful = GracefulShutdown::new();
        let door = Door::new(&app);
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
            () = accept(&listener, &door, &router, &graceful) => {}
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

/// Who may come in: so many in all, so many of one address.
struct Door {
    all: Arc<Semaphore>,
    per_address: usize,
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A place inside; leaving gives it back.
struct Place {
    _permit: tokio::sync::OwnedSemaphorePermit,
    address: IpAddr,
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Drop for Place {
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

impl Door {
    fn new(app: &AppState) -> Self {
        let config = &app.config.http;
        Self {
            all: Arc::new(Semaphore::new(config.max_connections.clamp(1, Semaphore::MAX_PERMITS))),
            per_address: config.max_connections_per_address,
            inside: Arc::default(),
        }
    }

    /// `None` where the address has as many connections as it may.
    fn enter(&self, permit: tokio::sync::OwnedSemaphorePermit, address: IpAddr) -> Option<Place> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let count = inside.entry(address).or_default();
        if self.per_address > 0 && *count >= self.per_address {
            return None;
        }
        *count += 1;
        drop(inside);
        Some(Place {
            _permit: permit,
            address,
            inside: Arc::clone(&self.inside),
        })
    }
}

async fn accept(listener: &TcpListener, door: &Door, router: &Router, graceful: &GracefulShutdown) {
    loop {
        // Waiting for a place before accepting leaves the rest to the kernel's queue.
        let Ok(permit) = Arc::clone(&door.all).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, address)) => {
                if let Some(place) = door.enter(permit, address.ip()) {
                    serve(stream, address, router.clone(), graceful, place);
                }
            }
            Err(error) => {
                warn!(error = %error, "A connection could not be accepted");
                // Out of file descriptors: others must close first.
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn serve(stream: TcpStream, address: SocketAddr, router: Router, graceful: &GracefulShutdown, place: Place) {
    // Without it, every small write of a stream may wait 40 ms for the reader's acknowledgement.
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
        .serve_connection(TokioIo::new(StallGuard::new(stream)), TowerToHyperService::new(service));
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            debug!(error = %error, "A connection ended early");
        }
        drop(place);
    });
}
