//! One figure of the projection with what makes it, as far as the projection knows it.

use crate::conversation::tools::analysis::own_lines;
use crate::conversation::tools::arguments::ToolError;
use crate::conversation::tools::context::ToolContext;
use crate::plans::analysis::Hypothesis;
use plan_engine::lines::{self, FigureLine, LINES, Shape, When, costs, months_of};
use plan_model::field::{Field, show_dollars};
use plan_model::inputs::SALES;
use plan_model::metrics;
use plan_model::number::Number;
use plan_model::outputs::{MonthRow, Projection};
use plan_model::tool_result::{FigurePart, LineFigure};

/// Costs that are named with a figure.
const NAMED_COSTS: usize = 3;

/// Parts of the opening that are named.
const NAMED_OPENING: usize = 30;

pub(super) fn figure(
    ctx: &ToolContext,
    plan: &Hypothesis<'_>,
    projection: &Projection,
    said: &str,
    when: Option<When>,
) -> Result<LineFigure, ToolError> {
    if said.eq_ignore_ascii_case("biggestCost") {
        return Ok(biggest_cost(projection, when.unwrap_or(When::Year(1))));
    }
    if said.eq_ignore_ascii_case("writtenOff") {
        return Ok(written_off(projection, when.unwrap_or(When::Year(1))));
    }
    if let Some(line) = lines::find(said) {
        return Ok(of_line(ctx, plan, projection, line, when.unwrap_or(line.usual())));
    }
    let field = ctx.field(said).map_err(|error| {
        let names: Vec<_> = LINES.iter().map(|line| line.name).collect();
        ToolError(format!(
            "{error} The lines are biggestCost, writtenOff, {}.",
            names.join(", ")
        ))
    })?;
    of_field(ctx, plan, projection, field, when)
}

/// A figure with sales, costs and loan payments of its time; of a balance, of all the time until then.
fn of_line(
    ctx: &ToolContext,
    plan: &Hypothesis<'_>,
    projection: &Projection,
    line: &FigureLine,
    when: When,
) -> LineFigure {
    let (when, value) = match line.value(projection, when) {
        // A figure of years only, asked about for a month, is answered for the month's year.
        None if matches!(when, When::Month(_)) && line.value(projection, year_of(when)).is_some() => {
            let when = year_of(when);
            (when, line.value(projection, when))
        }
        // One of the plan as a whole is the same at any time.
        None if line.usual() == When::Plan => (When::Plan, line.value(projection, When::Plan)),
        value => (when, value),
    };
    let mut figure = LineFigure {
        value: value.map(|value| line.show(value)),
        per_month: value
            .filter(|_| is_amount_of_year(line, when))
            .map(|value| show_dollars(value.to_whole() / 12)),
        is_negative: value.is_some_and(|value| value < Number::ZERO),
        years: years(projection, line, when),
        ..base(line.name, line.label, when)
    };
    if matches!(line.name, "moneyToOpen" | "ownCash") {
        figure.costs = startup_costs(ctx, plan);
        figure.loan = Some(show_dollars(projection.metrics.loan_amount));
        figure.own_cash = Some(show_dollars(projection.metrics.owner_cash));
        return figure;
    }
    if line.name == "payback" {
        // It is what is left of all the months together.
        figure.years = lines::find("ownerLeft").map_or_else(Vec::new, |left| years(projection, left, When::Year(1)));
        return figure;
    }
    let (until, months) = time(projection, line, when);
    figure.explain(&months, projection.metrics.opening_cash);
    match line.name {
        "netProfit" => figure.explain_profit(&months),
        "franchiseFees" => figure.costs = franchise_fees(&months),
        name if until.is_some() || matches!(name, "ownerLeft" | "netCashFlow") => figure.explain_cash(&months),
        _ => {}
    }
    let share = metrics::find("breakEvenSalesPct").filter(|_| line.name == "breakEvenSales");
    figure.share_of_planned = share.and_then(|metric| Some(metric.show((metric.value)(&projection.metrics)?)));
    let taxes = months.iter().map(|row| row.taxes_paid).sum::<i64>();
    figure.taxes_paid = Some(show_dollars(taxes)).filter(|_| line.name == "dscrAfterOwner" && taxes > 0);
    figure.until_month = until;
    figure
}

