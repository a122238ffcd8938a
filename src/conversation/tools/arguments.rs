//! The arguments of a tool: their JSON Schema for the model, and how they are read.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Leaves out what every request pays for and the server checks itself. Some servers refuse these keywords.
pub(super) fn shorten(schema: &mut Value) {
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
pub(super) fn schema<T: JsonSchema>() -> Value {
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
    without_null(&mut schema);
    schema
}

/// What may be left out is said by `required` alone, at every depth.
fn without_null(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("default");
    if let Some(Value::Array(kinds)) = object.get("type") {
        let kind = kinds.iter().find(|kind| *kind != "null").cloned();
        object.insert("type".into(), kind.unwrap_or_default());
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let properties = object.get_mut("properties").and_then(Value::as_object_mut);
    properties
        .into_iter()
        .flat_map(|all| all.values_mut())
        .for_each(without_null);
    object.get_mut("items").into_iter().for_each(without_null);
}

/// As [`schema`], without the list of what is required: all of it is, and a call without it is shown a right one.
pub(super) fn brief_schema<T: JsonSchema>() -> Value {
    let mut schema = schema::<T>();
    if let Some(object) = schema.as_object_mut() {
        object.remove("required");
    }
    schema
}

/// Why a call did nothing; the text is for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct ToolError(pub String);

/// A tool without arguments.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// Typed arguments, or what is wrong with them.
pub(super) fn parse<T: DeserializeOwned>(arguments: &str) -> Result<T, ToolError> {
    serde_json::from_str(arguments).map_err(|error| ToolError(format!("The arguments do not fit the tool: {error}.")))
}
