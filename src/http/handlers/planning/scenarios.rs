//! Scenarios of a plan: saved, compared, adopted.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PathId, PlanAccess, UncheckedJson, ValidQuery};
use crate::http::handlers::planning::inputs::{
    UNKNOWN_FIELD, UpdatedInputsResponse, checked_number, expected_version, updated,
};
use crate::http::wire::{Data, data};
use crate::plans::analysis::{self, Difference, Hypothesis};
use crate::plans::scenarios::{self, ScenarioError};
use crate::plans::{PlanRef, by_hand};
use crate::store::plans::Plan;
use crate::store::plans::scenarios::Scenario;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use pg_link::json::Json;
use plan_model::error::FieldError;
use plan_model::field::FieldPath;
use plan_model::ids::ScenarioId;
use plan_model::inputs::FinancialInputs;
use plan_model::metrics::Metrics;
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, MetricChange};
use plan_model::scenario::{self, Change, MAX_COMPARED, MAX_NAME_CHARS, MAX_OVERRIDES, MAX_SCENARIOS, Overrides};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Lean", "overrides": {"operatingCosts.rentMonthly": 360_000}}))]
pub(crate) struct CreateScenarioRequest {
    /// 1 to 60 characters on one line; unique in the plan without regard to case.
    name: String,
    /// At most 40 values by path, in the field's unit, or relative to the plan's value now. What is relative is stored as the
    /// value that it makes.
    #[schema(value_type = BTreeMap<String, HypotheticalValue>)]
    overrides: Changes,
}

/// What is left out stays as it is.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"overrides": {"operatingCosts.rentMonthly": 350_000}}))]
pub(crate) struct ReplaceScenarioRequest {
    name: Option<String>,
    /// Takes the place of all values of the scenario.
    #[schema(value_type = Option<BTreeMap<String, HypotheticalValue>>)]
    overrides: Option<Changes>,
}

/// Hypothetical values on top of the plan as it is now.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScenarioResponse {
    pub id: Uuid,
    pub name: String,
    #[schema(value_type = BTreeMap<String, f64>)]
    pub overrides: Overrides,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CompareQuery {
    /// Ids of at most three scenarios, with commas between them.
    #[serde(default)]
    pub scenarios: String,
}

/// A value that a scenario has and the plan has not.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DifferenceResponse {
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    pub path: FieldPath,
    #[schema(value_type = f64)]
    pub value: Number,
}

/// The plan, whose `id` is `null`, or one of its scenarios.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ColumnResponse {
    pub id: Option<Uuid>,
    pub name: String,
    pub differences: Vec<DifferenceResponse>,
    pub metrics: Metrics,
    /// Years 1 to 5.
    pub annual: Vec<AnnualRow>,
    /// Against the plan.
    pub changes: Vec<MetricChange>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ComparisonResponse {
    pub base: ColumnResponse,
    pub columns: Vec<ColumnResponse>,
}

impl From<Scenario> for ScenarioResponse {
    fn from(scenario: Scenario) -> Self {
        let Json(overrides) = scenario.overrides;
        Self {
            id: scenario.id,
            name: scenario.name,
            overrides,
            created_at: scenario.created_at,
            updated_at: scenario.updated_at,
        }
    }
}

impl ColumnResponse {
    fn new(id: Option<Uuid>, name: String, column: analysis::Column) -> Self {
        let difference = |Difference { path, value }| DifferenceResponse { path, value };
        Self {
            id,
            name,
            differences: column.differences.into_iter().map(difference).collect(),
            metrics: column.projection.metrics,
            annual: column.projection.annual,
            changes: column.changes,
        }
    }
}

impl From<ScenarioError> for AppError {
    fn from(error: ScenarioError) -> Self {
        match error {
            ScenarioError::NotFound => Self::not_found("The scenario"),
            ScenarioError::NameTaken => Self::conflict("A scenario of this plan has that name."),
            ScenarioError::TooMany => Self::conflict(format!(
                "A plan may have {MAX_SCENARIOS} scenarios, and it has. Delete one first."
            )),
            ScenarioError::NoInputs => no_inputs(),
            ScenarioError::VersionMismatch(version) => by_hand::ByHandError::VersionMismatch(version).into(),
            ScenarioError::Edit(error) => error.into(),
        }
    }
}

/// Nothing can lie on top of a plan that has no values.
pub(crate) fn no_inputs() -> AppError {
    AppError::conflict("The plan has no values yet, so there is nothing to compare.")
}

