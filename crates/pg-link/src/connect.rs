//! Opens connections: one server after the other, each with its own limit, and none that accepts no writes.
//!
//! Nothing that a connection needs later may depend on its session: behind a pooler in transaction mode every transaction
//! may run on another server process (see [`crate::pooler`]).

use crate::conn::Conn;
use crate::session;
use crate::watch::{Distrust, Watch, Watched};
use diesel::ConnectionResult;
use diesel::result::ConnectionError;
use diesel_async::AsyncPgConnection;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use place::Place;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tls::{Tls, TlsError};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream, lookup_host};
use tokio::time::timeout;
use tokio_postgres::config::{SslMode, SslNegotiation};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Client, Config, Connection, NoTls, SimpleQueryMessage};
use tokio_util::either::Either;

mod place;
mod socket;
mod tls;

/// How long one server may take from the first packet to a session that can be used, unless the URL has `connect_timeout`.
/// As long as a request waits for a connection (`pool.rs`): the next server is the next request's.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

type Net = Either<TcpStream, UnixStream>;

/// A URL's servers, and how to talk to them.
pub(crate) struct Connector {
    config: Config,
    tls: Option<Tls>,
    places: Vec<Place>,
    /// The place of the last success, which is tried first.
    last_good: AtomicUsize,
    distrust: Arc<Distrust>,
}

impl Connector {
    /// # Errors
    /// If the URL cannot be used.
    pub(crate) fn new(url: &str) -> Result<Self, TlsError> {
        let (mut config, tls) = tls::for_url(url)?;
        config.application_name("plan-advisor");
        Ok(Self {
            places: place::places(&config),
            config,
            tls,
            last_good: AtomicUsize::new(0),
            distrust: Arc::default(),
        })
    }

    /// Opens a connection with the session settings. A statement without an answer within `limit` closes it.
    ///
    /// # Errors
    /// That of the last server tried; also if it accepts no writes.
    pub(crate) async fn open(&self, limit: Option<Duration>) -> ConnectionResult<Conn> {
        let (client, watch) = self.client(limit).await?;
        let conn = timeout(self.allowed(), AsyncPgConnection::try_from(client)).await;
        let conn = conn.map_err(|_| bad(format!("no session within {:?}", self.allowed())))??;
        Ok(Conn::new(conn, watch))
    }

