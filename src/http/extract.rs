//! What a handler may ask for in its signature: who is asking, what they may touch, what they sent.

mod caller;
mod json;
mod path;
pub mod plan;
mod query;
mod strict_json;

pub use caller::{Actor, SessionId};
pub use json::{BodyLimit, RefuseNul, ValidJson};
pub use path::PathId;
pub use plan::{PlanAccess, open as open_plan};
pub use query::ValidQuery;

use crate::app::AppState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;

/// Handlers take the app itself, not a wrapper around it.
impl FromRequestParts<AppState> for AppState {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        Ok(app.clone())
    }
}