/// Lists a plan's scenarios, oldest first.
#[utoipa::path(get, path = "/api/plans/{id}/scenarios", tag = "scenarios", params(("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = Data<Vec<ScenarioResponse>>)))]
pub(crate) async fn list_scenarios(app: AppState, access: PlanAccess) -> Result<Data<Vec<ScenarioResponse>>, AppError> {
    let scenarios = Scenario::list(&*app.db.conn().await?, access.id()).await?;
    Ok(data(scenarios.into_iter().map(ScenarioResponse::from).collect()))
}

/// Saves a scenario. The plan stays as it is.
///
/// 409 where a scenario of the plan has the name, where it has ten, and where the plan has no values.
#[utoipa::path(post, path = "/api/plans/{id}/scenarios", tag = "scenarios", params(("id" = Uuid, Path, description = "The plan")),
    request_body = CreateScenarioRequest,
    responses((status = 201, body = Data<ScenarioResponse>, headers(("Location" = String)))))]
pub(crate) async fn create_scenario(
    app: AppState,
    access: PlanAccess,
    UncheckedJson(body, permit): UncheckedJson<CreateScenarioRequest>,
) -> Result<impl IntoResponse, AppError> {
    let plan = access.plan_ref(&app).await?;
    let mut errors = Vec::new();
    let name = checked_name(&body.name, &mut errors);
    let overrides = checked_overrides(&app, &plan, &body.overrides, &mut errors).await?;
    let name = name.filter(|_| errors.is_empty());
    let name = name.ok_or_else(|| AppError::validation(errors))?;
    permit.take(&app).await?;
    let scenario = scenarios::create(&app.db, &access.actor(), plan.id, &name, &overrides).await?;
    let location = format!("/api/plans/{}/scenarios/{}", plan.id, scenario.id);
    let body = data(ScenarioResponse::from(scenario));
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], body))
}

/// Replaces name, values or both of a scenario.
#[utoipa::path(put, path = "/api/plans/{id}/scenarios/{scenario_id}", tag = "scenarios",
    params(("id" = Uuid, Path, description = "The plan"), ("scenario_id" = Uuid, Path, description = "The scenario")),
    request_body = ReplaceScenarioRequest,
    responses((status = 200, body = Data<ScenarioResponse>)))]
pub(crate) async fn replace_scenario(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
    UncheckedJson(body, permit): UncheckedJson<ReplaceScenarioRequest>,
) -> Result<Data<ScenarioResponse>, AppError> {
    let plan = access.plan_ref(&app).await?;
    let mut errors = Vec::new();
    let name = body.name.and_then(|name| checked_name(&name, &mut errors));
    let overrides = match &body.overrides {
        Some(overrides) => Some(checked_overrides(&app, &plan, overrides, &mut errors).await?),
        None => None,
    };
    if !errors.is_empty() {
        return Err(AppError::validation(errors));
    }
    permit.take(&app).await?;
    let id = ScenarioId(id);
    let scenario = scenarios::replace(&app.db, plan.id, id, name.as_deref(), overrides.as_ref()).await?;
    Ok(data(scenario.into()))
}

/// Deletes a scenario. The plan stays as it is.
#[utoipa::path(delete, path = "/api/plans/{id}/scenarios/{scenario_id}", tag = "scenarios",
    params(("id" = Uuid, Path, description = "The plan"), ("scenario_id" = Uuid, Path, description = "The scenario")),
    responses((status = 204, description = "The scenario is gone")))]
pub(crate) async fn delete_scenario(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
) -> Result<StatusCode, AppError> {
    scenarios::delete(&app.db, access.id(), ScenarioId(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Writes a scenario's values into the plan, as changes that can be undone together. The scenario stays.
#[utoipa::path(post, path = "/api/plans/{id}/scenarios/{scenario_id}/adopt", tag = "scenarios",
    params(("id" = Uuid, Path, description = "The plan"), ("scenario_id" = Uuid, Path, description = "The scenario"),
        ("If-Match" = Option<String>, Header, description = "The version of the plan the values are meant for, quoted, or `*`")),
    responses((status = 200, body = Data<UpdatedInputsResponse>, headers(("ETag" = String, description = "The new version, quoted")))))]
pub(crate) async fn adopt_scenario(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
    headers: HeaderMap,
) -> Result<impl IntoResponse, AppError> {
    let plan = access.plan_ref(&app).await?;
    let expected = expected_version(&headers)?;
    let (id, now) = (ScenarioId(id), app.clock.now());
    let (edited, scenario) = scenarios::adopt(&app.db, &access.actor(), &plan, id, &expected, now).await?;
    let Json(Overrides(values)) = scenario.overrides;
    let values = values.into_iter().map(|(path, value)| (path, Some(value))).collect();
    Ok(updated(edited, &values, &plan.brand_version))
}

/// Compares the plan with at most three of its scenarios.
#[utoipa::path(get, path = "/api/plans/{id}/compare", tag = "scenarios",
    params(("id" = Uuid, Path, description = "The plan"), CompareQuery),
    responses((status = 200, body = Data<ComparisonResponse>)))]
