//! What matters in a plan, and what would have to change. Nothing here writes.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PlanAccess, UncheckedJson, ValidQuery};
use crate::http::handlers::planning::scenarios::no_inputs;
use crate::http::wire::{Data, data};
use crate::plans::analysis::{
    Found, Goal, GoalSeek, Helps, Hypothesis, Lever, MAX_TARGET, Outcome, Sought, goal_seek, is_target, sensitivity,
};
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
pub(crate) struct SensitivityQuery {
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
pub(crate) struct TriedValue {
    #[schema(value_type = f64)]
    pub value: Number,
    #[schema(value_type = Option<f64>)]
    pub result: Option<Number>,
}

/// A value of a field as [`TriedValue`], with what the year earns with it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct TriedLever {
    #[schema(value_type = f64)]
    pub value: Number,
    #[schema(value_type = Option<f64>)]
    pub result: Option<Number>,
    /// Cents earned before loan payments in `earningsOfYear`; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub earnings: Option<i64>,
}

/// The side of a field on which the result is better, lowest cash is no lower, and no more is borrowed for coverage.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HelpingSide {
    Low,
    High,
}

/// What one field moves.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct SensitivityItem {
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    pub path: FieldPath,
    pub label: String,
    /// A step below the plan's value.
    pub low: TriedLever,
    /// A step above.
    pub high: TriedLever,
    /// `high` less `low`; `null` where one of them is.
    #[schema(value_type = Option<f64>)]
    pub effect: Option<Number>,
    /// Whether the franchisee decides on the value.
    pub controlled: bool,
    /// Which side may be called a way to a better result; absent where neither may.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub helps: Option<HelpingSide>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SensitivityResponse {
    #[schema(value_type = String)]
    pub metric: &'static str,
    pub step: u32,
    /// The metric of the plan as it is.
    #[schema(value_type = Option<f64>)]
    pub base: Option<Number>,
    /// The year, from 1, by whose earnings the items are ordered instead: the metric is a loan coverage, and the year earns
    /// nothing that could cover a payment. The fields of the financing are not among the items then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub earnings_of_year: Option<usize>,
    /// Cents earned before loan payments in that year.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub earnings: Option<i64>,
    /// Largest absolute effect first, `null` last.
    pub items: Vec<SensitivityItem>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"metric": "dscrYear1", "target": 1.25, "path": "operatingCosts.rentMonthly"}))]
pub(crate) struct GoalSeekRequest {
    /// A name of the metric catalogue.
    metric: String,
    /// In the metric's unit: cents, decimals, months.
    #[schema(value_type = f64)]
    target: Number,
    /// The field that may move.
    path: String,
}

/// `unreachable`: no value of the planning range comes up to the target without lowering the lowest cash or, for coverage,
/// raising the loan; `value` is the best, or the plan's own where none is better. `not_monotone`: more than one stretch
/// of values does, and `value` is the nearest to the plan's.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GoalOutcome {
    Reached,
    Unreachable,
    NotMonotone,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoalSeekResponse {
    pub outcome: GoalOutcome,
    #[schema(value_type = f64)]
    pub value: Number,
    #[schema(value_type = Option<f64>)]
    pub result: Option<Number>,
    /// The plan as it is.
    pub base: TriedValue,
    /// What was searched: the field's planning range, else what the franchisor discloses.
    pub range: SearchedRange,
    /// Where the plan meets the target already, the last value with which it still does; `null` elsewhere, and where all do.
    pub holds_to: Option<TriedValue>,
}

/// In the field's unit.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct SearchedRange {
    #[schema(value_type = f64)]
    pub low: Number,
    #[schema(value_type = f64)]
    pub high: Number,
}

impl From<Found> for TriedValue {
    fn from(Found { value, result, .. }: Found) -> Self {
        Self { value, result }
    }
}

