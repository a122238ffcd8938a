//! Query strings: parsed and validated; all errors are listed. A read counts against its limit once its query is valid.

use crate::http::error::AppError;
use crate::http::extract::json::{camel_case, field_errors};
use crate::http::reads::UncountedRead;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::error::Error;
use validator::Validate;

/// Query parameters. Unknown names are ignored.
#[derive(Debug, Clone)]
pub(crate) struct ValidQuery<T>(pub T);

impl<S, T> FromRequestParts<S> for ValidQuery<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Validate,
{
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let Query(query) = Query::<T>::from_request_parts(parts, state)
            .await
            .map_err(|rejection| {
                let cause = rejection
                    .source()
                    .map_or_else(|| rejection.body_text(), ToString::to_string);
                let (name, problem) = cause.split_once(": ").unwrap_or(("query", &cause));
                AppError::invalid(camel_case(name), readable(problem))
            })?;
        query
            .validate()
            .map_err(|errors| AppError::validation(field_errors(&errors)))?;
        if let Some(read) = parts.extensions.remove::<UncountedRead>() {
            read.count()?;
        }
        Ok(Self(query))
    }
}

fn readable(problem: &str) -> String {
    match problem {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "must be a whole number".to_owned()
        }
        other if other.contains("too large") || other.contains("too small") => "is out of range".to_owned(),
        other if other.starts_with("duplicate field") => "must occur once".to_owned(),
        other => other.to_owned(),
    }
}
