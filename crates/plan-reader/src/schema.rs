//! The JSON Schema of `set_financial_field`, from the argument types. It does not list the fields: the prompt does.

use super::arguments::SetFinancialField;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// One flat object without references: what small models follow best.
pub fn tool_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<SetFinancialField<'_>>()
        .to_value();
    if let Some(root) = schema.as_object_mut() {
        root.remove("title");
        root.remove("description");
        if let Some(properties) = root.get_mut("properties").and_then(Value::as_object_mut) {
            properties
                .values_mut()
                .filter_map(Value::as_object_mut)
                .for_each(flatten);
            if let Some(quote) = properties.get_mut("quote").and_then(Value::as_object_mut) {
                quote.insert("maxLength".to_owned(), json!(200));
            }
        }
        root.insert("required".to_owned(), json!(["path", "value", "confidence"]));
    }
    schema
}

/// Optional is said by `required` alone: no null, no `anyOf`, no default.
fn flatten(property: &mut Map<String, Value>) {
    property.remove("default");
    property.remove("format");
    for union in ["anyOf", "oneOf"] {
        let Some(Value::Array(variants)) = property.remove(union) else {
            continue;
        };
        let variants: Vec<Value> = variants
            .into_iter()
            .filter(|variant| variant.get("type") != Some(&json!("null")))
            .collect();
        let constants: Option<Vec<Value>> = variants.iter().map(|variant| variant.get("const").cloned()).collect();
        if let Some(constants) = constants {
            property.insert("type".to_owned(), json!("string"));
            property.insert("enum".to_owned(), Value::Array(constants));
        } else if let [Value::Object(only)] = variants.as_slice() {
            only.iter()
                .filter(|(key, _)| *key != "description")
                .for_each(|(key, value)| {
                    property.insert(key.clone(), value.clone());
                });
        }
    }
    if let Some(Value::Array(types)) = property.get("type").cloned() {
        let only = types.into_iter().find(|kind| kind != &json!("null"));
        property.insert("type".to_owned(), only.unwrap_or_else(|| json!("string")));
    }
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_flat_and_closed() {
        let schema = tool_schema();
        let text = schema.to_string();
        for word in ["$ref", "$defs", "anyOf", "oneOf", "null", "$schema"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["required"], json!(["path", "value", "confidence"]));
        assert_eq!(schema["properties"]["path"]["type"], json!("string"));
        assert_eq!(schema["properties"]["value"]["type"], json!("number"));
        assert_eq!(
            schema["properties"]["confidence"]["enum"],
            json!(["uncertain", "tentative", "high"])
        );
        assert_eq!(
            schema["properties"]["period"]["enum"],
            json!(["once", "weekly", "biweekly", "monthly", "quarterly", "annual"])
        );
        assert_eq!(
            schema["properties"]["unit"]["enum"],
            json!([
                "dollars", "percent", "months", "years", "weeks", "days", "count", "multiple"
            ])
        );
    }
}
