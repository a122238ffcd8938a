//! PostgreSQL access. One file per table: its rows and its queries.
//!
//! Reads borrow the connection so that they can be pipelined; writes share one short transaction. No connection is held
//! during a model call.

pub mod access_tokens;
pub mod answer_only_commit;
pub mod audit;
pub mod brands;
pub mod connect;
pub mod conversations;
pub mod error;
pub mod export;
pub mod extractions;
pub mod identities;
pub mod instances;
pub mod invitations;
pub mod json;
mod literal;
pub mod logins;
pub mod migrate;
pub mod password_resets;
pub mod pending_actions;
pub mod plan_changes;
pub mod plans;
pub mod pool;
pub mod pooler;
pub mod prepared;
mod printed;
pub mod prompts;
pub mod retention;
pub mod scenarios;
pub mod schema;
pub mod sessions;
pub mod settings;
mod sqlstate;
pub mod text;
mod tls;
pub mod turn_snapshot;
pub mod user_limits;
pub mod users;
mod watch;

pub use diesel_async::AsyncPgConnection as Conn;
pub use error::{StoreError, StoreResult};
pub use pool::Db;

/// The one row of a statement, taken when its whole answer was read: `load(…).await?.one()?`.
///
/// diesel's `get_result` returns with the first row. A server may send a row and then not commit what it says, if the session
/// is ended in between; a turn that was believed to be stored was lost that way. So clippy.toml refuses `get_result`.
trait OneRow<T> {
    /// [`StoreError::NotFound`] if there is none.
    fn one(self) -> StoreResult<T>;
}

impl<T> OneRow<T> for Vec<T> {
    fn one(self) -> StoreResult<T> {
        self.into_iter().next().ok_or(StoreError::NotFound)
    }
}
