//! What a turn sends and who reads it: the append-only log, its SSE frames, and subscriptions from any position.

pub mod frame;
pub mod log_reader;
pub mod remote;
pub mod stored;
pub mod subscription;
pub mod turn_log;
