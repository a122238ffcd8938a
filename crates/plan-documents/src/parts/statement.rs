//! Lines of statements over years, months and quarters. What is subtracted is printed with a minus sign, so that a column adds up to
//! its totals as it stands.

use crate::figures::amount;
use crate::sheets::Row;
use crate::texts::Texts;
use plan_engine::lines::{self, When};
use plan_model::number::Number;
use plan_model::outputs::Projection;

/// What a line is to the column that it stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Adds.
    Plus,
    /// Is subtracted.
    Minus,
    /// What those above it give.
    Total,
}

use Sign::{Minus, Plus, Total};

/// From sales to operating profit.
pub(super) const OPERATING: &[(&str, Sign)] = &[
    ("sales", Plus),
    ("materials", Minus),
    ("royalty", Minus),
    ("adFund", Minus),
    ("grossProfit", Total),
    ("directLabor", Minus),
    ("contribution", Total),
    ("rent", Minus),
    ("utilities", Minus),
    ("insurance", Minus),
    ("telecomIt", Minus),
    ("vehicles", Minus),
    ("maintenance", Minus),
    ("marketing", Minus),
    ("merchantFees", Minus),
    ("managementSalaries", Minus),
    ("ownerSalary", Minus),
    ("payrollTax", Minus),
    ("technologyFee", Minus),
    ("supplies", Minus),
    ("professionalFees", Minus),
    ("otherFixed", Minus),
    ("otherOpex", Minus),
    ("ebitda", Total),
];

/// From operating profit to net income.
pub(super) const BELOW_OPERATING: &[(&str, Sign)] = &[
    ("startupExpense", Minus),
    ("ebitdaAfterStartup", Total),
    ("depreciation", Minus),
    ("amortization", Minus),
    ("interest", Minus),
    ("preTaxIncome", Total),
    ("tax", Minus),
    ("netProfit", Total),
];

/// From operating profit to cash.
pub(super) const CASH: &[(&str, Sign)] = &[
    ("interest", Minus),
    ("taxesPaid", Minus),
    ("workingCapitalChange", Plus),
    ("operatingCashFlow", Total),
    ("principal", Minus),
    ("ownerDraw", Minus),
    ("netCashFlow", Total),
    ("beginningCash", Plus),
    ("cash", Total),
];

/// Years and months of a projection, or three months that follow each other.
#[derive(Clone, Copy)]
pub(super) enum Period {
    Year(u32),
    Month(u32),
    /// Of a year, from 1.
    Quarter(u32, u32),
}

/// Cents of a line over a period; as the engine has them, or the sum of three of its months.
pub(super) fn cents(projection: &Projection, name: &str, period: Period) -> i64 {
    let Some(line) = lines::find(name) else { return 0 };
    let of = |when| line.value(projection, when).map_or(0, Number::to_whole);
    match period {
        Period::Year(year) => of(When::Year(year)),
        Period::Month(month) => of(When::Month(month)),
        Period::Quarter(year, quarter) => {
            let first = (year - 1) * 12 + (quarter - 1) * 3 + 1;
            if line.is_flow() {
                return (first..first + 3).map(|month| of(When::Month(month))).sum();
            }
            // Cash at the beginning stands in the first month, all other balances in the last.
            of(When::Month(if name == "beginningCash" { first } else { first + 2 }))
        }
    }
}

/// The rows of some lines. A line that is nothing in all of the periods is left out, unless it is a total.
pub(super) fn rows(projection: &Projection, lines: &[(&str, Sign)], periods: &[Period], texts: Texts) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, sign) in lines {
        let figures: Vec<i64> = periods.iter().map(|period| cents(projection, name, *period)).collect();
        let is_kept = *sign == Total || *name == "sales" || *name == "beginningCash";
        if !is_kept && figures.iter().all(|cents| *cents == 0) {
            continue;
        }
        let shown = figures.iter().map(|cents| match sign {
            Minus => amount(-cents),
            Plus | Total => amount(*cents),
        });
        let cells = std::iter::once(texts.line(name)).chain(shown).collect();
        rows.push(match sign {
            Total => Row::total(cells),
            Plus | Minus => Row::line(cells),
        });
    }
    rows
}
