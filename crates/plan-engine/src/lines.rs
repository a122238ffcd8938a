//! Every figure of a projection by name: of a month, of a year, of the plan as a whole.
//!
//! The one list behind what the advisor is asked: a new figure is one row here.

use plan_model::metrics::{self, Metric};
use plan_model::number::{Number, quotient};
use plan_model::outputs::{AnnualRow, MonthRow, Projection};
use rust_decimal::Decimal;
use std::ops::RangeInclusive;

/// Years and months that a projection has.
const YEARS: RangeInclusive<u32> = 1..=5;
const MONTHS: RangeInclusive<u32> = 1..=60;

/// What a figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// The plan as a whole.
    Plan,
    /// A year, from 1.
    Year(u32),
    /// A month, from 1.
    Month(u32),
}

impl When {
    /// Whether the projection reaches so far.
    pub fn is_projected(self) -> bool {
        match self {
            Self::Plan => true,
            Self::Year(year) => YEARS.contains(&year),
            Self::Month(month) => MONTHS.contains(&month),
        }
    }
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Whole cents.
    Money,
    /// A ratio of earnings to loan payments.
    Coverage,
    /// A month of the plan.
    Month,
}

/// Where a figure is read.
#[derive(Debug, Clone, Copy)]
enum Reading {
    /// Moves within a month; a year has the sum.
    Flow(fn(&MonthRow) -> i64),
    /// Stands at the end of a month or a year.
    Balance(fn(&MonthRow) -> i64),
    /// Of years only.
    Annual(fn(&AnnualRow) -> Option<Number>),
    /// Of the plan only.
    Whole(fn(&Projection) -> Option<Number>),
}

/// One figure.
#[derive(Debug, Clone, Copy)]
pub struct FigureLine {
    /// What a question names.
    pub name: &'static str,
    /// Inside a sentence.
    pub label: &'static str,
    /// How its value is written.
    pub shape: Shape,
    /// One of the costs that sales have to pay, before the loan.
    pub is_cost: bool,
    /// Of the plan as a whole, where the plan has one.
    metric: Option<&'static str>,
    reading: Reading,
}

const fn line(name: &'static str, label: &'static str, reading: Reading) -> FigureLine {
    FigureLine {
        name,
        label,
        shape: Shape::Money,
        is_cost: false,
        metric: None,
        reading,
    }
}

impl FigureLine {
    const fn cost(self) -> Self {
        Self { is_cost: true, ..self }
    }

    const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    const fn metric(self, metric: &'static str) -> Self {
        Self {
            metric: Some(metric),
            ..self
        }
    }

    /// Whether it moves within a month, so that a year has the sum.
    pub const fn is_flow(&self) -> bool {
        matches!(self.reading, Reading::Flow(_))
    }

    /// What it is where neither a year nor a month is named: of the plan, of year 1, or at the end of the five years.
    pub fn usual(&self) -> When {
        match self.reading {
            Reading::Whole(_) => When::Plan,
            _ if self.metric.is_some() => When::Plan,
            Reading::Flow(_) | Reading::Annual(_) => When::Year(1),
            Reading::Balance(_) => When::Year(5),
        }
    }

    /// Its value; `None` where there is none, or none of this time.
    pub fn value(&self, projection: &Projection, when: When) -> Option<Number> {
        match (when, self.reading) {
            (When::Plan, Reading::Whole(read)) => read(projection),
            (When::Plan, _) => (metrics::find(self.metric?)?.value)(&projection.metrics),
            (_, Reading::Whole(_)) => None,
            (When::Year(year), Reading::Annual(read)) => read(projection.annual.get(year.checked_sub(1)? as usize)?),
            (When::Month(_), Reading::Annual(_)) => None,
            (When::Year(year), Reading::Balance(read)) => {
                Some(Number::whole(read(month(projection, year.checked_mul(12)?)?)))
            }
            (When::Month(at), Reading::Balance(read) | Reading::Flow(read)) => {
                Some(Number::whole(read(month(projection, at)?)))
            }
            (When::Year(year), Reading::Flow(read)) => YEARS
                .contains(&year)
                .then(|| Number::whole(months_of(projection, year).map(read).sum())),
        }
    }

    /// A value in words, as the page writes it.
    pub fn show(&self, value: Number) -> String {
        let written_as = |name: &str| metrics::find(name).map(|metric: &Metric| metric.show(value));
        let like = match self.shape {
            Shape::Money if self.name == "loanPayment" => "monthlyPayment",
            Shape::Money => "lowestCash",
            Shape::Coverage => "minDscr",
            Shape::Month => "breakEvenMonth",
        };
        written_as(like).unwrap_or_default()
    }
}

fn month(projection: &Projection, month: u32) -> Option<&MonthRow> {
    projection.monthly.get(month.checked_sub(1)? as usize)
}

/// The months of a year, from 1.
pub fn months_of(projection: &Projection, year: u32) -> impl Iterator<Item = &MonthRow> + Clone {
    projection.monthly.iter().filter(move |row| row.year == year)
}

