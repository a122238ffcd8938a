//! The plan as a whole.

use super::reason::each_year;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording;
use serde_json::{Value, json};

/// The results as a whole: whether the money lasts, what each year earns, and whether it pays the loan. "Am I going to be ok?"
pub(super) fn outcome(situation: &Situation<'_>) -> Step {
    let calls = [
        ("get_plan_summary", json!({})),
        ("get_projection", json!({ "line": "netProfit" })),
    ];
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    let metrics = results::summary(situation).and_then(|summary| summary.metrics);
    let Some(metrics) = metrics.filter(Value::is_object) else {
        return Step::say(
            [situation.say("outcome.none", &[])],
            situation.suggest(&["s.missing", "s.open"]),
        );
    };
    let shown = |name: &str| {
        results::text(&metrics, name).map_or_else(|| situation.say("none", &[]), |value| situation.figure(value))
    };
    let lasts = match wording::is_negative(&shown("lowestCash")) {
        true => "outcome.short",
        false => "outcome.lasts",
    };
    let (cash, month) = (shown("lowestCash"), shown("lowestCashMonth"));
    let profit = results::figure(situation)
        .map(|figure| situation.say("outcome.profit", &[("values", &each_year(situation, &figure))]));
    let parts = [
        situation.say(lasts, &[("cash", &cash), ("month", &month)]),
        profit.unwrap_or_default(),
        situation.say("outcome.coverage", &[("cover", &shown("dscrYear1"))]),
    ];
    let parts = parts.into_iter().chain([situation.footer()]);
    Step::say(parts, situation.suggest(&["s.levers", "s.cash", "s.goal"]))
}