/// Whether a value is money that moves within a year.
fn is_amount_of_year(line: &FigureLine, when: When) -> bool {
    matches!(when, When::Year(_)) && line.shape == Shape::Money && line.is_flow()
}

fn base(line: &str, label: &str, when: When) -> LineFigure {
    let (year, month) = match when {
        When::Plan => (None, None),
        When::Year(year) => (Some(year), None),
        When::Month(month) => (None, Some(month)),
    };
    LineFigure {
        line: line.to_owned(),
        label: label.to_owned(),
        year,
        month,
        ..LineFigure::default()
    }
}

fn year_of(when: When) -> When {
    match when {
        When::Month(month) => When::Year(month.div_ceil(12)),
        when => when,
    }
}

/// The five years of a figure that has them, where no time was named.
fn years(projection: &Projection, line: &FigureLine, when: When) -> Vec<String> {
    if !matches!(when, When::Year(_)) {
        return Vec::new();
    }
    let of = |year| {
        line.value(projection, When::Year(year))
            .map_or_else(|| "none".to_owned(), |value| line.show(value))
    };
    (1..=5).map(of).collect()
}

/// The months of a figure's year, one by one, where a month has one.
pub(super) fn months(projection: &Projection, figure: &LineFigure) -> Vec<String> {
    let line = lines::find(&figure.line).or_else(|| own_lines::of(&figure.line));
    let (Some(line), Some(year)) = (line, figure.year) else {
        return Vec::new();
    };
    let of = |row: &MonthRow| {
        line.value(projection, When::Month(row.month))
            .map(|value| line.show(value))
    };
    months_of(projection, year).filter_map(of).collect()
}

/// The months that make a figure. Cash is what all months until then have left of it.
fn time<'p>(projection: &'p Projection, line: &FigureLine, when: When) -> (Option<u32>, Vec<&'p MonthRow>) {
    let until = |month: u32| {
        (
            Some(month),
            projection.monthly.iter().filter(|row| row.month <= month).collect(),
        )
    };
    match (line.name, when) {
        ("cash", When::Month(month)) => until(month),
        ("cash", When::Year(year)) => until(year * 12),
        ("lowestCash", _) => until(projection.metrics.lowest_cash_month),
        ("firstNegativeMonth", _) => {
            let first = projection.monthly.iter().find(|row| row.ending_cash < 0);
            until(first.map_or(60, |row| row.month))
        }
        ("breakEvenMonth", When::Plan) => {
            let first = projection.metrics.break_even_month.unwrap_or(60);
            (
                None,
                projection.monthly.iter().filter(|row| row.month == first).collect(),
            )
        }
        (_, when) => (None, months_in(projection, when)),
    }
}

/// What makes a figure. The parts of cash and of profit add up to it.
trait Explained {
    fn explain(&mut self, months: &[&MonthRow], opening_cash: i64);
    fn explain_cash(&mut self, months: &[&MonthRow]);
    fn explain_profit(&mut self, months: &[&MonthRow]);
}

fn sum(months: &[&MonthRow], read: fn(&MonthRow) -> i64) -> i64 {
    months.iter().map(|row| read(row)).sum()
}

impl Explained for LineFigure {
    fn explain(&mut self, months: &[&MonthRow], opening_cash: i64) {
        let shown = |cents: i64| Some(show_dollars(cents));
        let payments = sum(months, |row| row.interest + row.principal);
        let draws = sum(months, |row| row.owner_draw);
        self.sales = shown(sum(months, |row| row.revenue));
        self.running_costs = shown(sum(months, |row| row.revenue - row.operating_ebitda));
        self.is_short = sum(months, |row| row.operating_ebitda - row.interest - row.principal) < 0;
        self.loan_payments = shown(payments).filter(|_| payments > 0);
        self.draws = shown(draws).filter(|_| draws > 0);
        self.opening_cash = shown(opening_cash);
        let named = costs(months.iter().copied()).into_iter().take(NAMED_COSTS);
        self.costs = named.map(|(line, cents)| part(line.name, line.label, cents)).collect();
    }

