//! Talking to the advisor, in three dialects.

pub(crate) mod ag_ui;
pub(crate) mod chat;
pub(crate) mod conversation;
pub(crate) mod prompts;
