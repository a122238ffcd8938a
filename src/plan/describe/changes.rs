//! What moved between two runs, in words.

use super::{times, when};
use crate::model::field::show_cents;
use crate::model::number::Number;
use crate::model::outputs::MetricChange;
use crate::plan::words::{percent, whole_dollars};

/// What moved, one metric a line: `Break-even: month 9 -> month 8`.
#[must_use]
pub fn changes_brief(changes: &[MetricChange]) -> String {
    if changes.is_empty() {
        return "No result moves.".to_owned();
    }
    let line = |change: &MetricChange| {
        let (label, show) = metric(change.metric);
        format!("- {label}: {} -> {}", show(change.before), show(change.after))
    };
    changes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A metric's words and how its values are written.
fn metric(name: &'static str) -> (&'static str, fn(Option<Number>) -> String) {
    match name {
        "totalInvestment" => ("Total investment", money),
        "loanAmount" => ("Loan", money),
        "ownerCash" => ("Owner's cash", money),
        "equityPct" => ("Owner's share of the investment", share),
        "monthlyPayment" => ("Loan payment a month", payment),
        "openingCash" => ("Cash on opening day", money),
        "projectedAnnualRevenueYear1" => ("Sales in year 1", money),
        "breakEvenMonth" => ("Break-even (first of three good months in a row)", when),
        "stableFromMonth" => ("Stable (no month falls short any more)", when),
        "paybackMonth" => ("Payback", when),
        "fiveYearOwnerCashFlow" => ("Cash to the owner over five years, before draws", money),
        "fiveYearRoiPct" => ("Five-year return on the owner's cash", share),
        "lowestCash" => ("Lowest cash", money),
        "lowestCashMonth" => ("Month of the lowest cash", when),
        "monthsNegative" => ("Months with cash below zero", count),
        "reserveTarget" => ("Reserve aimed for", money),
        "reserveGap" => ("Short of that reserve by", money),
        "dscrYear1" => ("DSCR year 1", times),
        "dscrYear2" => ("DSCR year 2", times),
        "dscrYear3" => ("DSCR year 3", times),
        "dscrYear4" => ("DSCR year 4", times),
        "dscrYear5" => ("DSCR year 5", times),
        "minDscr" => ("Lowest DSCR", times),
        other => (other, count),
    }
}

fn money(cents: Option<Number>) -> String {
    cents.map_or("none".to_owned(), |cents| whole_dollars(cents.to_whole()))
}

fn payment(cents: Option<Number>) -> String {
    cents.map_or("interest only".to_owned(), |cents| show_cents(cents.to_whole()))
}

fn share(ratio: Option<Number>) -> String {
    ratio.map_or("none".to_owned(), percent)
}

fn count(value: Option<Number>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::brand::Brand;
    use crate::model::field::FieldPath;
    use crate::model::inputs::FinancialInputs;
    use crate::model::outputs::{Metrics, Projection};
    use crate::plan::{project, update};
    use time::OffsetDateTime;

    fn with_rent(cents: i64) -> Projection {
        let brand = Brand::demo();
        let mut inputs = FinancialInputs::from_brand(&brand);
        let rent = inputs
            .0
            .get_mut(&FieldPath::from_static("operatingCosts.rentMonthly"))
            .expect("a field of the plan");
        rent.current_value = Number::whole(cents);
        project(&inputs, &brand)
    }

    #[test]
    fn what_a_lower_rent_moves() {
        let (before, after) = (with_rent(450_000), with_rent(420_000));
        let updated = update(Some(&before.metrics), &after, OffsetDateTime::UNIX_EPOCH);
        insta::assert_snapshot!(changes_brief(&updated.changes), @r"
        - Break-even (first of three good months in a row): month 9 -> month 8
        - Payback: month 42 -> month 39
        - Cash to the owner over five years, before draws: $168,407 -> $183,719
        - Five-year return on the owner's cash: 84.05% -> 100.79%
        - Lowest cash: $24,921 -> $27,321
        - Reserve aimed for: $72,476 -> $71,576
        - Short of that reserve by: $27,476 -> $26,576
        - DSCR year 1: 0.61 -> 0.69
        - DSCR year 2: 1.70 -> 1.78
        - DSCR year 3: 2.10 -> 2.19
        - DSCR year 4: 2.21 -> 2.30
        - DSCR year 5: 2.30 -> 2.39
        - Lowest DSCR: 0.61 -> 0.69
        ");
        assert_eq!(changes_brief(&[]), "No result moves.");
    }

    #[test]
    fn every_metric_has_words() {
        let names = serde_json::to_value(Metrics::default()).expect("metrics are JSON");
        for name in names.as_object().expect("an object").keys() {
            let name: &'static str = name.clone().leak();
            assert_ne!(metric(name).0, name);
        }
    }
}
