//! What a turn starts from: the message, the plan and its inputs, the brand, the newest messages, and the prompt made of them.
//!
//! Read in the round trip that claims the turn, and remembered where it has not changed. Nothing is written here.

pub(crate) mod brand;
pub(crate) mod builder;
pub(crate) mod cache;
pub(crate) mod history;
pub(crate) mod plan;
pub(crate) mod reader;
pub(crate) mod request;
mod rules;
#[cfg(test)]
mod size_tests;
pub mod window;
