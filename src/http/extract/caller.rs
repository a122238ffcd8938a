//! Who is asking. The work is done once per request by `layers::authenticate`; here handlers pick it up.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::model::access::{Caller, UserRole};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tower_sessions::session::Id;

/// The session a request came with; a key to look it up again, never to be shown.
#[derive(Clone, Copy)]
pub struct SessionId(pub Id);

impl FromRequestParts<AppState> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, AppError> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(AppError::unauthenticated)
    }
}

impl FromRequestParts<AppState> for SessionId {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, AppError> {
        parts
            .extensions
            .get::<Self>()
            .copied()
            .ok_or_else(AppError::unauthenticated)
    }
}

/// A platform administrator in person, whether or not they impersonate somebody.
#[derive(Debug, Clone)]
pub struct Actor(pub Caller);

impl FromRequestParts<AppState> for Actor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        if caller.actor.role != UserRole::PlatformAdmin {
            return Err(AppError::forbidden("Only platform administrators may do this."));
        }
        Ok(Self(caller))
    }
}
