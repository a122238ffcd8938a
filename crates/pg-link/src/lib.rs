//! PostgreSQL connections for diesel that fail well. Knows no table.
//!
//! [`Pool`] and [`establish`] open them, [`Conn`] carries statements, [`Error`] says whether a retry may help. [`pooler`],
//! [`settings`] and [`migrate`] find out about a database before it is used, and prepare it.

#![deny(missing_docs, unreachable_pub)]

mod conn;
mod connect;
mod error;
pub mod json;
pub mod literal;
pub mod migrate;
mod pool;
pub mod pooler;
pub mod prepared;
mod session;
pub mod settings;
mod sqlstate;
pub mod text;
mod watch;

pub use conn::Conn;
pub use connect::establish;
pub use error::{Error, OneRow, Result};
pub use pool::{PatientConn, Pool, PooledConn};
