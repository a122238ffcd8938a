//! The door, end to end: a real socket, a real database of its own per test, a provider that speaks the real protocol.

mod support;

mod admin;
mod auth;
mod brands;
mod confirmation;
mod degradation;
mod errors;
mod fields;
mod instances;
mod main_job;
mod model_request;
mod plans;
mod process;
mod proposals;
mod resume;
mod stopping;
mod streaming;
mod tools;
