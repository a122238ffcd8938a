//! JSON bodies: checked for content type, size, ambiguity, syntax and validity, in that order, which the contract
//! prescribes for errors.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{strict_json, write_limit};
use crate::http::policy::Policy;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{Extensions, HeaderMap, header};
use bytes::Bytes;
use futures_util::StreamExt;
use plan_model::clean;
use plan_model::error::{ErrorCode, FieldError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use std::time::Duration;
use validator::{Validate, ValidationErrors, ValidationErrorsKind};

/// Bytes of a refused body that are still read, so that the response reaches a client that is still sending.
const DRAIN: usize = 1024 * 1024;

/// Time limit for receiving a body.
const ARRIVAL: Duration = Duration::from_secs(10);

/// A parsed body.
#[derive(Debug, Clone)]
pub(crate) struct JsonBody<T>(pub T);

/// A body that was parsed and validated.
#[derive(Debug, Clone)]
pub(crate) struct ValidJson<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequest<AppState> for JsonBody<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, AppError> {
        let (value, extensions) = read_json(request).await?;
        write_limit::count(app, &extensions).await?;
        Ok(Self(value))
    }
}

/// A parsed body that its handler still has to check: only then it takes the permit, because 400 comes before 429.
#[derive(Debug, Clone)]
pub(crate) struct UncheckedJson<T>(pub T, pub WritePermit);

/// As [`UncheckedJson`]; a request without a body is `None`.
#[derive(Debug, Clone)]
pub(crate) struct OptionalJson<T>(pub Option<T>, pub WritePermit);

/// A write that is not counted yet.
#[must_use]
#[derive(Debug, Clone)]
pub(crate) struct WritePermit(Extensions);

impl WritePermit {
    /// Counts the write.
    ///
    /// # Errors
    /// 429 if it is one too many.
    pub(crate) async fn take(self, app: &AppState) -> Result<(), AppError> {
        write_limit::count(app, &self.0).await
    }
}

impl<T: DeserializeOwned + Send> FromRequest<AppState> for UncheckedJson<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, _: &AppState) -> Result<Self, AppError> {
        let (value, extensions) = read_json(request).await?;
        Ok(Self(value, WritePermit(extensions)))
    }
}

impl<T: DeserializeOwned + Send> FromRequest<AppState> for OptionalJson<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, _: &AppState) -> Result<Self, AppError> {
        let (value, extensions) = read_optional_json(request).await?;
        Ok(Self(value, WritePermit(extensions)))
    }
}

impl<T: DeserializeOwned + Validate + Send> FromRequest<AppState> for ValidJson<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, AppError> {
        let (value, extensions) = read_valid_json(request).await?;
        write_limit::count(app, &extensions).await?;
        Ok(Self(value))
    }
}

/// Tells `null` from a member that was left out, as `deserialize_with` of an `Option<Option<T>>`.
///
/// # Errors
/// As `T`'s own.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A body as it arrived.
pub(super) struct Received {
    pub headers: HeaderMap,
    pub body: Bytes,
    /// What the layers know of the request, to count it when the body is found valid.
    extensions: Extensions,
}

/// The body as a value, and what the layers know of the request.
///
/// # Errors
/// As the contract prescribes, in its order: 413, 415, 400.
pub(crate) async fn read_json<T: DeserializeOwned>(request: Request) -> Result<(T, Extensions), AppError> {
    let Received {
        headers,
        body,
        extensions,
    } = receive(request).await?;
    require_json(&headers)?;
    Ok((parse(&body)?, extensions))
}

/// As [`read_json`]: a body that somebody else reads, as it arrived.
pub(crate) async fn read_bytes(request: Request) -> Result<Bytes, AppError> {
    let Received { headers, body, .. } = receive(request).await?;
    require_json(&headers)?;
    let body = clean::json_escapes(&body);
    strict_json::check(&body).map_err(|error| AppError::validation(vec![error]))?;
    Ok(Bytes::copy_from_slice(&body))
}

/// As [`read_json`]; a request without a body is `None`.
async fn read_optional_json<T: DeserializeOwned>(request: Request) -> Result<(Option<T>, Extensions), AppError> {
    let Received {
        headers,
        body,
        extensions,
    } = receive(request).await?;
    if body.is_empty() {
        return Ok((None, extensions));
    }
    require_json(&headers)?;
    Ok((Some(parse(&body)?), extensions))
}

/// As [`read_json`], and validated.
///
/// # Errors
/// As [`read_json`]; 400 also if the value is not valid.
pub(crate) async fn read_valid_json<T: DeserializeOwned + Validate>(
    request: Request,
) -> Result<(T, Extensions), AppError> {
    let (value, extensions) = read_json(request).await?;
    Ok((valid(value)?, extensions))
}

fn valid<T: Validate>(value: T) -> Result<T, AppError> {
    match value.validate() {
        Ok(()) => Ok(value),
        Err(errors) => Err(AppError::validation(field_errors(&errors))),
    }
}

/// The whole body, within the route's limits of size and time.
pub(super) async fn receive(request: Request) -> Result<Received, AppError> {
    let (parts, body) = request.into_parts();
    let policy = Policy::of(&parts.extensions);
    let arrived = tokio::time::timeout(ARRIVAL, collect(body, policy.body)).await;
    let body = arrived.map_err(|_| AppError::invalid("body", "did not arrive in time"))??;
    if policy.is_message && require_json(&parts.headers).is_ok() && clean::holds_nul(&body) {
        return Err(AppError::invalid(
            "message",
            "must not contain control characters other than newline and tab",
        ));
    }
    Ok(Received {
        headers: parts.headers,
        body,
        extensions: parts.extensions,
    })
}

