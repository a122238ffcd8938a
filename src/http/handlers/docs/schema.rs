//! Shapes of bodies and answers, in words.

use crate::http::handlers::docs::{escape, paragraphs};
use serde_json::Value;
use std::fmt::Write;

/// A named shape with its fields.
pub fn article(out: &mut String, name: &str, shape: &Value) {
    let _ = write!(out, "<article id=\"shape-{0}\"><h3>{0}</h3>", escape(name));
    out.push_str(&paragraphs(shape["description"].as_str().unwrap_or_default()));
    match shape["properties"].as_object() {
        Some(properties) => {
            let required: Vec<&str> = shape["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            out.push_str("<table>");
            for (field, value) in properties {
                let optional = if required.contains(&field.as_str()) {
                    ""
                } else {
                    " <span class=soft>may be absent or null</span>"
                };
                let about = paragraphs(value["description"].as_str().unwrap_or_default());
                let _ = write!(
                    out,
                    "<tr><td><code>{}</code></td><td>{}{optional}</td><td>{about}</td></tr>",
                    escape(field),
                    inline(value)
                );
            }
            out.push_str("</table>");
        }
        None => {
            let _ = write!(out, "<p>{}</p>", inline(shape));
        }
    }
    if !shape["example"].is_null() {
        let example = serde_json::to_string_pretty(&shape["example"]).unwrap_or_default();
        let _ = write!(out, "<pre>{}</pre>", escape(&example));
    }
    out.push_str("</article>");
}

/// A shape in a few words, with links to the named ones.
pub fn inline(shape: &Value) -> String {
    if let Some(name) = shape["$ref"].as_str().and_then(|target| target.rsplit('/').next()) {
        return format!("<a href=\"#shape-{0}\">{0}</a>", escape(name));
    }
    for (key, joiner) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " with ")] {
        if let Some(options) = shape[key].as_array() {
            return options.iter().map(inline).collect::<Vec<_>>().join(joiner);
        }
    }
    if let Some(values) = shape["enum"].as_array() {
        return values
            .iter()
            .map(|value| format!("<code>{}</code>", escape(&value.to_string())))
            .collect::<Vec<_>>()
            .join(" | ");
    }
    let names: Vec<&str> = match &shape["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => vec!["anything"],
    };
    names
        .into_iter()
        .map(|name| named(name, shape))
        .collect::<Vec<_>>()
        .join(" or ")
}

fn named(name: &str, shape: &Value) -> String {
    match (name, shape["format"].as_str()) {
        ("array", _) => format!("list of {}", inline(&shape["items"])),
        ("object", _) if shape["additionalProperties"].is_object() => {
            format!("map to {}", inline(&shape["additionalProperties"]))
        }
        ("object", _) if shape["properties"].is_object() => {
            let properties = shape["properties"].as_object().into_iter().flatten();
            let fields: Vec<String> = properties
                .map(|(field, value)| format!("<code>{}</code>: {}", escape(field), inline(value)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        (name, Some(format)) => format!("{} <span class=soft>{}</span>", escape(name), escape(format)),
        (name, None) => escape(name),
    }
}
