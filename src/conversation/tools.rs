//! The closed list of tools a model may call: name, description, schema, tier, executor.
//!
//! The plan comes from the request, never from the model. Arguments are typed and validated before anything runs; what is
//! wrong with them goes back to the model as a result it can recover from.

use crate::extraction::{Judgement, Words};
use crate::llm::ToolDefinition;
use crate::model::field::Field;
use crate::model::ids::ExtractionId;
use crate::model::inputs::FinancialInputs;
use crate::model::number::Number;
use crate::model::outputs::Projection;
use crate::plan;
use crate::store::brands::Edition;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use time::OffsetDateTime;

mod destructive;
mod figures;
mod plan_summary;
mod projection;
mod set_financial_field;
mod what_if;

pub use destructive::{Destructive, Intercepted};

/// Values one turn may hear; a model that says more is broken or hostile.
const MAX_HEARD: usize = 100;

/// Whether a tool may run at once or needs a yes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    Safe,
    Destructive,
}

/// How a tool is carried out.
#[derive(Clone, Copy)]
enum Executor {
    /// Works on the turn's own copy of the plan.
    Bench(fn(&mut Workbench, &str) -> Result<Value, ToolError>),
    /// Asks the services behind us.
    Status,
    /// Is put before the franchisee instead of being run.
    Intercept(fn(&Workbench, &str) -> Result<Intercepted, ToolError>),
}

/// One tool of the registry.
pub struct Tool {
    pub name: &'static str,
    description: &'static str,
    schema: fn(&[Field]) -> Value,
    executor: Executor,
}

/// Why a call did nothing; the text is for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

/// A value the advisor heard in this turn.
#[derive(Debug, Clone)]
pub struct Heard {
    pub id: ExtractionId,
    pub judgement: Judgement,
    pub previous: Option<Number>,
}

/// The words that count as evidence in this turn.
#[derive(Debug, Clone, Default)]
pub struct SpokenWords {
    pub message: String,
    pub previous_message: Option<String>,
    pub advisor: Option<String>,
}

impl SpokenWords {
    /// As the extraction room takes them.
    #[must_use]
    pub fn words(&self) -> Words<'_> {
        Words::new(&self.message, self.previous_message.as_deref(), self.advisor.as_deref())
    }
}

/// A turn's own copy of the plan: tools read and write it, nothing is stored before the commit.
pub struct Workbench {
    pub edition: Arc<Edition>,
    /// With the values this turn has applied so far.
    pub inputs: Option<Arc<FinancialInputs>>,
    pub words: SpokenWords,
    pub heard: Vec<Heard>,
    pub now: OffsetDateTime,
}

/// What a call comes to.
#[derive(Debug)]
pub enum Called {
    /// The result for the model.
    Result(String),
    /// The call did nothing; the text says why.
    Refused(String),
    /// A destructive call: the loop halts and the franchisee is asked.
    Intercepted(Intercepted),
    /// The caller has to look at the services.
    Status,
}

impl Workbench {
    /// The projection of the working copy.
    #[must_use]
    pub fn projection(&self) -> Option<Projection> {
        self.inputs
            .as_ref()
            .map(|inputs| plan::project(inputs, &self.edition.brand))
    }

    /// Runs a tool by name.
    pub fn call(&mut self, name: &str, arguments: &str) -> Called {
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let Some(tool) = find(name) else {
            let known: Vec<_> = REGISTRY.iter().map(|tool| tool.name).collect();
            return refused(&ToolError(format!(
                "There is no such tool. The tools are: {}.",
                known.join(", ")
            )));
        };
        // Serde would read a list as the arguments in their order.
        if !arguments.trim_start().starts_with('{') {
            return refused(&ToolError("The arguments must be one JSON object.".into()));
        }
        match tool.executor {
            Executor::Bench(run) => match run(self, arguments) {
                Ok(value) => Called::Result(value.to_string()),
                Err(error) => refused(&error),
            },
            Executor::Intercept(intercept) => match intercept(self, arguments) {
                Ok(intercepted) => Called::Intercepted(intercepted),
                Err(error) => refused(&error),
            },
            Executor::Status => match parse::<Nothing>(arguments) {
                Ok(_) => Called::Status,
                Err(error) => refused(&error),
            },
        }
    }
}

