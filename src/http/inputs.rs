//! Values typed in by hand: all of them, or none.

use super::edit::{Draft, Edited};
use super::error::AppError;
use super::extract::{PlanAccess, ValidJson};
use super::plans::{PlanResponse, etag};
use super::wire::{Data, data};
use crate::app::AppState;
use crate::extraction;
use crate::model::error::{ErrorCode, FieldError};
use crate::model::extracted::RangeCode;
use crate::model::field::FieldPath;
use crate::model::inputs::Source;
use crate::model::number::Number;
use crate::model::outputs::UpdatedOutputs;
use crate::plan::apply;
use crate::store::brands::Edition;
use crate::store::plan_changes::Reason;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use diesel_async::AsyncConnection;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use validator::{Validate, ValidationErrors};

/// Values by path, in the field's unit; `null` resets a field to the brand's default.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = BTreeMap<String, Option<f64>>, example = json!({"operatingCosts.rentMonthly": 420_000, "operatingCosts.royaltyPct": null}))]
pub struct UpdateInputsRequest(BTreeMap<String, Box<RawValue>>);

/// What the fields may hold depends on the plan's brand, so it is checked further on.
impl Validate for UpdateInputsRequest {
    fn validate(&self) -> Result<(), ValidationErrors> {
        Ok(())
    }
}

/// A value outside its reference range. It was written all the same.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputWarning {
    #[schema(value_type = String)]
    pub field: FieldPath,
    #[schema(example = "Value is above Item 7 high range")]
    pub range_warning: String,
    pub range_code: RangeCode,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatedInputsResponse {
    pub plan: PlanResponse,
    /// `null` only for a plan that still has no inputs.
    pub updated_outputs: Option<UpdatedOutputs>,
    pub warnings: Vec<InputWarning>,
}

/// Writes values into a plan: all of them, or none and a list of every error.
///
/// A value that is there already changes nothing. `null` returns a field to the brand's default.
#[utoipa::path(patch, path = "/api/plans/{id}/financial-inputs", tag = "plans",
    params(("id" = uuid::Uuid, Path, description = "The plan"), ("If-Match" = Option<String>, Header, description = "The version the values were meant for, quoted, or `*`")),
    request_body = UpdateInputsRequest,
    responses((status = 200, body = Data<UpdatedInputsResponse>, headers(("ETag" = String, description = "The new version, quoted"))),
        (status = 412, body = super::error::ErrorEnvelope, description = "VERSION_MISMATCH")))]
pub async fn update_financial_inputs(
    app: AppState,
    access: PlanAccess,
    headers: HeaderMap,
    ValidJson(UpdateInputsRequest(body)): ValidJson<UpdateInputsRequest>,
) -> Result<impl IntoResponse, AppError> {
    let edition = app.db.edition(access.edition()).await?;
    let expected = Expected::read(&headers)?;
    let values = checked(&body, &edition)?;
    let source = access.caller.entry_source();
    let mut conn = app.db.conn().await?;
    let Edited { plan, outputs } = conn
        .transaction::<_, AppError, _>(async |conn| {
            let mut draft = Draft::open(conn, &access, &edition).await?;
            expected.check(draft.plan.version)?;
            write(&mut draft, &values, &source, app.clock.now());
            draft.save(conn, &app, &access, &edition).await
        })
        .await?;
    let warnings = warnings(&values, &plan, &edition);
    Ok((
        [(header::ETAG, etag(plan.version))],
        data(UpdatedInputsResponse {
            plan,
            updated_outputs: outputs,
            warnings,
        }),
    ))
}

type Values = BTreeMap<FieldPath, Option<Number>>;

/// Every value, or every error.
fn checked(body: &BTreeMap<String, Box<RawValue>>, edition: &Edition) -> Result<Values, AppError> {
    let mut values = Values::new();
    let mut errors = Vec::new();
    for (path, raw) in body {
        match value(path, raw, edition) {
            Ok((path, value)) => drop(values.insert(path, value)),
            Err(problem) => errors.push(FieldError::new(path.clone(), problem)),
        }
    }
    if errors.is_empty() {
        Ok(values)
    } else {
        Err(AppError::validation(errors))
    }
}