    /// The same without diesel, whose first statements are prepared ones already.
    ///
    /// # Errors
    /// As [`Connector::open`].
    pub(crate) async fn client(&self, limit: Option<Duration>) -> ConnectionResult<(Client, Arc<Watch>)> {
        let mut failure = ConnectionError::BadConnection("the database URL names no server".into());
        let first = AtomicUsize::load(&self.last_good, Ordering::Relaxed);
        for at in (0..self.places.len()).map(|at| (first + at) % self.places.len()) {
            match self.client_at(&self.places[at], limit).await {
                Ok(opened) => {
                    self.last_good.store(at, Ordering::Relaxed);
                    return Ok(opened);
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// How long one server may take.
    fn allowed(&self) -> Duration {
        self.config.get_connect_timeout().copied().unwrap_or(CONNECT_LIMIT)
    }

    /// Tries all addresses of one server.
    async fn client_at(&self, place: &Place, limit: Option<Duration>) -> ConnectionResult<(Client, Arc<Watch>)> {
        let allowed = self.allowed();
        let late = |_| bad(format!("no session within {allowed:?}"));
        match place {
            Place::Unix(path) => {
                let session = async {
                    let net = UnixStream::connect(path).await.map_err(bad)?;
                    self.session(Either::Right(net), None, limit).await
                };
                timeout(allowed, session).await.map_err(late)?
            }
            Place::Tcp { name, host, port } => {
                let addresses = timeout(allowed, lookup_host((host.as_str(), *port))).await;
                let mut failure = bad("the server's name has no address");
                for address in addresses.map_err(late)?.map_err(bad)? {
                    let session = async {
                        let net = TcpStream::connect(address).await.map_err(bad)?;
                        socket::set_options(&net, &self.config).map_err(bad)?;
                        self.session(Either::Left(net), Some(name), limit).await
                    };
                    match timeout(allowed, session).await.map_err(late) {
                        Ok(Ok(opened)) => return Ok(opened),
                        Ok(Err(error)) | Err(error) => failure = error,
                    }
                }
                Err(failure)
            }
        }
    }

    /// Starts a session on a connected socket; `name` is the host name for TLS.
    async fn session(
        &self,
        mut net: Net,
        name: Option<&str>,
        limit: Option<Duration>,
    ) -> ConnectionResult<(Client, Arc<Watch>)> {
        let watch = Arc::new(Watch::new(Arc::clone(&self.distrust)));
        let mut config = self.config.clone();
        let encrypted = match (&self.tls, name) {
            (Some(tls), Some(name)) if self.is_encrypted(&mut net).await? => Some((tls.clone(), name)),
            _ => None,
        };
        let client = match encrypted {
            Some((mut tls, name)) => {
                let tls = MakeTlsConnect::<Net>::make_tls_connect(&mut tls, name).map_err(bad)?;
                let tls = WatchedTls {
                    tls,
                    watch: Arc::clone(&watch),
                    limit,
                };
                // The request for TLS is behind us.
                config
                    .ssl_mode(SslMode::Require)
                    .ssl_negotiation(SslNegotiation::Direct);
                drive(config.connect_raw(net, tls).await.map_err(bad)?)
            }
            None => {
                config
                    .ssl_mode(SslMode::Disable)
                    .ssl_negotiation(SslNegotiation::Postgres);
                let net = Watched::new(net, Arc::clone(&watch), limit);
                drive(config.connect_raw(net, NoTls).await.map_err(bad)?)
            }
        };
        prepare_session(&client).await?;
        Ok((client, watch))
    }

    /// Asks the server for TLS. `false`: it has none and the URL does not insist.
    async fn is_encrypted(&self, net: &mut Net) -> ConnectionResult<bool> {
        /// `SSLRequest`: its length and its code, 80877103
        /// (<https://www.postgresql.org/docs/current/protocol-message-formats.html>).
        const REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
        if self.config.get_ssl_negotiation() == SslNegotiation::Direct {
            return Ok(true);
        }
        net.write_all(&REQUEST).await.map_err(bad)?;
        match net.read_u8().await.map_err(bad)? {
            b'S' => Ok(true),
            _ if self.config.get_ssl_mode() == SslMode::Require => Err(bad("the server does not support TLS")),
            _ => Ok(false),
        }
    }
}

/// Opens a connection with the session settings and without a limit for its statements.
#[must_use]
pub fn establish(url: &str) -> BoxFuture<'_, ConnectionResult<Conn>> {
    async move { Connector::new(url).map_err(bad)?.open(None).await }.boxed()
}

/// Refuses a server that accepts no writes, and sets what is not set by the role yet. In the simple protocol: a pooler may
/// not know prepared statements.
async fn prepare_session(client: &Client) -> ConnectionResult<()> {
    let found = client.simple_query(&session::CHECK).await.map_err(bad)?;
    let row = found.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let is = |column| row.and_then(|row| row.get(column)) == Some("t");
    if is(0) {
        return Err(bad("the server is read-only"));
    }
    if !is(1) {
        client.batch_execute(&session::SET).await.map_err(bad)?;
    }
    Ok(())
}

/// TLS whose decrypted stream is watched.
struct WatchedTls<T> {
    tls: T,
    watch: Arc<Watch>,
    limit: Option<Duration>,
}

impl<T> TlsConnect<Net> for WatchedTls<T>
where
    T: TlsConnect<Net>,
    T::Future: Send + 'static,
{
    type Stream = Watched<T::Stream>;
    type Error = T::Error;
    type Future = BoxFuture<'static, Result<Self::Stream, T::Error>>;

    fn connect(self, net: Net) -> Self::Future {
        let Self { tls, watch, limit } = self;
        let watched = move |stream| Watched::new(stream, watch, limit);
        tls.connect(net).map(|done| done.map(watched)).boxed()
    }
}

/// Runs the connection's protocol in a task that ends with the client.
fn drive<S, T>((client, connection): (Client, Connection<S, T>)) -> Client
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(error = %error, "A database connection ended");
        }
    });
    client
}

/// With all causes: the driver's own text is often only "db error".
fn bad(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ConnectionError {
    let error = error.into();
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let mut text = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
    if let Some(code) = error
        .downcast_ref::<tokio_postgres::Error>()
        .and_then(tokio_postgres::Error::code)
    {
        text = format!("{} (SQLSTATE {})", text.trim_start_matches("db error: "), code.code());
    }
    ConnectionError::BadConnection(text)
}
