//! Transport: one client for all calls, retries until the answer has begun, a circuit breaker.

pub mod answering;
pub mod breaker;
pub mod client;
pub mod endpoint;
pub mod http;
pub mod models;
pub mod opened;
pub mod raw;
pub mod refusal;
pub mod retry;
pub mod upstream;