fn value(path: &str, raw: &RawValue, edition: &Edition) -> Result<(FieldPath, Option<Number>), String> {
    let field = edition.field(path).ok_or("is not a field of this plan")?;
    if raw.get() == "null" {
        return Ok((field.path.clone(), None));
    }
    if !raw.get().starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return Err("must be a number or null".to_owned());
    }
    let number: Number = raw
        .get()
        .parse()
        .map_err(|_| "is not a number that can be stored exactly".to_owned())?;
    match field.refusal(number) {
        None => Ok((field.path.clone(), Some(number))),
        Some(refusal) => Err(refusal),
    }
}

fn write(draft: &mut Draft, values: &Values, source: &Source, at: time::OffsetDateTime) {
    for (path, value) in values {
        match value {
            None => draft.change(path, Reason::Reset, |inputs| apply::reset(inputs, path)),
            // A default that somebody confirms is theirs from then on; any other value that is there already stays as it is.
            Some(value)
                if draft
                    .value(path)
                    .is_some_and(|old| old.current_value == *value && old.source != Source::BrandDefault) => {}
            Some(value) => draft.change(path, Reason::Entry, |inputs| {
                apply::set(inputs, path, *value, source.clone(), at)
            }),
        }
    }
}

/// What is worth pointing at, judged by the range the plan was made with.
fn warnings(values: &Values, plan: &PlanResponse, edition: &Edition) -> Vec<InputWarning> {
    let inputs = plan.financial_inputs.as_ref();
    let warning = |(path, value): (&FieldPath, &Option<Number>)| {
        let range = inputs
            .and_then(|inputs| inputs.get(path.as_str()))
            .and_then(|field| field.item7_range);
        let range = range.map(|range| crate::model::field::Bounds {
            low: range.low,
            high: range.high,
        });
        let (range_code, range_warning) = extraction::warning(edition.field(path.as_str())?, range, (*value)?)?;
        Some(InputWarning {
            field: path.clone(),
            range_warning,
            range_code,
        })
    };
    values.iter().filter_map(warning).collect()
}

/// What `If-Match` asks for.
enum Expected {
    Anything,
    /// One of these versions. Weak tags never match.
    OneOf(Vec<i64>),
}

impl Expected {
    fn read(headers: &HeaderMap) -> Result<Self, AppError> {
        let bad = || AppError::invalid("If-Match", "must be quoted versions, or *");
        let mut versions = Vec::new();
        let mut present = false;
        for value in headers.get_all(header::IF_MATCH) {
            present = true;
            for tag in value.to_str().map_err(|_| bad())?.split(',').map(str::trim) {
                if tag == "*" {
                    return Ok(Self::Anything);
                }
                let strong = tag.strip_prefix("W/").unwrap_or(tag);
                let opaque = strong
                    .strip_prefix('"')
                    .and_then(|tag| tag.strip_suffix('"'))
                    .ok_or_else(bad)?;
                versions.extend(opaque.parse::<i64>().ok().filter(|_| !tag.starts_with("W/")));
            }
        }
        Ok(if present { Self::OneOf(versions) } else { Self::Anything })
    }

    fn check(&self, version: i64) -> Result<(), AppError> {
        match self {
            Self::Anything => Ok(()),
            Self::OneOf(versions) if versions.contains(&version) => Ok(()),
            Self::OneOf(_) => {
                let message = "The plan has changed meanwhile. Read it again, then decide.";
                Err(AppError::new(ErrorCode::VersionMismatch, message)
                    .with_details([serde_json::json!({"version": version})]))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(text: &'static str) -> Result<Expected, AppError> {
        Expected::read(&HeaderMap::from_iter([(
            header::IF_MATCH,
            axum::http::HeaderValue::from_static(text),
        )]))
    }

    #[test]
    fn if_match_takes_versions_lists_and_a_star() {
        for (text, matches) in [
            ("\"3\"", true),
            ("*", true),
            ("\"2\", \"3\"", true),
            ("\"2\"", false),
            ("W/\"3\"", false),
            ("\"x\"", false),
        ] {
            assert_eq!(expected(text).expect(text).check(3).is_ok(), matches, "{text}");
        }
        for text in ["3", "\"3", ""] {
            assert!(expected(text).is_err(), "{text}");
        }
        assert!(Expected::read(&HeaderMap::new()).expect("no header").check(3).is_ok());
    }
}
