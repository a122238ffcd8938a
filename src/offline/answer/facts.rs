//! Words about what the plan holds, what a figure means, and the results.

use super::named;
use crate::offline::ask::name;
use crate::offline::cases::weak_levers;
use crate::offline::intent::asks_meaning;
use crate::offline::prose::{FOOTER, list, sentence};
use crate::offline::results;
use crate::offline::situation::Situation;
use plan_model::field::Field;
use plan_model::metrics::{self, MetricKind};
use plan_model::tool_result::{Reference, ReferenceKind, ValueState};
use serde_json::Value;

pub fn about(situation: &Situation<'_>, fields: &[usize]) -> Vec<String> {
    let mut seen = Vec::new();
    let mut parts = Vec::new();
    for field in fields.iter().take(3).map(|&i| &situation.fields[i]) {
        if seen.contains(&&field.path) {
            continue;
        }
        seen.push(&field.path);
        if asks_meaning(situation.message()) {
            parts.push(format!("{}: {}", sentence(&name(field)), field.help));
        }
        parts.extend(describe(situation, field));
    }
    if parts.is_empty() {
        parts.push("I can't look at your plan just now.".to_owned());
    }
    parts
}

fn describe(situation: &Situation<'_>, field: &Field) -> Option<String> {
    let summary = results::summary(situation)?;
    let line = summary.fields.iter().find(|line| line.path == field.path)?;
    let name = name(field);
    let state = match (&line.value, line.state) {
        (None, _) => format!("Your plan has no number for {name} yet."),
        (Some(value), state) => {
            let whose = match state {
                ValueState::Default => "the brand default, a planning figure until you replace it",
                ValueState::Yours => "which you entered",
                ValueState::Advisor => "as you told me",
                ValueState::Admin => "set by an administrator",
                ValueState::Other => "taken from elsewhere",
            };
            format!("{} stands at {value}, {whose}.", sentence(&name))
        }
    };
    Some(match &line.range {
        Some(range) => format!("{state} {}", reference(range)),
        None => format!("{state} There is no reference range for it."),
    })
}

/// What a key figure means, and where it stands.
pub fn meaning(situation: &Situation<'_>, name: &str) -> Vec<String> {
    let Some(metric) = metrics::find(name) else {
        return Vec::new();
    };
    let value = results::metrics(situation).and_then(|metrics| results::shown(metrics, name));
    let month = if metric.kind == MetricKind::Month { "month " } else { "" };
    let stands = value.map(|value| format!("With your plan as it stands it is {month}{value}."));
    vec![format!("{}: {}", metric.label, metric.help), stands.unwrap_or_default()]
}

fn reference(range: &Reference) -> String {
    let Reference { kind, low, high } = range;
    match kind {
        ReferenceKind::Item7 => {
            format!("The franchisor's published Item 7 estimate is {low} to {high}, for reference only.")
        }
        ReferenceKind::Typical => format!("The planning range is {low} to {high}, for reference only."),
    }
}

pub fn advice(situation: &Situation<'_>, fields: &[usize]) -> Vec<String> {
    let mut parts = vec!["You are the author of this plan, so I don't say which number to use.".to_owned()];
    parts.extend(fields.first().and_then(|&i| describe(situation, &situation.fields[i])));
    parts.push("Your disclosure document, accountant, lender or franchisees you know can help you decide.".to_owned());
    parts
}

/// Key results with what they rest on.
pub fn outcome(situation: &Situation<'_>) -> String {
    let Some(metrics) = results::metrics(situation) else {
        return "Your plan has no results yet: give me a first number and they will appear.".to_owned();
    };
    let month = |key: &str, reached: &str, never: &str| match results::shown(metrics, key) {
        Some(month) => format!("{reached} month {month}"),
        None => never.to_owned(),
    };
    let mut items = vec![
        month(
            "breakEvenMonth",
            "break-even comes in",
            "break-even is not reached within the 60 months",
        ),
        month(
            "paybackMonth",
            "your own money is paid back in",
            "your own money is not paid back within the 60 months",
        ),
    ];
    if let (Some(cash), Some(at)) = (
        results::shown(metrics, "lowestCash"),
        results::shown(metrics, "lowestCashMonth"),
    ) {
        items.push(format!("cash is lowest in month {at} at {cash}"));
    }
    if let Some(cover) = results::shown(metrics, "dscrYear1") {
        items.push(format!("{} is {cover}", results::label("dscrYear1")));
    }
    let summary = results::summary(situation);
    let basis = [
        "operatingCosts.rentMonthly",
        "financing.loanAmount",
        "revenue.monthlyAuv",
    ];
    let basis: Vec<String> = basis
        .iter()
        .filter_map(|path| {
            let line = summary
                .as_ref()?
                .fields
                .iter()
                .find(|line| line.path.as_str() == *path)?;
            Some(format!("{} {}", named(path, situation), line.value.as_ref()?))
        })
        .collect();
    let open = summary.as_ref().map_or(0, |summary| summary.missing.len());
    let basis = if basis.is_empty() {
        String::new()
    } else {
        format!(" They rest on your assumptions, among them {}.", list(&basis))
    };
    let open = match open {
        0 => String::new(),
        1 => " One key number is still at the brand default.".to_owned(),
        open => format!(" {open} key numbers are still at the brand default."),
    };
    let levers = weak_levers(situation);
    format!(
        "With the plan as it stands, {}.{basis}{open}{levers}\n\n{FOOTER}",
        list(&items)
    )
}

pub fn status(situation: &Situation<'_>) -> String {
    let Some(result) = situation.result("check_status") else {
        return "I'm here and working.".to_owned();
    };
    let says = |key: &str| result.get(key).and_then(Value::as_str).unwrap_or("unknown").to_owned();
    format!(
        "I'm here. The database says {}, the advisor says {}.",
        says("database"),
        says("model")
    )
}
