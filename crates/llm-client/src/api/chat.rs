//! OpenAI's chat completions API, as servers implement it in practice.

pub(crate) mod body;
pub(crate) mod chunk;
pub(crate) mod reader;
