//! Reads the plan for the model: values, states, ranges, what is missing, key results.

use crate::conversation::form::PromptForm;
use crate::conversation::tools::arguments::{ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::figures;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::apply;
use plan_model::field::{Field, find};
use plan_model::tool_result::{MissingField, MovedResult, PlanSummary, SummaryField, ValueState};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) static TOOL: Tool = Tool::new(
    "get_plan_summary",
    "Read the plan before you speak of it: fields with value, state and reference range, what is missing, key results.",
    Run::Read(run),
)
.in_compact()
.schema(schema::<SummaryArguments>)
.example(r#"{"section":"operatingCosts"}"#)
.known_by(&[&["section"]]);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SummaryArguments {
    /// A section such as operatingCosts, or one field; everything when left out.
    #[serde(default, alias = "path", alias = "field")]
    section: Option<String>,
    // Several, for programs only. Not in the schema: every word of it is a part of each prompt.
    #[serde(default)]
    #[schemars(skip)]
    fields: Option<Vec<String>>,
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let SummaryArguments { section, fields } = parse(arguments)?;
    if fields.is_some() && !ctx.figures.has_numbers() {
        return Err(ToolError(
            "The arguments do not fit the tool: unknown field `fields`, expected `section`.".to_owned(),
        ));
    }
    let named = section.iter().chain(fields.iter().flatten()).map(|name| name.trim());
    let named: Vec<&str> = named.filter(|name| !name.is_empty()).collect();
    let found = named
        .iter()
        .map(|name| wanted(ctx, name))
        .collect::<Result<Vec<_>, _>>()?;
    let wanted = (!found.is_empty()).then(|| found.concat());
    if ctx.form == PromptForm::Compact {
        return Ok(compact(ctx, wanted));
    }
    let fields = match wanted {
        Some(fields) => fields.into_iter().map(|field| summary(ctx, field)).collect(),
        None => ctx
            .brand_version
            .fields
            .iter()
            .map(|field| summary(ctx, field))
            .collect(),
    };
    Ok(serde_json::to_value(PlanSummary {
        brand: ctx.brand_version.brand.name.clone(),
        fields,
        missing: missing(ctx),
        metrics: ctx
            .projection()
            .map(|projection| figures::metrics(ctx.figures, &projection.metrics)),
        changed: changed(ctx),
    })
    .unwrap_or_default())
}

/// What the turn's own values have moved.
fn changed(ctx: &ToolContext) -> Vec<MovedResult> {
    let brand = &ctx.brand_version.brand;
    match (&ctx.base, &ctx.inputs) {
        (Some(base), Some(inputs)) if !Arc::ptr_eq(base, inputs) => {
            let of = |inputs| plan_engine::project(inputs, brand).metrics;
            figures::changes(&of(base), &of(inputs))
        }
        _ => Vec::new(),
    }
}

/// The fields of a section, or the one that is named.
fn wanted<'c>(ctx: &'c ToolContext, section: &str) -> Result<Vec<&'c Field>, ToolError> {
    let fields = &ctx.brand_version.fields;
    let of_section: Vec<&Field> = fields
        .iter()
        .filter(|field| field.path.section().eq_ignore_ascii_case(section))
        .collect();
    if !of_section.is_empty() {
        return Ok(of_section);
    }
    let field = ctx.field(section);
    field.map(|field| vec![field]).map_err(|error| {
        let sections = sections(fields).join(", ");
        ToolError(format!(
            "There is no such section; the sections are {sections}. {error}"
        ))
    })
}

fn sections(fields: &[Field]) -> Vec<&str> {
    let mut sections: Vec<&str> = fields.iter().map(|field| field.path.section()).collect();
    sections.dedup();
    sections
}

fn summary(ctx: &ToolContext, field: &Field) -> SummaryField {
    let brand_version = &ctx.brand_version;
    let inputs = ctx.inputs.as_deref();
    let value = inputs.and_then(|inputs| apply::value(inputs, brand_version, &field.path));
    SummaryField {
        path: field.path.clone(),
        label: field.label.to_string(),
        value: value.as_ref().map(|value| field.kind.show(value.current_value)),
        number: value
            .as_ref()
            .map(|value| value.current_value)
            .filter(|_| ctx.figures.has_numbers()),
        state: value.as_ref().map_or(ValueState::Default, plan_engine::describe::state),
        range: plan_engine::describe::reference_range(&brand_version.brand, field),
        core: field.core,
    }
}

fn missing(ctx: &ToolContext) -> Vec<MissingField> {
    let brand_version = &ctx.brand_version;
    let label = |path: &str| {
        brand_version
            .field(path)
            .or_else(|| find(path))
            .map(|field| field.label.to_string())
    };
    apply::missing_core(ctx.inputs.as_deref(), &brand_version.fields)
        .into_iter()
        .map(|path| MissingField {
            label: label(path.as_str()).unwrap_or_default(),
            path,
        })
        .collect()
}

/// One line for each field, so that the result fits where the prompt had to be made small. Without a section only what
/// differs from the placeholders is shown.
fn compact(ctx: &ToolContext, wanted: Option<Vec<&Field>>) -> Value {
    let is_whole_plan = wanted.is_none();
    let fields = wanted.unwrap_or_else(|| ctx.brand_version.fields.iter().collect());
    let lines: Vec<String> = fields
        .into_iter()
        .map(|field| summary(ctx, field))
        .filter(|field| !is_whole_plan || field.state != ValueState::Default)
        .map(|field| line(&field))
        .collect();
    let mut result = json!({ "fields": lines });
    if is_whole_plan {
        let missing: Vec<_> = missing(ctx).into_iter().map(|field| field.label).collect();
        result["missing"] = missing.into();
        result["results"] = ctx
            .projection()
            .map(|projection| plan_engine::describe::headlines(&projection))
            .into();
        result["note"] = format!(
            "Other fields are at their placeholders. For those name a section: {}.",
            sections(&ctx.brand_version.fields).join(", ")
        )
        .into();
    }
    result
}

fn line(field: &SummaryField) -> String {
    let value = field.value.as_deref().unwrap_or("no value");
    let range = field
        .range
        .as_ref()
        .map_or_else(String::new, |range| format!(", {range}"));
    format!("{}: {value} ({}{range})", field.label, field.state.as_str())
}
