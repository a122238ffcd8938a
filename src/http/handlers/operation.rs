//! For those who run the server, and the page.

pub(crate) mod batch;
pub(crate) mod demo;
pub(crate) mod docs;
pub(crate) mod health;
pub(crate) mod page;
pub(crate) mod prometheus;