impl SensitivityItem {
    fn new(lever: &Lever<'_>, by_earnings: bool) -> Self {
        let side = |found: Found| TriedLever {
            value: found.value,
            result: found.result,
            earnings: by_earnings.then_some(found.earnings),
        };
        Self {
            path: lever.field.path.clone(),
            label: lever.field.label.to_string(),
            low: side(lever.low),
            high: side(lever.high),
            effect: lever.effect,
            controlled: lever.field.controlled,
            helps: lever.helps.map(|side| match side {
                Helps::Low => HelpingSide::Low,
                Helps::High => HelpingSide::High,
            }),
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
pub(crate) async fn get_sensitivity(
    app: AppState,
    access: PlanAccess,
    ValidQuery(query): ValidQuery<SensitivityQuery>,
) -> Result<Data<SensitivityResponse>, AppError> {
    let metric = metric(&query.metric).map_err(|error| AppError::validation(vec![error]))?;
    let plan = access.plan_ref(&app).await?;
    let row = Plan::load(&*app.db.conn().await?, plan.id).await?;
    let inputs = row.inputs().ok_or_else(no_inputs)?;
    let hypothesis = Hypothesis::new(inputs, &plan.brand_version, app.clock.now());
    let found = sensitivity(&hypothesis, Sought::Metric(metric), query.step)?;
    Ok(data(SensitivityResponse {
        metric: metric.name,
        step: query.step,
        base: found.base.result,
        earnings_of_year: found.by_earnings_of,
        earnings: found.by_earnings_of.map(|_| found.base.earnings),
        items: found
            .levers
            .iter()
            .map(|lever| SensitivityItem::new(lever, found.by_earnings_of.is_some()))
            .collect(),
    }))
}

/// The value of one field with which a metric reaches a target, all else unchanged. Changes nothing.
#[utoipa::path(post, path = "/api/plans/{id}/goal-seek", tag = "scenarios", params(("id" = uuid::Uuid, Path, description = "The plan")),
    request_body = GoalSeekRequest,
    responses((status = 200, body = Data<GoalSeekResponse>)))]
pub(crate) async fn seek_goal(
    app: AppState,
    access: PlanAccess,
    UncheckedJson(body, permit): UncheckedJson<GoalSeekRequest>,
) -> Result<Data<GoalSeekResponse>, AppError> {
    let plan = access.plan_ref(&app).await?;
    let field = plan.brand_version.field(&body.path);
    let unknown = FieldError::new("path", "is not a field of this plan");
    let far = FieldError::new("target", format!("must be between -{MAX_TARGET} and {MAX_TARGET}"));
    let (metric, path) = match (metric(&body.metric), field) {
        (Ok(metric), Some(field)) if is_target(body.target) => (metric, field.path.clone()),
        (metric, field) => {
            let target = (!is_target(body.target)).then_some(far);
            let path = field.is_none().then_some(unknown);
            return Err(AppError::validation(
                metric.err().into_iter().chain(path).chain(target).collect(),
            ));
        }
    };
    permit.take(&app).await?;
    let row = Plan::load(&*app.db.conn().await?, plan.id).await?;
    let inputs = row.inputs().ok_or_else(no_inputs)?;
    let hypothesis = Hypothesis::new(inputs, &plan.brand_version, app.clock.now());
    let target = body.target;
    let GoalSeek {
        outcome,
        found,
        base,
        range,
        holds_to,
        ..
    } = goal_seek(
        &hypothesis,
        &Goal {
            sought: Sought::Metric(metric),
            target,
            path,
        },
    )?;
    Ok(data(GoalSeekResponse {
        outcome: outcome.into(),
        value: found.value,
        result: found.result,
        base: base.into(),
        range: SearchedRange {
            low: range.low,
            high: range.high,
        },
        holds_to: holds_to.map(TriedValue::from),
    }))
}

fn metric(name: &str) -> Result<&'static Metric, FieldError> {
    metrics::find(name).ok_or_else(|| FieldError::new("metric", "is not a metric"))
}
