//! Plans as documents: list, make, read, delete.

use super::conversation::BUSY_RETRY_SECONDS;
use super::error::AppError;
use super::extract::{PlanAccess, ValidJson};
use super::wire::{Data, data};
use crate::app::AppState;
use crate::model::access::{Caller, UserRole};
use crate::model::clean;
use crate::model::error::ErrorCode;
use crate::model::ids::{BrandId, PlanId};
use crate::model::inputs::{FieldValue, FinancialInputs};
use crate::model::number::Number;
use crate::store::audit::AuditEvent;
use crate::store::brands::Edition;
use crate::store::json::Json;
use crate::store::plans::{NewPlan, Plan, PlanSummary};
use crate::store::prompts::Prompt;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use diesel_async::AsyncConnection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

const MAX_NAME_CHARS: usize = 120;

#[derive(Deserialize, Validate, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"name": "Second salon", "brandId": "0199c0de-0000-7000-8000-000000000001"}))]
pub struct CreatePlanRequest {
    /// 1 to 120 characters on one line.
    pub name: String,
    pub brand_id: Uuid,
}

/// A plan in the list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanSummaryResponse {
    pub id: Uuid,
    pub name: String,
    pub brand_id: Uuid,
    pub version: i64,
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
    /// Whose plan it is.
    pub owner: PlanOwnerResponse,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanOwnerResponse {
    pub id: Uuid,
    pub display_name: String,
}

/// A whole plan.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanResponse {
    pub id: Uuid,
    pub name: String,
    pub brand_id: Uuid,
    /// Grows with every change of the inputs; the `ETag`.
    pub version: i64,
    /// Field values by path; `null` before the first value.
    pub financial_inputs: Option<BTreeMap<String, FieldValueResponse>>,
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

/// What stands in one field, and where it came from.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldValueResponse {
    /// In the field's unit: cents, decimals, whole numbers.
    #[schema(value_type = f64, example = 420_000)]
    pub current_value: Number,
    /// `brand_default`, `user_entry`, `ai_populated` or `admin:<name>`.
    #[schema(example = "user_entry")]
    pub source: String,
    #[schema(value_type = f64, example = 450_000)]
    pub brand_default: Number,
    /// The brand's disclosed range when the plan was made.
    pub item7_range: Option<DisclosedRange>,
    /// `null` while at the brand's default.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_modified_at: Option<OffsetDateTime>,
    pub is_custom: bool,
}

#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
pub struct DisclosedRange {
    #[schema(value_type = f64)]
    pub low: Number,
    #[schema(value_type = f64)]
    pub high: Number,
}

impl From<FieldValue> for FieldValueResponse {
    fn from(value: FieldValue) -> Self {
        Self {
            current_value: value.current_value,
            source: value.source.to_text(),
            brand_default: value.brand_default,
            item7_range: value.item7_range.map(|range| DisclosedRange {
                low: range.low,
                high: range.high,
            }),
            last_modified_at: value.last_modified_at,
            is_custom: value.is_custom,
        }
    }
}

impl PlanResponse {
    #[must_use]
    pub fn new(plan: Plan, brand: BrandId) -> Self {
        let values = |inputs: FinancialInputs| {
            inputs
                .0
                .into_iter()
                .map(|(path, value)| (path.to_string(), value.into()))
                .collect()
        };
        Self {
            id: plan.id,
            name: plan.name,
            brand_id: brand.0,
            version: plan.version,
            financial_inputs: plan.financial_inputs.map(|Json(inputs)| values(inputs)),
            updated_at: plan.updated_at,
        }
    }
}

impl From<PlanSummary> for PlanSummaryResponse {
    fn from(plan: PlanSummary) -> Self {
        let owner = PlanOwnerResponse {
            id: plan.user_id,
            display_name: plan.owner_name,
        };
        Self {
            id: plan.id,
            name: plan.name,
            brand_id: plan.brand_id,
            version: plan.version,
            updated_at: plan.updated_at,
            owner,
        }
    }
}

/// The entity tag of a plan's version.
#[must_use]
pub fn etag(version: i64) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{version}\"")).unwrap_or_else(|_| HeaderValue::from_static("\"0\""))
}

