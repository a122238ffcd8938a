//! What makes a figure: its parts, what sales pay and what is left of them.

use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::talk;
use plan_model::field::Kind;
use plan_model::tool_result::{FigurePart, LineFigure};
use plan_reader::Intent;
use rust_decimal::Decimal;

/// Costs that an answer names.
pub(super) const NAMED_COSTS: usize = 3;

/// Costs that a reason names.
const MOST_NAMED: usize = 7;

pub(super) fn number(of: Option<u32>) -> String {
    of.map_or_else(String::new, |number| number.to_string())
}

/// The years of a figure, in a list.
pub(super) fn each_year(situation: &Situation<'_>, figure: &LineFigure) -> String {
    let shown: Vec<String> = figure.years.iter().map(|value| situation.figure(value)).collect();
    shown.join(", ")
}

/// The parts of a figure by name: "rent $54,000, direct labor $148,187 and cost of goods $58,495".
pub(super) fn parts(situation: &Situation<'_>, figure: &LineFigure, count: usize) -> String {
    let part = |part: &FigurePart| {
        let name = match situation.field(&part.line) {
            Some(field) => situation.name(field),
            None => situation.label(&part.line, &part.label),
        };
        situation.say("part", &[("name", &name), ("value", &part.value)])
    };
    situation.list(&figure.costs.iter().take(count).map(part).collect::<Vec<_>>())
}

/// The sentence with what makes the number.
pub(super) fn reason(situation: &Situation<'_>, figure: &LineFigure) -> String {
    // Of the opening more parts are known than an answer names: a why names them all.
    let asks_for_reason = situation.heard.intent == Intent::Why || talk::says(situation, "w.all_parts");
    let count = match situation.heard.intent {
        Intent::Why => figure.costs.len().min(MOST_NAMED),
        _ if talk::says(situation, "w.all_parts") => figure.costs.len(),
        _ => NAMED_COSTS,
    };
    let costs = parts(situation, figure, count);
    if figure.line == "moneyToOpen" {
        return situation.say("parts.opening", &[("costs", &costs)]);
    }
    if figure.line == "ownCash" && asks_for_reason {
        return own_cash(situation, figure, &costs).unwrap_or_default();
    }
    if figure.line == "grossProfit" && asks_for_reason {
        let sales = figure.sales.clone().unwrap_or_default();
        return situation.say("reason.gross", &[("sales", &sales)]);
    }
    if matches!(
        figure.line.as_str(),
        "ownCash" | "loan" | "loanPayment" | "loanBalance" | "valuation" | "breakEvenSales" | "franchiseFees"
    ) {
        return String::new();
    }
    if figure.line == "payback" {
        return situation.say("reason.payback", &[("values", &each_year(situation, figure))]);
    }
    let (Some(sales), Some(running)) = (&figure.sales, &figure.running_costs) else {
        return String::new();
    };
    if let Some(share) = share_of_sales(situation, figure) {
        return share;
    }
    if figure.line == "sales"
        && situation.heard.intent == Intent::Why
        && let Some(ramp) = ramp(situation)
    {
        return ramp;
    }
    let (opening, until) = (
        figure.opening_cash.clone().unwrap_or_default(),
        number(figure.until_month),
    );
    let payments = figure.loan_payments.clone().unwrap_or_default();
    let key = match (figure.until_month, &figure.loan_payments) {
        _ if figure.line == "netProfit" => "reason.profit",
        (Some(_), Some(_)) => "reason.until",
        (Some(_), None) => "reason.until.noloan",
        (None, Some(_)) if figure.line == "breakEvenMonth" && !figure.is_short => "reason.that_month",
        (None, Some(_)) if figure.line == "breakEvenMonth" => "reason.last_month",
        (None, Some(_)) if figure.is_short => "reason.short",
        (None, Some(_)) => "reason.loan",
        (None, None) if figure.is_short => "reason.noloan.short",
        (None, None) => "reason.noloan",
    };
    let amount = |key: &str, amount: &Option<String>| {
        let amount = amount.as_ref()?;
        let (key, amount) = match amount.strip_prefix('−') {
            Some(amount) => (format!("{key}.less"), amount),
            None => (key.to_owned(), amount.as_str()),
        };
        Some(situation.say(&key, &[("amount", amount)]))
    };
    let less = [
        Some(situation.say("less.running", &[("amount", running)])),
        amount("less.interest", &figure.interest),
        amount("less.written_off", &figure.written_off),
        amount("less.tax", &figure.income_tax),
    ];
    let less = situation.list(&less.into_iter().flatten().collect::<Vec<_>>());
    let text = situation.say(
        key,
        &[
            ("sales", sales),
            ("running", running),
            ("payments", &payments),
            ("costs", &costs),
            ("opening", &opening),
            ("month", &until),
            ("less", &less),
        ],
    );
    let timing = amount("reason.timing", &figure.timing);
    let draws = figure
        .draws
        .as_ref()
        .map(|draws| situation.say("reason.draws", &[("draws", draws)]));
    let taxes = figure
        .taxes_paid
        .as_ref()
        .map(|taxes| situation.say("reason.taxes", &[("taxes", taxes)]));
    let parts: Vec<String> = [Some(text), timing, draws, taxes].into_iter().flatten().collect();
    parts.join(" ")
}

/// What opening takes beside the loan: why it is so much of one's own cash.
fn own_cash(situation: &Situation<'_>, figure: &LineFigure, costs: &str) -> Option<String> {
    let (own, loan) = (figure.value.as_deref()?, figure.loan.as_deref()?);
    let total = results::dollars(own)?.checked_add(results::dollars(loan)?)?;
    let slots = [("total", &*results::shown(total)?), ("costs", costs), ("loan", loan)];
    Some(situation.say("reason.ownCash", &slots))
}

/// What a cost that follows sales is of them: "That is 38% of sales of $389,965."
fn share_of_sales(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    let field = situation.field(&figure.line)?;
    let is_share = field.kind == Kind::Percent && field.path.section() == "operatingCosts";
    let (cost, sales) = (figure.value.as_deref()?, figure.sales.as_deref()?);
    let share = results::dollars(cost)?.checked_div(results::dollars(sales)?)?;
    let share = share.checked_mul(Decimal::ONE_HUNDRED)?.round_dp(1).normalize();
    let slots = [("share", &*format!("{share}%")), ("sales", &*situation.figure(sales))];
    is_share.then(|| situation.say("reason.share", &slots))
}

/// Why sales are less at first than what was planned.
fn ramp(situation: &Situation<'_>) -> Option<String> {
    let summary = results::summary(situation)?;
    let value = |path: &str| {
        let field = summary.fields.iter().find(|field| field.path.as_str() == path)?;
        Some(situation.value(path, field.value.as_ref()?))
    };
    let (sales, months) = (value("revenue.monthlyAuv")?, value("revenue.monthsToReachAuv")?);
    Some(situation.say("reason.sales", &[("sales", &sales), ("months", &months)]))
}
