//! Ids in the path.

use crate::http::error::AppError;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use uuid::Uuid;

/// The last id of the path: a brand, a change, an extraction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathId(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let params = path_params(parts, state).await?;
        let (name, text) = params
            .iter()
            .last()
            .ok_or_else(|| AppError::internal("the route has no id"))?;
        parse(name, text).map(Self)
    }
}

/// All ids of the path, in its order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathIds<const N: usize>(pub [Uuid; N]);

impl<S: Send + Sync, const N: usize> FromRequestParts<S> for PathIds<N> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let params = path_params(parts, state).await?;
        let ids: Vec<Uuid> = params
            .iter()
            .map(|(name, text)| parse(name, text))
            .collect::<Result<_, _>>()?;
        let ids = ids
            .try_into()
            .map_err(|_| AppError::internal("the route has another number of ids"))?;
        Ok(Self(ids))
    }
}

/// The path's parameters, which must be UTF-8.
pub(in crate::http) async fn path_params<S: Send + Sync>(
    parts: &mut Parts,
    state: &S,
) -> Result<RawPathParams, AppError> {
    RawPathParams::from_request_parts(parts, state)
        .await
        .map_err(|_| AppError::invalid("path", "must be UTF-8"))
}

/// Whether every id in the path is one. What is none is left to the handler: 400 comes before 429.
pub(in crate::http) fn has_readable_ids(params: &RawPathParams) -> bool {
    let mut ids = params.iter().filter(|(name, _)| *name == "id" || name.ends_with("_id"));
    ids.all(|(name, text)| parse(name, text).is_ok())
}

pub(in crate::http) fn parse(name: &str, text: &str) -> Result<Uuid, AppError> {
    text.parse().map_err(|_| AppError::invalid(name, "must be a UUID"))
}