/// Lists the caller's plans, oldest first; a platform administrator sees all.
#[utoipa::path(get, path = "/api/plans", tag = "plans", responses((status = 200, body = Data<Vec<PlanSummaryResponse>>)))]
pub async fn list_plans(app: AppState, caller: Caller) -> Result<Data<Vec<PlanSummaryResponse>>, AppError> {
    let owner = (caller.effective.role != UserRole::PlatformAdmin).then_some(caller.effective.id);
    let plans = PlanSummary::list(&*app.db.conn().await?, owner).await?;
    Ok(data(plans.into_iter().map(PlanSummaryResponse::from).collect()))
}

/// Makes a plan that starts from the brand's defaults, and keeps the defaults and ranges it was made with.
#[utoipa::path(post, path = "/api/plans", tag = "plans", request_body = CreatePlanRequest,
    responses((status = 201, body = Data<PlanResponse>, headers(("Location" = String), ("ETag" = String)))))]
pub async fn create_plan(
    app: AppState,
    Planner(caller): Planner,
    ValidJson(body): ValidJson<CreatePlanRequest>,
) -> Result<Response, AppError> {
    let name = checked_name(&body.name)?;
    let conn = app.db.conn().await?;
    let unknown = || AppError::invalid("brandId", "is not a brand");
    let edition = Edition::find_current(&conn, BrandId(body.brand_id))
        .await?
        .ok_or_else(unknown)?;
    let new = NewPlan {
        id: PlanId::fresh().0,
        user_id: caller.effective.id.0,
        brand_version_id: edition.id.0,
        name: &name,
        financial_inputs: Some(Json(FinancialInputs::from_brand(&edition.brand))),
    };
    let plan = new.insert(&conn).await?;
    AuditEvent::by("plan_created", &caller)
        .plan(PlanId(plan.id))
        .insert(&conn)
        .await?;
    let headers = [
        (
            header::LOCATION,
            HeaderValue::try_from(format!("/api/plans/{}", plan.id)).map_err(AppError::internal)?,
        ),
        (header::ETAG, etag(plan.version)),
    ];
    Ok((
        StatusCode::CREATED,
        headers,
        data(PlanResponse::new(plan, edition.brand.id)),
    )
        .into_response())
}

fn checked_name(name: &str) -> Result<String, AppError> {
    let name = clean::label(name);
    match name.chars().count() {
        1..=MAX_NAME_CHARS => Ok(name),
        _ => Err(AppError::invalid(
            "name",
            format!("must have 1 to {MAX_NAME_CHARS} characters"),
        )),
    }
}

/// Reads a plan.
#[utoipa::path(get, path = "/api/plans/{id}", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = Data<PlanResponse>, headers(("ETag" = String, description = "The version, quoted")))))]
pub async fn get_plan(app: AppState, access: PlanAccess) -> Result<impl IntoResponse, AppError> {
    let edition = app.db.edition(access.edition()).await?;
    let plan = Plan::load(&*app.db.conn().await?, access.id()).await?;
    Ok((
        [(header::ETAG, etag(plan.version))],
        data(PlanResponse::new(plan, edition.brand.id)),
    ))
}

/// Deletes a plan with its conversation. Not while a turn runs on it.
#[utoipa::path(delete, path = "/api/plans/{id}", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    responses((status = 204, description = "The plan is gone")))]
pub async fn delete_plan(app: AppState, access: PlanAccess) -> Result<StatusCode, AppError> {
    let id = access.id();
    let mut conn = app.db.conn().await?;
    conn.transaction::<_, AppError, _>(async |conn| {
        Plan::lock_for_deletion(conn, id).await?;
        if let Some(turn) = Prompt::find_running(conn, id).await? {
            let busy = AppError::new(
                ErrorCode::TurnInProgress,
                "The advisor is still answering; stop it or wait.",
            );
            return Err(busy
                .with_details([json!({"turnId": turn.id})])
                .retry_after(BUSY_RETRY_SECONDS));
        }
        Plan::delete(conn, id).await?;
        AuditEvent::by("plan_deleted", &access.caller)
            .plan(id)
            .insert(conn)
            .await?;
        Ok(())
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Somebody who may have plans of their own.
pub struct Planner(Caller);

impl axum::extract::FromRequestParts<AppState> for Planner {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        match caller.effective.role {
            UserRole::Franchisee | UserRole::PlatformAdmin => Ok(Self(caller)),
            UserRole::FranchisorAdmin => Err(AppError::forbidden("Brand administrators have no plans.")),
        }
    }
}
