//! Anthropic's Messages API.

pub(crate) mod body;
pub(crate) mod events;
pub(crate) mod reader;
