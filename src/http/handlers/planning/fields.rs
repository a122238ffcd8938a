//! The field catalogue: the single source of validation, tool schema, prompt and this list.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{ValidQuery, open_plan};
use crate::http::wire::{Data, data};
use plan_engine::labels;
use plan_model::access::Caller;
use plan_model::field::{self, Bounds, Field, FieldPath};
use plan_model::ids::{BrandVersionId, PlanId};
use plan_model::language::Language;
use plan_model::number::Number;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use uuid::Uuid;
use validator::Validate;

/// Inclusive limits in the field's unit.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
pub(crate) struct Limits {
    #[schema(value_type = f64)]
    pub min: Number,
    #[schema(value_type = f64)]
    pub max: Number,
}

impl From<Bounds> for Limits {
    fn from(bounds: Bounds) -> Self {
        Self {
            min: bounds.low,
            max: bounds.high,
        }
    }
}

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct FieldQuery {
    /// The fields of this plan: with its brand's labels, aliases, help and startup costs.
    pub plan_id: Option<Uuid>,
    /// The language of labels and help; a brand's own words stay as they are. `en` if left out.
    pub lang: Option<Language>,
}

/// One field of the catalogue, or of a plan's brand.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FieldResponse {
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    pub path: FieldPath,
    #[schema(value_type = String, example = "Rent per month")]
    pub label: Cow<'static, str>,
    /// What the catalogue calls it in English, also where a brand or a language calls it otherwise.
    #[schema(example = "Rent per month")]
    pub catalog_label: String,
    /// `money` is integer cents, `percent` a decimal (5% is 0.05), `multiple` a decimal factor, the rest whole numbers.
    #[schema(example = "money")]
    pub kind: &'static str,
    #[schema(example = "operatingCosts")]
    pub section: String,
    /// Outside of them a value is warned about, never refused. `null` for startup costs: the brand's Item 7 row takes their place.
    pub soft: Option<Limits>,
    /// A value outside of them is refused.
    pub hard: Limits,
    /// The disclosure item that gives the figure, where one does.
    #[schema(example = "Item 7")]
    pub disclosed: Option<&'static str>,
    /// Whether a plan has a disclosed Item 7 range here: from its own row, or derived from the row of a deposit.
    pub item7_link: bool,
    /// What people call it.
    #[schema(value_type = Vec<String>)]
    pub aliases: Vec<Cow<'static, str>>,
    /// One plain sentence on what the value means.
    #[schema(value_type = String, example = "Rent for the location each month, common charges included if you pay them.")]
    pub help: Cow<'static, str>,
    /// One of the figures a plan should not leave at the brand's default.
    pub core: bool,
    /// JSON Schema of a value.
    #[schema(value_type = Object)]
    pub json_schema: Value,
}

impl FieldResponse {
    fn new(field: &Field, item7_link: bool, language: Language) -> Self {
        Self {
            path: field.path.clone(),
            label: labels::of_field(language, field).into_owned().into(),
            catalog_label: field::find(field.path.as_str()).unwrap_or(field).label.to_string(),
            kind: field.kind.as_str(),
            section: field.path.section().to_owned(),
            soft: field.soft.map(Limits::from),
            hard: field.hard().into(),
            disclosed: field.disclosed,
            item7_link,
            aliases: field.aliases.clone(),
            help: labels::help_of_field(language, field).into_owned().into(),
            core: field.core,
            json_schema: schema(field),
        }
    }
}

fn schema(field: &Field) -> Value {
    let Bounds { low, high } = field.hard();
    let r#type = if field.kind.is_decimal() { "number" } else { "integer" };
    json!({"type": r#type, "minimum": low, "maximum": high, "title": field.label, "description": field.help})
}

/// Lists the field catalogue, or the fields of a plan, in the order people plan in.
#[utoipa::path(get, path = "/api/fields", tag = "plans", params(FieldQuery), responses((status = 200, body = Data<Vec<FieldResponse>>)))]
pub(crate) async fn list_fields(
    app: AppState,
    caller: Caller,
    ValidQuery(query): ValidQuery<FieldQuery>,
) -> Result<Data<Vec<FieldResponse>>, AppError> {
    let language = query.lang.unwrap_or_default();
    let Some(plan) = query.plan_id else {
        let of_catalogue = |field: &Field| FieldResponse::new(field, field.disclosed == Some("Item 7"), language);
        return Ok(data(field::catalogue().iter().map(of_catalogue).collect()));
    };
    let plan = open_plan(&app, &caller, PlanId(plan)).await?;
    let version = app.db.brand_version(BrandVersionId(plan.brand_version_id)).await?;
    let of_plan = |field: &Field| FieldResponse::new(field, version.brand.item7_range(&field.path).is_some(), language);
    Ok(data(version.fields.iter().map(of_plan).collect()))
}
