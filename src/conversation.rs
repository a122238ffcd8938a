//! The turn layer: one message from claim to commit, and everything that belongs to a conversation.
//!
//! A turn is a task of its own: the request that started it only subscribes to its log. Its answer is stored whether or
//! not a client is still connected, and all its changes are committed in one transaction before `done` is sent.

mod commit;
pub mod confirmation;
pub mod engine;
pub mod estimate;
pub mod form;
pub mod history;
pub mod limits;
pub mod maintenance;
mod memory;
mod permits;
mod retry;
pub mod snapshot;
pub mod start;
pub mod stream;
pub mod tools;
pub mod turn;

pub use engine::{Engine, TurnSettings};
pub use snapshot::request::TurnRequest;
pub use start::{Conversations, TurnError, TurnHandle};
