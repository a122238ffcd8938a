//! What matters in a plan, and what would have to change. Nothing here writes.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{JsonBody, PlanAccess, ValidQuery};
use crate::http::handlers::scenarios::no_inputs;
use crate::http::wire::{Data, data};
use crate::plans::analysis::{Found, Goal, GoalSeek, Hypothesis, Lever, Outcome, goal_seek, sensitivity};
use crate::store::plans::Plan;
use plan_model::error::FieldError;
use plan_model::field::FieldPath;
use plan_model::metrics::{self, Metric};
use plan_model::number::Number;
use serde::{Deserialize, Serialize};
use validator::Validate;

const DEFAULT_METRIC: &str = "dscrYear1";

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SensitivityQuery {
    /// A name of the metric catalogue.
    #[serde(default = "default_metric")]
    #[param(default = "dscrYear1")]
    pub metric: String,
    /// How far each field moves: percent of its value; for percentages, tenths of a point.
    #[serde(default = "default_step")]
    #[validate(range(min = 1, max = 50, message = "must be between 1 and 50"))]
    #[param(default = 10, minimum = 1, maximum = 50)]
    pub step: u32,
}

fn default_metric() -> String {
    DEFAULT_METRIC.to_owned()
}

const fn default_step() -> u32 {
    10
}

/// A value of a field and what the metric is with it; `null` where the metric has no value then.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct TriedValue {
    #[schema(value_type = f64)]
    pub value: Number,
    #[schema(value_type = Option<f64>)]
    pub result: Option<Number>,
}

/// What one field moves.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SensitivityItem {
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    pub path: FieldPath,
    pub label: String,
    /// A step below the plan's value.
    pub low: TriedValue,
    /// A step above.
    pub high: TriedValue,
    /// `high` less `low`; `null` where one of them is.
    #[schema(value_type = Option<f64>)]
    pub effect: Option<Number>,
    /// Whether the franchisee decides on the value.
    pub controlled: bool,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SensitivityResponse {
    #[schema(value_type = String)]
    pub metric: &'static str,
    pub step: u32,
    /// The metric of the plan as it is.
    #[schema(value_type = Option<f64>)]
    pub base: Option<Number>,
    /// Largest absolute effect first, `null` last.
    pub items: Vec<SensitivityItem>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"metric": "dscrYear1", "target": 1.25, "path": "operatingCosts.rentMonthly"}))]
pub struct GoalSeekRequest {
    /// A name of the metric catalogue.
    metric: String,
    /// In the metric's unit: cents, decimals, months.
    #[schema(value_type = f64)]
    target: Number,
    /// The field that may move.
    path: String,
}

/// `unreachable`: no value of the field comes up to the target, and `value` is the best. `not_monotone`: more than one stretch
/// of values does, and `value` is the nearest to the plan's.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoalOutcome {
    Reached,
    Unreachable,
    NotMonotone,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct GoalSeekResponse {
    pub outcome: GoalOutcome,
    #[schema(value_type = f64)]
    pub value: Number,
    #[schema(value_type = Option<f64>)]
    pub result: Option<Number>,
    /// The plan as it is.
    pub base: TriedValue,
}

impl From<Found> for TriedValue {
    fn from(Found { value, result }: Found) -> Self {
        Self { value, result }
    }
}

impl From<Lever<'_>> for SensitivityItem {
    fn from(lever: Lever<'_>) -> Self {
        Self {
            path: lever.field.path.clone(),
            label: lever.field.label.to_string(),
            low: lever.low.into(),
            high: lever.high.into(),
            effect: lever.effect,
            controlled: lever.field.controlled,
        }
    }
}

impl From<Outcome> for GoalOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Reached => Self::Reached,
            Outcome::Unreachable => Self::Unreachable,
            Outcome::NotMonotone => Self::NotMonotone,
        }
    }
}

/// What each field of the plan moves, all else unchanged: a step below its value and a step above.
#[utoipa::path(get, path = "/api/plans/{id}/sensitivity", tag = "scenarios",
    params(("id" = uuid::Uuid, Path, description = "The plan"), SensitivityQuery),
    responses((status = 200, body = Data<SensitivityResponse>)))]
pub async fn get_sensitivity(
    app: AppState,
    access: PlanAccess,
    ValidQuery(query): ValidQuery<SensitivityQuery>,
) -> Result<Data<SensitivityResponse>, AppError> {
    let metric = metric(&query.metric).map_err(|error| AppError::validation(vec![error]))?;
    let plan = access.plan_ref(&app).await?;
    let row = Plan::load(&*app.db.conn().await?, plan.id).await?;
    let inputs = row.inputs().ok_or_else(no_inputs)?;
    let hypothesis = Hypothesis::new(inputs, &plan.brand_version, app.clock.now());
    let found = sensitivity(&hypothesis, metric, query.step)?;
    Ok(data(SensitivityResponse {
        metric: metric.name,
        step: query.step,
        base: found.base,
        items: found.levers.into_iter().map(SensitivityItem::from).collect(),
    }))
}

/// The value of one field with which a metric reaches a target, all else unchanged. Changes nothing.
#[utoipa::path(post, path = "/api/plans/{id}/goal-seek", tag = "scenarios", params(("id" = uuid::Uuid, Path, description = "The plan")),
    request_body = GoalSeekRequest,
    responses((status = 200, body = Data<GoalSeekResponse>)))]
pub async fn seek_goal(
    app: AppState,
    access: PlanAccess,
    JsonBody(body): JsonBody<GoalSeekRequest>,
) -> Result<Data<GoalSeekResponse>, AppError> {
    let plan = access.plan_ref(&app).await?;
    let field = plan.brand_version.field(&body.path);
    let unknown = FieldError::new("path", "is not a field of this plan");
    let (metric, path) = match (metric(&body.metric), field) {
        (Ok(metric), Some(field)) => (metric, field.path.clone()),
        (metric, field) => {
            let problems = metric.err().into_iter().chain(field.is_none().then_some(unknown));
            return Err(AppError::validation(problems.collect()));
        }
    };
    let row = Plan::load(&*app.db.conn().await?, plan.id).await?;
    let inputs = row.inputs().ok_or_else(no_inputs)?;
    let hypothesis = Hypothesis::new(inputs, &plan.brand_version, app.clock.now());
    let target = body.target;
    let GoalSeek { outcome, found, base } = goal_seek(&hypothesis, &Goal { metric, target, path })?;
    Ok(data(GoalSeekResponse {
        outcome: outcome.into(),
        value: found.value,
        result: found.result,
        base: base.into(),
    }))
}

fn metric(name: &str) -> Result<&'static Metric, FieldError> {
    metrics::find(name).ok_or_else(|| FieldError::new("metric", "is not a metric"))
}
