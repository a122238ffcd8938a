//! A brand's document before it is published: whom it concerns, and what a new plan of it looks like.

use super::{BrandEditor, ReplaceBrandRequest, checked};
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::UncheckedJson;
use crate::http::handlers::planning::inputs::expected_version;
use crate::http::handlers::planning::plans::{FieldValueResponse, shown_values};
use crate::http::wire::{Data, data};
use crate::store::brands::editions;
use axum::http::HeaderMap;
use plan_model::field::FieldPath;
use plan_model::inputs::FinancialInputs;
use plan_model::metrics::Metrics;
use plan_model::outputs::{Advisory, AnnualRow};
use serde::Serialize;
use std::collections::BTreeMap;

/// A default that the document changes, and how many plans of the brand stand at the one from before.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct MovedDefault {
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    field: FieldPath,
    plans: i64,
}

/// A new plan of the document, which is stored nowhere.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SamplePlan {
    /// Field values by path.
    financial_inputs: BTreeMap<String, FieldValueResponse>,
    metrics: Metrics,
    /// Years 1 to 5.
    annual: Vec<AnnualRow>,
    advisories: Vec<Advisory>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BrandPreviewResponse {
    moved_defaults: Vec<MovedDefault>,
    /// How many plans of the brand stand at one of them or more. They keep their values; their owners are told.
    plans: i64,
    sample: SamplePlan,
}

/// Says what publishing a document would do, and computes a new plan of it. Stores nothing.
///
/// Checked as `PUT` checks it. Whose plans are counted is not said.
#[utoipa::path(post, path = "/api/brands/{id}/preview", tag = "brands",
    params(("id" = uuid::Uuid, Path, description = "The brand"),
        ("If-Match" = Option<String>, Header, description = "The version of the brand that was edited, quoted, or `*`")),
    request_body = ReplaceBrandRequest, responses((status = 200, body = Data<BrandPreviewResponse>)))]
pub(crate) async fn preview_brand(
    app: AppState,
    editor: BrandEditor,
    headers: HeaderMap,
    UncheckedJson(body, permit): UncheckedJson<ReplaceBrandRequest>,
) -> Result<Data<BrandPreviewResponse>, AppError> {
    let expected = expected_version(&headers)?;
    let brand = checked(body, &editor.brand)?;
    permit.take(&app).await?;
    expected.check(editor.version.into()).map_err(super::stale)?;
    let fields = editor.brand.fields();
    let is_moved = |path: &&FieldPath| {
        let after = brand.default_of(path);
        after.is_some() && after != editor.brand.default_of(path)
    };
    let moved: Vec<&FieldPath> = fields.iter().map(|field| &field.path).filter(is_moved).collect();
    let (plans_of, plans) = editions::count_at_default(&*app.db.conn().await?, brand.id, &moved).await?;
    let moved_defaults = moved.into_iter().map(|field| MovedDefault {
        field: field.clone(),
        plans: plans_of.get(field.as_str()).copied().unwrap_or(0),
    });
    let inputs = FinancialInputs::from_brand(&brand);
    let projection = plan_engine::project(&inputs, &brand);
    Ok(data(BrandPreviewResponse {
        moved_defaults: moved_defaults.collect(),
        plans,
        sample: SamplePlan {
            financial_inputs: shown_values(&inputs, inputs.clone()),
            metrics: projection.metrics,
            annual: projection.annual,
            advisories: projection.advisories,
        },
    }))
}
