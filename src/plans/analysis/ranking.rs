//! Which of two cases of a plan is the better one by a metric, and which may be named to the franchisee as a way to it
//! (`docs/FINANCIAL-MODEL.md` 7.4).
//!
//! A ratio of earnings to loan payments orders nothing where nothing is earned: the larger the payments, the nearer it comes
//! to zero. There the earnings of the year take its place, and the loan is no way out.

use crate::plans::analysis::{Found, Sought};
use plan_model::field::Field;
use plan_model::metrics::{Better, Metric, MetricKind};
use plan_model::number::Number;
use plan_model::outputs::{AnnualRow, Projection};

/// The section whose fields change who pays for the plan, and not what the business earns.
const FINANCING: &str = "financing";

/// How the cases of one plan are compared by one metric.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'m> {
    sought: Sought<'m>,
    /// The year that a coverage ratio speaks of, from 0.
    year: Option<usize>,
    base: Found,
    base_loan: i64,
}

impl<'m> Ranking<'m> {
    /// `value` is the field's in the plan, where one field is moved.
    pub fn new(sought: Sought<'m>, base: &Projection, value: Number) -> Self {
        let year = match sought {
            Sought::Metric(metric) if metric.is_coverage() => Some(covered_year(metric, &base.annual)),
            _ => None,
        };
        let mut ranking = Self {
            sought,
            year,
            base: Found::default(),
            base_loan: base.metrics.loan_amount,
        };
        ranking.base = ranking.read(value, base);
        ranking
    }

    /// What counts of one case.
    pub fn read(&self, value: Number, projection: &Projection) -> Found {
        let row = self.year.and_then(|year| projection.annual.get(year));
        Found {
            value,
            result: self.sought.value(projection),
            earnings: row.map_or(0, |row| self.earned(row)),
            lowest_cash: projection.metrics.lowest_cash,
            borrows_more: projection.metrics.loan_amount > self.base_loan,
        }
    }

    /// What the metric sets against the loan payments of a year.
    fn earned(&self, row: &AnnualRow) -> i64 {
        if matches!(self.sought, Sought::Metric(metric) if metric.name == "dscrAfterOwnerYear1") {
            row.earned_after_owner()
        } else {
            row.operating_ebitda
        }
    }

    /// The plan itself.
    pub fn base(&self) -> Found {
        self.base
    }

    /// The year, from 1, whose earnings take the metric's place: the plan earns nothing in it that could cover a payment.
    pub fn by_earnings_of(&self) -> Option<usize> {
        let covers_nothing = self.base.result.is_some_and(|result| self.sought.is_uncovered(result));
        self.year.filter(|_| covers_nothing).map(|year| year + 1)
    }

    /// Whether a field is looked at: no loan makes up for earnings that are missing.
    pub fn looks_at(&self, field: &Field) -> bool {
        self.by_earnings_of().is_none() || field.path.section() != FINANCING
    }

    /// How far two cases are apart in what ranks them; `None` where one of them has no result. Equal earnings are told apart
    /// by lowest cash.
    pub fn distance(&self, low: &Found, high: &Found) -> Option<(Number, i64)> {
        if self.by_earnings_of().is_some() {
            let earnings = high.earnings.abs_diff(low.earnings);
            let cash = high.lowest_cash.abs_diff(low.lowest_cash);
            let whole = |amount: u64| i64::try_from(amount).unwrap_or(i64::MAX);
            return Some((Number::whole(whole(earnings)), whole(cash)));
        }
        let effect = high.result?.decimal().saturating_sub(low.result?.decimal());
        Some((Number::new(effect.abs()), 0))
    }

    /// Whether a case is better than the plan by what ranks them.
    pub fn improves(&self, case: &Found) -> bool {
        if self.by_earnings_of().is_some() {
            return case.earnings > self.base.earnings;
        }
        match (case.result, self.base.result, self.sought.better()) {
            (Some(case), Some(base), Some(Better::Higher)) => case > base,
            (Some(case), Some(base), Some(Better::Lower)) => case < base,
            // A month that comes at all is better than one that never comes.
            (Some(_), None, Some(Better::Lower)) => self.sought.kind() == MetricKind::Month,
            _ => false,
        }
    }

    /// Whether a case costs nothing elsewhere: no lower cash, and no larger loan for the sake of coverage.
    pub fn is_harmless(&self, case: &Found) -> bool {
        case.lowest_cash >= self.base.lowest_cash && !(self.year.is_some() && case.borrows_more)
    }

    /// Whether a case may be named: it is better, and costs nothing elsewhere.
    pub fn may_name(&self, case: &Found) -> bool {
        self.improves(case) && self.is_harmless(case)
    }
}

/// The year that a coverage metric speaks of; of the weakest year, the first with that ratio.
fn covered_year(metric: &Metric, annual: &[AnnualRow]) -> usize {
    let named = metric
        .name
        .split_once("Year")
        .and_then(|(_, year)| year.parse::<usize>().ok());
    let weakest = || {
        let ratios = annual.iter().enumerate().filter_map(|(at, row)| Some((row.dscr?, at)));
        ratios.min().map_or(0, |(_, at)| at)
    };
    named.map_or_else(weakest, |year| year.saturating_sub(1))
}

#[cfg(test)]
mod tests;
