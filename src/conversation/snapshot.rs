//! What a turn starts from: the message, the plan and its inputs, the brand, the newest messages, and the prompt made of them.
//!
//! Read in the round trip that claims the turn, and remembered where it has not changed. Nothing is written here.

pub mod brand;
pub mod builder;
pub mod cache;
pub mod history;
pub mod plan;
pub mod reader;
pub mod request;
mod rules;
#[cfg(test)]
mod size_tests;
pub mod window;
