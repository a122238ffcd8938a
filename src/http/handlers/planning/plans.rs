//! Plans as documents: list, make, read, delete.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::etag;
use crate::http::extract::json::present;
use crate::http::extract::{PlanAccess, UncheckedJson, ValidQuery, headers};
use crate::http::handlers::dialogue::conversation::BUSY_RETRY_SECONDS;
use crate::http::wire::{Data, List, MAX_PAGE, NextPage, data, page_of};
use crate::plans::lifecycle::{Created, LifecycleError, PlanRequest};
use crate::plans::{Actor, apply, lifecycle};
use crate::store::brands::BrandVersion;
use crate::store::plans::{Description, Plan, PlanSummary};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use plan_model::access::{Caller, UserRole};
use plan_model::clean;
use plan_model::error::ErrorCode;
use plan_model::field::FieldPath;
use plan_model::ids::{BrandId, PlanId};
use plan_model::inputs::{FieldValue, FinancialInputs};
use plan_model::month::{CalendarMonth, NoMonth};
use plan_model::number::Number;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

const MAX_NAME_CHARS: usize = 120;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"name": "Second salon", "brandId": "0199c0de-0000-7000-8000-000000000001"}))]
pub(crate) struct CreatePlanRequest {
    /// 1 to 120 characters on one line.
    pub name: String,
    pub brand_id: Uuid,
}

/// What is to change: at least one of them.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"name": "Second salon", "openingMonth": "2027-03"}))]
pub(crate) struct DescribePlanRequest {
    /// 1 to 120 characters on one line.
    pub name: Option<String>,
    /// The month in which the business opens, from 2000-01 to 2100-12; `null` takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, example = "2027-03")]
    #[expect(clippy::option_option, reason = "left out, null and a month are three answers")]
    pub opening_month: Option<Option<String>>,
}

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlanQuery {
    /// At most this many. Left out: all of one's own; for a platform administrator, 500.
    #[validate(range(min = 1, max = 500, message = "must be between 1 and 500"))]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<i64>,
    /// Only those behind the plan with this id.
    pub after: Option<Uuid>,
}

/// A plan in the list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanSummaryResponse {
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
pub(crate) struct PlanOwnerResponse {
    pub id: Uuid,
    pub display_name: String,
}

/// A whole plan.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanResponse {
    pub id: Uuid,
    pub name: String,
    pub brand_id: Uuid,
    /// Grows with every change of the inputs; the `ETag`.
    pub version: i64,
    /// The month in which the business opens; `null` if not given.
    #[schema(value_type = Option<String>, example = "2027-03")]
    pub opening_month: Option<CalendarMonth>,
    /// Field values by path; `null` before the first value.
    pub financial_inputs: Option<BTreeMap<String, FieldValueResponse>>,
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

/// The value of one field, and its source.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FieldValueResponse {
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
    /// Present, and `true`, where another field decides and this value counts nothing: of loan amount and down payment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub derived: bool,
}

#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
pub(crate) struct DisclosedRange {
    #[schema(value_type = f64)]
    pub low: Number,
    #[schema(value_type = f64)]
    pub high: Number,
}

impl FieldValueResponse {
    fn new(value: FieldValue, derived: bool) -> Self {
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
            derived,
        }
    }
}

impl PlanResponse {
    pub(crate) fn new(plan: Plan, brand_version: &BrandVersion) -> Self {
        let values = |inputs: &FinancialInputs| shown_values(inputs, apply::filled(inputs, brand_version).into_owned());
        Self {
            id: plan.id,
            opening_month: plan.opening_month(),
            financial_inputs: plan.inputs().map(values),
            name: plan.name,
            brand_id: brand_version.brand.id.0,
            version: plan.version,
            updated_at: plan.updated_at,
        }
    }
}

/// Values by path; `inputs` without those that were filled in say which one another decides.
pub(crate) fn shown_values(inputs: &FinancialInputs, filled: FinancialInputs) -> BTreeMap<String, FieldValueResponse> {
    let derived = inputs.derived();
    let shown = |(path, value): (FieldPath, FieldValue)| {
        let is_derived = path.as_str() == derived;
        (path.to_string(), FieldValueResponse::new(value, is_derived))
    };
    filled.0.into_iter().map(shown).collect()
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
pub(crate) fn etag(version: i64) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{version}\"")).unwrap_or_else(|_| HeaderValue::from_static("\"0\""))
}

/// Lists the caller's plans, oldest first; a platform administrator sees all.
#[utoipa::path(get, path = "/api/plans", tag = "plans", params(PlanQuery),
    responses((status = 200, body = List<PlanSummaryResponse, NextPage>)))]
pub(crate) async fn list_plans(
    app: AppState,
    caller: Caller,
    ValidQuery(query): ValidQuery<PlanQuery>,
) -> Result<List<PlanSummaryResponse, NextPage>, AppError> {
    let is_admin = caller.effective.role == UserRole::PlatformAdmin;
    let owner = (!is_admin).then_some(caller.effective.id);
    let all = if is_admin { MAX_PAGE } else { i64::from(i32::MAX) };
    let limit = query.limit.unwrap_or(all);
    let (only, after) = (caller.only_plan(), query.after.map(PlanId));
    let plans = PlanSummary::list(&*app.db.conn().await?, owner, only, after, limit + 1).await?;
    Ok(page_of(plans, limit, |plan| plan.id, PlanSummaryResponse::from))
}

