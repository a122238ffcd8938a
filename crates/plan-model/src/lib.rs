//! The model layer: the types that all other layers share. No I/O, no async, no framework.

#![deny(missing_docs, unreachable_pub)]
// Decimals panic where they overflow; clippy.toml leaves the other numbers out.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]
// The examples of the README are tests.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

pub mod access;
pub mod brand;
pub mod clean;
pub mod clock;
pub mod error;
pub mod event;
pub mod extracted;
pub mod field;
pub mod field_value;
pub mod ids;
pub mod inputs;
pub mod json_text;
pub mod language;
pub mod message;
pub mod metrics;
pub mod month;
pub mod number;
pub mod outputs;
pub mod period;
pub mod scenario;
pub mod secret;
pub mod story;
pub mod text_enum;
pub mod tool_result;
pub mod usage;
