//! The turn layer: one message from claim to commit, and everything that belongs to a conversation.
//!
//! A turn is a task of its own: the request that started it only subscribes to its log. Its answer is stored whether or
//! not a client is still connected, and all its changes are committed in one transaction before `done` is sent.

mod acts;
mod commit;
pub(crate) mod confirmation;
pub(crate) mod engine;
pub(crate) mod estimate;
pub mod form;
pub(crate) mod history;
pub(crate) mod limits;
pub(crate) mod maintenance;
mod memory;
mod permits;
mod retry;
pub(crate) mod review_switch;
pub mod snapshot;
pub(crate) mod start;
pub(crate) mod stream;
pub mod tools;
pub(crate) mod turn;

pub use engine::{Engine, TurnSettings};
pub use snapshot::request::TurnRequest;
pub use start::{Conversations, TurnError, TurnHandle};
