//! plan-advisor: a franchisee chats about a business plan, and plainly stated values are written into it.
//!
//! A module imports only from layers below it; modules of one layer do not know each other (`tests/architecture.rs`).
//!
//! ```text
//! http                                      everything that knows axum
//! conversation · offline                    the turn; the built-in advisor
//! plans                                     the only writer of plans
//! store                                     rows and queries
//! lru, password, wording                    what several layers need and knows none of them
//! app, config, server, cli, telemetry       wiring, beside the layers
//! ```
//!
//! Below them are the crates of `crates/`, which know nothing of this one: docs/ARCHITECTURE.md.
//!
//! One turn flows one way: request → turn → model's answer → extracted values → plan and engine → one commit → last frame.

// What is `pub` is used from outside the crate.
#![deny(unreachable_pub)]
// Decimals panic where they overflow; clippy.toml leaves the other numbers out.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

// First, so that every module can use its macro.
#[macro_use]
pub mod failpoint;

pub mod app;
pub mod cli;
pub mod config;
pub mod conversation;
pub mod http;
pub(crate) mod lru;
pub mod offline;
pub mod password;
pub mod plans;
pub mod server;
pub mod store;
pub(crate) mod telemetry;
pub(crate) mod wording;
