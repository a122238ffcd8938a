//! What makes a figure: its parts, what sales pay and what is left of them.

use crate::offline::intents::talk;
use crate::offline::results;
use crate::offline::situation::Situation;
use plan_model::inputs::{DRAW, DRAW_START};
use plan_model::tool_result::{FigurePart, LineFigure, PlanSummary};
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
    let is_of_opening = matches!(figure.line.as_str(), "moneyToOpen" | "ownCash");
    let count = match situation.heard.intent {
        Intent::Why if is_of_opening => figure.costs.len(),
        Intent::Why => figure.costs.len().min(MOST_NAMED),
        _ if talk::says(situation, "w.all_parts") => figure.costs.len(),
        _ => NAMED_COSTS,
    };
    let costs = parts(situation, figure, count);
    if let Some(own) = own_reason(situation, figure, (&costs, asks_for_reason)) {
        return own;
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
    let later = (figure.line == "ownerLeft" && draws.is_none())
        .then(|| draw_later(situation))
        .flatten();
    let taxes = figure
        .taxes_paid
        .as_ref()
        .map(|taxes| situation.say("reason.taxes", &[("taxes", taxes)]));
    let parts: Vec<String> = [Some(text), timing, draws, later, taxes]
        .into_iter()
        .flatten()
        .collect();
    parts.join(" ")
}

/// The reason of a figure that is not made of sales and costs; empty where its own sentence says it.
fn own_reason(
    situation: &Situation<'_>,
    figure: &LineFigure,
    (costs, asks_for_reason): (&str, bool),
) -> Option<String> {
    Some(match figure.line.as_str() {
        "moneyToOpen" => of_opening(situation, figure, costs),
        "ownCash" if asks_for_reason => own_cash(situation, figure, costs).unwrap_or_default(),
        "grossProfit" => {
            let sales = figure.sales.clone().unwrap_or_default();
            situation.say("reason.gross", &[("sales", &sales)])
        }
        "loanPayment" => loan_terms(situation, figure).unwrap_or_default(),
        "payback" => situation.say("reason.payback", &[("values", &each_year(situation, figure))]),
        "ownCash" | "loan" | "loanBalance" | "valuation" | "breakEvenSales" | "franchiseFees" => String::new(),
        _ => return None,
    })
}

/// The largest parts of the opening; all of them where the largest were just told: "what are the remaining 124,500?"
fn of_opening(situation: &Situation<'_>, figure: &LineFigure, costs: &str) -> String {
    let largest = situation.say("parts.opening", &[("costs", costs)]);
    match situation.advisor().is_some_and(|told| told.contains(&largest)) {
        true => {
            let all = parts(situation, figure, figure.costs.len());
            situation.say("parts.opening.all", &[("costs", &all)])
        }
        false => largest,
    }
}

/// A value of the plan as people read it, and its number: dollars, percent, months.
fn of_plan(situation: &Situation<'_>, summary: &PlanSummary, path: &str) -> Option<(String, Decimal)> {
    let field = summary.fields.iter().find(|field| field.path.as_str() == path)?;
    let value = field.value.as_ref()?;
    Some((situation.value(path, value), results::dollars(value)?))
}

/// What a payment of the whole loan pays: what was lent, for how long, and the interest of all its months. The last payment differs by
/// cents.
fn loan_terms(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    // A year's payments are twelve of them.
    let is_a_month = figure.year.is_none() && figure.month.is_none();
    let summary = results::summary(situation).filter(|_| is_of_no_case(situation) && is_a_month)?;
    let value = |path| of_plan(situation, &summary, path);
    let ((loan, amount), (rate, percent)) = (value("financing.loanAmount")?, value("financing.interestRate")?);
    let ((term, months), (_, alone)) = (
        value("financing.loanTermMonths")?,
        value("financing.interestOnlyMonths")?,
    );
    let payment = results::dollars(figure.value.as_deref()?)?;
    let a_year = amount.checked_mul(percent)?.checked_div(Decimal::ONE_HUNDRED)?;
    let of_interest_only = a_year.checked_mul(alone)?.checked_div(Decimal::from(12))?;
    let paid = payment
        .checked_mul(months.checked_sub(alone)?)?
        .checked_add(of_interest_only)?;
    let interest = paid.checked_sub(amount)?.round();
    let slots = [
        ("loan", &*loan),
        ("months", &*term),
        ("rate", &*rate),
        ("interest", &*results::shown(interest)?),
    ];
    (amount > Decimal::ZERO && interest > Decimal::ZERO).then(|| situation.say("reason.loan_terms", &slots))
}

/// When the owner's draw begins, where the time that was asked about has none.
fn draw_later(situation: &Situation<'_>) -> Option<String> {
    let summary = results::summary(situation).filter(|_| is_of_no_case(situation))?;
    let (draw, amount) = of_plan(situation, &summary, DRAW)?;
    let (month, _) = of_plan(situation, &summary, DRAW_START)?;
    let slots = [("value", &*draw), ("month", &*month)];
    (amount > Decimal::ZERO).then(|| situation.say("reason.draw_later", &slots))
}

/// Whether the figure is of the plan, and not of a case.
fn is_of_no_case(situation: &Situation<'_>) -> bool {
    let case = situation.result("get_projection").and_then(|result| result.get("case"));
    case.is_none_or(serde_json::Value::is_null)
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
    let is_share = field.path.section() == "operatingCosts";
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
