//! The envelope of every success, and shapes that several answers share.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Deserializer, Serialize};

/// `{"data": …}`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Data<T> {
    pub data: T,
}

/// Wraps an answer.
pub const fn data<T>(data: T) -> Data<T> {
    Data { data }
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// One page of a list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Page<T> {
    pub data: Vec<T>,
    pub meta: PageMeta,
}

/// What a page alone cannot tell.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PageMeta {
    /// Entries in all pages.
    pub total: i64,
}

impl<T: Serialize> IntoResponse for Page<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// Where in a list to begin, and how much of it.
pub const DEFAULT_LIMIT: i64 = 50;

/// For optional texts of a query, where `?name=` means the same as leaving it out.
pub fn non_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?
        .map(crate::model::clean::storable)
        .filter(|text| !text.is_empty()))
}
