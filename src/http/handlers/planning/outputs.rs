//! The projection of a plan: as JSON, as a spreadsheet, as pictures.

use crate::app::AppState;
use crate::http::attachment::{self, Shown};
use crate::http::error::AppError;
use crate::http::extract::{PlanAccess, UncheckedJson, ValidQuery};
use crate::http::handlers::planning::scenarios;
use crate::http::wire::{Data, DataWith, data};
use crate::plans::analysis::Hypothesis;
use crate::plans::apply;
use crate::plans::documents::cases;
use crate::store::brands::BrandVersion;
use crate::store::people::users::User;
use crate::store::plans::Plan;
use crate::store::plans::scenarios::Scenario;
use crate::wording;
use axum::extract::RawPathParams;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::IntoResponse;
use plan_documents::{Case, case_name};
use plan_engine::labels::Labels;
use plan_engine::{charts, csv, xlsx};
use plan_model::ids::{ScenarioId, UserId};
use plan_model::inputs::FinancialInputs;
use plan_model::language::Language;
use plan_model::month::CalendarMonth;
use plan_model::outputs::Projection;
use plan_model::scenario::Overrides;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

/// A chart brings its own style sheet, and needs nothing else.
const CHART_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/// Of what.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OutputsQuery {
    /// One of the plan's scenarios; the plan as it is when left out.
    scenario: Option<Uuid>,
}

/// A table of what, and in which language.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TableQuery {
    /// The language of the labels; that of `Accept-Language` when left out.
    #[param(inline)]
    lang: Option<Language>,
    /// One of the plan's scenarios; the plan as it is when left out.
    pub(super) scenario: Option<Uuid>,
}

impl TableQuery {
    pub(super) fn labels(&self, head: &HeaderMap) -> Labels {
        let accepted = || head.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let language = self
            .lang
            .unwrap_or_else(|| Language::accepted(accepted().unwrap_or_default()));
        wording::labels(language)
    }
}

/// Values to try.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"overrides": {"operatingCosts.rentMonthly": 360_000}}))]
pub(crate) struct WhatIfRequest {
    /// At most 40 values by path, in the field's unit, or relative to the plan's value.
    #[schema(value_type = BTreeMap<String, scenarios::HypotheticalValue>)]
    overrides: scenarios::Changes,
}

/// What was tried.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct TriedValues {
    /// By path; what was relative as the value that it makes.
    #[schema(value_type = BTreeMap<String, f64>)]
    overrides: Overrides,
}

/// The whole projection: key figures, five years, sixty months.
///
/// `null` for a plan that has no inputs yet.
#[utoipa::path(get, path = "/api/plans/{id}/outputs", tag = "plans", params(OutputsQuery, ("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = Data<Option<Projection>>)))]
pub(crate) async fn get_outputs(
    app: AppState,
    access: PlanAccess,
    ValidQuery(query): ValidQuery<OutputsQuery>,
) -> Result<Data<Option<Projection>>, AppError> {
    let loaded = Loaded::new(&app, &access, query.scenario).await?;
    Ok(data(loaded.projection().ok()))
}

/// The whole projection of the plan with other values. Changes nothing.
#[utoipa::path(post, path = "/api/plans/{id}/what-if", tag = "scenarios", params(("id" = Uuid, Path, description = "The plan")),
    request_body = WhatIfRequest,
    responses((status = 200, body = DataWith<Projection, TriedValues>)))]
pub(crate) async fn project_what_if(
    app: AppState,
    access: PlanAccess,
    UncheckedJson(body, permit): UncheckedJson<WhatIfRequest>,
) -> Result<DataWith<Projection, TriedValues>, AppError> {
    let plan = access.plan_ref(&app).await?;
    let row = Plan::load(&*app.db.conn().await?, plan.id).await?;
    let start = || Cow::Owned(FinancialInputs::from_brand(&plan.brand_version.brand));
    let inputs = row.inputs().map_or_else(start, Cow::Borrowed);
    let hypothesis = Hypothesis::new(&inputs, &plan.brand_version, app.clock.now());
    let mut errors = Vec::new();
    let overrides = scenarios::checked(&body.overrides, &hypothesis, &mut errors);
    if !errors.is_empty() {
        return Err(AppError::validation(errors));
    }
    permit.take(&app).await?;
    if row.inputs().is_none() {
        return Err(scenarios::no_inputs());
    }
    Ok(DataWith {
        data: hypothesis.with_all(&overrides)?,
        meta: TriedValues { overrides },
    })
}

/// The sixty months for a spreadsheet. Money is in dollars.
///
/// With the plan's opening month each line has its date.
#[utoipa::path(get, path = "/api/plans/{id}/outputs.csv", tag = "plans", params(TableQuery, ("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = String, content_type = "text/csv")))]
pub(crate) async fn get_outputs_csv(
    app: AppState,
    access: PlanAccess,
    head: HeaderMap,
    ValidQuery(query): ValidQuery<TableQuery>,
) -> Result<impl IntoResponse, AppError> {
    let loaded = Loaded::new(&app, &access, query.scenario).await?;
    let projection = loaded.projection()?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/csv; charset=utf-8; header=present"),
        ),
        (
            header::CONTENT_DISPOSITION,
            attachment::named(Shown::Saved, &loaded.name, "60-months.csv"),
        ),
    ];
    let table = csv::monthly(&projection, loaded.opening, &query.labels(&head));
    Ok((headers, table))
}

