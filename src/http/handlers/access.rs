//! Signing in, the account, and the administration of people.

pub(crate) mod account;
pub(crate) mod admin;
pub(crate) mod auth;
pub(crate) mod data_rights;
pub(crate) mod identities;
pub(crate) mod invitations;
pub(crate) mod me;
pub(crate) mod people;
pub(crate) mod tokens;
