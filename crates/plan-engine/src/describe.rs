//! A projection in words, for the model that may quote it but never computes.

use plan_model::brand::Brand;
use plan_model::field::{Field, show_dollars};
use plan_model::inputs::{FieldValue, Source};
use plan_model::metrics::{METRICS, Metric, MetricKind, Metrics};
use plan_model::outputs::{AdvisoryLevel, Item7Position, Projection};
use plan_model::tool_result::{Reference, ReferenceKind, ValueState};

/// The compliance sentence below every answer that shows projected results.
pub const FOOTER: &str = "These projections are yours, based on your assumptions. They are not a statement by the franchisor and actual results will differ.";

/// Metrics that a tool shows and the prompt leaves out, because the prompt is paid for with every request.
const ONLY_BY_TOOL: [&str; 11] = [
    "loanAmount",
    "equityPct",
    "openingCash",
    "dscrYear1",
    "dscrYear2",
    "dscrYear3",
    "dscrYear4",
    "dscrYear5",
    "dscrAfterOwnerYear1",
    "breakEvenSalesMonthly",
    "breakEvenSalesPct",
];

/// The metrics of a prompt that has to be small.
const HEADLINES: [&str; 6] = [
    "totalInvestment",
    "ownerCash",
    "breakEvenMonth",
    "paybackMonth",
    "lowestCash",
    "minDscr",
];

/// The most telling figures, one a line.
pub fn headlines(projection: &Projection) -> String {
    let wanted = METRICS.iter().filter(|metric| HEADLINES.contains(&metric.name));
    let lines = wanted.map(|metric| {
        let mut line = String::new();
        push_line(&mut line, metric, &projection.metrics);
        line
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The key figures, one a line, money in dollars.
pub fn metrics_brief(projection: &Projection) -> String {
    let mut text = String::with_capacity(2 << 10);
    text.push_str("Results of the franchisee's own assumptions over 60 months (month 1 = opening):");
    for metric in METRICS.iter().filter(|metric| !ONLY_BY_TOOL.contains(&metric.name)) {
        text.push('\n');
        push_line(&mut text, metric, &projection.metrics);
    }
    text.push('\n');
    push_item7(&mut text, projection);
    for advisory in &projection.advisories {
        let level = match advisory.level {
            AdvisoryLevel::Ok => continue,
            AdvisoryLevel::Alert => "Alert",
            AdvisoryLevel::Watch => "Watch",
        };
        text.extend(["\n- ", level, ": ", &*advisory.message]);
    }
    text
}

/// Months to reach carry what they mean: break-even and the month from which every month is good sound alike.
fn push_line(text: &mut String, metric: &Metric, metrics: &Metrics) {
    text.extend(["- ", metric.label, ": "]);
    match ((metric.value)(metrics), metric.kind) {
        (Some(value), _) => text.push_str(&metric.show(value)),
        (None, MetricKind::Month) => text.push_str("not within 60 months"),
        (None, _) => text.push_str("none"),
    }
    let is_explained = metric.kind == MetricKind::Month && metric.better.is_some();
    if let Some(meaning) = metric.help.split(';').next().filter(|_| is_explained) {
        text.extend([". ", meaning]);
    }
}

fn push_item7(text: &mut String, projection: &Projection) {
    let item7 = &projection.item7;
    let position = match item7.position {
        Item7Position::Below => "below",
        Item7Position::Within => "within",
        Item7Position::Above => "above",
    };
    let total = show_dollars(item7.plan_total);
    text.extend([
        "- Startup costs of the Item 7 rows: ",
        &*total,
        ", ",
        position,
        " the Item 7 total",
    ]);
}

/// The range a value is held against.
pub fn reference_range(brand: &Brand, field: &Field) -> Option<Reference> {
    let item7 = brand
        .item7_range(&field.path)
        .map(|range| (ReferenceKind::Item7, range.low, range.high));
    let (kind, low, high) = item7.or_else(|| field.soft.map(|soft| (ReferenceKind::Typical, soft.low, soft.high)))?;
    Some(Reference {
        kind,
        low: field.kind.show(low),
        high: field.kind.show(high),
    })
}

/// Who set a value.
pub fn state(value: &FieldValue) -> ValueState {
    match value.source {
        Source::BrandDefault => ValueState::Default,
        Source::UserEntry => ValueState::Yours,
        Source::AiPopulated => ValueState::Advisor,
        Source::Admin(_) => ValueState::Admin,
        Source::Other(_) => ValueState::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project;
    use plan_model::brand::Brand;
    use plan_model::field::FieldPath;
    use plan_model::inputs::FinancialInputs;
    use plan_model::number::Number;

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
    fn the_key_figures_of_the_default_plan() {
        insta::assert_snapshot!(metrics_brief(&with_rent(450_000)), @r"
        Results of the franchisee's own assumptions over 60 months (month 1 = opening):
        - Total investment: $371,500
        - Your cash investment: $91,500
        - Loan payment per month: $3,739.10
        - Sales, year 1: $389,965
        - Break-even month: month 9. The first of three months in a row in which sales pay all costs and the loan payment
        - Covers all costs from: month 14. The month from which sales pay all costs and the loan payment in every month
        - Investment paid back: month 41. The month by which the business has returned the cash you put in
        - Cash to the owner over 5 years: $174,803
        - Return on your cash over 5 years: 91%
        - Lowest cash: $31,821
        - Month of lowest cash: month 8
        - Months with cash below zero: 0
        - Target reserve: $72,476
        - Reserve shortfall: $27,476
        - Loan coverage (DSCR), weakest year: 0.61×
        - Startup costs of the Item 7 rows: $365,000, within the Item 7 total
        - Watch: On your assumptions the five-year return on your cash is 91.04% (reference: 100%).
        - Alert: On your assumptions the lowest yearly debt service coverage is 0.61 (reference: 1.25).
        ");
    }

    #[test]
    fn what_is_never_reached_is_said() {
        insta::assert_snapshot!(metrics_brief(&with_rent(900_000)), @r"
        Results of the franchisee's own assumptions over 60 months (month 1 = opening):
        - Total investment: $371,500
        - Your cash investment: $91,500
        - Loan payment per month: $3,739.10
        - Sales, year 1: $389,965
        - Break-even month: not within 60 months. The first of three months in a row in which sales pay all costs and the loan payment
        - Covers all costs from: month 59. The month from which sales pay all costs and the loan payment in every month
        - Investment paid back: not within 60 months. The month by which the business has returned the cash you put in
        - Cash to the owner over 5 years: −$100,433
        - Return on your cash over 5 years: −209.8%
        - Lowest cash: −$145,433
        - Month of lowest cash: month 60
        - Months with cash below zero: 53
        - Target reserve: $85,976
        - Reserve shortfall: $40,976
        - Loan coverage (DSCR), weakest year: not covered
        - Startup costs of the Item 7 rows: $365,000, within the Item 7 total
        - Alert: On your assumptions there is no break-even within 60 months (reference: by month 18).
        - Alert: On your assumptions the five-year return on your cash is −209.76% (reference: 100%).
        - Alert: On your assumptions cash is below zero at the end of 53 months.
        - Alert: On your assumptions a year's earnings cover none of the loan payments (reference: 1.25).
        ");
    }
}
