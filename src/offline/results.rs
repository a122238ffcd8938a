//! What came back from the tools, as far as words are made of it.

use crate::offline::situation::Situation;
use plan_model::metrics::{self, Metric};
use plan_model::tool_result::{FieldResult, PlanSummary};
use serde::Deserialize;
use serde_json::Value;

/// What came of the calls that record, in order; `None` for one that was refused.
pub fn recorded(situation: &Situation<'_>) -> Vec<Option<FieldResult>> {
    let results = situation
        .results
        .iter()
        .filter(|result| result.tool == "set_financial_field");
    results
        .map(|result| FieldResult::deserialize(&result.content).ok())
        .collect()
}

/// The plan as it was read.
pub fn summary(situation: &Situation<'_>) -> Option<PlanSummary> {
    PlanSummary::deserialize(situation.result("get_plan_summary")?).ok()
}

/// A metric in words; `None` where it is null or absent.
pub fn shown(metrics: &Value, name: &str) -> Option<String> {
    match metrics.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A metric's label as it reads inside a sentence.
pub fn label(name: &str) -> String {
    metrics::find(name).map_or_else(|| name.to_owned(), Metric::name_in_sentence)
}

/// The plan's key results, where it has some.
pub fn metrics<'v>(situation: &'v Situation<'_>) -> Option<&'v Value> {
    let of = |tool: &str| {
        situation
            .result(tool)
            .and_then(|result| result.get("metrics"))
            .filter(|metrics| metrics.is_object())
    };
    of("get_plan_summary").or_else(|| of("get_projection"))
}
