//! What the API tests share: a server of their own, a provider that does what they say, clients that check what
//! they read.

pub mod app;
pub mod client;
pub mod database;
mod documented;
pub mod freezer;
pub mod identity_provider;
pub mod mock_llm;
pub mod pooler;
pub mod raw;
pub mod sse;
pub mod transcript;

pub use app::{Instance, TestApp, eventually, on_server, soon};
pub use client::{Client, Reply};
pub use freezer::Freezer;
pub use identity_provider::{Answering, IdentityProvider, Signature};
pub use mock_llm::{Answer, Gate, answer, calls, refuses, refuses_with, says, sets};
pub use pooler::Pooler;
pub use transcript::{Turn, audited, describe, redacted, shown, without};
