//! Floor 1: the nouns of the story. No I/O, no async, no framework.

pub mod access;
pub mod brand;
pub mod clean;
pub mod clock;
pub mod error;
pub mod event;
pub mod extracted;
pub mod field;
pub mod field_map;
pub mod ids;
pub mod inputs;
pub mod json_text;
pub mod message;
pub mod number;
pub mod outputs;
