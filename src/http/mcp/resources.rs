//! What an assistant may read without a call, and the prompt with which it asks for what is missing.

use crate::http::error::AppError;
use crate::http::mcp::assistant::Assistant;
use crate::http::mcp::plans;
use crate::http::mcp::tools::{LARGEST_RESULT, fenced, no_plan, not_found};
use crate::plans::apply;
use crate::store::people::audit::AuditKind;
use plan_engine::labels::Labels;
use plan_engine::{csv, describe};
use plan_model::field::catalogue;
use rmcp::model::{
    GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, ReadResourceResult, Resource, ResourceContents,
    Role,
};
use serde_json::{Value, json};

const CATALOGUE: &str = "fields://catalogue";
const PLAN: &str = "plan://";
const PROJECTION: &str = "/projection.csv";
const JSON: &str = "application/json";
const CSV: &str = "text/csv";

const INTERVIEW: &str = "interview";
const ASK: &str = "Interview me for my financial plan. Ask for one of the values below at a time, in their order, and say in a sentence \
    what it means. Do not suggest values: a placeholder is the brand's and not mine. When I state one, call propose_value with my words \
    as the quote. Tell me at the end that the values wait for me on the page.";

/// The catalogue, and the plans that the token opens.
pub(super) async fn list(assistant: &Assistant) -> Result<Vec<Resource>, AppError> {
    let fields = Resource::new(CATALOGUE, "Fields of a plan").with_mime_type(JSON);
    let plans = plans::list(&assistant.app, &assistant.caller).await?;
    let of_plans = plans.into_iter().flat_map(|plan| {
        let uri = format!("{PLAN}{}", plan.id);
        let months = Resource::new(format!("{uri}{PROJECTION}"), format!("{}: 60 months", plan.name));
        [
            Resource::new(uri, plan.name).with_mime_type(JSON),
            months.with_mime_type(CSV),
        ]
    });
    Ok(std::iter::once(fields).chain(of_plans).collect())
}

/// The content of a resource.
///
/// # Errors
/// The same for one that does not exist and for a plan that is not the caller's.
pub(super) async fn read(assistant: &Assistant, uri: &str) -> Result<ReadResourceResult, AppError> {
    let path = uri.strip_prefix(PLAN);
    let (id, is_projection) = match path.and_then(|path| path.strip_suffix(PROJECTION)) {
        Some(id) => (Some(id), true),
        None => (path, false),
    };
    let (text, kind) = match assistant.begin(AuditKind::McpReadResource, id).await? {
        Some(opened) if is_projection => {
            let inputs = opened
                .plan
                .inputs()
                .ok_or_else(|| not_found("The plan has no values yet."))?;
            let projection = plan_engine::project(inputs, &opened.brand_version.brand);
            (
                csv::monthly(&projection, opened.plan.opening_month(), &Labels::ENGLISH),
                CSV,
            )
        }
        Some(opened) => {
            let plan = opened.read("get_plan_summary", JsonObject::new()).await?;
            (plan.to_string(), JSON)
        }
        None if uri == CATALOGUE => {
            let fields: Value = catalogue().iter().map(plans::explained).collect();
            (fields.to_string(), JSON)
        }
        None => return Err(no_plan()),
    };
    if text.len() > LARGEST_RESULT {
        return Err(not_found("It is larger than 64 KiB. Ask the tools for a part of it."));
    }
    let contents = ResourceContents::text(text, uri).with_mime_type(kind);
    Ok(ReadResourceResult::new(vec![contents]))
}

pub(super) fn interview() -> Prompt {
    let plan = PromptArgument::new("planId").with_required(true);
    let about = "Asks for the key numbers that are still missing, with help";
    Prompt::new(INTERVIEW, Some(about), Some(vec![plan]))
}

/// The missing key numbers in their order, with help, as a message of the person's.
///
/// # Errors
/// If there is no such prompt, or no such plan.
pub(super) async fn prompt(
    assistant: &Assistant,
    name: &str,
    arguments: &JsonObject,
) -> Result<GetPromptResult, AppError> {
    if name != INTERVIEW {
        return Err(not_found(format!("There is no such prompt. There is {INTERVIEW}.")));
    }
    let id = arguments.get("planId").and_then(Value::as_str).unwrap_or_default();
    let opened = assistant.begin(AuditKind::McpGetPrompt, Some(id)).await?;
    let opened = opened.ok_or_else(no_plan)?;
    let (brand_version, inputs) = (&opened.brand_version, opened.plan.inputs());
    let missing = apply::missing_core(inputs, &brand_version.fields);
    let fields = missing.iter().filter_map(|path| {
        let field = brand_version.field(path.as_str())?;
        let held = inputs.and_then(|inputs| apply::value(inputs, brand_version, path));
        Some(json!({
            "path": path, "label": field.label, "help": field.help,
            "placeholder": held.map(|held| field.kind.show(held.current_value)),
            "range": describe::reference_range(&brand_version.brand, field),
        }))
    });
    let data = json!({"planId": opened.plan.id, "plan": opened.plan.name, "missing": fields.collect::<Vec<_>>()});
    let message = PromptMessage::new_text(Role::User, format!("{ASK}\n\n{}", fenced(&data)));
    Ok(GetPromptResult::new(vec![message]))
}
