//! Transport: one client for all calls, retries until the answer has begun, a circuit breaker.

pub(crate) mod answering;
pub(crate) mod breaker;
pub(crate) mod client;
pub(crate) mod endpoint;
pub(crate) mod http;
pub(crate) mod models;
pub(crate) mod opened;
pub(crate) mod raw;
pub(crate) mod refusal;
pub(crate) mod retry;
pub(crate) mod upstream;
