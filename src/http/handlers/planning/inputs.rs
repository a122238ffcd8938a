//! Values typed in by hand: all of them, or none.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PlanAccess, UncheckedJson};
use crate::http::handlers::planning::plans::{PlanResponse, etag};
use crate::http::wire::{Data, data};
use crate::plans::by_hand::{ByHandError, ExpectedVersion, RangeWarning, Values};
use crate::plans::{Edited, by_hand};
use crate::store::brands::BrandVersion;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use plan_model::error::{ErrorCode, FieldError};
use plan_model::extracted::RangeCode;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Values by path, in the field's unit; `null` resets a field to the brand's default.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = BTreeMap<String, Option<f64>>, example = json!({"operatingCosts.rentMonthly": 420_000, "operatingCosts.royaltyPct": null}))]
pub(crate) struct UpdateInputsRequest(BTreeMap<String, Box<RawValue>>);

/// A value outside its reference range. It was written all the same.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InputWarning {
    #[schema(value_type = String)]
    pub field: FieldPath,
    #[schema(example = "Value is above Item 7 high range")]
    pub range_warning: String,
    pub range_code: RangeCode,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpdatedInputsResponse {
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
    responses((status = 200, body = Data<UpdatedInputsResponse>, headers(("ETag" = String, description = "The new version, quoted")))))]
pub(crate) async fn update_financial_inputs(
    app: AppState,
    access: PlanAccess,
    headers: HeaderMap,
    UncheckedJson(UpdateInputsRequest(body), permit): UncheckedJson<UpdateInputsRequest>,
) -> Result<impl IntoResponse, AppError> {
    let plan = access.plan_ref(&app).await?;
    let expected = expected_version(&headers)?;
    let values = checked(&body, &plan.brand_version)?;
    permit.take(&app).await?;
    let now = app.clock.now();
    let edited = by_hand::write(&app.db, &access.actor(), &plan, &values, &expected, now).await?;
    Ok(updated(edited, &values, &plan.brand_version))
}

/// The answer to an edit: the plan with its new version, the results that moved, and warnings about the written values.
pub(crate) fn updated(edited: Edited, values: &Values, brand_version: &BrandVersion) -> impl IntoResponse + use<> {
    let warnings = by_hand::range_warnings(values, edited.plan.inputs(), brand_version);
    (
        [(header::ETAG, etag(edited.plan.version))],
        data(UpdatedInputsResponse {
            plan: PlanResponse::new(edited.plan, brand_version),
            updated_outputs: edited.outputs,
            warnings: warnings.into_iter().map(InputWarning::from).collect(),
        }),
    )
}

impl From<RangeWarning> for InputWarning {
    fn from(RangeWarning { field, code, text }: RangeWarning) -> Self {
        Self {
            field,
            range_warning: text,
            range_code: code,
        }
    }
}

impl From<ByHandError> for AppError {
    fn from(error: ByHandError) -> Self {
        match error {
            ByHandError::VersionMismatch(version) => {
                let message = "The plan has changed meanwhile. Read it again, then decide.";
                Self::new(ErrorCode::VersionMismatch, message).with_details([serde_json::json!({"version": version})])
            }
            ByHandError::Edit(error) => error.into(),
        }
    }
}

/// Every value, or every error.
fn checked(body: &BTreeMap<String, Box<RawValue>>, brand_version: &BrandVersion) -> Result<Values, AppError> {
    let mut values = Values::new();
    let mut errors = Vec::new();
    for (path, raw) in body {
        match value(path, raw, brand_version) {
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

fn value(path: &str, raw: &RawValue, brand_version: &BrandVersion) -> Result<(FieldPath, Option<Number>), String> {
    if raw.get() == "null" {
        let field = brand_version.field(path).ok_or(UNKNOWN_FIELD)?;
        return Ok((field.path.clone(), None));
    }
    let (path, value) = checked_number(path, raw, brand_version)?;
    Ok((path, Some(value)))
}

pub(crate) const UNKNOWN_FIELD: &str = "is not a field of this plan";

/// A field of the plan and a number within its bounds, or what is wrong with them.
pub(crate) fn checked_number(
    path: &str,
    raw: &RawValue,
    brand_version: &BrandVersion,
) -> Result<(FieldPath, Number), String> {
    let field = brand_version.field(path).ok_or(UNKNOWN_FIELD)?;
    if !raw.get().starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return Err("must be a number".to_owned());
    }
    let number: Number = raw
        .get()
        .parse()
        .map_err(|_| "is not a number that can be stored exactly".to_owned())?;
    match field.refusal(number) {
        None => Ok((field.path.clone(), number)),
        Some(refusal) => Err(refusal),
    }
}

/// What `If-Match` asks for. Weak tags never match.
pub(crate) fn expected_version(headers: &HeaderMap) -> Result<ExpectedVersion, AppError> {
    let bad = || AppError::invalid("If-Match", "must be quoted versions, or *");
    let mut versions = Vec::new();
    let mut present = false;
    for value in headers.get_all(header::IF_MATCH) {
        present = true;
        for tag in value.to_str().map_err(|_| bad())?.split(',').map(str::trim) {
            if tag == "*" {
                return Ok(ExpectedVersion::Any);
            }
            let strong = tag.strip_prefix("W/").unwrap_or(tag);
            let opaque = strong
                .strip_prefix('"')
                .and_then(|tag| tag.strip_suffix('"'))
                .ok_or_else(bad)?;
            versions.extend(opaque.parse::<i64>().ok().filter(|_| !tag.starts_with("W/")));
        }
    }
    Ok(if present {
        ExpectedVersion::OneOf(versions)
    } else {
        ExpectedVersion::Any
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(text: &'static str) -> Result<ExpectedVersion, AppError> {
        expected_version(&HeaderMap::from_iter([(
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
        assert_eq!(
            expected_version(&HeaderMap::new()).expect("no header"),
            ExpectedVersion::Any
        );
    }
}
