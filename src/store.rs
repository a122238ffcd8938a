//! Room 4: PostgreSQL. One file per table: its row and its queries.
//!
//! Reads borrow the connection so that they can travel together; writes meet in one short transaction. Nobody holds a
//! connection while the model talks.

use diesel::result::{DatabaseErrorKind, Error as DieselError};

pub mod audit;
pub mod brands;
pub mod conversations;
pub mod extractions;
pub mod instances;
pub mod json;
pub mod migrate;
pub mod pending_actions;
pub mod plain_end;
pub mod plan_changes;
pub mod plans;
pub mod pool;
pub mod prepared;
pub mod prompts;
pub mod scene;
pub mod schema;
pub mod seed;
pub mod sessions;
pub mod settings;
pub mod tls;
pub mod users;

pub use diesel_async::AsyncPgConnection as Conn;
pub use pool::Db;

/// What can go wrong between us and the database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No connection within the pool's limit, or the server is gone: worth trying again.
    #[error("the database cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the row does not exist")]
    NotFound,
    /// A unique rule says no.
    #[error("the row exists already ({0})")]
    Conflict(String),
    #[error("the database refused the statement")]
    Query(#[source] DieselError),
}

impl StoreError {
    /// Whether the same statement may succeed a moment later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unavailable(_) => true,
            Self::NotFound | Self::Conflict(_) => false,
            Self::Query(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _)) => true,
            Self::Query(DieselError::DatabaseError(DatabaseErrorKind::Unknown, info)) => {
                is_busy(info.message()) || is_full(info.message())
            }
            Self::Query(_) => false,
        }
    }
}

/// The server has left, or is leaving or coming.
fn is_gone(message: &str) -> bool {
    [
        "connection closed",
        "terminating connection",
        "the database system is",
        "cannot connect",
    ]
    .iter()
    .any(|part| message.contains(part))
}

/// Somebody else held what the statement needed.
fn is_busy(message: &str) -> bool {
    message.contains("lock timeout") || message.contains("deadlock detected")
}

/// The server has no room: of disk, memory or connections. Somebody will make some.
fn is_full(message: &str) -> bool {
    [
        "No space left on device",
        "could not extend file",
        "out of memory",
        "out of shared memory",
    ]
    .iter()
    .any(|part| message.contains(part))
}

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::NotFound => Self::NotFound,
            DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, info) => {
                Self::Conflict(info.constraint_name().unwrap_or("unique").to_owned())
            }
            // A connection that broke says so in many ways, also while it rolls back or commits. What became of a commit is
            // looked up before anything is tried again.
            DieselError::DatabaseError(
                DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand,
                _,
            )
            | DieselError::BrokenTransactionManager
            | DieselError::RollbackErrorOnCommit { .. } => Self::Unavailable(Box::new(error)),
            DieselError::DatabaseError(DatabaseErrorKind::Unknown, ref info) if is_gone(info.message()) => {
                Self::Unavailable(Box::new(error))
            }
            other => Self::Query(other),
        }
    }
}

/// What a failpoint injects: a broken connection, or an error that nobody may try again.
#[cfg(feature = "failpoints")]
impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::InvalidData => Self::Query(DieselError::QueryBuilderError(Box::new(error))),
            _ => Self::Unavailable(Box::new(error)),
        }
    }
}

pub type StoreResult<T> = Result<T, StoreError>;