/// Makes a plan that starts from the brand's defaults, and keeps the defaults and ranges it was made with.
///
/// The same `Idempotency-Key` and body answer with the plan that the first such request made.
#[utoipa::path(post, path = "/api/plans", tag = "plans", request_body = CreatePlanRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "At most 255 bytes; the same key and body never make a second plan")),
    responses((status = 201, body = Data<PlanResponse>, headers(("Location" = String), ("ETag" = String),
        ("Idempotency-Replayed" = Option<String>, description = "`true` where an earlier request made the plan")))))]
pub(crate) async fn create_plan(
    app: AppState,
    PlanOwnerRole(caller): PlanOwnerRole,
    head: HeaderMap,
    UncheckedJson(body, permit): UncheckedJson<CreatePlanRequest>,
) -> Result<Response, AppError> {
    let name = checked_name(&body.name)?;
    let key = headers::idempotency_key(&head)?;
    permit.take(&app).await?;
    let request = PlanRequest {
        name: &name,
        brand: BrandId(body.brand_id),
        key: key.as_deref(),
    };
    let Created {
        plan,
        brand_version,
        replayed,
    } = lifecycle::create(
        &app.db,
        &Actor::from(&caller),
        request,
        app.config.limits.max_plans_per_user,
    )
    .await?;
    let location = [(header::LOCATION, format!("/api/plans/{}", plan.id))];
    let tag = [(header::ETAG, etag(plan.version))];
    let body = data(PlanResponse::new(plan, &brand_version));
    let mut response = (StatusCode::CREATED, location, tag, body).into_response();
    if replayed {
        headers::mark_replayed(&mut response);
    }
    Ok(response)
}

/// Gives a plan another name, another opening month or both.
#[utoipa::path(patch, path = "/api/plans/{id}", operation_id = "rename_plan", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    request_body = DescribePlanRequest,
    responses((status = 200, body = Data<PlanResponse>, headers(("ETag" = String, description = "The new version, quoted")))))]
pub(crate) async fn describe_plan(
    app: AppState,
    access: PlanAccess,
    UncheckedJson(body, permit): UncheckedJson<DescribePlanRequest>,
) -> Result<impl IntoResponse, AppError> {
    let name = body.name.as_deref().map(checked_name).transpose()?;
    let opening_month = body.opening_month.map(checked_month).transpose()?;
    let new = Description {
        name: name.as_deref(),
        opening_month,
    };
    if new.name.is_none() && new.opening_month.is_none() {
        return Err(AppError::invalid("name", "is missing, and so is openingMonth"));
    }
    permit.take(&app).await?;
    let brand_version = app.db.brand_version(access.brand_version()).await?;
    let plan = lifecycle::describe(&app.db, &access.actor(), access.id(), &new).await?;
    let tag = [(header::ETAG, etag(plan.version))];
    Ok((tag, data(PlanResponse::new(plan, &brand_version))))
}

fn checked_month(text: Option<String>) -> Result<Option<CalendarMonth>, AppError> {
    let month = text.map(|text| text.parse()).transpose();
    month.map_err(|error: NoMonth| AppError::invalid("openingMonth", error.to_string()))
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
#[utoipa::path(get, path = "/api/plans/{id}", tag = "plans",
    params(("id" = Uuid, Path, description = "The plan"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of what is known; 304 where it is still so")),
    responses(
        (status = 200, body = Data<PlanResponse>, headers(("ETag" = String, description = "The version, quoted"))),
        (status = 304, description = "Nothing has changed")))]
pub(crate) async fn get_plan(app: AppState, access: PlanAccess, asked: HeaderMap) -> Result<Response, AppError> {
    let brand_version = app.db.brand_version(access.brand_version()).await?;
    let plan = Plan::load(&*app.db.conn().await?, access.id()).await?;
    Ok(etag::respond(&asked, etag(plan.version), || {
        data(PlanResponse::new(plan, &brand_version))
    }))
}

/// Deletes a plan with its conversation. Not while a turn runs on it.
#[utoipa::path(delete, path = "/api/plans/{id}", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    responses((status = 204, description = "The plan is gone")))]
pub(crate) async fn delete_plan(app: AppState, access: PlanAccess) -> Result<StatusCode, AppError> {
    lifecycle::delete(&app.db, &access.actor(), access.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<LifecycleError> for AppError {
    fn from(error: LifecycleError) -> Self {
        match error {
            LifecycleError::UnknownBrand => Self::invalid("brandId", "is not a brand"),
            LifecycleError::KeyReused => Self::new(
                ErrorCode::IdempotencyKeyReused,
                "This idempotency key was used for another plan.",
            ),
            LifecycleError::TooMany(limit) => {
                Self::conflict(format!("There may be {limit} plans, and there are. Delete one first."))
            }
            LifecycleError::Busy(turn) => Self::new(
                ErrorCode::TurnInProgress,
                "The advisor is still answering; stop it or wait.",
            )
            .with_details([json!({"turnId": turn})])
            .retry_after(BUSY_RETRY_SECONDS),
            LifecycleError::Store(error) => error.into(),
        }
    }
}

/// A user who may have plans of their own.
pub(crate) struct PlanOwnerRole(Caller);

impl axum::extract::FromRequestParts<AppState> for PlanOwnerRole {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        match caller.effective.role {
            UserRole::Franchisee | UserRole::PlatformAdmin => Ok(Self(caller)),
            UserRole::FranchisorAdmin => Err(AppError::forbidden("Brand administrators have no plans.")),
        }
    }
}
