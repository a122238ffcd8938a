//! The closed list of tools a model may call: name, description, schema, tier, executor.
//!
//! The plan comes from the request, never from the model. Arguments are typed and validated before anything runs; what is
//! wrong with them goes back to the model as a result it can recover from.

use crate::conversation::prompt::form::PromptForm;
use crate::store::brands::BrandVersion;
use crate::store::scenarios::Scenario;
use llm_client::ToolDefinition;
use plan_model::field::{Field, lookup};
use plan_model::ids::ExtractionId;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_reader::{Decision, Texts, Understanding, Vocabulary, resolve_turn};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use time::OffsetDateTime;

mod compare_scenarios;
mod destructive;
mod figures;
mod get_plan_summary;
mod get_projection;
mod goal_seek;
mod guidance;
mod rank_levers;
mod reading;
mod scenarios;
mod set_financial_field;
mod undo_last_change;
mod what_if;

pub use destructive::{Destructive, Intercepted};
pub use scenarios::PlannedScenario;
pub use set_financial_field::NeedsReview;
pub use undo_last_change::{LatestChanges, PlannedUndo};

/// Values of one turn; a model that calls more is broken or hostile.
const MAX_VALUES: usize = 100;

/// Whether a tool may run at once or needs a yes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    Safe,
    Destructive,
}

/// When a call is carried out among the calls of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Executes {
    /// When the franchisee has said yes; the calls behind it are dropped.
    OnceConfirmed,
    /// Before what reads the plan.
    BeforeOthers,
    InOrder,
}

/// How a tool is carried out.
#[derive(Clone, Copy)]
enum Executor {
    /// Reads the turn's own copy of the plan.
    Read(fn(&mut ToolContext, &str) -> Result<Value, ToolError>),
    /// Decides on a value; the result is made when all values of the round are decided.
    Record,
    /// Asks the services behind us.
    Status,
    /// Looks up the newest change of the plan.
    Undo,
    /// Is put before the franchisee instead of being run.
    Intercept(fn(&ToolContext, &str) -> Result<Intercepted, ToolError>),
}

/// One tool of the registry.
pub struct Tool {
    pub name: &'static str,
    description: &'static str,
    /// Offered also where the prompt has to be small.
    is_in_compact: bool,
    schema: fn() -> Value,
    executor: Executor,
}

/// Why a call did nothing; the text is for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

/// A value that a call named in this turn.
#[derive(Debug, Clone)]
pub struct ExtractedCandidate {
    pub id: ExtractionId,
    /// By itself and after the second look, without regard to other values of the turn.
    pub decision: Decision,
    pub previous: Option<Number>,
}

/// The words that count as evidence in this turn.
#[derive(Debug, Clone, Default)]
pub struct EvidenceTexts {
    pub message: String,
    pub previous_message: Option<String>,
    pub advisor: Option<String>,
}

impl EvidenceTexts {
    /// As the extraction layer takes them.
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            message: &self.message,
            previous_message: self.previous_message.as_deref(),
            advisor: self.advisor.as_deref(),
            // The grammar reads it from the advisor's text.
            asked: None,
        }
    }
}

/// A turn's own copy of the plan: tools read and write it, nothing is stored before the commit.
pub struct ToolContext {
    pub brand_version: Arc<BrandVersion>,
    pub vocabulary: Arc<Vocabulary>,
    /// The plan as the turn found it.
    base: Option<Arc<FinancialInputs>>,
    /// With the values this turn has applied so far.
    pub inputs: Option<Arc<FinancialInputs>>,
    pub words: EvidenceTexts,
    pub candidates: Vec<ExtractedCandidate>,
    /// What is taken back when the turn is stored.
    pub undo: Option<PlannedUndo>,
    /// The plan's stored scenarios, once a call needs them.
    pub scenarios: Option<Vec<Scenario>>,
    /// What is saved when the turn is stored.
    pub planned_scenario: Option<PlannedScenario>,
    /// How much the model can be shown.
    pub form: PromptForm,
    pub now: OffsetDateTime,
    understanding: OnceLock<Understanding>,
}

/// What a call results in.
#[derive(Debug)]
pub enum Called {
    /// The result for the model.
    Result(String),
    /// The call did nothing; the text says why.
    Refused(String),
    /// The value with this index in [`ToolContext::candidates`] was named.
    Recorded(usize),
    /// A destructive call: the loop halts and the franchisee is asked.
    Intercepted(Intercepted),
    /// The caller has to look at the services.
    Status,
    /// The caller has to look up the newest change.
    Undo,
}

impl ToolContext {
    pub fn new(
        brand_version: Arc<BrandVersion>,
        vocabulary: Arc<Vocabulary>,
        inputs: Option<Arc<FinancialInputs>>,
        words: EvidenceTexts,
        now: OffsetDateTime,
    ) -> Self {
        Self {
            brand_version,
            vocabulary,
            base: inputs.clone(),
            inputs,
            words,
            candidates: Vec::new(),
            undo: None,
            scenarios: None,
            planned_scenario: None,
            form: PromptForm::Full,
            now,
            understanding: OnceLock::new(),
        }
    }

