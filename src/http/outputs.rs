//! The projection of a plan: as JSON, as a spreadsheet, as pictures.

use super::error::AppError;
use super::extract::PlanAccess;
use super::wire::{Data, data};
use crate::app::AppState;
use crate::model::outputs::Projection;
use crate::plan::{self, charts, csv};
use crate::store::plans::Plan;
use axum::extract::RawPathParams;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;

/// A chart brings its own style sheet, and needs nothing else.
const CHART_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/// The whole projection: key figures, five years, sixty months.
///
/// `null` for a plan that has no inputs yet.
#[utoipa::path(get, path = "/api/plans/{id}/outputs", tag = "plans", params(("id" = uuid::Uuid, Path, description = "The plan")),
    responses((status = 200, body = Data<Option<Projection>>)))]
pub async fn get_outputs(app: AppState, access: PlanAccess) -> Result<Data<Option<Projection>>, AppError> {
    Ok(data(project(&app, &access).await?.map(|(_, projection)| projection)))
}

/// The sixty months for a spreadsheet. Money is in dollars.
#[utoipa::path(get, path = "/api/plans/{id}/outputs.csv", tag = "plans", params(("id" = uuid::Uuid, Path, description = "The plan")),
    responses((status = 200, body = String, content_type = "text/csv")))]
pub async fn get_outputs_csv(app: AppState, access: PlanAccess) -> Result<impl IntoResponse, AppError> {
    let (name, projection) = project(&app, &access).await?.ok_or_else(no_inputs)?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/csv; charset=utf-8; header=present"),
        ),
        (header::CONTENT_DISPOSITION, attachment(&name)),
    ];
    Ok((headers, csv::monthly(&projection)))
}

/// A picture of the projection: `cash`, `revenue-costs` or `break-even`.
#[utoipa::path(get, path = "/api/plans/{id}/charts/{file}", tag = "plans",
    params(("id" = uuid::Uuid, Path, description = "The plan"), ("file" = String, Path, description = "`cash`, `revenue-costs` or `break-even`")),
    responses((status = 200, body = String, content_type = "image/svg+xml")))]
pub async fn get_chart(
    app: AppState,
    access: PlanAccess,
    params: RawPathParams,
) -> Result<impl IntoResponse, AppError> {
    let file = params
        .iter()
        .find(|(name, _)| *name == "file")
        .map_or("", |(_, file)| file);
    let draw: fn(&Projection) -> String = match file {
        "cash.svg" => charts::cash,
        "revenue-costs.svg" => charts::revenue_costs,
        "break-even.svg" => charts::break_even,
        _ => return Err(AppError::not_found("The chart")),
    };
    let (_, projection) = project(&app, &access).await?.ok_or_else(no_inputs)?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, CHART_POLICY),
    ];
    Ok((headers, draw(&projection)))
}

async fn project(app: &AppState, access: &PlanAccess) -> Result<Option<(String, Projection)>, AppError> {
    let edition = app.db.edition(access.edition()).await?;
    let plan = Plan::load(&*app.db.conn().await?, access.id()).await?;
    let projection = plan.inputs().map(|inputs| plan::project(inputs, &edition.brand));
    Ok(projection.map(|projection| (plan.name, projection)))
}

fn no_inputs() -> AppError {
    AppError::new(
        crate::model::error::ErrorCode::NotFound,
        "The plan has no values yet, so there is nothing to project.",
    )
}

/// A file name made of what every system can write.
fn attachment(plan: &str) -> HeaderValue {
    let safe: String = plan
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    let safe = safe
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let name = if safe.is_empty() { "plan" } else { &safe };
    HeaderValue::try_from(format!("attachment; filename=\"{name}-60-months.csv\""))
        .unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}
