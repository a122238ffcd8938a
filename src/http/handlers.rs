//! The endpoints, one file per resource. A handler translates between HTTP and the layers below.

pub(crate) mod access;
pub(crate) mod dialogue;
pub(crate) mod operation;
pub(crate) mod planning;
