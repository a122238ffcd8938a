//! The field catalogue: the single source of validation, tool schema, prompt and this list.

use super::wire::{Data, data};
use crate::model::access::Caller;
use crate::model::field::{self, Bounds, Field};
use crate::model::number::Number;
use serde::Serialize;
use serde_json::{Value, json};

/// Inclusive limits in the field's unit.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
pub struct Limits {
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

/// One field of the catalogue.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldResponse {
    #[schema(example = "operatingCosts.rentMonthly")]
    pub path: &'static str,
    #[schema(example = "Rent per month")]
    pub label: &'static str,
    /// `money` is integer cents, `percent` a decimal (5% is 0.05), `multiple` a decimal factor, the rest whole numbers.
    #[schema(example = "money")]
    pub kind: &'static str,
    #[schema(example = "operatingCosts")]
    pub section: &'static str,
    /// Outside of them a value is warned about, never refused. `null` for startup costs: the brand's Item 7 row takes their place.
    pub soft: Option<Limits>,
    /// Outside of them a value cannot stand in a plan.
    pub hard: Limits,
    /// The disclosure item that gives the figure, where one does.
    #[schema(example = "Item 7")]
    pub disclosed: Option<&'static str>,
    /// Whether a plan has a disclosed Item 7 range here: from its own row, or derived from the row of a deposit.
    pub item7_link: bool,
    /// What people call it.
    pub aliases: &'static [&'static str],
    /// One of the figures a plan should not leave at the brand's default.
    pub core: bool,
    /// JSON Schema of a value.
    #[schema(value_type = Object)]
    pub json_schema: Value,
}

impl From<&'static Field> for FieldResponse {
    fn from(field: &'static Field) -> Self {
        Self {
            path: field.path.as_str(),
            label: &field.label,
            kind: field.kind.as_str(),
            section: field.path.section(),
            soft: field.soft.map(Limits::from),
            hard: field.hard().into(),
            disclosed: field.disclosed,
            item7_link: field.disclosed == Some("Item 7"),
            aliases: field.aliases,
            core: field.core,
            json_schema: schema(field),
        }
    }
}

fn schema(field: &Field) -> Value {
    let Bounds { low, high } = field.hard();
    let r#type = if field.kind.is_decimal() { "number" } else { "integer" };
    json!({"type": r#type, "minimum": low, "maximum": high, "title": field.label})
}

/// Lists the field catalogue, in the order people plan in.
#[utoipa::path(get, path = "/api/fields", tag = "plans", responses((status = 200, body = Data<Vec<FieldResponse>>)))]
pub async fn list_fields(_: Caller) -> Data<Vec<FieldResponse>> {
    data(field::catalogue().iter().map(FieldResponse::from).collect())
}