    fn explain_cash(&mut self, months: &[&MonthRow]) {
        let timing = sum(months, |row| {
            row.net_cash_flow - (row.operating_ebitda - row.interest - row.principal - row.owner_draw)
        });
        self.timing = Some(show_dollars(timing)).filter(|_| timing != 0);
    }

    fn explain_profit(&mut self, months: &[&MonthRow]) {
        let shown = |cents: i64| Some(show_dollars(cents)).filter(|_| cents != 0);
        self.interest = shown(sum(months, |row| row.interest));
        self.written_off = shown(sum(months, |row| {
            row.depreciation + row.amortization + row.startup_expense
        }));
        self.income_tax = shown(sum(months, |row| row.tax));
    }
}

fn part(line: &str, label: &str, cents: i64) -> FigurePart {
    FigurePart {
        line: line.to_owned(),
        label: label.to_owned(),
        value: show_dollars(cents),
    }
}

fn franchise_fees(months: &[&MonthRow]) -> Vec<FigurePart> {
    const FEES: [&str; 3] = ["royalty", "adFund", "technologyFee"];
    let fees = costs(months.iter().copied())
        .into_iter()
        .filter(|(line, _)| FEES.contains(&line.name));
    fees.map(|(line, cents)| part(line.name, line.label, cents)).collect()
}

/// The months of a time; of the plan as a whole those of its first year.
fn months_in(projection: &Projection, when: When) -> Vec<&MonthRow> {
    match when {
        When::Month(month) => projection.monthly.iter().filter(|row| row.month == month).collect(),
        When::Year(year) => months_of(projection, year).collect(),
        When::Plan => months_of(projection, 1).collect(),
    }
}

/// What profit is less by without being paid then: build-out, equipment, the franchise fee and what is spent before the opening.
fn written_off(projection: &Projection, when: When) -> LineFigure {
    let of = |when: When| {
        let months = months_in(projection, when);
        let parts = ["depreciation", "amortization", "startupExpense"].map(|name| {
            let line = lines::find(name)?;
            let cents: i64 = months
                .iter()
                .filter_map(|row| line.value(projection, When::Month(row.month)))
                .map(Number::to_whole)
                .sum();
            Some((line, cents))
        });
        parts.into_iter().flatten().collect::<Vec<_>>()
    };
    let total = |when: When| of(when).iter().map(|(_, cents)| cents).sum::<i64>();
    let costs = of(when).into_iter().filter(|(_, cents)| *cents > 0);
    LineFigure {
        value: Some(show_dollars(total(when))),
        years: (1..=5).map(|year| show_dollars(total(When::Year(year)))).collect(),
        costs: costs.map(|(line, cents)| part(line.name, line.label, cents)).collect(),
        ..base("writtenOff", "write-offs", when)
    }
}

fn biggest_cost(projection: &Projection, when: When) -> LineFigure {
    let months = months_in(projection, when);
    let mut figure = base("biggestCost", "biggest cost", when);
    figure.explain(&months, projection.metrics.opening_cash);
    figure.value = figure.costs.first().map(|cost| cost.value.clone());
    figure
}

fn startup_costs(ctx: &ToolContext, plan: &Hypothesis<'_>) -> Vec<FigurePart> {
    let fields = ctx
        .brand_version
        .fields
        .iter()
        .filter(|field| field.path.startup_slug().is_some());
    let mut rows: Vec<(i64, &Field)> = fields
        .filter_map(|field| {
            let value = plan.value(&field.path).ok()?;
            Some((value.to_whole(), field))
        })
        .filter(|(cents, _)| *cents > 0)
        .collect();
    rows.sort_by_key(|(cents, _)| std::cmp::Reverse(*cents));
    let named = rows.into_iter().take(NAMED_OPENING);
    named
        .map(|(cents, field)| part(field.path.as_str(), &field.name_in_sentence(), cents))
        .collect()
}

