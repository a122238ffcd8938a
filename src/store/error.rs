//! What a failed database operation means.

use super::sqlstate::{self, Trouble};
use diesel::result::{DatabaseErrorKind, Error as DieselError};

/// A failed database operation.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No connection within the pool's timeout, or the server is unavailable: retryable.
    #[error("the database cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the row does not exist")]
    NotFound,
    /// A unique constraint was violated.
    #[error("the row exists already ({0})")]
    Conflict(String),
    #[error("the database refused the statement")]
    Query(#[source] DieselError),
}

impl StoreError {
    /// The error with its causes, for the log.
    pub fn chain(&self) -> String {
        let causes = std::iter::successors(std::error::Error::source(self), |error| error.source());
        causes.fold(self.to_string(), |text, cause| format!("{text}: {cause}"))
    }

    /// Whether a retry may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unavailable(_) => true,
            Self::NotFound | Self::Conflict(_) => false,
            Self::Query(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _)) => true,
            Self::Query(DieselError::DatabaseError(DatabaseErrorKind::Unknown, info)) => {
                sqlstate::of_text(info.message()).is_some()
            }
            Self::Query(_) => false,
        }
    }
}

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::NotFound => Self::NotFound,
            DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, info) => {
                Self::Conflict(info.constraint_name().unwrap_or("unique").to_owned())
            }
            // A broken connection is reported in many ways, also during ROLLBACK or COMMIT. The outcome of a COMMIT is looked up
            // before a retry.
            DieselError::DatabaseError(
                DatabaseErrorKind::ClosedConnection
                | DatabaseErrorKind::UnableToSendCommand
                // A standby: the primary has moved.
                | DatabaseErrorKind::ReadOnlyTransaction,
                _,
            )
            | DieselError::BrokenTransactionManager
            | DieselError::RollbackErrorOnCommit { .. } => Self::Unavailable(Box::new(error)),
            DieselError::DatabaseError(DatabaseErrorKind::Unknown, ref info)
                if sqlstate::of_text(info.message()) == Some(Trouble::Gone) =>
            {
                Self::Unavailable(Box::new(error))
            }
            other => Self::Query(other),
        }
    }
}

/// The errors that failpoints inject: a broken connection, or an error that is not retryable.
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