fn refused(error: &ToolError) -> Called {
    Called::Refused(json!({"status": "invalid", "error": error.0}).to_string())
}

/// A tool without arguments.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Every tool there is, in the order the model sees them.
pub static REGISTRY: [Tool; 7] = [
    Tool {
        name: "set_financial_field",
        description: "Record one number the franchisee stated for one field of their plan. The result says whether it was applied, proposed or refused, and why.",
        schema: crate::extraction::tool_schema,
        executor: Executor::Bench(set_financial_field::run),
    },
    Tool {
        name: "get_plan_summary",
        description: "Read the plan: each field with value, state and reference range, what is still missing, and the key results.",
        schema: schema::<plan_summary::Arguments>,
        executor: Executor::Bench(plan_summary::run),
    },
    Tool {
        name: "get_projection",
        description: "Read the projection of the plan as it stands: key results and five annual summaries.",
        schema: schema::<Nothing>,
        executor: Executor::Bench(projection::run),
    },
    Tool {
        name: "what_if",
        description: "Compute the results for hypothetical values without changing the plan.",
        schema: what_if::schema,
        executor: Executor::Bench(what_if::run),
    },
    Tool {
        name: "check_status",
        description: "Tell whether the database and the model can be reached.",
        schema: schema::<Nothing>,
        executor: Executor::Status,
    },
    Tool {
        name: destructive::RESET_FIELDS,
        description: "Return some fields, or all when the list is empty, to the brand's placeholders. The franchisee is asked to confirm first.",
        schema: destructive::reset_schema,
        executor: Executor::Intercept(destructive::reset_fields),
    },
    Tool {
        name: destructive::CLEAR_CONVERSATION,
        description: "Delete the history of this conversation. The franchisee is asked to confirm first.",
        schema: schema::<Nothing>,
        executor: Executor::Intercept(destructive::clear_conversation),
    },
];

impl Tool {
    #[must_use]
    pub fn tier(&self) -> Tier {
        match self.executor {
            Executor::Intercept(_) => Tier::Destructive,
            Executor::Bench(_) | Executor::Status => Tier::Safe,
        }
    }
}

/// The name if it is one of ours; what a model makes up never becomes a label.
#[must_use]
pub fn known_name(name: &str) -> &'static str {
    find(name).map_or("unknown", |tool| tool.name)
}

fn find(name: &str) -> Option<&'static Tool> {
    REGISTRY.iter().find(|tool| tool.name == name)
}

/// The registry as a model is told of it, with the paths of this plan.
#[must_use]
pub fn definitions(fields: &[Field]) -> Vec<ToolDefinition> {
    REGISTRY
        .iter()
        .map(|tool| ToolDefinition {
            name: tool.name.to_owned(),
            description: tool.description.to_owned(),
            parameters: (tool.schema)(fields),
        })
        .collect()
}

/// The JSON Schema of an argument type: flat, without references, as small models and strict providers want it.
fn schema<T: JsonSchema>(_: &[Field]) -> Value {
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
    schema
}

/// Puts the plan's paths into a schema where `slot` points at a string.
fn with_paths(mut schema: Value, slot: &str, fields: &[Field]) -> Value {
    if let Some(object) = schema.pointer_mut(slot).and_then(Value::as_object_mut) {
        let paths = fields.iter().map(|field| Value::from(field.path.as_str())).collect();
        object.insert("enum".into(), Value::Array(paths));
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
    use crate::model::brand::Brand;

    #[test]
    fn schemas_are_flat_objects_without_references() {
        for definition in definitions(&Brand::demo().fields()) {
            let text = definition.parameters.to_string();
            assert_eq!(definition.parameters["type"], "object", "{}", definition.name);
            for word in ["$ref", "$defs", "$schema"] {
                assert!(!text.contains(word), "{} has {word}: {text}", definition.name);
            }
        }
    }

    #[test]
    fn only_the_two_destructive_tools_need_a_yes() {
        let destructive: Vec<_> = REGISTRY
            .iter()
            .filter(|tool| tool.tier() == Tier::Destructive)
            .map(|tool| tool.name)
            .collect();
        assert_eq!(destructive, ["reset_fields_to_defaults", "clear_conversation"]);
    }
}
