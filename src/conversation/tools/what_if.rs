//! Runs the engine on hypothetical values. The plan stays as it is.

use super::{ToolError, Workbench, figures, parse, with_paths};
use crate::extraction;
use crate::model::field::{Field, FieldPath};
use crate::model::inputs::{FinancialInputs, Source};
use crate::plan;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const MAX_CHANGES: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// The hypothetical values.
    changes: Vec<Change>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Change {
    /// Field of the plan.
    path: String,
    /// In dollars, percent, months and so on, as a number or as text such as "$5,000".
    #[schemars(with = "f64")]
    value: Box<RawValue>,
}

pub fn schema(fields: &[Field]) -> Value {
    with_paths(
        super::schema::<Arguments>(fields),
        "/properties/changes/items/properties/path",
        fields,
    )
}

pub fn run(bench: &mut Workbench, arguments: &str) -> Result<Value, ToolError> {
    let Arguments { changes } = parse(arguments)?;
    if changes.is_empty() || changes.len() > MAX_CHANGES {
        return Err(ToolError(format!("Give 1 to {MAX_CHANGES} changes.")));
    }
    let edition = &bench.edition;
    let mut inputs = bench
        .inputs
        .as_deref()
        .cloned()
        .unwrap_or_else(|| FinancialInputs::from_brand(&edition.brand));
    let before = plan::project(&inputs, &edition.brand);
    for change in &changes {
        let field = edition
            .field(&change.path)
            .ok_or_else(|| ToolError(format!("There is no field {:?}.", change.path)))?;
        let value = extraction::hypothetical(field, change.value.get())
            .filter(|value| field.refusal(*value).is_none())
            .ok_or_else(|| ToolError(format!("That is no possible value of {}.", field.path)))?;
        plan::apply::set(
            &mut inputs,
            &FieldPath::new(change.path.clone()),
            value,
            Source::UserEntry,
            bench.now,
        );
    }
    let after = plan::project(&inputs, &edition.brand);
    Ok(json!({
        "before": figures::metrics(&before.metrics),
        "after": figures::metrics(&after.metrics),
        "changes": figures::changes(&before, &after),
        "note": "Nothing was changed. Results of the franchisee's own assumptions.",
    }))
}
