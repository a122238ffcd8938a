//! What came back from the tools, as far as words are made of it.

use crate::offline::situation::Situation;
use plan_model::field::FieldPath;
use plan_model::field::show_dollars;
use plan_model::tool_result::{FieldResult, FieldStatus, LineFigure, ListedChange, OpenProposal, PlanSummary};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Deserialize;
use serde_json::Value;

/// What came of the calls that record, in order; `None` for one that was refused.
pub(super) fn recorded(situation: &Situation<'_>) -> Vec<Option<FieldResult>> {
    let results = situation.results.iter();
    let is_sum = |content: &Value| text(content, "sum").is_some() && text(content, "path").is_none();
    let records = results.filter_map(|result| match result.tool.as_str() {
        "estimate" if is_sum(&result.content) => None,
        "set_financial_field" => Some(FieldResult::deserialize(&result.content).ok()),
        "estimate" => Some(worked_out(&result.content)),
        _ => None,
    });
    records.collect()
}

/// A value that was worked out of the message's numbers waits as one that was heard.
fn worked_out(result: &Value) -> Option<FieldResult> {
    let path = text(result, "path")?;
    Some(FieldResult {
        status: FieldStatus::Proposed,
        field: FieldPath::new(path),
        label: path.to_owned(),
        value: text(result, "value")?.to_owned(),
        previous: None,
        range_code: None,
        range: None,
        note_code: None,
        note: None,
    })
}

/// The plan as it was read.
pub(super) fn summary(situation: &Situation<'_>) -> Option<PlanSummary> {
    PlanSummary::deserialize(situation.result("get_plan_summary")?).ok()
}

/// One figure.
pub(super) fn figure(situation: &Situation<'_>) -> Option<LineFigure> {
    LineFigure::deserialize(situation.result("get_projection")?).ok()
}

/// What waits for the franchisee's word.
///
/// Of several values of a field the last one counts, so a yes to all writes what is listed.
pub(super) fn open(situation: &Situation<'_>) -> Vec<OpenProposal> {
    let dropped = dismissed(situation);
    let mut open = proposals(situation, "list_open_proposals", "open");
    // The list may have been read before something of it was dropped.
    open.retain(|one| {
        !dropped
            .iter()
            .any(|other| other.field == one.field && other.value == one.value)
    });
    let is_last = |(at, one): &(usize, &OpenProposal)| !open[at + 1..].iter().any(|later| later.field == one.field);
    open.iter()
        .enumerate()
        .filter(is_last)
        .map(|(_, one)| one.clone())
        .collect()
}

/// What no longer waits since this turn.
pub(super) fn dismissed(situation: &Situation<'_>) -> Vec<OpenProposal> {
    proposals(situation, "dismiss_proposals", "dismissed")
}

fn proposals(situation: &Situation<'_>, tool: &str, member: &str) -> Vec<OpenProposal> {
    let found = situation.result(tool).and_then(|result| result.get(member));
    found.and_then(|found| Vec::deserialize(found).ok()).unwrap_or_default()
}

/// The newest changes, newest first.
pub(super) fn changes(situation: &Situation<'_>) -> Vec<ListedChange> {
    let changes = situation
        .result("list_changes")
        .and_then(|result| result.get("changes"));
    changes
        .and_then(|changes| Vec::deserialize(changes).ok())
        .unwrap_or_default()
}

/// The sentence with break-even sales, and their share where sales are planned.
pub(super) fn break_even_sales(figure: &LineFigure) -> &'static str {
    match figure.share_of_planned {
        Some(_) => "figure.breakEvenSales.share",
        None => "figure.breakEvenSales",
    }
}

/// Whether a result of `rank_levers` is of a plan that does not cover its loan, or runs out of cash.
pub(super) fn is_weak(levers: &Value) -> bool {
    levers.get("isWeak") == Some(&Value::Bool(true))
}

/// Text of a member; `None` where it is null or absent.
pub(super) fn text<'v>(result: &'v Value, key: &str) -> Option<&'v str> {
    result.get(key).and_then(Value::as_str)
}

/// Texts of a member.
pub(super) fn texts(result: &Value, key: &str) -> Vec<String> {
    let items = result.get(key).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The amount of a field in the plan, as it is shown.
pub(super) fn amount(summary: &PlanSummary, path: &str) -> Option<f64> {
    let line = summary.fields.iter().find(|line| line.path.as_str() == path)?;
    digits(line.value.as_ref()?)
}

/// An amount of dollars as tools write it, exactly.
pub(super) fn dollars(shown: &str) -> Option<Decimal> {
    let digits: String = shown.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().ok()
}

/// An amount of dollars as tools write it, in whole dollars.
pub(super) fn shown(amount: Decimal) -> Option<String> {
    let cents = amount.checked_mul(Decimal::ONE_HUNDRED)?.round().to_i64()?;
    Some(show_dollars(cents))
}

/// The number of an amount as tools write it: 4200 of "$4,200", -5 of "-5%". `None` where it has none.
pub(super) fn digits(shown: &str) -> Option<f64> {
    let amount = dollars(shown)?.to_f64()?;
    Some(if shown.starts_with(['-', '−']) {
        -amount
    } else {
        amount
    })
}

/// What says that open values of some fields are not in what was computed, those that the message has noted among them.
pub(super) fn without_waiting(situation: &Situation<'_>, is_it: impl Fn(&FieldPath) -> bool) -> String {
    let (open, dropped) = (open(situation), dismissed(situation));
    let is_open = |field: &FieldPath| {
        let is_noted = situation.noted.iter().any(|one| one.field == *field);
        !is_noted && !dropped.iter().any(|one| one.field == *field)
    };
    let open = open
        .iter()
        .map(|one| (&one.field, &one.value))
        .filter(|(field, _)| is_open(field));
    let noted = situation.noted.iter().map(|one| (&one.field, &one.value));
    let items = noted.chain(open).filter(|(field, _)| is_it(field));
    let items: Vec<String> = items
        .map(|(field, value)| situation.item("heard.item", field, value))
        .collect();
    match items.is_empty() {
        true => String::new(),
        false => situation.say("figure.without", &[("items", &situation.list(&items))]),
    }
}

/// The plan's own figure, beside that of a case.
pub(in crate::offline) fn in_plan(situation: &Situation<'_>, figure: &LineFigure) -> String {
    let result = situation.result("get_projection");
    let Some(own) = result.and_then(|result| result.get("inPlan")) else {
        return String::new();
    };
    let own = own.as_str();
    if own == figure.value.as_deref() {
        return situation.say("figure.in_plan", &[("value", &situation.say("figure.same", &[]))]);
    }
    let value = own.map_or_else(|| situation.say("not_reached", &[]), |own| situation.figure(own));
    situation.say("figure.in_plan", &[("value", &value)])
}
