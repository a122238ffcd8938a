//! OpenAI's Responses API.

pub mod body;
pub mod events;
pub mod reader;
