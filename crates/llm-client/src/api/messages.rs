//! Anthropic's Messages API.

pub mod body;
pub mod events;
pub mod reader;
