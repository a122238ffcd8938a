//! Extractors for handlers: caller, access, body, query.

mod caller;
mod form;
pub mod headers;
mod json;
mod path;
pub mod plan;
mod query;
mod strict_json;
pub mod write_limit;

pub use caller::{Credential, InPerson, PlatformAdmin, SessionId};
pub use form::Form;
pub use json::{JsonBody, UncheckedJson, ValidJson, read_json, read_valid_json};
pub use path::PathId;
pub use plan::{PlanAccess, open as open_plan};
pub use query::ValidQuery;

use crate::app::AppState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;

impl FromRequestParts<AppState> for AppState {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        Ok(app.clone())
    }
}
