//! The envelope of every success, and shapes that several answers share.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

/// `{"data": …}`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Data<T> {
    pub data: T,
}

/// Wraps an answer.
pub(crate) const fn data<T>(data: T) -> Data<T> {
    Data { data }
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// A list with something beside it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct List<T, M> {
    pub data: Vec<T>,
    pub meta: M,
}

impl<T: Serialize, M: Serialize> IntoResponse for List<T, M> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// An answer with something beside it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DataWith<T, M> {
    pub data: T,
    pub meta: M,
}

impl<T: Serialize, M: Serialize> IntoResponse for DataWith<T, M> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// How long the whole list is.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Total {
    /// Entries on all pages.
    pub total: i64,
}

/// Where the next page begins.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct NextPage {
    /// `after` of the next page; `null` behind the last one.
    pub next: Option<Uuid>,
}

/// The largest page of a list that is paged by the id of its last entry, and what administrators get without a limit.
pub(crate) const MAX_PAGE: i64 = 500;

/// Cuts what was read to `limit` entries. One entry more than that must have been asked for: it shows that there is a next page.
pub(crate) fn page_of<R, T>(
    mut rows: Vec<R>,
    limit: i64,
    id: fn(&R) -> Uuid,
    show: impl Fn(R) -> T,
) -> List<T, NextPage> {
    let limit = usize::try_from(limit).unwrap_or_default();
    let next = (rows.len() > limit).then(|| id(&rows[limit - 1]));
    rows.truncate(limit);
    List {
        data: rows.into_iter().map(show).collect(),
        meta: NextPage { next },
    }
}

/// Where in a list to begin, and how much of it.
pub(crate) const DEFAULT_LIMIT: i64 = 50;

/// For optional texts of a query, where `?name=` means the same as leaving it out.
pub(crate) fn non_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?
        .map(plan_model::clean::storable)
        .filter(|text| !text.is_empty()))
}
