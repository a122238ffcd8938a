//! Destructive tools: never run by the model. Their calls become a question of the server's own words.

use crate::conversation::tools::{Nothing, ToolContext, ToolError, parse};
use plan_model::clean;
use plan_model::field::{Field, FieldPath};
use plan_model::inputs::Source;
use plan_model::scenario::Overrides;
use ring::digest::{SHA256, digest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub const RESET_FIELDS: &str = "reset_fields_to_defaults";
pub const CLEAR_CONVERSATION: &str = "clear_conversation";
pub const ADOPT_SCENARIO: &str = "adopt_scenario";

/// Labels named in a question before the rest is counted.
const NAMED_LABELS: usize = 5;

/// What would be done, in canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destructive {
    /// Sorted, without repetition; never empty.
    ResetFields(Vec<FieldPath>),
    ClearConversation,
    /// The values as they were when the question was asked; never empty.
    AdoptScenario {
        name: String,
        overrides: Overrides,
    },
}

/// A destructive call as it is put before the franchisee.
#[derive(Debug, Clone)]
pub struct Intercepted {
    pub action: Destructive,
    pub prompt: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetArguments {
    /// Names or labels of the fields; empty for all.
    #[serde(default)]
    fields: Vec<String>,
}

pub fn reset_fields(ctx: &ToolContext, arguments: &str) -> Result<Intercepted, ToolError> {
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
    let (named, count) = (first_of(&labels), counted(chosen.len()));
    let mut paths: Vec<FieldPath> = chosen.iter().map(|field| field.path.clone()).collect();
    paths.sort();
    Ok(Intercepted {
        action: Destructive::ResetFields(paths),
        prompt: format!("This returns {count} to the brand's defaults: {named}. Shall I do that? Answer yes or no."),
    })
}

/// The first of a list, and how many more there are.
pub fn first_of(items: &[String]) -> String {
    let named = items.iter().take(NAMED_LABELS).cloned().collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(NAMED_LABELS) {
        0 => named,
        rest => format!("{named} and {rest} more"),
    }
}

pub fn counted(values: usize) -> String {
    if values == 1 {
        "1 value".to_owned()
    } else {
        format!("{values} values")
    }
}

pub fn clear_conversation(_: &ToolContext, arguments: &str) -> Result<Intercepted, ToolError> {
    let Nothing {} = parse(arguments)?;
    Ok(Intercepted {
        action: Destructive::ClearConversation,
        prompt: "This deletes the whole history of this conversation; your plan stays as it is. Shall I do that? Answer yes or no."
            .into(),
    })
}

impl Destructive {
    pub fn tool_name(&self) -> &'static str {
        match self {
            Self::ResetFields(_) => RESET_FIELDS,
            Self::ClearConversation => CLEAR_CONVERSATION,
            Self::AdoptScenario { .. } => ADOPT_SCENARIO,
        }
    }

    /// The canonical arguments.
    pub fn arguments(&self) -> Value {
        match self {
            Self::ResetFields(fields) => json!({ "fields": fields }),
            Self::ClearConversation => json!({}),
            Self::AdoptScenario { name, overrides } => json!({ "name": name, "overrides": overrides }),
        }
    }

    /// Ties the question to exactly this action.
    pub fn hash(&self) -> Vec<u8> {
        digest(
            &SHA256,
            format!("{}\n{}", self.tool_name(), self.arguments()).as_bytes(),
        )
        .as_ref()
        .to_vec()
    }

    /// Reads a stored action; `None` unless it is exactly the one that was hashed.
    pub fn restore(tool: &str, arguments: &Value, hash: &[u8]) -> Option<Self> {
        let action = match tool {
            RESET_FIELDS => {
                let fields = arguments.get("fields")?.as_array()?;
                Self::ResetFields(
                    fields
                        .iter()
                        .map(|path| path.as_str().map(FieldPath::new))
                        .collect::<Option<_>>()?,
                )
            }
            CLEAR_CONVERSATION => Self::ClearConversation,
            ADOPT_SCENARIO => Self::AdoptScenario {
                name: arguments.get("name")?.as_str()?.to_owned(),
                overrides: Overrides::deserialize(arguments.get("overrides")?).ok()?,
            },
            _ => return None,
        };
        (action.hash() == hash).then_some(action)
    }

    /// What is said when it has been done.
    pub fn done_text(&self) -> String {
        match self {
            Self::ResetFields(fields) if fields.len() == 1 => "Done. 1 value is back at the brand's default.".into(),
            Self::ResetFields(fields) => format!("Done. {} values are back at the brand's defaults.", fields.len()),
            Self::ClearConversation => {
                "Done. The history of this conversation is cleared; your plan is as it was.".into()
            }
            Self::AdoptScenario { name, .. } => {
                format!("Done. Your plan now has the values of \"{name}\". \"Undo that\" takes them back.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::number::Number;

    #[test]
    fn a_stored_action_is_only_restored_unchanged() {
        let action = Destructive::ResetFields(vec![FieldPath::from_static("operatingCosts.rentMonthly")]);
        let (arguments, hash) = (action.arguments(), action.hash());
        assert_eq!(Destructive::restore(RESET_FIELDS, &arguments, &hash), Some(action));
        assert_eq!(
            Destructive::restore(RESET_FIELDS, &json!({"fields": ["financing.loanAmount"]}), &hash),
            None
        );
        assert_eq!(Destructive::restore(CLEAR_CONVERSATION, &json!({}), &hash), None);
        let adopt = Destructive::AdoptScenario {
            name: "lean".into(),
            overrides: Overrides(
                [(
                    FieldPath::from_static("financing.interestRate"),
                    Number::millionths(102_500),
                )]
                .into(),
            ),
        };
        let (arguments, hash) = (adopt.arguments(), adopt.hash());
        assert_eq!(Destructive::restore(ADOPT_SCENARIO, &arguments, &hash), Some(adopt));
        assert_eq!(Destructive::restore("drop_tables", &json!({}), &hash), None);
    }
}
