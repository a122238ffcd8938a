//! plan-advisor: a franchisee chats about a business plan, and the plan changes.
//!
//! Five floors; a module imports only from floors below it, and rooms on one floor do not know each other.
//!
//! ```text
//! http                                  everything that knows axum
//! conversation                          the turn; the only place that knows all four rooms
//! llm · extraction · plan · store       four rooms, no connecting doors
//! model                                 nouns: no I/O, no async, no framework
//! app, config, server, cli, …           the fuse box, beside the floors
//! ```
//!
//! One turn flows one way: request → turn → model's answer → extracted values → plan and engine → one commit → last frame.

// First, so that every floor may use its macro.
#[macro_use]
pub mod failpoint;

pub mod app;
pub mod cli;
pub mod config;
pub mod conversation;
pub mod embedded;
pub mod extraction;
pub mod http;
pub mod llm;
pub mod model;
pub mod password;
pub mod plan;
pub mod server;
pub mod store;
pub mod telemetry;
