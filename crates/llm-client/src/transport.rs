//! Transport: one client for all calls, retries until the answer has begun, a circuit breaker.

pub mod answering;
pub mod breaker;
pub mod client;
pub mod connection;
pub mod endpoint;
pub mod gateway;
pub mod http;
pub mod opened;
pub mod raw;
pub mod retry;
