//! Which line of the projection a field's cost is.

use plan_engine::lines::{self, FigureLine, When};
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::tool_result::LineFigure;

/// Fields whose cost is a line of its own.
const OWN_LINES: [(&str, &str); 25] = [
    ("revenue.monthlyAuv", "sales"),
    ("operatingCosts.cogsPct", "materials"),
    ("operatingCosts.laborPct", "directLabor"),
    ("operatingCosts.payrollTaxPct", "payrollTax"),
    ("operatingCosts.royaltyPct", "royalty"),
    ("operatingCosts.royaltyMinimumMonthly", "royalty"),
    ("operatingCosts.adFundPct", "adFund"),
    ("operatingCosts.marketingPct", "marketing"),
    ("operatingCosts.localMarketingMinimumMonthly", "marketing"),
    ("operatingCosts.merchantFeePct", "merchantFees"),
    ("operatingCosts.rentMonthly", "rent"),
    ("operatingCosts.utilitiesMonthly", "utilities"),
    ("operatingCosts.insuranceMonthly", "insurance"),
    ("operatingCosts.telecomItMonthly", "telecomIt"),
    ("operatingCosts.vehicleMonthly", "vehicles"),
    ("operatingCosts.maintenanceMonthly", "maintenance"),
    ("operatingCosts.technologyFeeMonthly", "technologyFee"),
    ("operatingCosts.suppliesMonthly", "supplies"),
    ("operatingCosts.professionalFeesMonthly", "professionalFees"),
    ("operatingCosts.otherMonthly", "otherFixed"),
    ("operatingCosts.managementSalariesAnnual", "managementSalaries"),
    ("operatingCosts.ownerSalaryAnnual", "ownerSalary"),
    ("operatingCosts.otherOpexPct", "otherOpex"),
    ("financing.interestRate", "interest"),
    ("profitabilityAndDistributions.ownerDrawMonthly", "ownerDraw"),
];

/// The line that a field's value makes, where it has one.
pub(super) fn of(path: &str) -> Option<&'static FigureLine> {
    let (_, line) = OWN_LINES.iter().find(|(own, _)| *own == path)?;
    lines::find(line)
}

/// What a figure that was found counts, where it is one of a line.
pub(super) fn number(projection: &Projection, found: &LineFigure) -> Option<Number> {
    let when = match (found.year, found.month) {
        (Some(year), _) => When::Year(year),
        (None, Some(month)) => When::Month(month),
        (None, None) => When::Plan,
    };
    let line = lines::find(&found.line).or_else(|| of(&found.line))?;
    line.value(projection, when)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::field::{Kind, catalogue};

    #[test]
    fn each_cost_in_dollars_has_a_line_of_its_own() {
        for (path, line) in OWN_LINES {
            assert!(catalogue().iter().any(|field| field.path.as_str() == path), "{path}");
            assert!(lines::find(line).is_some_and(FigureLine::is_flow), "{line}");
        }
        let costs = catalogue()
            .iter()
            .filter(|field| field.path.section() == "operatingCosts");
        for field in costs.filter(|field| field.kind == Kind::Money) {
            let path = field.path.as_str();
            assert!(OWN_LINES.iter().any(|(own, _)| *own == path), "{path}");
        }
    }
}