/// The plan as a workbook: summary, sources and uses, startup costs beside Item 7, assumptions, sixty months, five years and balance
/// sheet as formulas over them, loan, other cases. Money is in dollars.
#[utoipa::path(get, path = "/api/plans/{id}/outputs.xlsx", tag = "plans", params(TableQuery, ("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = Vec<u8>, content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))]
pub(crate) async fn get_outputs_xlsx(
    app: AppState,
    access: PlanAccess,
    head: HeaderMap,
    ValidQuery(query): ValidQuery<TableQuery>,
) -> Result<impl IntoResponse, AppError> {
    let loaded = Loaded::new(&app, &access, query.scenario).await?;
    let inputs = apply::filled(loaded.inputs()?, &loaded.brand_version);
    let owner = User::find(&*app.db.conn().await?, loaded.owner).await?;
    let labels = query.labels(&head);
    let hypothesis = Hypothesis::new(&inputs, &loaded.brand_version, app.clock.now());
    let projection = loaded.projection()?;
    let cases = cases::of(&hypothesis, &projection, &[])?.into_iter();
    let named = |case: Case| (case_name(&case.name, labels.language), case.projection.metrics);
    let book = xlsx::Book {
        plan: &loaded.name,
        owner: owner.as_ref().map_or("", |owner| &owner.display_name),
        version: loaded.version,
        opening: loaded.opening,
        fields: &loaded.brand_version.fields,
        inputs: &inputs,
        projection: &projection,
        cases: &cases.map(named).collect::<Vec<_>>(),
        as_of: loaded.updated_at,
        labels,
    };
    let file = xlsx::workbook(&book).map_err(AppError::internal)?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ),
        (
            header::CONTENT_DISPOSITION,
            attachment::named(Shown::Saved, &loaded.name, "financial-plan.xlsx"),
        ),
    ];
    Ok((headers, file))
}

/// How a chart is wanted.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChartQuery {
    /// The language of the labels.
    #[serde(default)]
    #[param(inline)]
    lang: Language,
    /// One of the plan's scenarios; the plan as it is when left out.
    scenario: Option<Uuid>,
}

/// A picture of the projection: `cash`, `revenue-costs` or `break-even`.
#[utoipa::path(get, path = "/api/plans/{id}/charts/{file}", tag = "plans",
    params(ChartQuery, ("id" = Uuid, Path, description = "The plan"), ("file" = String, Path, description = "`cash`, `revenue-costs` or `break-even`")),
    responses((status = 200, body = String, content_type = "image/svg+xml")))]
pub(crate) async fn get_chart(
    app: AppState,
    access: PlanAccess,
    params: RawPathParams,
    ValidQuery(query): ValidQuery<ChartQuery>,
) -> Result<impl IntoResponse, AppError> {
    let file = params
        .iter()
        .find(|(name, _)| *name == "file")
        .map_or("", |(_, file)| file);
    let draw: fn(&Projection, Language) -> String = match file {
        "cash.svg" => charts::cash,
        "revenue-costs.svg" => charts::revenue_costs,
        "break-even.svg" => charts::break_even,
        _ => return Err(AppError::not_found("The chart")),
    };
    let projection = Loaded::new(&app, &access, query.scenario).await?.projection()?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, CHART_POLICY),
    ];
    Ok((headers, draw(&projection, query.lang)))
}

/// A plan, or one of its scenarios on top of it.
pub(super) struct Loaded {
    /// Of the plan, and of the scenario behind it.
    name: String,
    owner: UserId,
    version: i64,
    opening: Option<CalendarMonth>,
    updated_at: OffsetDateTime,
    pub(super) brand_version: Arc<BrandVersion>,
    /// `None` for a plan without values.
    inputs: Option<FinancialInputs>,
}

impl Loaded {
    pub(super) async fn new(app: &AppState, access: &PlanAccess, scenario: Option<Uuid>) -> Result<Self, AppError> {
        let brand_version = app.db.brand_version(access.brand_version()).await?;
        let conn = app.db.conn().await?;
        let plan = Plan::load(&conn, access.id()).await?;
        let of_plan = Self {
            owner: UserId(plan.user_id),
            version: plan.version,
            opening: plan.opening_month(),
            inputs: plan.inputs().cloned(),
            updated_at: plan.updated_at,
            name: plan.name,
            brand_version,
        };
        let Some(id) = scenario else { return Ok(of_plan) };
        let found = Scenario::find(&conn, access.id(), ScenarioId(id)).await?;
        let scenario = found.ok_or_else(|| AppError::not_found("The scenario"))?;
        let inputs = of_plan.inputs.as_ref().ok_or_else(scenarios::no_inputs)?;
        let hypothesis = Hypothesis::new(inputs, &of_plan.brand_version, app.clock.now());
        Ok(Self {
            inputs: Some(hypothesis.inputs_with(&scenario.overrides.0)?),
            name: format!("{} \u{2013} {}", of_plan.name, scenario.name),
            updated_at: of_plan.updated_at.max(scenario.updated_at),
            ..of_plan
        })
    }

    pub(super) fn inputs(&self) -> Result<&FinancialInputs, AppError> {
        self.inputs.as_ref().ok_or_else(no_inputs)
    }

    pub(super) fn projection(&self) -> Result<Projection, AppError> {
        Ok(plan_engine::project(self.inputs()?, &self.brand_version.brand))
    }
}

fn no_inputs() -> AppError {
    AppError::new(
        plan_model::error::ErrorCode::NotFound,
        "The plan has no values yet, so there is nothing to project.",
    )
}
