//! Plans whose results are weak.

use plan_model::metrics::Metrics;
use plan_model::number::Number;

/// Loan coverage of year 1 below it is weak; in millionths.
const WEAK_COVERAGE: i64 = 1_150_000;

/// Whether the cash put in does not come back within 60 months, year 1 barely covers the loan, or five years return less than
/// was put in.
pub fn is_weak(metrics: &Metrics) -> bool {
    weak_metric(metrics).is_some()
}

/// The metric that a weak plan is looked at by: the one that is weak, or the cash that pays the investment back.
pub fn weak_metric(metrics: &Metrics) -> Option<&'static str> {
    let is_uncovered = metrics
        .dscr_year1
        .is_some_and(|coverage| coverage < Number::millionths(WEAK_COVERAGE));
    let is_loss = metrics.five_year_roi_pct.is_some_and(|roi| roi < Number::ZERO);
    match () {
        () if is_uncovered => Some("dscrYear1"),
        () if is_loss => Some("fiveYearRoiPct"),
        () if metrics.payback_month.is_none() => Some("fiveYearOwnerCashFlow"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::field::find;

    fn strong() -> Metrics {
        Metrics {
            dscr_year1: Some(Number::millionths(WEAK_COVERAGE)),
            five_year_roi_pct: Some(Number::ZERO),
            payback_month: Some(60),
            ..Metrics::default()
        }
    }

    #[test]
    fn fees_of_the_franchisor_and_sales_are_not_the_franchisees_to_decide() {
        for path in [
            "operatingCosts.royaltyPct",
            "operatingCosts.adFundPct",
            "revenue.monthlyAuv",
            "startupCosts.franchiseFee",
        ] {
            assert!(!find(path).expect("a field").controlled, "{path}");
        }
        for path in [
            "operatingCosts.rentMonthly",
            "operatingCosts.laborPct",
            "financing.loanAmount",
            "startupCosts.signage",
        ] {
            assert!(find(path).expect("a field").controlled, "{path}");
        }
    }

    #[test]
    fn a_plan_is_weak_by_coverage_by_return_or_by_payback() {
        assert_eq!(weak_metric(&strong()), None);
        let uncovered = Metrics {
            dscr_year1: Some(Number::millionths(WEAK_COVERAGE - 1)),
            ..strong()
        };
        assert_eq!(weak_metric(&uncovered), Some("dscrYear1"));
        let loss = Metrics {
            five_year_roi_pct: Some(Number::millionths(-1)),
            ..strong()
        };
        assert_eq!(weak_metric(&loss), Some("fiveYearRoiPct"));
        let late = Metrics {
            payback_month: None,
            ..strong()
        };
        assert_eq!(weak_metric(&late), Some("fiveYearOwnerCashFlow"));
        // Without a loan there is nothing to cover.
        assert_eq!(
            weak_metric(&Metrics {
                dscr_year1: None,
                ..strong()
            }),
            None
        );
    }
}
