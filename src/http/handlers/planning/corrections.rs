//! Defaults that the brand has corrected since a plan was made.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PlanAccess, UncheckedJson};
use crate::http::handlers::planning::inputs::UNKNOWN_FIELD;
use crate::http::wire::List;
use crate::plans::corrections::{self, Correction};
use axum::http::StatusCode;
use plan_model::error::FieldError;
use plan_model::field::{FieldPath, Kind};
use plan_model::number::Number;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// A default that the plan stands at, and what the brand has made of it since.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CorrectionResponse {
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    field: FieldPath,
    label: String,
    #[schema(value_type = String, example = "money")]
    kind: Kind,
    /// What the plan holds, in the field's unit.
    #[schema(value_type = f64)]
    before: Number,
    /// The brand's default now.
    #[schema(value_type = f64)]
    after: Number,
    /// The edition that brought it.
    version: i32,
    #[serde(with = "time::serde::rfc3339")]
    corrected_at: OffsetDateTime,
}

/// Beside the list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct NewestEdition {
    /// The brand's newest edition; `null` where the plan was made with it.
    version: Option<i32>,
}

/// Corrections to be left aside.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"fields": ["operatingCosts.rentMonthly"], "version": 2}))]
pub(crate) struct LeaveCorrectionsRequest {
    /// 1 to 200 paths.
    #[schema(value_type = Vec<String>)]
    fields: Vec<String>,
    /// `meta.version` of the list that was read.
    version: i32,
}

impl From<Correction> for CorrectionResponse {
    fn from(one: Correction) -> Self {
        Self {
            field: one.field.path,
            label: one.field.label.into_owned(),
            kind: one.field.kind,
            before: one.before,
            after: one.after,
            version: one.version,
            corrected_at: one.at,
        }
    }
}

/// Lists the defaults that the plan stands at and that the brand has corrected since.
///
/// Nothing changes by itself. To take one, write the value as any other; what was left aside is not listed before a later edition
/// corrects it again.
#[utoipa::path(get, path = "/api/plans/{id}/corrections", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = List<CorrectionResponse, NewestEdition>)))]
pub(crate) async fn list_corrections(
    app: AppState,
    access: PlanAccess,
) -> Result<List<CorrectionResponse, NewestEdition>, AppError> {
    let (found, version) = corrections::list(&app.db, &access.plan_ref(&app).await?).await?;
    Ok(List {
        data: found.into_iter().map(Into::into).collect(),
        meta: NewestEdition { version },
    })
}

/// Leaves corrections aside: they are not listed again before a later edition corrects the field anew. No value changes.
#[utoipa::path(post, path = "/api/plans/{id}/corrections/leave", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    request_body = LeaveCorrectionsRequest, responses((status = 204, description = "They are left aside")))]
pub(crate) async fn leave_corrections(
    app: AppState,
    access: PlanAccess,
    UncheckedJson(body, permit): UncheckedJson<LeaveCorrectionsRequest>,
) -> Result<StatusCode, AppError> {
    let plan = access.plan_ref(&app).await?;
    let mut errors = Vec::new();
    if body.fields.is_empty() || body.fields.len() > 200 {
        errors.push(FieldError::new("fields", "must have 1 to 200 entries"));
    }
    let mut fields: Vec<FieldPath> = body.fields.iter().map(|path| FieldPath::read(path)).collect();
    fields.sort();
    fields.dedup();
    let unknown = fields
        .iter()
        .filter(|path| plan.brand_version.field(path.as_str()).is_none());
    errors.extend(unknown.map(|path| FieldError::new(path.to_string(), UNKNOWN_FIELD)));
    let newest = corrections::newest_version(&app.db, &plan).await?;
    if newest.is_none_or(|newest| !(1..=newest).contains(&body.version)) {
        errors.push(FieldError::new("version", "is not a later edition of the brand"));
    }
    if !errors.is_empty() {
        return Err(AppError::validation(errors));
    }
    permit.take(&app).await?;
    corrections::leave(&app.db, &plan, &fields, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}
