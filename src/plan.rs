//! What happens to a plan: values are put into it, the engine projects 60 months from it, and the projection is drawn,
//! tabulated and put into words.
//!
//! Pure: no clock, no I/O. Time is an argument, brand and inputs come in, results go out.

pub mod apply;
pub mod charts;
pub mod csv;
pub mod describe;
mod engine;
mod update;
mod words;

pub use engine::{ENGINE_VERSION, project};
pub use update::update;
