//! The connection pool and what every connection is set to.

use super::brands::{Edition, EditionCache};
use super::{Conn, StoreError, StoreResult, tls};
use crate::model::ids::BrandVersionId;
use bb8::QueueStrategy;
use diesel::IntoSql;
use diesel::result::ConnectionError;
use diesel::sql_types::Timestamptz;
use diesel_async::pooled_connection::bb8::{Pool, PooledConnection};
use diesel_async::pooled_connection::{
    AsyncDieselConnectionManager, ManagerConfig, PoolableConnection, RecyclingMethod,
};
use diesel_async::{AsyncConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;

/// A request that cannot have a connection within this time is told so, instead of eating the model's budget.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(2);

/// Limits that the server enforces on each of our sessions. All we ask for is found by key, so one plan fits all arguments;
/// else each connection would plan each statement five times before it believed that.
const SESSION_SETTINGS: &str = "SET statement_timeout = '5s'; SET lock_timeout = '2s'; \
    SET idle_in_transaction_session_timeout = '10s'; SET plan_cache_mode = 'force_generic_plan'; \
    SET timezone = 'UTC'; SET application_name = 'plan-advisor'";

/// The database: a pool, and the brand editions that never change.
#[derive(Clone)]
pub struct Db {
    pool: Pool<Conn>,
    editions: EditionCache,
}

impl Db {
    /// Prepares a pool. Connects lazily, so that a server can start before its database is back.
    ///
    /// # Errors
    /// Where the URL cannot be used at all.
    pub async fn connect(url: &str, size: u32) -> StoreResult<Self> {
        tls::for_url(url).map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let mut config = ManagerConfig::<Conn>::default();
        // Liveness without a round trip: a closed socket is noticed here, not by the user.
        config.recycling_method = RecyclingMethod::CustomFunction(Box::new(|conn: &mut Conn| {
            let broken = conn.is_broken();
            async move {
                if broken {
                    Err(diesel::result::Error::BrokenTransactionManager)
                } else {
                    Ok(())
                }
            }
            .boxed()
        }));
        config.custom_setup = Box::new(establish);
        let manager = AsyncDieselConnectionManager::<Conn>::new_with_config(url, config);
        let pool = Pool::builder()
            .max_size(size.max(1))
            .min_idle(Some(1))
            // The connection that was used last has its statements prepared and its memory warm.
            .queue_strategy(QueueStrategy::Lifo)
            .test_on_check_out(true)
            .connection_timeout(CHECKOUT_TIMEOUT)
            .build_unchecked(manager);
        Ok(Self {
            pool,
            editions: EditionCache::default(),
        })
    }

    /// A connection from the pool.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] after two seconds without one.
    pub async fn conn(&self) -> StoreResult<PooledConnection<'_, Conn>> {
        let asked = std::time::Instant::now();
        let conn = self.pool.get().await;
        metrics::histogram!("plan_advisor_pool_wait_seconds").record(asked.elapsed().as_secs_f64());
        conn.map_err(|error| StoreError::Unavailable(Box::new(error)))
    }

    /// A brand's edition, read once per process: editions are immutable.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for an unknown id.
    pub async fn edition(&self, id: BrandVersionId) -> StoreResult<Arc<Edition>> {
        if let Some(edition) = self.editions.get(id) {
            return Ok(edition);
        }
        let conn = self.conn().await?;
        let edition = Arc::new(Edition::load(&conn, id).await?);
        self.editions.put(Arc::clone(&edition));
        Ok(edition)
    }

    /// Whether the database answers.
    pub async fn is_alive(&self) -> bool {
        match self.conn().await {
            Ok(mut conn) => conn.batch_execute("SELECT 1").await.is_ok(),
            Err(_) => false,
        }
    }

    /// The database's clock, by which everything ends that ends at a time.
    ///
    /// # Errors
    /// As [`Db::conn`].
    pub async fn now(&self) -> StoreResult<OffsetDateTime> {
        let conn = self.conn().await?;
        let mut borrowed: &Conn = &conn;
        let told = diesel::select(diesel::dsl::now.into_sql::<Timestamptz>());
        Ok(told.get_result(&mut borrowed).await?)
    }

    /// Connections that are checked out right now.
    #[must_use]
    pub fn in_use(&self) -> u32 {
        let state = self.pool.state();
        state.connections - state.idle_connections
    }
}

/// Opens a connection with our settings; over TCP with TLS unless the URL says `sslmode=disable`.
#[must_use]
pub fn establish(url: &str) -> BoxFuture<'_, diesel::ConnectionResult<Conn>> {
    async move {
        let mut conn = match tls::for_url(url).map_err(|error| ConnectionError::BadConnection(error.to_string()))? {
            None => Conn::establish(url).await?,
            Some((config, connector)) => {
                let (client, connection) = config
                    .connect(connector)
                    .await
                    .map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
                Conn::try_from_client_and_connection(client, connection).await?
            }
        };
        conn.batch_execute(SESSION_SETTINGS)
            .await
            .map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(conn)
    }
    .boxed()
}
