//! What came back from the tools, as far as words are made of it.

use super::situation::Situation;
use serde_json::Value;

/// The result of one `set_financial_field`.
#[derive(Debug, Default)]
pub struct Recorded<'v> {
    pub status: &'v str,
    pub path: &'v str,
    pub value: &'v str,
    pub previous: Option<&'v str>,
    pub warning: Option<&'v str>,
    pub range: Option<&'v str>,
    pub note: Option<&'v str>,
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// All values of this turn, in order.
#[must_use]
pub fn recorded<'v>(situation: &'v Situation<'_>) -> Vec<Recorded<'v>> {
    let results = situation
        .results
        .iter()
        .filter(|result| result.tool == "set_financial_field");
    results
        .map(|result| {
            let value = &result.content;
            Recorded {
                status: text(value, "status").unwrap_or("invalid"),
                path: text(value, "field").unwrap_or_default(),
                value: text(value, "value").unwrap_or_default(),
                previous: text(value, "previous"),
                warning: text(value, "warning"),
                range: text(value, "range"),
                note: text(value, "note"),
            }
        })
        .collect()
}

/// One field of the plan's summary.
#[derive(Debug)]
pub struct Line<'v> {
    pub value: Option<&'v str>,
    pub state: &'v str,
    pub range: Option<&'v str>,
}

#[must_use]
pub fn line<'v>(situation: &'v Situation<'_>, path: &str) -> Option<Line<'v>> {
    let fields = situation.result("get_plan_summary")?.get("fields")?.as_array()?;
    let line = fields.iter().find(|line| text(line, "path") == Some(path))?;
    Some(Line {
        value: text(line, "value"),
        state: text(line, "state").unwrap_or("default"),
        range: text(line, "range"),
    })
}

/// Paths of the core fields that are still at their placeholder.
#[must_use]
pub fn missing<'v>(situation: &'v Situation<'_>) -> Option<Vec<&'v str>> {
    let missing = situation.result("get_plan_summary")?.get("missing")?.as_array()?;
    Some(missing.iter().filter_map(|line| text(line, "path")).collect())
}

/// A metric in words; `None` where it is null or absent.
#[must_use]
pub fn shown(metrics: &Value, name: &str) -> Option<String> {
    match metrics.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// The plan's key results, where it has some.
#[must_use]
pub fn metrics<'v>(situation: &'v Situation<'_>) -> Option<&'v Value> {
    let of = |tool: &str| {
        situation
            .result(tool)
            .and_then(|result| result.get("metrics"))
            .filter(|metrics| metrics.is_object())
    };
    of("get_plan_summary").or_else(|| of("get_projection"))
}
