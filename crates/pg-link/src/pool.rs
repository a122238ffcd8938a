//! A pool of connections, and connections beside it.

use crate::conn::Conn;
use crate::connect::Connector;
use crate::error::{Error, Result};
use bb8::{ManageConnection, PooledConnection, QueueStrategy};
use diesel::result::ConnectionError;
use diesel_async::SimpleAsyncConnection;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A request that gets no connection within this time fails, instead of using up its own: the promise is an answer within
/// 2.5 s while the database is away.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(2);

/// A statement without an answer for so long closes its connection: a second more than the server's own limit of 5 s.
const ANSWER_LIMIT: Duration = Duration::from_secs(6);

/// The same for statements that may write hundreds of thousands of rows: a little more than the 300 s that such a transaction
/// sets for itself.
const PATIENT_LIMIT: Duration = Duration::from_secs(310);

/// Connections of a process for such statements. Each is beside the pool, so they count against the server's limit.
const PATIENT_CONNECTIONS: usize = 2;

/// A connection that was idle for so long is asked before it is used. Within it the kernel does not know of a dead peer
/// either (`connect/socket.rs`).
const IDLE: Duration = Duration::from_secs(5);

/// How long that answer may take: half of [`CHECKOUT_TIMEOUT`], so that another connection can be had.
const PING_LIMIT: Duration = Duration::from_secs(1);

/// A pool of connections to one database. Clones share it.
#[derive(Clone)]
pub struct Pool {
    pool: bb8::Pool<Manager>,
    connector: Arc<Connector>,
    patient: Arc<Semaphore>,
}

/// A connection that goes back to its pool when it is dropped.
pub type PooledConn<'a> = PooledConnection<'a, Manager>;

/// Opens and checks the pool's connections.
pub struct Manager(Arc<Connector>);

impl ManageConnection for Manager {
    type Connection = Conn;
    type Error = ConnectionError;

    async fn connect(&self) -> std::result::Result<Conn, ConnectionError> {
        self.0.open(Some(ANSWER_LIMIT)).await
    }

    /// No round trip for a connection that has answered a moment ago.
    async fn is_valid(&self, conn: &mut Conn) -> std::result::Result<(), ConnectionError> {
        let dead = || ConnectionError::BadConnection("the connection is dead".into());
        if conn.is_broken() || conn.watch.is_suspect() {
            return Err(dead());
        }
        if conn.watch.is_fresh(IDLE) {
            return Ok(());
        }
        match timeout(PING_LIMIT, conn.batch_execute("SELECT 1")).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(dead()),
            Err(_) => {
                conn.watch.was_silent_for(PING_LIMIT);
                Err(dead())
            }
        }
    }

    fn has_broken(&self, conn: &mut Conn) -> bool {
        conn.is_broken()
    }
}

/// A connection that is closed when it is dropped.
pub struct PatientConn {
    conn: Conn,
    _permit: OwnedSemaphorePermit,
}

impl std::ops::Deref for PatientConn {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl std::ops::DerefMut for PatientConn {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}

impl Pool {
    /// Connects lazily, so that a server can start before its database. Needs a Tokio runtime.
    ///
    /// # Errors
    /// If the URL is not usable.
    pub fn connect(url: &str, size: u32) -> Result<Self> {
        let connector = Arc::new(Connector::new(url).map_err(unavailable)?);
        let pool = bb8::Pool::builder()
            .max_size(size.max(1))
            .min_idle(Some(1))
            // The connection that was used last has its statements prepared and its caches warm.
            .queue_strategy(QueueStrategy::Lifo)
            .test_on_check_out(true)
            .connection_timeout(CHECKOUT_TIMEOUT)
            .build_unchecked(Manager(Arc::clone(&connector)));
        Ok(Self {
            pool,
            connector,
            patient: Arc::new(Semaphore::new(PATIENT_CONNECTIONS)),
        })
    }

    /// Takes a connection from the pool.
    ///
    /// # Errors
    /// [`Error::Unavailable`] after two seconds.
    pub async fn conn(&self) -> Result<PooledConn<'_>> {
        self.pool.get().await.map_err(unavailable)
    }

    /// A connection outside the pool, for what must not wait behind requests.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn dedicated(&self) -> Result<Conn> {
        self.connector.open(Some(ANSWER_LIMIT)).await.map_err(unavailable)
    }

    /// A connection outside the pool, for a transaction that may take minutes.
    ///
    /// # Errors
    /// [`Error::Unavailable`] after two seconds in which others had all of them.
    pub async fn patient(&self) -> Result<PatientConn> {
        let permit = timeout(CHECKOUT_TIMEOUT, Arc::clone(&self.patient).acquire_owned()).await;
        let permit = permit.map_err(unavailable)?.map_err(unavailable)?;
        let conn = self.connector.open(Some(PATIENT_LIMIT)).await.map_err(unavailable)?;
        Ok(PatientConn { conn, _permit: permit })
    }

    /// Connections in use.
    pub fn in_use(&self) -> u32 {
        let state = self.pool.state();
        state.connections - state.idle_connections
    }
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Unavailable(Box::new(error))
}
