//! A projection in words, for the model that may quote it but never computes.
//!
//! Two metrics sound alike and are not: break-even is the *first* month that starts three good ones, stable is the month
//! from which *every* one is good. Both are always named in full.

use super::words::{percent, whole_dollars};
use crate::model::field::show_cents;
use crate::model::number::Number;
use crate::model::outputs::{AdvisoryLevel, AnnualRow, Item7Position, Metrics, Projection};

mod changes;

pub use changes::changes_brief;

/// The key figures, one a line, money in dollars.
#[must_use]
pub fn metrics_brief(projection: &Projection) -> String {
    let metrics = &projection.metrics;
    let mut lines = vec!["Results of the franchisee's own assumptions over 60 months (month 1 = opening):".to_owned()];
    lines.extend(money_lines(metrics));
    lines.extend(month_lines(metrics));
    lines.push(coverage(metrics));
    lines.push(item7(projection));
    let speaking = projection
        .advisories
        .iter()
        .filter(|advisory| advisory.level != AdvisoryLevel::Ok);
    lines.extend(speaking.map(|advisory| match advisory.level {
        AdvisoryLevel::Alert => format!("- Alert: {}", advisory.message),
        AdvisoryLevel::Watch | AdvisoryLevel::Ok => format!("- Watch: {}", advisory.message),
    }));
    lines.join("\n")
}

fn money_lines(metrics: &Metrics) -> [String; 5] {
    let share = metrics.equity_pct.map_or(String::new(), |share| {
        format!(" ({} of the investment)", percent(share))
    });
    let returned = metrics.five_year_roi_pct.map_or(String::new(), |roi| {
        format!(", a return of {} on the owner's cash", percent(roi))
    });
    [
        format!(
            "- Total investment {}; loan {}, owner's cash {}{share}",
            whole_dollars(metrics.total_investment),
            whole_dollars(metrics.loan_amount),
            whole_dollars(metrics.owner_cash),
        ),
        match metrics.monthly_payment {
            Some(payment) => format!("- Loan payment {} a month", show_cents(payment)),
            None => "- Loan without a term: interest only".to_owned(),
        },
        format!(
            "- Cash on opening day {}; reserve aimed for {}, short of it by {}",
            whole_dollars(metrics.opening_cash),
            whole_dollars(metrics.reserve_target),
            whole_dollars(metrics.reserve_gap),
        ),
        format!(
            "- Sales in year 1 {}",
            whole_dollars(metrics.projected_annual_revenue_year1)
        ),
        format!(
            "- Cash to the owner over five years, before draws, {}{returned}",
            whole_dollars(metrics.five_year_owner_cash_flow)
        ),
    ]
}

fn month_lines(metrics: &Metrics) -> [String; 4] {
    let below = match metrics.months_negative {
        0 => "never below zero".to_owned(),
        1 => "below zero in 1 month".to_owned(),
        months => format!("below zero in {months} months"),
    };
    [
        format!(
            "- Break-even, the first of three months in a row that cover all costs and the loan payment: {}",
            month(metrics.break_even_month)
        ),
        format!(
            "- Stable, the month from which no month falls short any more: {}",
            month(metrics.stable_from_month)
        ),
        format!(
            "- Payback, the month by which the owner's cash has come back: {}",
            month(metrics.payback_month)
        ),
        format!(
            "- Lowest cash {} in month {}; {below}",
            whole_dollars(metrics.lowest_cash),
            metrics.lowest_cash_month
        ),
    ]
}

fn coverage(metrics: &Metrics) -> String {
    if metrics.min_dscr.is_none() {
        return "- Debt service coverage (DSCR): no loan payments".to_owned();
    }
    let years = [
        metrics.dscr_year1,
        metrics.dscr_year2,
        metrics.dscr_year3,
        metrics.dscr_year4,
        metrics.dscr_year5,
    ];
    let years: Vec<_> = years
        .into_iter()
        .zip(1..)
        .map(|(dscr, year)| format!("year {year} {}", times(dscr)))
        .collect();
    format!("- Debt service coverage (DSCR): {}", years.join(", "))
}

fn item7(projection: &Projection) -> String {
    let item7 = &projection.item7;
    let position = match item7.position {
        Item7Position::Below => "below",
        Item7Position::Within => "within",
        Item7Position::Above => "above",
    };
    format!(
        "- Startup costs of the Item 7 rows {}, {position} the disclosed {} to {}",
        whole_dollars(item7.plan_total),
        whole_dollars(item7.low),
        whole_dollars(item7.high),
    )
}

/// The five years, one a line.
#[must_use]
pub fn annual_brief(projection: &Projection) -> String {
    let lines: Vec<_> = projection.annual.iter().map(year).collect();
    lines.join("\n")
}

fn year(row: &AnnualRow) -> String {
    format!(
        "Year {}: sales {}, gross profit {}, EBITDA {}, operating EBITDA (without startup expense) {}, interest {}, principal {}, \
         pre-tax income {}, net income {}, owner draw {}, cash at its end {}, loan left {}, DSCR {}, sales that cover its costs {}",
        row.year,
        whole_dollars(row.revenue),
        whole_dollars(row.gross_profit),
        whole_dollars(row.ebitda),
        whole_dollars(row.operating_ebitda),
        whole_dollars(row.interest),
        whole_dollars(row.principal),
        whole_dollars(row.pre_tax_income),
        whole_dollars(row.net_income),
        whole_dollars(row.owner_draw),
        whole_dollars(row.ending_cash),
        whole_dollars(row.loan_balance),
        times(row.dscr),
        row.break_even_revenue.map_or("none".to_owned(), whole_dollars),
    )
}

