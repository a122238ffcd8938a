//! What a turn sends and who reads it: the append-only log, its SSE frames, and subscriptions from any position.

pub(crate) mod frame;
pub(crate) mod log_reader;
pub(crate) mod remote;
pub(crate) mod stored;
pub(crate) mod subscription;
pub(crate) mod turn_log;