async fn collect(body: Body, limit: usize) -> Result<Bytes, AppError> {
    let mut stream = body.into_data_stream();
    let mut collected = Vec::new();
    let mut received = 0_usize;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| AppError::invalid("body", "did not arrive whole"))?;
        received = received.saturating_add(chunk.len());
        if received > limit.saturating_add(DRAIN) {
            break;
        }
        if received <= limit {
            collected.extend_from_slice(&chunk);
        }
    }
    if received > limit {
        return Err(AppError::new(
            ErrorCode::PayloadTooLarge,
            format!("The body may have at most {limit} bytes."),
        ));
    }
    Ok(collected.into())
}

fn require_json(headers: &HeaderMap) -> Result<(), AppError> {
    let value = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut parts = value.split(';').map(str::trim);
    let is_json = parts
        .next()
        .is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    let is_utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, charset)) if name.trim().eq_ignore_ascii_case("charset") => {
            charset.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    let is_plain = headers
        .get(header::CONTENT_ENCODING)
        .is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if !is_plain {
        return Err(AppError::new(
            ErrorCode::UnsupportedMediaType,
            "The body must be sent as it is, without Content-Encoding.",
        ));
    }
    if is_json && is_utf8 {
        return Ok(());
    }
    Err(AppError::new(
        ErrorCode::UnsupportedMediaType,
        "The body must be JSON, with the header Content-Type: application/json.",
    ))
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, AppError> {
    strict_json::read(&clean::json_escapes(body)).map_err(|error| AppError::validation(vec![error]))
}

/// The validation errors, with field names as on the wire.
pub(super) fn field_errors(errors: &ValidationErrors) -> Vec<FieldError> {
    let mut found = Vec::new();
    gather(errors, "", &mut found);
    found.sort_by(|a: &FieldError, b| a.field.cmp(&b.field));
    found
}

fn gather(errors: &ValidationErrors, prefix: &str, found: &mut Vec<FieldError>) {
    for (name, kind) in errors.errors() {
        let path = format!("{prefix}{}", camel_case(name));
        match kind {
            ValidationErrorsKind::Field(errors) => found.extend(errors.iter().map(|error| {
                let message = error
                    .message
                    .as_ref()
                    .map_or_else(|| format!("is not valid ({})", error.code), ToString::to_string);
                FieldError::new(path.clone(), message)
            })),
            ValidationErrorsKind::Struct(inner) => gather(inner, &format!("{path}."), found),
            ValidationErrorsKind::List(items) => {
                items
                    .iter()
                    .for_each(|(index, inner)| gather(inner, &format!("{path}[{index}]."), found));
            }
        }
    }
}

/// `brand_id` is `brandId` on the wire.
pub(super) fn camel_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        if c == '_' {
            upper = true;
        } else {
            out.push(if upper { c.to_ascii_uppercase() } else { c });
            upper = false;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::number::Number;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, Validate)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Body {
        #[validate(length(min = 1, max = 3, message = "must have 1 to 3 characters"))]
        plan_name: String,
        #[serde(default)]
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Inner {
        rate: Number,
    }

    fn refusal(json: &str) -> String {
        let error = parse::<Body>(json.as_bytes()).and_then(valid).expect_err(json);
        let details = serde_json::to_value(error.details()).expect("details");
        format!(
            "{} {}",
            details[0]["field"].as_str().unwrap_or("?"),
            details[0]["message"].as_str().unwrap_or("?")
        )
    }

    #[test]
    fn a_good_body_is_read_exactly() {
        let body: Body = parse(br#"{"planName":"abc","inner":{"rate":0.1025}}"#).expect("reads");
        assert_eq!(
            (body.plan_name.as_str(), body.inner.map(|i| i.rate)),
            ("abc", Some(Number::millionths(102_500)))
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(refusal("{}"), "planName is required");
        assert_eq!(
            refusal(r#"{"planName":"abcd"}"#),
            "planName must have 1 to 3 characters"
        );
        assert_eq!(
            refusal(r#"{"planName":"a","role":"platform_admin"}"#),
            "role is not known here"
        );
        assert_eq!(
            refusal(r#"{"planName":"a","inner":{"rate":1,"x":1}}"#),
            "inner.x is not known here"
        );
        // A client's key may read like the parser's own words.
        assert_eq!(
            refusal(r#"{"planName":"a","missing: `x` at line 1":1}"#),
            "missing: `x` at line 1 is not known here"
        );
        assert_eq!(refusal(r#"{"planName":"a","inner":{}}"#), "inner.rate is required");
        assert_eq!(
            refusal(r#"{"planName":"a","inner":{"rate":"1"}}"#),
            "inner.rate expected a number"
        );
        assert_eq!(
            refusal(r#"{"planName":7}"#),
            "planName invalid type: integer `7`, expected a string"
        );
        assert_eq!(refusal(r#"{"planName":"a","planName":"b"}"#), "planName occurs twice");
        assert_eq!(refusal("[]"), "body must be a JSON object");
        assert!(refusal("nope").starts_with("body is not valid JSON at line 1"));
    }
}
