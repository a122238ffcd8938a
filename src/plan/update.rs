//! What a turn or an edit says about the projection (`financial-model` 3.8).

use super::engine::ENGINE_VERSION;
use crate::model::number::Number;
use crate::model::outputs::{MetricChange, Metrics, Projection, UpdatedOutputs};
use time::OffsetDateTime;

/// The projection without its months, with what moved since `before`. Nothing moved where there was none.
#[must_use]
pub fn update(before: Option<&Metrics>, after: &Projection, computed_at: OffsetDateTime) -> UpdatedOutputs {
    UpdatedOutputs {
        computed_at,
        engine_version: ENGINE_VERSION,
        metrics: after.metrics,
        annual: after.annual.iter().map(Into::into).collect(),
        item7: after.item7,
        checks: after.checks.clone(),
        advisories: after.advisories.clone(),
        changes: before.map(|before| changes(before, &after.metrics)).unwrap_or_default(),
    }
}

fn changes(before: &Metrics, after: &Metrics) -> Vec<MetricChange> {
    let pairs = entries(before).into_iter().zip(entries(after));
    let moved = pairs.filter(|((_, before), (_, after))| before != after);
    moved
        .map(|((metric, before), (_, after))| MetricChange { metric, before, after })
        .collect()
}

/// All metrics by the names they have in JSON; a test compares the two.
fn entries(metrics: &Metrics) -> [(&'static str, Option<Number>); 23] {
    let whole = |value: i64| Some(Number::whole(value));
    let month = |month: Option<u32>| month.map(|month| Number::whole(month.into()));
    [
        ("totalInvestment", whole(metrics.total_investment)),
        ("loanAmount", whole(metrics.loan_amount)),
        ("ownerCash", whole(metrics.owner_cash)),
        ("equityPct", metrics.equity_pct),
        ("monthlyPayment", metrics.monthly_payment.map(Number::whole)),
        ("openingCash", whole(metrics.opening_cash)),
        (
            "projectedAnnualRevenueYear1",
            whole(metrics.projected_annual_revenue_year1),
        ),
        ("breakEvenMonth", month(metrics.break_even_month)),
        ("stableFromMonth", month(metrics.stable_from_month)),
        ("paybackMonth", month(metrics.payback_month)),
        ("fiveYearOwnerCashFlow", whole(metrics.five_year_owner_cash_flow)),
        ("fiveYearRoiPct", metrics.five_year_roi_pct),
        ("lowestCash", whole(metrics.lowest_cash)),
        ("lowestCashMonth", month(Some(metrics.lowest_cash_month))),
        ("monthsNegative", month(Some(metrics.months_negative))),
        ("reserveTarget", whole(metrics.reserve_target)),
        ("reserveGap", whole(metrics.reserve_gap)),
        ("dscrYear1", metrics.dscr_year1),
        ("dscrYear2", metrics.dscr_year2),
        ("dscrYear3", metrics.dscr_year3),
        ("dscrYear4", metrics.dscr_year4),
        ("dscrYear5", metrics.dscr_year5),
        ("minDscr", metrics.min_dscr),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::brand::Brand;
    use crate::model::field::FieldPath;
    use crate::model::inputs::FinancialInputs;
    use crate::plan::project;
    use serde_json::json;

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
    fn every_metric_is_watched_under_its_json_name() {
        let metrics = with_rent(420_000).metrics;
        let watched: serde_json::Map<_, _> = entries(&metrics)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect();
        assert_eq!(json!(watched), json!(metrics));
    }

    #[test]
    fn only_what_moved_is_a_change() {
        let (before, after) = (with_rent(450_000), with_rent(420_000));
        let updated = update(Some(&before.metrics), &after, OffsetDateTime::UNIX_EPOCH);
        let break_even = updated.changes.iter().find(|change| change.metric == "breakEvenMonth");
        assert_eq!(
            break_even,
            Some(&MetricChange {
                metric: "breakEvenMonth",
                before: Some(Number::whole(9)),
                after: Some(Number::whole(8))
            })
        );
        assert!(updated.changes.iter().all(|change| change.before != change.after));
        assert!(updated.changes.iter().all(|change| change.metric != "loanAmount"));
        assert_eq!(updated.annual.len(), 5);
    }

    #[test]
    fn nothing_moved_and_nothing_before_are_no_changes() {
        let same = with_rent(420_000);
        assert_eq!(
            update(Some(&same.metrics), &same, OffsetDateTime::UNIX_EPOCH).changes,
            []
        );
        assert_eq!(update(None, &same, OffsetDateTime::UNIX_EPOCH).changes, []);
    }
}
