//! Plans, their values, what is computed from them, and brands.

pub(crate) mod analysis;
pub(crate) mod brands;
pub(crate) mod cases;
pub(crate) mod changes;
pub(crate) mod corrections;
pub(crate) mod documents;
pub(crate) mod fields;
pub(crate) mod inputs;
pub(crate) mod metrics;
pub(crate) mod outputs;
pub(crate) mod plans;
pub(crate) mod proposals;
pub(crate) mod scenarios;
pub(crate) mod story;