pub(crate) async fn compare_scenarios(
    app: AppState,
    access: PlanAccess,
    ValidQuery(query): ValidQuery<CompareQuery>,
) -> Result<Data<ComparisonResponse>, AppError> {
    let ids = checked_ids(&query.scenarios)?;
    let plan = access.plan_ref(&app).await?;
    let compared = scenarios::compare(&app.db, &plan, &ids, app.clock.now()).await?;
    let columns = compared.columns.into_iter();
    Ok(data(ComparisonResponse {
        base: ColumnResponse::new(None, compared.plan.name, compared.base),
        columns: columns
            .map(|(scenario, column)| ColumnResponse::new(Some(scenario.id), scenario.name, column))
            .collect(),
    }))
}

fn checked_ids(text: &str) -> Result<Vec<ScenarioId>, AppError> {
    let mut ids = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let id = part.parse().map(ScenarioId);
        let id = id.map_err(|_| AppError::invalid("scenarios", "must be UUIDs with commas between them"))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    match ids.len() {
        0..=MAX_COMPARED => Ok(ids),
        _ => Err(AppError::invalid(
            "scenarios",
            format!("must be at most {MAX_COMPARED}"),
        )),
    }
}

fn checked_name(name: &str, errors: &mut Vec<FieldError>) -> Option<String> {
    let checked = scenario::name(name);
    if checked.is_none() {
        let problem = format!("must have 1 to {MAX_NAME_CHARS} characters");
        errors.push(FieldError::new("name", problem));
    }
    checked
}

/// A hypothetical value as it is sent: a number in the field's unit, or how far it is from the plan's value now.
#[derive(utoipa::ToSchema)]
#[expect(
    dead_code,
    reason = "the shape for the OpenAPI document: each value is read by the rules of its field"
)]
#[schema(example = json!({"times": 1.1}))]
#[serde(untagged)]
pub(crate) enum HypotheticalValue {
    Value(f64),
    /// So much more, or less, in the field's unit.
    By {
        by: f64,
    },
    /// So many times the plan's value.
    Times {
        times: f64,
    },
}

/// Values and changes as they were sent, and what is wrong with them.
pub(super) type Changes = BTreeMap<String, Box<RawValue>>;

/// Every value, what is relative taken from the plan as it is; what is wrong goes to `errors`.
pub(super) fn checked(body: &Changes, plan: &Hypothesis<'_>, errors: &mut Vec<FieldError>) -> Overrides {
    if body.len() > MAX_OVERRIDES {
        errors.push(FieldError::new("overrides", format!("must be at most {MAX_OVERRIDES}")));
    }
    let mut overrides = Overrides::default();
    for (path, raw) in body {
        match resolved(path, raw, plan) {
            Ok((path, value)) => drop(overrides.0.insert(path, value)),
            Err(problem) => errors.push(FieldError::new(format!("overrides.{path}"), problem)),
        }
    }
    overrides
}

fn resolved(path: &str, raw: &RawValue, plan: &Hypothesis<'_>) -> Result<(FieldPath, Number), String> {
    if !raw.get().starts_with('{') {
        return checked_number(path, raw, plan.brand_version);
    }
    let field = plan.brand_version.field(path).ok_or(UNKNOWN_FIELD)?;
    let change = Change::read(raw.get()).ok_or(r#"must be a number, {"by": number} or {"times": number}"#)?;
    let now = plan.value_in_force(&field.path).map_err(|error| error.to_string())?;
    let value = change.resolve(field, now).ok_or("is too large")?;
    match field.refusal(value) {
        None => Ok((field.path.clone(), value)),
        Some(refusal) => Err(format!("makes {value}, which {refusal}")),
    }
}

/// Reads changes against the plan as it is stored; one without values is looked at as it would start.
async fn checked_overrides(
    app: &AppState,
    plan: &PlanRef,
    body: &Changes,
    errors: &mut Vec<FieldError>,
) -> Result<Overrides, AppError> {
    let row = Plan::load(&*app.db.conn().await?, plan.id).await?;
    let start = || Cow::Owned(FinancialInputs::from_brand(&plan.brand_version.brand));
    let inputs = row.inputs().map_or_else(start, Cow::Borrowed);
    let hypothesis = Hypothesis::new(&inputs, &plan.brand_version, app.clock.now());
    Ok(checked(body, &hypothesis, errors))
}
