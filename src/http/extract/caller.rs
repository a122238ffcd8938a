//! Extractors for the caller, whom `layers::authenticate` looked up once per request.

use crate::app::AppState;
use crate::http::error::AppError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use plan_model::access::{Caller, Person, UserRole};
use plan_model::ids::TokenId;
use tower_sessions::session::Id;

/// The session of the request: a lookup key, never to be shown.
#[derive(Clone, Copy)]
pub struct SessionId(pub Id);

/// What shows who is asking. A stream lasts no longer than it.
#[derive(Clone, Copy)]
pub enum Credential {
    Session(SessionId),
    Token(TokenId),
}

impl FromRequestParts<AppState> for Credential {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, AppError> {
        let found = parts.extensions.get::<Self>().copied();
        found.ok_or_else(AppError::unauthenticated)
    }
}

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

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        match Credential::from_request_parts(parts, app).await? {
            Credential::Session(id) => Ok(id),
            Credential::Token(_) => Err(AppError::forbidden(
                "This needs a login; an access token is not enough.",
            )),
        }
    }
}

/// A platform administrator with their own rights: not during impersonation.
#[derive(Debug, Clone)]
pub(crate) struct PlatformAdmin(pub Caller);

impl FromRequestParts<AppState> for PlatformAdmin {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        if caller.effective.role != UserRole::PlatformAdmin {
            return Err(AppError::forbidden("Only platform administrators may do this."));
        }
        Ok(Self(caller))
    }
}

/// The person who is logged in, acting in their own name: for what neither an administrator for somebody nor a program with a
/// token must do.
#[derive(Debug, Clone)]
pub(crate) struct InPerson(pub Person);

impl FromRequestParts<AppState> for InPerson {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        SessionId::from_request_parts(parts, app).await?;
        if caller.impersonation.is_some() {
            return Err(AppError::forbidden("This can only be done in one's own name."));
        }
        Ok(Self(caller.actor))
    }
}