/// What a month leaves the owner before draws.
fn owner_cash(row: &MonthRow) -> i64 {
    row.operating_cash_flow - row.principal
}

fn after_owner(row: &AnnualRow) -> Option<Number> {
    let payments = row.principal + row.interest;
    let left = Decimal::from(row.operating_ebitda - row.owner_draw);
    (payments > 0).then(|| Number::new(quotient(left, Decimal::from(payments))).round(4))
}

fn first_negative(projection: &Projection) -> Option<Number> {
    let first = projection.monthly.iter().find(|row| row.ending_cash < 0)?;
    Some(Number::whole(first.month.into()))
}

/// The figures, in the order of a profit-and-loss statement.
pub const LINES: &[FigureLine] = &[
    line(
        "moneyToOpen",
        "money to open",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.total_investment))),
    ),
    line(
        "ownCash",
        "your own cash",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.owner_cash))),
    ),
    line(
        "loan",
        "the loan",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.loan_amount))),
    ),
    line(
        "loanPayment",
        "loan payments",
        Reading::Flow(|row| row.interest + row.principal),
    )
    .metric("monthlyPayment"),
    line(
        "openingCash",
        "cash on opening day",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.opening_cash))),
    ),
    line("sales", "sales", Reading::Flow(|row| row.revenue)),
    line("materials", "cost of goods", Reading::Flow(|row| row.materials)).cost(),
    line("royalty", "the royalty", Reading::Flow(|row| row.royalty)).cost(),
    line("adFund", "the brand's ad fund", Reading::Flow(|row| row.ad_fund)).cost(),
    line("grossProfit", "gross profit", Reading::Flow(|row| row.gross_profit)),
    line("directLabor", "direct labor", Reading::Flow(|row| row.direct_labor)).cost(),
    line(
        "facilities",
        "rent, utilities, insurance and upkeep",
        Reading::Flow(|row| row.facilities),
    )
    .cost(),
    line("marketing", "local marketing", Reading::Flow(|row| row.marketing)).cost(),
    line(
        "merchantFees",
        "card processing",
        Reading::Flow(|row| row.merchant_fees),
    )
    .cost(),
    line(
        "managementSalaries",
        "management salaries",
        Reading::Flow(|row| row.management_salaries),
    )
    .cost(),
    line("ownerSalary", "your salary", Reading::Flow(|row| row.owner_salary)).cost(),
    line(
        "payrollTax",
        "payroll taxes and benefits",
        Reading::Flow(|row| row.payroll_tax),
    )
    .cost(),
    line("fixedFees", "fixed fees", Reading::Flow(|row| row.fixed_fees)).cost(),
    line(
        "otherOpex",
        "other operating costs",
        Reading::Flow(|row| row.other_opex),
    )
    .cost(),
    line(
        "totalCosts",
        "running costs",
        Reading::Flow(|row| row.revenue - row.operating_ebitda),
    ),
    line(
        "ebitda",
        "earnings before loan, depreciation and tax",
        Reading::Flow(|row| row.operating_ebitda),
    ),
    line(
        "startupExpense",
        "startup costs written off",
        Reading::Flow(|row| row.startup_expense),
    ),
    line("depreciation", "depreciation", Reading::Flow(|row| row.depreciation)),
    line("amortization", "amortization", Reading::Flow(|row| row.amortization)),
    line("interest", "interest", Reading::Flow(|row| row.interest)),
    line(
        "principal",
        "loan principal paid back",
        Reading::Flow(|row| row.principal),
    ),
    line(
        "preTaxIncome",
        "profit before tax",
        Reading::Flow(|row| row.pre_tax_income),
    ),
    line("tax", "income tax", Reading::Flow(|row| row.tax)),
    line("netProfit", "profit", Reading::Flow(|row| row.net_income)),
    line(
        "operatingCashFlow",
        "cash from operations",
        Reading::Flow(|row| row.operating_cash_flow),
    ),
    line(
        "ownerLeft",
        "left for you after costs and loan payments",
        Reading::Flow(owner_cash),
    ),
    line("ownerDraw", "your draws", Reading::Flow(|row| row.owner_draw)),
    line("netCashFlow", "change in cash", Reading::Flow(|row| row.net_cash_flow)),
    line("cash", "cash", Reading::Balance(|row| row.ending_cash)),
    line(
        "lowestCash",
        "the lowest cash",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.lowest_cash))),
    ),
    line(
        "firstNegativeMonth",
        "the first month with cash below zero",
        Reading::Whole(first_negative),
    )
    .shaped(Shape::Month),
    line("dscr", "loan coverage", Reading::Annual(|row| row.dscr)).shaped(Shape::Coverage),
    line(
        "dscrAfterOwner",
        "loan coverage after your draw",
        Reading::Annual(after_owner),
    )
    .shaped(Shape::Coverage),
    line(
        "breakEvenMonth",
        "break-even",
        Reading::Whole(|plan| plan.metrics.break_even_month.map(|at| Number::whole(at.into()))),
    )
    .shaped(Shape::Month),
    line(
        "breakEvenSales",
        "the yearly sales that pay all costs",
        Reading::Annual(|row| row.break_even_revenue.map(Number::whole)),
    ),
    line(
        "payback",
        "the month your own cash is back",
        Reading::Whole(|plan| plan.metrics.payback_month.map(|at| Number::whole(at.into()))),
    )
    .shaped(Shape::Month),
    line(
        "loanBalance",
        "what is still owed on the loan",
        Reading::Balance(|row| row.loan_balance),
    ),
    line(
        "receivables",
        "what customers owe",
        Reading::Balance(|row| row.accounts_receivable),
    ),
    line("inventory", "stock", Reading::Balance(|row| row.inventory)),
    line(
        "payables",
        "what is owed to suppliers",
        Reading::Balance(|row| row.accounts_payable),
    ),
    line("totalAssets", "total assets", Reading::Balance(|row| row.total_assets)),
    line(
        "totalLiabilities",
        "total liabilities",
        Reading::Balance(|row| row.total_liabilities),
    ),
    line("equity", "equity", Reading::Balance(|row| row.equity)),
    line(
        "valuation",
        "what the business would sell for",
        Reading::Annual(|row| Some(Number::whole(row.business_value))),
    ),
];

