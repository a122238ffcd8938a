//! Destructive tools beside the scenarios': never run by the model. Their calls become a question of the server's own words.

use crate::conversation::tools::action::{self, Destructive, Intercepted, counted, first_of};
use crate::conversation::tools::arguments::{Nothing, ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::tool::{Run, Tool};
use crate::wording;
use plan_model::clean;
use plan_model::field::{Field, FieldPath};
use plan_model::inputs::Source;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(super) static RESET_FIELDS: Tool = Tool::new(
    action::RESET_FIELDS,
    "Return fields to the brand's placeholders, only when asked to. The server asks them to confirm.",
    Run::Confirm(reset_fields),
)
.schema(schema::<ResetArguments>)
.example(r#"{"fields":["rentMonthly"]}"#)
.known_by(&[&["fields"]]);

pub(super) static CLEAR_CONVERSATION: Tool = Tool::new(
    action::CLEAR_CONVERSATION,
    "Delete the history of this conversation, only when asked to.",
    Run::Confirm(clear_conversation),
);

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResetArguments {
    /// Names or labels of the fields; empty for all.
    #[serde(default)]
    fields: Vec<String>,
}

fn reset_fields(ctx: &ToolContext, arguments: &str) -> Result<Intercepted, ToolError> {
    let ResetArguments { fields } = parse(arguments)?;
    let brand_version = &ctx.brand_version;
    let all = fields.is_empty();
    let named = fields
        .iter()
        .map(|said| ctx.field(said).map(|field| field.path.as_str()));
    let wanted = named.collect::<Result<BTreeSet<&str>, _>>()?;
    let is_set = |path: &str| {
        ctx.inputs
            .as_ref()
            .and_then(|inputs| inputs.get(path))
            .is_some_and(|value| value.source != Source::BrandDefault)
    };
    let chosen: Vec<&Field> = brand_version
        .fields
        .iter()
        .filter(|field| is_set(field.path.as_str()) && (all || wanted.contains(field.path.as_str())))
        .collect();
    if chosen.is_empty() {
        return Err(ToolError(
            "Those fields are at the brand's defaults already; there is nothing to reset.".into(),
        ));
    }
    let labels: Vec<String> = chosen.iter().map(|field| clean::label(&field.label)).collect();
    let (named, count) = (first_of(ctx.spoken(), &labels), counted(ctx.spoken(), chosen.len()));
    let mut paths: Vec<FieldPath> = chosen.iter().map(|field| field.path.clone()).collect();
    paths.sort();
    Ok(Intercepted {
        action: Destructive::ResetFields(paths),
        prompt: wording::say(ctx.spoken(), "ask.reset", &[("count", &count), ("items", &named)]),
    })
}

fn clear_conversation(ctx: &ToolContext, arguments: &str) -> Result<Intercepted, ToolError> {
    let Nothing {} = parse(arguments)?;
    Ok(Intercepted {
        action: Destructive::ClearConversation,
        prompt: wording::say(ctx.spoken(), "ask.clear", &[]),
    })
}
