//! HTML form bodies, which identity providers send.

use super::json::{Received, receive};
use crate::http::error::AppError;
use axum::extract::{FromRequest, Query, Request};
use axum::http::{Uri, header};
use plan_model::error::ErrorCode;

/// The fields of a form, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Form(pub Vec<(String, String)>);

impl Form {
    /// The field's value; `None` also if it occurs more than once.
    pub(crate) fn one(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(found, _)| found == name).map(|(_, value)| value);
        match (values.next(), values.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = AppError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AppError> {
        // Forms come from identity providers, which have no session: no write of a person is counted.
        let Received { headers, body, .. } = receive(request).await?;
        let kind = headers
            .get(header::CONTENT_TYPE)
            .map_or(&b""[..], header::HeaderValue::as_bytes);
        if !kind
            .to_ascii_lowercase()
            .starts_with(b"application/x-www-form-urlencoded")
        {
            return Err(AppError::new(
                ErrorCode::UnsupportedMediaType,
                "The body must be a form (application/x-www-form-urlencoded).",
            ));
        }
        let unreadable = || AppError::invalid("body", "is no form");
        let text = std::str::from_utf8(&body).map_err(|_| unreadable())?;
        // A form is written as a query is.
        let uri: Uri = format!("/?{text}").parse().map_err(|_| unreadable())?;
        let Query(fields) = Query::try_from_uri(&uri).map_err(|_| unreadable())?;
        Ok(Self(fields))
    }
}
