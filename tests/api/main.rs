//! The door, end to end: a real socket, a real database of its own per test, a provider that speaks the real protocol.

mod support;

mod degradation;
mod main_job;
mod resume;
mod stopping;
mod streaming;