/// One month in a line; `None` outside of 1 to 60.
#[must_use]
pub fn month_brief(projection: &Projection, month: u32) -> Option<String> {
    let row = projection.monthly.iter().find(|row| row.month == month)?;
    Some(format!(
        "Month {month}: sales {}, gross profit {}, direct labor {}, operating expenses {}, operating EBITDA {}, interest {}, \
         principal {}, tax {}, net income {}, owner draw {}, cash at its end {}, loan left {}",
        whole_dollars(row.revenue),
        whole_dollars(row.gross_profit),
        whole_dollars(row.direct_labor),
        whole_dollars(row.operating_expenses),
        whole_dollars(row.operating_ebitda),
        whole_dollars(row.interest),
        whole_dollars(row.principal),
        whole_dollars(row.tax),
        whole_dollars(row.net_income),
        whole_dollars(row.owner_draw),
        whole_dollars(row.ending_cash),
        whole_dollars(row.loan_balance),
    ))
}

fn times(ratio: Option<Number>) -> String {
    ratio.map_or("none".to_owned(), |ratio| format!("{:.2}", ratio.decimal()))
}

fn when(month: Option<Number>) -> String {
    month.map_or("not within 60 months".to_owned(), |month| format!("month {month}"))
}

fn month(value: Option<u32>) -> String {
    when(value.map(|month| Number::whole(month.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::brand::Brand;
    use crate::model::field::FieldPath;
    use crate::model::inputs::FinancialInputs;
    use crate::plan::project;

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
        - Total investment $371,500; loan $280,000, owner's cash $91,500 (24.63% of the investment)
        - Loan payment $3,739.10 a month
        - Cash on opening day $45,000; reserve aimed for $72,476, short of it by $27,476
        - Sales in year 1 $389,965
        - Cash to the owner over five years, before draws, $168,407, a return of 84.05% on the owner's cash
        - Break-even, the first of three months in a row that cover all costs and the loan payment: month 9
        - Stable, the month from which no month falls short any more: month 14
        - Payback, the month by which the owner's cash has come back: month 42
        - Lowest cash $24,921 in month 8; never below zero
        - Debt service coverage (DSCR): year 1 0.61, year 2 1.70, year 3 2.10, year 4 2.21, year 5 2.30
        - Startup costs of the Item 7 rows $365,000, within the disclosed $268,900 to $514,500
        - Watch: On your assumptions the five-year return on your cash is 84.05% (reference: 100%).
        - Alert: On your assumptions the lowest yearly debt service coverage is 0.61 (reference: 1.25).
        ");
    }

    #[test]
    fn what_is_never_reached_is_said() {
        insta::assert_snapshot!(metrics_brief(&with_rent(900_000)), @r"
        Results of the franchisee's own assumptions over 60 months (month 1 = opening):
        - Total investment $371,500; loan $280,000, owner's cash $91,500 (24.63% of the investment)
        - Loan payment $3,739.10 a month
        - Cash on opening day $45,000; reserve aimed for $85,976, short of it by $40,976
        - Sales in year 1 $389,965
        - Cash to the owner over five years, before draws, -$107,333, a return of -217.3% on the owner's cash
        - Break-even, the first of three months in a row that cover all costs and the loan payment: not within 60 months
        - Stable, the month from which no month falls short any more: month 59
        - Payback, the month by which the owner's cash has come back: not within 60 months
        - Lowest cash -$152,333 in month 60; below zero in 55 months
        - Debt service coverage (DSCR): year 1 -0.60, year 2 0.46, year 3 0.83, year 4 0.90, year 5 0.94
        - Startup costs of the Item 7 rows $365,000, within the disclosed $268,900 to $514,500
        - Alert: On your assumptions there is no break-even within 60 months (reference: by month 18).
        - Alert: On your assumptions the five-year return on your cash is -217.3% (reference: 100%).
        - Alert: On your assumptions cash is below zero at the end of 55 months.
        - Alert: On your assumptions the lowest yearly debt service coverage is -0.60 (reference: 1.25).
        ");
    }

    #[test]
    fn years_and_months_in_a_line_each() {
        let projection = with_rent(450_000);
        assert_eq!(annual_brief(&projection).lines().count(), 5);
        insta::assert_snapshot!(annual_brief(&projection).lines().next().unwrap_or_default(), @"Year 1: sales $389,965, gross profit $327,570, EBITDA -$18,946, operating EBITDA (without startup expense) $27,154, interest $27,918, principal $16,951, pre-tax income -$80,667, net income -$80,667, owner draw $0, cash at its end $32,305, loan left $263,049, DSCR 0.61, sales that cover its costs $468,220");
        insta::assert_snapshot!(month_brief(&projection, 12).unwrap_or_default(), @"Month 12: sales $44,694, gross profit $37,543, direct labor $16,984, operating expenses $17,367, operating EBITDA $7,034, interest $2,260, principal $1,480, tax $0, net income -$1,884, owner draw $0, cash at its end $32,305, loan left $263,049");
        assert_eq!(
            (month_brief(&projection, 0), month_brief(&projection, 61)),
            (None, None)
        );
    }
}
