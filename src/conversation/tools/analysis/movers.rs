//! What a figure moved by, between two times or two plans: the lines it is made of, those that changed most first.

use crate::conversation::tools::analysis::own_lines::time;
use plan_engine::lines::{self, FigureLine, LINES, When};
use plan_model::field::show_dollars;
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::tool_result::{FigurePart, LineFigure, Moved};

/// Lines that are named.
const NAMED: usize = 5;

/// The lines that profit is less by beside running costs.
const BELOW_EARNINGS: &[&str] = &["startupExpense", "depreciation", "amortization", "interest", "tax"];

/// The lines that move cash beside sales and running costs.
const OF_CASH: &[&str] = &[
    "openingCash",
    "loanPayment",
    "ownerDraw",
    "workingCapitalChange",
    "taxesPaid",
];

/// What changed a figure since an earlier time.
pub(super) fn over_time(projection: &Projection, figure: &LineFigure, since: When) -> Option<Moved> {
    let line = lines::find(&figure.line)?;
    let from = Side::of(projection, line, since);
    let to = Side::of(projection, line, time(figure));
    Some(Moved {
        from: Some(line.show(line.value(projection, since)?)),
        since: match since {
            When::Plan => None,
            When::Year(at) | When::Month(at) => Some(at),
        },
        by: between(line, from, to)?,
        until_month: None,
    })
}

/// What makes the figure of a case another than that of the plan, each with its projection. Lowest cash is of the case's month in both, and
/// break-even of the earlier one, in which only one of them reaches it.
pub(super) fn against_plan(
    (figure, case): (&LineFigure, &Projection),
    (in_plan, plan): (&LineFigure, &Projection),
) -> Option<Moved> {
    let line = lines::find(&figure.line)?;
    let break_even = [case, plan].map(|one| one.metrics.break_even_month.unwrap_or(60));
    let of_month = match line.name {
        "breakEvenMonth" => break_even.into_iter().min(),
        _ => figure.until_month,
    };
    let when = of_month.map_or_else(|| time(figure), When::Month);
    let by = between(line, Side::of(plan, line, when), Side::of(case, line, when))?;
    Some(Moved {
        from: in_plan.value.clone(),
        since: None,
        by,
        until_month: of_month,
    })
}

/// A plan at a time, which is all of some months.
#[derive(Clone, Copy)]
struct Side<'p> {
    projection: &'p Projection,
    first: u32,
    last: u32,
}

impl<'p> Side<'p> {
    /// The months of a time: of the plan as a whole those of its first year, of a balance all until then.
    fn of(projection: &'p Projection, line: &FigureLine, when: When) -> Self {
        let (first, last) = match when {
            When::Month(month) => (month, month),
            When::Year(year) => (year.saturating_mul(12).saturating_sub(11), year.saturating_mul(12)),
            When::Plan => (1, 12),
        };
        let is_balance = matches!(line.name, "cash" | "lowestCash" | "firstNegativeMonth");
        let first = if is_balance { 1 } else { first };
        Self {
            projection,
            first,
            last,
        }
    }

    fn sum(self, line: &FigureLine) -> i64 {
        if !line.is_flow() {
            return line.value(self.projection, When::Plan).map_or(0, Number::to_whole);
        }
        let months = self.first..=self.last;
        let of = |month| {
            line.value(self.projection, When::Month(month))
                .map_or(0, Number::to_whole)
        };
        months.map(of).sum()
    }
}

/// The lines that make a figure; none of one that is no sum of a time's sales and costs.
fn made_of(line: &FigureLine) -> Option<&'static [&'static str]> {
    Some(match line.name {
        "netProfit" | "preTaxIncome" => BELOW_EARNINGS,
        "cash" | "lowestCash" | "firstNegativeMonth" | "netCashFlow" | "dscrAfterOwner" => OF_CASH,
        "ownerLeft" | "payback" => &["loanPayment", "workingCapitalChange", "taxesPaid"],
        "dscr" | "breakEvenMonth" => &["loanPayment"],
        "ebitda" | "valuation" => &[],
        _ => return None,
    })
}

/// What changed from one side to the other of what makes the line, in dollars with their sign; `None` of a line that is not made of such.
fn between(line: &FigureLine, from: Side<'_>, to: Side<'_>) -> Option<Vec<FigurePart>> {
    let part = |(one, cents): (&FigureLine, i64)| FigurePart {
        line: one.name.to_owned(),
        label: one.label.to_owned(),
        value: show_dollars(cents),
    };
    let moved = changes(line, from, to)?.into_iter();
    Some(moved.take(NAMED).map(part).collect())
}

/// All that changed, the most first.
fn changes(line: &FigureLine, from: Side<'_>, to: Side<'_>) -> Option<Vec<(&'static FigureLine, i64)>> {
    let below = made_of(line)?;
    let is_part = |one: &&FigureLine| one.name == "sales" || one.is_cost || below.contains(&one.name);
    let by = |one: &'static FigureLine| (one, to.sum(one).saturating_sub(from.sum(one)));
    let parts = LINES.iter().filter(is_part).map(by);
    let mut moved: Vec<_> = parts.filter(|(_, cents)| *cents != 0).collect();
    moved.sort_by_key(|(_, cents)| std::cmp::Reverse(cents.abs()));
    Some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::brand::Brand;
    use plan_model::inputs::{FinancialInputs, SALES};

    /// What adds to a figure; all else takes from it.
    const ADDS: [&str; 3] = ["sales", "openingCash", "workingCapitalChange"];

    #[test]
    fn what_changed_adds_up_to_the_difference() {
        let brand = Brand::demo();
        let inputs = FinancialInputs::from_brand(&brand);
        let mut fewer = inputs.clone();
        let sales = fewer.0.get_mut(SALES).expect("sales");
        sales.current_value = Number::whole(4_500_000);
        let [plan, case] = [&inputs, &fewer].map(|inputs| plan_engine::project(inputs, &brand));
        let sides = |line, (one, from): (&_, When), (other, to): (&_, When)| {
            let off = |projection: &Projection, when| {
                let value = |line: &FigureLine| line.value(projection, when).map_or(0, Number::to_whole);
                lines::find(line).map_or(0, value)
            };
            let found = lines::find(line).expect("a line");
            let moved = changes(found, Side::of(one, found, from), Side::of(other, found, to)).expect("made of lines");
            let signed = |(part, cents): &(&FigureLine, i64)| if ADDS.contains(&part.name) { *cents } else { -cents };
            (moved.iter().map(signed).sum::<i64>(), off(other, to) - off(one, from))
        };
        for (line, slack) in [("netProfit", 0), ("cash", 0), ("ebitda", 0), ("ownerLeft", 0)] {
            for year in 1..=5 {
                let (added, stated) = sides(line, (&plan, When::Year(year)), (&case, When::Year(year)));
                assert!(
                    (added - stated).abs() <= slack,
                    "{line} of a case in year {year}: {added} {stated}"
                );
                let (added, stated) = sides(line, (&plan, When::Year(1)), (&plan, When::Year(year)));
                assert!(
                    (added - stated).abs() <= slack,
                    "{line} from year 1 to {year}: {added} {stated}"
                );
            }
        }
    }
}
