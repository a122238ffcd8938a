//! The tool calls an intent needs.

use crate::offline::intent::{Intent, Statement};
use crate::offline::situation::Situation;
use plan_model::field::{Field, Kind};
use plan_model::message::ToolCall;
use plan_model::number::{Number, quotient};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};

/// `set_financial_field` as this advisor calls it: always in the field's own unit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SetField<'a> {
    path: &'a str,
    value: Number,
    unit: &'static str,
    confidence: plan_model::extracted::Confidence,
    quote: &'a str,
}

/// Calls for the tools that are offered, in the order of the user's words.
pub fn calls(intent: &Intent, situation: &Situation<'_>) -> Vec<ToolCall> {
    let mut out = Vec::new();
    let mut add = |tool: &str, arguments: String| {
        if situation.offers(tool) {
            out.push(ToolCall {
                id: format!("offline-{}", out.len() + 1),
                name: tool.to_owned(),
                arguments,
            });
        }
    };
    let empty = || "{}".to_owned();
    match intent {
        Intent::Record(statements, _) => {
            statements
                .iter()
                .take(40)
                .for_each(|statement| add("set_financial_field", set_field(statement, &situation.fields)));
            add("get_plan_summary", empty());
        }
        Intent::WhatIf(changes) => {
            let changes: Vec<Value> = changes
                .iter()
                .map(|(field, value)| change(&situation.fields[*field], *value))
                .collect();
            add("what_if", json!({ "changes": changes }).to_string());
        }
        Intent::Save(Some(name), changes) if !changes.is_empty() => {
            let changes: Vec<Value> = changes
                .iter()
                .map(|(field, value)| change(&situation.fields[*field], *value))
                .collect();
            add("save_scenario", json!({ "name": name, "changes": changes }).to_string());
        }
        Intent::Save(..) => {}
        Intent::Compare(names) => add("compare_scenarios", json!({ "names": names }).to_string()),
        Intent::Adopt(name) => add("adopt_scenario", json!({ "name": name }).to_string()),
        Intent::Levers => add("rank_levers", empty()),
        Intent::Results => {
            add("get_plan_summary", empty());
            add("rank_levers", empty());
        }
        Intent::Reset(fields) => {
            let paths: Vec<&str> = fields.iter().map(|&i| situation.fields[i].path.as_str()).collect();
            add("reset_fields_to_defaults", json!({ "fields": paths }).to_string());
        }
        Intent::ClearConversation => add("clear_conversation", empty()),
        Intent::Missing
        | Intent::Refuse
        | Intent::Later
        | Intent::Unknown
        | Intent::About(_)
        | Intent::Metric(_)
        | Intent::Advice(_) => add("get_plan_summary", empty()),
        Intent::Why(_) => {}
        Intent::Undo => add("undo_last_change", empty()),
        Intent::Status => add("check_status", empty()),
        Intent::Fixed(topic) if crate::offline::answer::asks_on(*topic) => add("get_plan_summary", empty()),
        Intent::Fixed(_) => {}
    }
    out
}

fn set_field(statement: &Statement, fields: &[Field]) -> String {
    let field = &fields[statement.field];
    let (value, unit) = in_words(field, statement.value);
    let call = SetField {
        path: field.path.as_str(),
        value,
        unit,
        confidence: statement.confidence,
        quote: &statement.quote,
    };
    serde_json::to_string(&call).unwrap_or_default()
}

/// The value as a person would say it: dollars, percent points.
fn in_words(field: &Field, value: Number) -> (Number, &'static str) {
    match field.kind {
        Kind::Money => (Number::new(quotient(value.decimal(), Decimal::ONE_HUNDRED)), "dollars"),
        Kind::Percent => (
            Number::new(value.decimal().saturating_mul(Decimal::ONE_HUNDRED)),
            "percent",
        ),
        kind => (value, kind.as_str()),
    }
}

fn change(field: &Field, value: Number) -> Value {
    json!({ "path": field.path, "value": field.kind.show(value) })
}
