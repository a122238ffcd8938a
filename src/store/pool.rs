//! The connection pool and the settings of every connection.

use super::brands::{BrandVersion, BrandVersionCache};
use super::connect::{Connector, Link};
use super::{Conn, OneRow, StoreError, StoreResult};
use bb8::{ManageConnection, Pool, PooledConnection, QueueStrategy};
use diesel::IntoSql;
use diesel::result::ConnectionError;
use diesel::sql_types::Timestamptz;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use plan_model::ids::BrandVersionId;
use std::sync::Arc;
use std::time::{Duration, Instant};
use time::OffsetDateTime;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

/// A request that gets no connection within this time fails with 503, instead of using up the turn's time.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(2);

/// A statement without an answer for so long closes its connection: a second more than the server's own limit.
const ANSWER_LIMIT: Duration = Duration::from_secs(6);

/// The same for statements that may write hundreds of thousands of rows: a little more than their own limit.
const PATIENT_LIMIT: Duration = Duration::from_secs(310);

/// Connections of a process for such statements.
const PATIENT_CONNECTIONS: usize = 2;

/// A connection that was idle for so long is asked before it is used.
const IDLE: Duration = Duration::from_secs(5);

/// How long that answer may take.
const PING_LIMIT: Duration = Duration::from_secs(1);

/// The age of the last successful write up to which the database counts as usable.
const WRITABLE_FOR: Duration = Duration::from_secs(5);

/// How long a process that has just started waits for its first write before it says whether it can.
const FIRST_WRITE: Duration = Duration::from_secs(2);

/// The database: a pool, and the brand versions that never change.
#[derive(Clone)]
pub struct Db {
    pool: Pool<Manager>,
    brand_versions: BrandVersionCache,
    connector: Arc<Connector>,
    patient: Arc<Semaphore>,
    /// When a write last succeeded.
    written: Arc<watch::Sender<Option<Instant>>>,
}

/// Opens and checks the pool's connections.
pub struct Manager(Arc<Connector>);

impl ManageConnection for Manager {
    type Connection = Link;
    type Error = ConnectionError;

    async fn connect(&self) -> Result<Link, ConnectionError> {
        self.0.open(Some(ANSWER_LIMIT)).await
    }

    /// No round trip for a connection that has answered a moment ago.
    async fn is_valid(&self, link: &mut Link) -> Result<(), ConnectionError> {
        let dead = || ConnectionError::BadConnection("the connection is dead".into());
        if link.is_broken() || link.watch.is_suspect() {
            return Err(dead());
        }
        if link.watch.is_fresh(IDLE) {
            return Ok(());
        }
        match timeout(PING_LIMIT, link.batch_execute("SELECT 1")).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(dead()),
            Err(_) => {
                link.watch.was_silent_for(PING_LIMIT);
                Err(dead())
            }
        }
    }

    fn has_broken(&self, link: &mut Link) -> bool {
        link.is_broken()
    }
}

/// A connection that is closed when it is dropped.
pub struct PatientConn {
    link: Link,
    _permit: OwnedSemaphorePermit,
}

impl std::ops::Deref for PatientConn {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        &self.link
    }
}

impl std::ops::DerefMut for PatientConn {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.link
    }
}

impl Db {
    /// Creates a pool. Connects lazily, so that a server can start before its database. Needs a Tokio runtime.
    ///
    /// # Errors
    /// If the URL is not usable.
    pub fn connect(url: &str, size: u32) -> StoreResult<Self> {
        let connector = Connector::new(url).map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let connector = Arc::new(connector);
        let pool = Pool::builder()
            .max_size(size.max(1))
            .min_idle(Some(1))
            // The connection that was used last has its statements prepared and its caches warm.
            .queue_strategy(QueueStrategy::Lifo)
            .test_on_check_out(true)
            .connection_timeout(CHECKOUT_TIMEOUT)
            .build_unchecked(Manager(Arc::clone(&connector)));
        Ok(Self {
            pool,
            brand_versions: BrandVersionCache::default(),
            connector,
            patient: Arc::new(Semaphore::new(PATIENT_CONNECTIONS)),
            written: Arc::default(),
        })
    }

    /// A connection outside the pool, for what must not wait behind requests.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn dedicated(&self) -> StoreResult<Link> {
        let opened = self.connector.open(Some(ANSWER_LIMIT)).await;
        opened.map_err(|error| StoreError::Unavailable(Box::new(error)))
    }

    /// A connection outside the pool, for a transaction that may take minutes.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] after two seconds in which others had all of them.
    pub async fn patient(&self) -> StoreResult<PatientConn> {
        let permit = timeout(CHECKOUT_TIMEOUT, Arc::clone(&self.patient).acquire_owned()).await;
        let permit = permit.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let permit = permit.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let opened = self.connector.open(Some(PATIENT_LIMIT)).await;
        let link = opened.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        Ok(PatientConn { link, _permit: permit })
    }

    /// Takes a connection from the pool.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] after two seconds.
    pub async fn conn(&self) -> StoreResult<PooledConnection<'_, Manager>> {
        let asked = Instant::now();
        let conn = self.pool.get().await;
        metrics::histogram!("plan_advisor_pool_wait_seconds").record(asked.elapsed().as_secs_f64());
        conn.map_err(|error| StoreError::Unavailable(Box::new(error)))
    }

    /// A brand's brand version, read once per process: brand versions are immutable.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for an unknown id.
    pub async fn brand_version(&self, id: BrandVersionId) -> StoreResult<Arc<BrandVersion>> {
        if let Some(brand_version) = self.brand_versions.get(id) {
            return Ok(brand_version);
        }
        let conn = self.conn().await?;
        let brand_version = Arc::new(BrandVersion::load(&conn, id).await?);
        self.brand_versions.put(Arc::clone(&brand_version));
        Ok(brand_version)
    }

    /// Remembers that a write has just succeeded.
    pub fn note_write(&self) {
        self.written.send_replace(Some(Instant::now()));
    }

    /// Whether the database accepts writes, from memory: by the age of the last that succeeded.
    pub async fn is_writable(&self) -> bool {
        let mut written = self.written.subscribe();
        let known = timeout(FIRST_WRITE, written.wait_for(Option::is_some)).await;
        matches!(known, Ok(Ok(at)) if at.is_some_and(|at| at.elapsed() <= WRITABLE_FOR))
    }

    /// The database's clock, which decides all expiries.
    ///
    /// # Errors
    /// As [`Db::conn`].
    pub async fn now(&self) -> StoreResult<OffsetDateTime> {
        let conn = self.conn().await?;
        let mut borrowed: &Conn = &conn;
        let now = diesel::select(diesel::dsl::now.into_sql::<Timestamptz>());
        now.load(&mut borrowed).await?.one()
    }

    /// Connections in use.
    pub fn in_use(&self) -> u32 {
        let state = self.pool.state();
        state.connections - state.idle_connections
    }
}

/// Opens a connection with the session settings and without a limit for its statements.
#[must_use]
pub fn establish(url: &str) -> BoxFuture<'_, diesel::ConnectionResult<Link>> {
    async move {
        let connector = Connector::new(url).map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
        connector.open(None).await
    }
    .boxed()
}
