//! Reads the plan for the model: values, states, ranges, what is missing, key results.

use super::{ToolError, Workbench, figures, parse};
use crate::conversation::prompt;
use crate::model::field::find;
use crate::plan;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only the fields of this section, such as operatingCosts; all when left out.
    #[serde(default)]
    section: Option<String>,
}

pub fn run(bench: &mut Workbench, arguments: &str) -> Result<Value, ToolError> {
    let Arguments { section } = parse(arguments)?;
    let edition = &bench.edition;
    if let Some(section) = &section
        && !edition.fields.iter().any(|field| field.path.section() == section)
    {
        return Err(ToolError("There is no such section.".into()));
    }
    let wanted = edition
        .fields
        .iter()
        .filter(|field| section.as_deref().is_none_or(|section| field.path.section() == section));
    let fields: Vec<Value> = wanted
        .map(|field| {
            let value = bench.inputs.as_ref().and_then(|inputs| inputs.get(field.path.as_str()));
            json!({
                "path": field.path,
                "label": field.label,
                "value": value.map(|value| field.kind.show(value.current_value)),
                "state": value.map_or("default", prompt::state),
                "range": prompt::range(&edition.brand, field),
                "core": field.core,
            })
        })
        .collect();
    let missing: Vec<Value> = plan::apply::missing_core(bench.inputs.as_deref(), &edition.fields)
    .iter()
    .map(|path| json!({"path": path, "label": edition.field(path.as_str()).or_else(|| find(path.as_str())).map(|field| &field.label)}))
    .collect();
    Ok(json!({
        "brand": edition.brand.name,
        "fields": fields,
        "missing": missing,
        "metrics": bench.projection().map(|projection| figures::metrics(&projection.metrics)),
    }))
}
