//! The HTTP client for the model: hyper's, with connections that the reader of an answer may poll.

use super::connection::{Executor, Origin};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderValue, Request, Response, Uri, header};
use http_body_util::Full;
use hyper::{
    body::Incoming,
    rt::{Read, ReadBufCursor, Write},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::{
    client::legacy::{
        Client, Error,
        connect::{Connected, Connection, HttpConnector},
    },
    rt::{TokioIo, TokioTimer},
};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{net::TcpStream, time::timeout};
use tower::{BoxError, Service, ServiceExt, util::MapResponse};

/// How long a connection is kept for the next call.
const IDLE_TIME: Duration = Duration::from_secs(60);

/// Connections kept for the next calls. Each holds about twenty KiB, and thousands may end in one moment.
const MAX_IDLE: usize = 256;

/// After how long without data the system asks whether the other side is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// How long it waits between two of these questions.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// How many of them stay unanswered before the connection counts as broken.
const KEEPALIVE_RETRIES: u32 = 3;
/// How long sent data may stay unacknowledged.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

const USER_AGENT: HeaderValue = HeaderValue::from_static(concat!("plan-advisor/", env!("CARGO_PKG_VERSION")));

/// Sends requests, without proxies and without following redirects.
#[derive(Clone)]
pub struct HttpClient(Client<Connector, Full<Bytes>>);

impl HttpClient {
    /// With `connect_timeout` for the connection and TLS together. Fails where `https` is wanted and the system has no CA
    /// certificates, which a small image may not have.
    pub fn new(is_https: bool, connect_timeout: Duration) -> Result<Self, rustls::Error> {
        // Someone may have chosen a provider already; either will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let tls = if is_https {
            ClientConfig::builder().with_platform_verifier()?
        } else {
            ClientConfig::builder().with_root_certificates(RootCertStore::empty())
        };
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(connect_timeout));
        tcp.set_keepalive(Some(KEEPALIVE));
        tcp.set_keepalive_interval(Some(KEEPALIVE_INTERVAL));
        tcp.set_keepalive_retries(Some(KEEPALIVE_RETRIES));
        #[cfg(target_os = "linux")]
        tcp.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
        let https = HttpsConnectorBuilder::new()
            .with_tls_config(tls.with_no_client_auth())
            .https_or_http()
            .enable_all_versions()
            .wrap_connector(tcp.map_response(Socket::new as fn(_) -> _));
        let connector = Connector { https, connect_timeout };
        let client = Client::builder(Executor)
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIME)
            .pool_max_idle_per_host(MAX_IDLE)
            .build(connector);
        Ok(Self(client))
    }

    /// Sends a request and waits for the head of its response.
    pub async fn send(&self, request: reqwest::Request, body: Bytes) -> Result<Response<Incoming>, SendError> {
        let (mut head, _) = Request::try_from(request).map_err(|_| SendError::Address)?.into_parts();
        head.headers.entry(header::USER_AGENT).or_insert(USER_AGENT);
        let request = Request::from_parts(head, Full::new(body));
        self.0.request(request).await.map_err(SendError::Http)
    }
}

/// Why there is no response.
#[derive(Debug)]
pub enum SendError {
    /// The URL cannot be asked.
    Address,
    Http(Error),
}

/// Opens connections without TLS.
type TcpConnector = MapResponse<HttpConnector, fn(TokioIo<TcpStream>) -> Socket>;

/// Opens connections, with TLS where the URL says so.
#[derive(Clone)]
struct Connector {
    https: HttpsConnector<TcpConnector>,
    connect_timeout: Duration,
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<Socket>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.https.poll_ready(cx)
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        let connected = timeout(self.connect_timeout, self.https.call(address));
        Box::pin(async move {
            match connected.await {
                Ok(connected) => connected,
                Err(elapsed) => Err(io::Error::new(io::ErrorKind::TimedOut, elapsed).into()),
            }
        })
    }
}

/// A connection's socket. It notes the connection that polls it.
struct Socket {
    tcp: TokioIo<TcpStream>,
    origin: Origin,
}

impl Socket {
    fn new(tcp: TokioIo<TcpStream>) -> Self {
        Self {
            tcp,
            origin: Origin::default(),
        }
    }
}

impl Connection for Socket {
    fn connected(&self) -> Connected {
        self.tcp.connected().extra(self.origin.clone())
    }
}

impl Read for Socket {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.origin.note();
        Pin::new(&mut this.tcp).poll_read(cx, buffer)
    }
}

impl Write for Socket {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().tcp).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().tcp).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().tcp).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().tcp).poll_write_vectored(cx, slices)
    }
}
