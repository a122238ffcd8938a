//! OpenAI's chat completions API, as servers implement it in practice.

pub mod body;
pub mod chunk;
pub mod frame_template;
pub mod reader;
