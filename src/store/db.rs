//! The database as the rest of the program sees it: its connections, the brand versions that never change, and whether it
//! accepts writes.

use super::brands::{BrandVersion, BrandVersionCache};
use super::{Conn, OneRow, StoreResult};
use diesel::IntoSql;
use diesel::sql_types::Timestamptz;
use diesel_async::RunQueryDsl;
use pg_link::{PatientConn, Pool, PooledConn};
use plan_model::ids::BrandVersionId;
use std::sync::Arc;
use std::time::{Duration, Instant};
use time::OffsetDateTime;
use tokio::sync::watch;
use tokio::time::timeout;

/// The age of the last successful write up to which the database counts as usable: five of the writes by which every instance says
/// each second that it runs.
const WRITABLE_FOR: Duration = Duration::from_secs(5);

/// How long a process that has just started waits for its first write before it says whether it can: a connection's time.
const FIRST_WRITE: Duration = Duration::from_secs(2);

/// The database: a pool, and the brand versions that never change.
#[derive(Clone)]
pub struct Db {
    pool: Pool,
    brand_versions: BrandVersionCache,
    /// When a write last succeeded.
    written: Arc<watch::Sender<Option<Instant>>>,
}

impl Db {
    /// Creates a pool. Connects lazily, so that a server can start before its database. Needs a Tokio runtime.
    ///
    /// # Errors
    /// If the URL is not usable.
    pub fn connect(url: &str, size: u32) -> StoreResult<Self> {
        Ok(Self {
            pool: Pool::connect(url, size)?,
            brand_versions: BrandVersionCache::default(),
            written: Arc::default(),
        })
    }

    /// Takes a connection from the pool.
    ///
    /// # Errors
    /// [`super::StoreError::Unavailable`] after two seconds.
    pub async fn conn(&self) -> StoreResult<PooledConn<'_>> {
        let asked = Instant::now();
        let conn = self.pool.conn().await;
        metrics::histogram!("plan_advisor_pool_wait_seconds").record(asked.elapsed().as_secs_f64());
        conn
    }

    /// A connection outside the pool, for what must not wait behind requests.
    ///
    /// # Errors
    /// As [`Pool::dedicated`].
    pub async fn dedicated(&self) -> StoreResult<Conn> {
        self.pool.dedicated().await
    }

    /// A connection outside the pool, for a transaction that may take minutes.
    ///
    /// # Errors
    /// As [`Pool::patient`].
    pub async fn patient(&self) -> StoreResult<PatientConn> {
        self.pool.patient().await
    }

    /// Connections in use.
    pub fn in_use(&self) -> u32 {
        self.pool.in_use()
    }

    /// A brand's brand version, read once per process: brand versions are immutable.
    ///
    /// # Errors
    /// [`super::StoreError::NotFound`] for an unknown id.
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

    /// Resolves once a write has succeeded.
    pub async fn first_write(&self) {
        // The sender is never dropped before its receivers.
        let _ = self.written.subscribe().wait_for(Option::is_some).await;
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
}