    /// The projection of the working copy.
    pub fn projection(&self) -> Option<Projection> {
        self.inputs
            .as_ref()
            .map(|inputs| plan_engine::project(inputs, &self.brand_version.brand))
    }

    /// The working copy; a plan without values is looked at as it would start.
    fn inputs_or_defaults(&self) -> Arc<FinancialInputs> {
        self.inputs
            .clone()
            .unwrap_or_else(|| Arc::new(FinancialInputs::from_brand(&self.brand_version.brand)))
    }

    /// The turn's values with the outcome that they have together.
    pub fn decisions(&self) -> Vec<Decision> {
        let mut decisions: Vec<_> = self.candidates.iter().map(|one| one.decision.clone()).collect();
        resolve_turn(&mut decisions);
        decisions
    }

    /// Runs a tool by name.
    pub fn call(&mut self, name: &str, arguments: &str) -> Called {
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let Some(tool) = find(name) else {
            return refused(&ToolError(guidance::unknown_tool(name, arguments, self.form)));
        };
        // Serde would read a list as the arguments in their order.
        if !arguments.trim_start().starts_with('{') {
            let error = "The arguments must be one JSON object.";
            return refused(&ToolError(guidance::wrong_arguments(name, arguments, error)));
        }
        let called = match tool.executor {
            Executor::Read(run) => run(self, arguments).map(|value| Called::Result(value.to_string())),
            Executor::Record => set_financial_field::record(self, arguments).map(Called::Recorded),
            Executor::Intercept(intercept) => intercept(self, arguments).map(Called::Intercepted),
            Executor::Status => parse::<Nothing>(arguments).map(|_| Called::Status),
            Executor::Undo => parse::<Nothing>(arguments).map(|_| Called::Undo),
        };
        called.unwrap_or_else(|error| refused(&ToolError(guidance::wrong_arguments(name, arguments, &error.0))))
    }

    /// The field that a call means.
    fn field(&self, said: &str) -> Result<&Field, ToolError> {
        lookup(&self.brand_version.fields, said).map_err(|near| {
            let near: Vec<_> = near.iter().map(|field| field.path.as_str()).collect();
            let hint = match near.as_slice() {
                [] => "Use a name or a label from the list of fields.".to_owned(),
                near => format!("Did you mean {}?", near.join(" or ")),
            };
            ToolError(format!("There is no field {said:?}. {hint}"))
        })
    }
}

fn refused(error: &ToolError) -> Called {
    Called::Refused(json!({"status": "invalid", "error": error.0}).to_string())
}

/// A tool without arguments.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Every tool, in the order the model sees them. Their whole description for the model is here and in the
/// comments of their arguments.
pub static REGISTRY: [Tool; 13] = [
    Tool {
        name: "set_financial_field",
        description: "Record one number that the franchisee stated for one field. Call it once for each number, in the order of their words. The result says whether it was applied, proposed or refused, and why: let your answer agree with that.",
        is_in_compact: true,
        schema: plan_reader::tool_schema,
        executor: Executor::Record,
    },
    Tool {
        name: "get_plan_summary",
        description: "Read the plan before you speak of it: fields with value, state and reference range, what is missing, key results.",
        is_in_compact: true,
        schema: schema::<get_plan_summary::SummaryArguments>,
        executor: Executor::Read(get_plan_summary::run),
    },
    Tool {
        name: "get_projection",
        description: "Read the projection: key results and five annual summaries.",
        is_in_compact: false,
        schema: schema::<Nothing>,
        executor: Executor::Read(get_projection::run),
    },
    Tool {
        name: "what_if",
        description: "Compute the results for hypothetical values. Changes nothing.",
        is_in_compact: false,
        schema: schema::<what_if::WhatIfArguments>,
        executor: Executor::Read(what_if::run),
    },
    Tool {
        name: "rank_levers",
        description: "Read which fields move a result most.",
        is_in_compact: false,
        schema: schema::<Nothing>,
        executor: Executor::Read(rank_levers::run),
    },
    Tool {
        name: "goal_seek",
        description: "Find the value of a field that brings a result to a target.",
        is_in_compact: false,
        schema: brief_schema::<goal_seek::GoalArguments>,
        executor: Executor::Read(goal_seek::run),
    },
    Tool {
        name: scenarios::SAVE,
        description: "Keep what_if changes under a name, only when asked to.",
        is_in_compact: false,
        schema: brief_schema::<scenarios::SaveArguments>,
        executor: Executor::Read(scenarios::save),
    },
    Tool {
        name: compare_scenarios::COMPARE,
        description: "Compare the plan with its saved scenarios.",
        is_in_compact: false,
        schema: schema::<Nothing>,
        executor: Executor::Read(compare_scenarios::run),
    },
    Tool {
        name: "undo_last_change",
        description: "Take back the newest change of the plan, only when asked to. Say which values return.",
        is_in_compact: true,
        schema: schema::<Nothing>,
        executor: Executor::Undo,
    },
    Tool {
        name: "check_status",
        description: "Check the services behind you.",
        is_in_compact: false,
        schema: schema::<Nothing>,
        executor: Executor::Status,
    },
    Tool {
        name: destructive::RESET_FIELDS,
        description: "Return fields to the brand's placeholders, only when asked to. The server asks them to confirm.",
        is_in_compact: false,
        schema: schema::<destructive::ResetArguments>,
        executor: Executor::Intercept(destructive::reset_fields),
    },
    Tool {
        name: destructive::ADOPT_SCENARIO,
        description: "Write a saved scenario into the plan, only when asked to.",
        is_in_compact: false,
        schema: brief_schema::<scenarios::AdoptArguments>,
        executor: Executor::Intercept(scenarios::adopt),
    },
    Tool {
        name: destructive::CLEAR_CONVERSATION,
        description: "Delete the history of this conversation, only when asked to.",
        is_in_compact: false,
        schema: schema::<Nothing>,
        executor: Executor::Intercept(destructive::clear_conversation),
    },
];

