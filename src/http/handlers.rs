//! The endpoints, one file per resource. A handler translates between HTTP and the layers below.

pub mod account;
pub mod admin;
pub mod ag_ui;
pub mod analysis;
pub mod auth;
pub mod brands;
pub mod changes;
pub mod chat;
pub mod conversation;
pub mod data_rights;
pub mod demo;
pub mod docs;
pub mod fields;
pub mod health;
pub mod inputs;
pub mod invitations;
pub mod me;
pub mod metrics;
pub mod outputs;
pub mod page;
pub mod people;
pub mod plans;
pub mod prometheus;
pub mod prompts;
pub mod scenarios;
pub mod tokens;
