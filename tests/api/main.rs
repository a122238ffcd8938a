//! End-to-end tests of the HTTP API: a real socket, a database of its own per test, a mock provider with the real protocol.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has failed, and says where")]

mod support;

mod admin;
mod archive;
mod auth;
mod brands;
mod commands;
mod confirmation;
mod data_rights;
mod database_faults;
mod degradation;
mod demo_data;
mod dialects;
mod edits;
mod errors;
mod fields;
mod golden;
mod instances;
mod invitations;
mod limits;
mod main_job;
mod metrics;
mod model_request;
mod offline_advisor;
mod oidc;
mod page;
mod passwords;
mod people;
mod plans;
mod pooler;
mod process;
mod prompts;
mod proposals;
mod races;
mod recovery;
mod removal;
mod replaces;
mod resume;
mod rights;
mod scenario_chat;
mod scenario_outputs;
mod scenarios;
mod second_look;
mod small_models;
mod stopping;
mod streaming;
mod tokens;
mod tools;
mod traces;
mod undo_by_chat;
mod upgrade;
