//! Extractors for handlers: caller, access, body, query.

mod caller;
mod form;
pub(crate) mod headers;
pub(crate) mod json;
pub(in crate::http) mod path;
pub(crate) mod plan;
mod query;
mod strict_json;
pub(crate) mod write_limit;

pub(crate) use caller::{Credential, InPerson, PlatformAdmin, SessionId};
pub(crate) use form::Form;
pub(crate) use json::{JsonBody, OptionalJson, UncheckedJson, ValidJson};
pub(crate) use path::{PathId, PathIds};
pub(crate) use plan::{PlanAccess, open as open_plan};
pub(crate) use query::ValidQuery;

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