/// What a field costs at a time: its line; of a field that is no cost, its value.
fn of_field(
    ctx: &ToolContext,
    plan: &Hypothesis<'_>,
    projection: &Projection,
    field: &Field,
    when: Option<When>,
) -> Result<LineFigure, ToolError> {
    let mut figure = match own_lines::of(field.path.as_str()) {
        Some(line) => of_line(ctx, plan, projection, line, when.unwrap_or(When::Year(1))),
        None => {
            let value = plan.value(&field.path).map_err(|error| ToolError(error.to_string()))?;
            LineFigure {
                value: Some(field.kind.show(value)),
                ..base("", "", When::Plan)
            }
        }
    };
    // "Annual interest rate in year 2: $26,097" is none: what is paid is interest.
    let is_named_otherwise = ["financing.interestRate", SALES].contains(&field.path.as_str());
    if !is_named_otherwise {
        figure.line = field.path.to_string();
        figure.label = field.name_in_sentence();
    }
    Ok(figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::brand::Brand;
    use plan_model::inputs::FinancialInputs;

    /// Dollars of a figure as people write it, 0 of none.
    fn dollars(shown: Option<&String>) -> f64 {
        let plain: String = shown.into_iter().flat_map(|shown| shown.chars()).collect();
        let number: String = plain.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        let amount: f64 = number.parse().unwrap_or(0.0);
        if plain.starts_with('−') { -amount } else { amount }
    }

    #[test]
    fn what_makes_cash_and_profit_adds_up_to_them() {
        let brand = Brand::demo();
        let inputs = FinancialInputs::from_brand(&brand);
        let projection = plan_engine::project(&inputs, &brand);
        for last in 1..=60 {
            let months: Vec<&MonthRow> = projection.monthly.iter().filter(|row| row.month <= last).collect();
            let mut cash = LineFigure::default();
            cash.explain(&months, projection.metrics.opening_cash);
            cash.explain_cash(&months);
            let added = [&cash.opening_cash, &cash.sales, &cash.timing].map(|part| dollars(part.as_ref()));
            let taken = [&cash.running_costs, &cash.loan_payments, &cash.draws].map(|part| dollars(part.as_ref()));
            let stated = months[months.len() - 1].ending_cash as f64 / 100.0;
            let off = added.iter().sum::<f64>() - taken.iter().sum::<f64>() - stated;
            assert!(off.abs() < 4.0, "month {last}: {off} {cash:?}");
        }
        for year in 1..=5 {
            let months: Vec<&MonthRow> = months_of(&projection, year).collect();
            let mut profit = LineFigure::default();
            profit.explain(&months, projection.metrics.opening_cash);
            profit.explain_profit(&months);
            let parts = [
                &profit.running_costs,
                &profit.interest,
                &profit.written_off,
                &profit.income_tax,
            ];
            let taken: f64 = parts.iter().map(|part| dollars(part.as_ref())).sum();
            let stated = sum(&months, |row| row.net_income) as f64 / 100.0;
            let off = dollars(profit.sales.as_ref()) - taken - stated;
            assert!(off.abs() < 4.0, "year {year}: {off} {profit:?}");
            let written = written_off(&projection, When::Year(year));
            assert_eq!(written.value, profit.written_off, "year {year}");
            let parts: f64 = written.costs.iter().map(|part| dollars(Some(&part.value))).sum();
            assert!((parts - dollars(written.value.as_ref())).abs() < 3.0, "{written:?}");
            let mut left = LineFigure::default();
            left.explain(&months, projection.metrics.opening_cash);
            left.explain_cash(&months);
            let taken = dollars(left.running_costs.as_ref()) + dollars(left.loan_payments.as_ref());
            let line = lines::find("ownerLeft").and_then(|line| line.value(&projection, When::Year(year)));
            let stated = line.map_or(0, Number::to_whole) as f64 / 100.0;
            let off = dollars(left.sales.as_ref()) + dollars(left.timing.as_ref()) - taken - stated;
            assert!(off.abs() < 4.0, "year {year}: {off} {left:?}");
        }
    }
}