/// The figure of that name, in any case.
pub fn find(name: &str) -> Option<&'static FigureLine> {
    LINES.iter().find(|line| line.name.eq_ignore_ascii_case(name.trim()))
}

/// The running costs of some months, the largest first; those of nothing left out.
pub fn costs<'p>(months: impl Iterator<Item = &'p MonthRow> + Clone) -> Vec<(&'static FigureLine, i64)> {
    let sum = |line: &'static FigureLine| match line.reading {
        Reading::Flow(read) if line.is_cost => Some((line, months.clone().map(read).sum::<i64>())),
        _ => None,
    };
    let mut costs: Vec<_> = LINES.iter().filter_map(sum).filter(|(_, cents)| *cents > 0).collect();
    costs.sort_by_key(|(_, cents)| std::cmp::Reverse(*cents));
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project;
    use plan_model::brand::Brand;
    use plan_model::inputs::FinancialInputs;
    use std::collections::HashSet;

    fn demo() -> Projection {
        let brand = Brand::demo();
        project(&FinancialInputs::from_brand(&brand), &brand)
    }

    fn said(name: &str, when: When) -> Option<String> {
        let line = find(name).expect("a line");
        line.value(&demo(), when).map(|value| line.show(value))
    }

    #[test]
    fn each_figure_has_a_name_and_a_label_of_its_own() {
        let distinct = |text: fn(&FigureLine) -> &'static str| LINES.iter().map(text).collect::<HashSet<_>>().len();
        assert_eq!(
            (distinct(|line| line.name), distinct(|line| line.label)),
            (LINES.len(), LINES.len())
        );
    }

    #[test]
    fn figures_are_those_of_the_projection() {
        let plan = demo();
        assert_eq!(said("moneyToOpen", When::Plan).as_deref(), Some("$371,500"));
        assert_eq!(said("loanPayment", When::Plan).as_deref(), Some("$3,739.10"));
        assert_eq!(said("dscr", When::Year(1)).as_deref(), Some("0.61×"));
        assert_eq!(said("breakEvenMonth", When::Plan).as_deref(), Some("month 9"));
        assert_eq!(said("firstNegativeMonth", When::Plan), None);
        let cash = find("cash").expect("a line");
        assert_eq!(
            cash.value(&plan, When::Month(6)),
            Some(Number::whole(plan.monthly[5].ending_cash))
        );
        assert_eq!(
            cash.value(&plan, When::Year(2)),
            Some(Number::whole(plan.annual[1].ending_cash))
        );
        let sales = find("SALES").expect("a line");
        assert_eq!(
            sales.value(&plan, When::Year(3)),
            Some(Number::whole(plan.annual[2].revenue))
        );
        for outside in [
            When::Year(0),
            When::Year(6),
            When::Month(0),
            When::Month(61),
            When::Month(u32::MAX),
            When::Year(u32::MAX),
        ] {
            assert!(!outside.is_projected());
            assert!(
                LINES.iter().all(|line| line.value(&plan, outside).is_none()),
                "{outside:?}"
            );
        }
    }

    #[test]
    fn the_costs_add_up_to_what_sales_have_to_pay() {
        let plan = demo();
        for year in YEARS {
            let costs: i64 = costs(months_of(&plan, year)).iter().map(|(_, cents)| cents).sum();
            let row = plan.annual[year as usize - 1];
            assert_eq!(costs, row.revenue - row.operating_ebitda, "year {year}");
        }
    }

    #[test]
    fn coverage_after_the_owner_is_of_what_the_draw_leaves() {
        let row = AnnualRow {
            operating_ebitda: 37_806,
            owner_draw: 24_000,
            principal: 14_288,
            interest: 10_000,
            ..AnnualRow::default()
        };
        assert_eq!(after_owner(&row), Some(Number::millionths(568_400)));
        assert_eq!(after_owner(&AnnualRow::default()), None);
    }
}
