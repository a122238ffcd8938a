//! The plan in the cases that a lender asks about.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PlanAccess, ValidQuery};
use crate::http::handlers::planning::outputs::{Loaded, TableQuery};
use crate::http::wire::{Data, data};
use crate::plans::analysis::Hypothesis;
use crate::plans::documents::cases;
use axum::http::HeaderMap;
use plan_documents::{Case, CaseName, case_name};
use plan_model::metrics::Metrics;
use serde::Serialize;

/// What differs from the plan.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CaseKind {
    /// Lower sales.
    SalesLower,
    /// The first sale comes later, and what runs without it is paid.
    OpensLater,
    /// One number that the owner decides, a step better.
    Lever,
}

/// The plan with one thing changed, as it stands in documents, workbook and print.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct PlanCase {
    kind: CaseKind,
    /// In words of the language that was asked for.
    name: String,
    metrics: Metrics,
}

/// The plan in other cases: lower sales, a later opening, its strongest levers.
///
/// As `docs/FINANCIAL-MODEL.md` 7.5 has them; documents and the workbook show the same. Empty for a plan that has no inputs yet.
#[utoipa::path(get, path = "/api/plans/{id}/cases", tag = "plans", params(TableQuery, ("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = Data<Vec<PlanCase>>)))]
pub(crate) async fn list_cases(
    app: AppState,
    access: PlanAccess,
    head: HeaderMap,
    ValidQuery(query): ValidQuery<TableQuery>,
) -> Result<Data<Vec<PlanCase>>, AppError> {
    let loaded = Loaded::new(&app, &access, query.scenario).await?;
    let Ok(inputs) = loaded.inputs() else {
        return Ok(data(vec![]));
    };
    let hypothesis = Hypothesis::new(inputs, &loaded.brand_version, app.clock.now());
    let language = query.labels(&head).language;
    let cases = cases::of(&hypothesis, &loaded.projection()?, &[])?;
    let shown = |Case { name, projection }| {
        let kind = match &name {
            CaseName::SalesLower(_) => CaseKind::SalesLower,
            CaseName::OpensLater(_) => CaseKind::OpensLater,
            CaseName::Lever(..) | CaseName::Scenario(_) => CaseKind::Lever,
        };
        PlanCase {
            kind,
            name: case_name(&name, language),
            metrics: projection.metrics,
        }
    };
    Ok(data(cases.into_iter().map(shown).collect()))
}