impl Tool {
    pub fn tier(&self) -> Tier {
        match self.executor {
            Executor::Intercept(_) => Tier::Destructive,
            Executor::Read(_) | Executor::Record | Executor::Status | Executor::Undo => Tier::Safe,
        }
    }
}

/// When a call of a tool is carried out within its answer.
pub fn executes(name: &str) -> Executes {
    match find(name).map(|tool| tool.executor) {
        Some(Executor::Intercept(_)) => Executes::OnceConfirmed,
        Some(Executor::Record) => Executes::BeforeOthers,
        Some(Executor::Read(_) | Executor::Status | Executor::Undo) | None => Executes::InOrder,
    }
}

/// Whether a tool needs the plan's stored scenarios.
pub fn reads_scenarios(name: &str) -> bool {
    [scenarios::SAVE, compare_scenarios::COMPARE, destructive::ADOPT_SCENARIO].contains(&name)
}

/// The name if it is one of ours; what a model makes up never becomes a label.
pub fn known_name(name: &str) -> &'static str {
    find(name).map_or("unknown", |tool| tool.name)
}

fn find(name: &str) -> Option<&'static Tool> {
    REGISTRY.iter().find(|tool| tool.name == name)
}

/// The registry as sent to a model in this form.
pub fn definitions(form: PromptForm) -> Vec<ToolDefinition> {
    REGISTRY
        .iter()
        .filter(|tool| form == PromptForm::Full || tool.is_in_compact)
        .map(|tool| {
            let mut schema = (tool.schema)();
            shorten(&mut schema);
            ToolDefinition::new(tool.name, tool.description, schema)
        })
        .collect()
}

/// Leaves out what every request pays for and the server checks itself. Some servers refuse these keywords.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.retain(|keyword, _| keyword != "additionalProperties" && keyword != "format");
            object.values_mut().for_each(shorten);
        }
        Value::Array(list) => list.iter_mut().for_each(shorten),
        _ => (),
    }
}

/// The JSON Schema of an argument type: flat, without references, as small models and strict providers want it. Optional is
/// said by `required` alone.
fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("description");
        object.entry("properties").or_insert_with(|| json!({}));
    }
    let properties = schema["properties"].as_object_mut();
    let properties = properties.into_iter().flat_map(|all| all.values_mut());
    for property in properties.filter_map(Value::as_object_mut) {
        property.remove("default");
        if let Some(Value::Array(kinds)) = property.get("type") {
            let kind = kinds.iter().find(|kind| *kind != "null").cloned();
            property.insert("type".into(), kind.unwrap_or_default());
        }
    }
    schema
}

/// As [`schema`], without the list of what is required: all of it is, and a call without it is shown a right one.
fn brief_schema<T: JsonSchema>() -> Value {
    let mut schema = schema::<T>();
    if let Some(object) = schema.as_object_mut() {
        object.remove("required");
    }
    schema
}

/// Typed arguments, or what is wrong with them.
fn parse<T: DeserializeOwned>(arguments: &str) -> Result<T, ToolError> {
    serde_json::from_str(arguments).map_err(|error| ToolError(format!("The arguments do not fit the tool: {error}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_flat_objects_without_references() {
        for definition in definitions(PromptForm::Full) {
            let text = definition.parameters.to_string();
            assert_eq!(definition.parameters["type"], "object", "{}", definition.name);
            for word in ["$ref", "$defs", "$schema", "null"] {
                assert!(!text.contains(word), "{} has {word}: {text}", definition.name);
            }
        }
    }

    #[test]
    fn only_the_destructive_tools_need_a_yes() {
        let destructive: Vec<_> = REGISTRY
            .iter()
            .filter(|tool| tool.tier() == Tier::Destructive)
            .map(|tool| tool.name)
            .collect();
        assert_eq!(
            destructive,
            ["reset_fields_to_defaults", "adopt_scenario", "clear_conversation"]
        );
    }
}
