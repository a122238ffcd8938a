//! What a failed database operation means.

use diesel::result::{DatabaseErrorKind, Error as DieselError};

/// A failed database operation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No connection within the pool's timeout, or the server is unavailable: retryable.
    #[error("the database cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What was asked for, or what a new row refers to, is not there.
    #[error("the row does not exist")]
    NotFound,
    /// A unique constraint was violated.
    #[error("the row exists already ({0})")]
    Conflict(String),
    /// Anything else.
    #[error("the database refused the statement")]
    Query(#[source] DieselError),
}

impl Error {
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
            Self::Query(_) => false,
        }
    }
}

impl From<DieselError> for Error {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::NotFound => Self::NotFound,
            // What a new row refers to has gone since it was looked at.
            DieselError::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => Self::NotFound,
            DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, info) => {
                Self::Conflict(info.constraint_name().unwrap_or("unique").to_owned())
            }
            // What a server says that is stopping has this kind, too (`conn.rs`). A broken connection is reported in many ways, also during ROLLBACK or COMMIT. The outcome of a COMMIT is looked up
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
            other => Self::Query(other),
        }
    }
}

/// The errors that failpoints inject: a broken connection, or an error that is not retryable.
#[cfg(feature = "failpoints")]
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::InvalidData => Self::Query(DieselError::QueryBuilderError(Box::new(error))),
            _ => Self::Unavailable(Box::new(error)),
        }
    }
}

/// The result of a database operation.
pub type Result<T> = std::result::Result<T, Error>;

/// The one row of a statement, taken when its whole answer was read: `load(…).await?.one()?`.
///
/// diesel's `get_result` returns with the first row. A server may send a row and then not commit what it says, if the session
/// is ended in between; a turn that was believed to be stored was lost that way. So clippy.toml refuses `get_result`.
pub trait OneRow<T> {
    /// The first row.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    fn one(self) -> Result<T>;
}

impl<T> OneRow<T> for Vec<T> {
    fn one(self) -> Result<T> {
        self.into_iter().next().ok_or(Error::NotFound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_whose_owner_has_gone_is_as_missing_as_its_owner() {
        let of = |kind| DieselError::DatabaseError(kind, Box::new("refused".to_owned())).into();
        assert!(matches!(of(DatabaseErrorKind::ForeignKeyViolation), Error::NotFound));
        assert!(matches!(of(DatabaseErrorKind::UniqueViolation), Error::Conflict(_)));
        assert!(matches!(of(DatabaseErrorKind::CheckViolation), Error::Query(_)));
    }
}
