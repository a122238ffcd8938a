//! The door, end to end: a real socket, a real database of its own per test, a provider that speaks the real protocol.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has failed, and says where")]

mod support;

mod admin;
mod archive;
mod auth;
mod brands;
mod confirmation;
mod degradation;
mod errors;
mod fields;
mod golden;
mod instances;
mod limits;
mod main_job;
mod model_request;
mod plans;
mod process;
mod prompts;
mod proposals;
mod resume;
mod stopping;
mod streaming;
mod tools;
mod traces;
