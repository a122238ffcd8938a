//! The metric catalogue: the key figures of a projection (`docs/FINANCIAL-MODEL.md` 3.6), each with its name in JSON, label, kind,
//! preferred direction and one sentence of help.
//!
//! The single source for `Metrics`, `changes`, tool results, the prompt's summary and `GET /api/metrics`. A new metric is one
//! row here and its formula in `plan-engine`'s `engine/metrics.rs`.

use super::field::{minus, show_cents, show_dollars};
use super::number::Number;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What a metric counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MetricKind {
    /// Integer cents.
    Money,
    /// A decimal: 5% is 0.05.
    Percent,
    /// One of the months 1 to 60, counted from opening.
    Month,
    /// A whole number.
    Count,
    /// A decimal factor.
    Multiple,
}

impl MetricKind {
    /// A value as the advisor quotes it: money and percentages with their sign, the rest as plain numbers.
    pub fn show(self, value: Number) -> String {
        match self {
            Self::Money => show_cents(value.to_whole()),
            Self::Percent => format!("{}%", Number::new(value.decimal().saturating_mul(Decimal::ONE_HUNDRED))),
            Self::Month | Self::Count | Self::Multiple => value.to_string(),
        }
    }
}

/// Which direction of a metric is the easier one for the franchisee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Better {
    /// More of it.
    Higher,
    /// Less of it.
    Lower,
}

/// Reads one figure; `None` where it does not apply or is never reached.
type Reader = fn(&Metrics) -> Option<Number>;

/// One row of the catalogue, as `GET /api/metrics` lists it.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
pub struct Metric {
    /// The key in `metrics` and in `changes`.
    #[schema(example = "breakEvenMonth")]
    pub name: &'static str,
    /// What people read.
    #[schema(example = "Break-even month")]
    pub label: &'static str,
    /// What it counts in.
    pub kind: MetricKind,
    /// `null` where neither is.
    pub better: Option<Better>,
    /// One plain sentence: what the figure means and when there is none.
    pub help: &'static str,
    /// Reads it from a projection's figures.
    #[serde(skip)]
    #[schema(ignore)]
    pub value: Reader,
}

impl Metric {
    /// The label inside a sentence.
    pub fn name_in_sentence(&self) -> String {
        let (first, rest) = self.label.split_at(1);
        format!("{}{rest}", first.to_ascii_lowercase())
    }

    /// What people call it, in lower-case words: the label, and what the label has in parentheses.
    pub fn aliases(&self) -> impl Iterator<Item = String> {
        let parts = self
            .label
            .split(['(', ')', ','])
            .map(|part| part.trim().to_lowercase().replace('-', " "));
        parts.filter(|part| !part.is_empty() && !part.starts_with("year ") && !part.starts_with("month "))
    }

    /// Whether it is a ratio of earnings to loan payments.
    pub fn is_coverage(&self) -> bool {
        self.name.starts_with("dscr") || self.name == "minDscr"
    }

    /// Whether a value says that nothing is earned that could cover a payment. Such ratios order nothing: a larger payment
    /// brings them nearer to zero.
    pub fn is_uncovered(&self, value: Number) -> bool {
        self.is_coverage() && value <= Number::ZERO
    }

    /// A value as people read it: whole dollars, the loan payment to the cent, "1.25×", "month 13", "not covered".
    pub fn show(&self, value: Number) -> String {
        match self.kind {
            MetricKind::Money if self.name == "monthlyPayment" => minus(&show_cents(value.to_whole())),
            MetricKind::Money => show_dollars(value.to_whole()),
            MetricKind::Multiple if self.is_uncovered(value) => NOT_COVERED.to_owned(),
            MetricKind::Multiple => format!("{:.2}×", value.round(2).decimal()),
            MetricKind::Percent => minus(&self.kind.show(value.round(3))),
            MetricKind::Month => format!("month {value}"),
            MetricKind::Count => value.to_string(),
        }
    }
}

/// What is said of a ratio that covers nothing.
pub const NOT_COVERED: &str = "not covered";

/// The catalogue's metric of that name.
pub fn find(name: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.name == name)
}

/// Money and counts always have a value, the other types may lack one.
trait Figure {
    fn number(self) -> Option<Number>;
}

impl Figure for i64 {
    fn number(self) -> Option<Number> {
        Some(Number::whole(self))
    }
}

impl Figure for u32 {
    fn number(self) -> Option<Number> {
        Some(Number::whole(self.into()))
    }
}

impl Figure for Number {
    fn number(self) -> Option<Number> {
        Some(self)
    }
}

impl<F: Figure> Figure for Option<F> {
    fn number(self) -> Option<Number> {
        self.and_then(F::number)
    }
}

/// Makes [`Metrics`] and [`METRICS`] from one table, so that neither can lack what the other has.
macro_rules! metrics {
    ($($field:ident: $type:ty $(as $schema:ty)?, $name:literal, $label:literal, $kind:ident, $better:expr, $help:literal;)+) => {
        /// The key figures of one projection (`docs/FINANCIAL-MODEL.md` 3.6).
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Metrics {
            $(
                #[doc = $help]
                $(#[schema(value_type = $schema)])?
                pub $field: $type,
            )+
        }

        /// Every metric, in the order of the JSON.
        pub const METRICS: &[Metric] = &[$(
            Metric {
                name: $name,
                label: $label,
                kind: MetricKind::$kind,
                better: $better,
                help: $help,
                value: |metrics| metrics.$field.number(),
            },
        )+];
    };
}

// Field and type (`as` what the OpenAPI document shows), name, label, kind, better, help.
metrics! {
    total_investment: i64, "totalInvestment", "Total investment", Money, None,
        "Everything it takes to open: the sum of all startup costs.";
    loan_amount: i64, "loanAmount", "Loan amount", Money, None,
        "What is borrowed toward the total investment.";
    owner_cash: i64, "ownerCash", "Your cash investment", Money, None,
        "What you put in yourself.";
    equity_pct: Option<Number> as Option<f64>, "equityPct", "Your share of the investment", Percent, None,
        "Your cash investment as a share of the total investment; none without an investment.";
    monthly_payment: Option<i64>, "monthlyPayment", "Loan payment per month", Money, Some(Better::Lower),
        "The level payment of interest and principal after any interest-only months; none for a loan without a term.";
    opening_cash: i64, "openingCash", "Cash on opening day", Money, Some(Better::Higher),
        "Cash in the bank at opening, after all startup costs but the additional funds are paid.";
    projected_annual_revenue_year1: i64, "projectedAnnualRevenueYear1", "Sales, year 1", Money, Some(Better::Higher),
        "Projected sales of the first 12 months.";
    break_even_month: Option<u32>, "breakEvenMonth", "Break-even month", Month, Some(Better::Lower),
        "The first of three months in a row in which sales pay all costs and the loan payment; none if that never happens within 60 months.";
    stable_from_month: Option<u32>, "stableFromMonth", "Covers all costs from", Month, Some(Better::Lower),
        "The month from which sales pay all costs and the loan payment in every month; none if month 60 still falls short.";
    payback_month: Option<u32>, "paybackMonth", "Investment paid back", Month, Some(Better::Lower),
        "The month by which the business has returned the cash you put in; none if it does not within 60 months.";
    five_year_owner_cash_flow: i64, "fiveYearOwnerCashFlow", "Cash to the owner over 5 years", Money, Some(Better::Higher),
        "Cash the business leaves you over 60 months after costs, taxes and loan payments, before your draws.";
    five_year_roi_pct: Option<Number> as Option<f64>, "fiveYearRoiPct", "Return on your cash over 5 years", Percent, Some(Better::Higher),
        "Cash to the owner over 5 years beyond the cash you put in, as a share of it; none if you put nothing in.";
    lowest_cash: i64, "lowestCash", "Lowest cash", Money, Some(Better::Higher),
        "The smallest amount of cash at the end of any of the 60 months.";
    lowest_cash_month: u32, "lowestCashMonth", "Month of lowest cash", Month, None,
        "The first month that ends with the lowest cash.";
    months_negative: u32, "monthsNegative", "Months with cash below zero", Count, Some(Better::Lower),
        "How many of the 60 months end with less than no cash.";
    reserve_target: i64, "reserveTarget", "Target reserve", Money, None,
        "The months of costs you want to hold in reserve, as an amount of cash.";
    reserve_gap: i64, "reserveGap", "Reserve shortfall", Money, Some(Better::Lower),
        "What the cash on opening day lacks of the target reserve.";
    dscr_year1: Option<Number> as Option<f64>, "dscrYear1", "Loan coverage (DSCR), year 1", Multiple, Some(Better::Higher),
        "What the business earns before your draws and taxes in year 1 for each dollar of loan payments; none in a year without loan payments.";
    dscr_year2: Option<Number> as Option<f64>, "dscrYear2", "Loan coverage (DSCR), year 2", Multiple, Some(Better::Higher),
        "What the business earns before your draws and taxes in year 2 for each dollar of loan payments; none in a year without loan payments.";
    dscr_year3: Option<Number> as Option<f64>, "dscrYear3", "Loan coverage (DSCR), year 3", Multiple, Some(Better::Higher),
        "What the business earns before your draws and taxes in year 3 for each dollar of loan payments; none in a year without loan payments.";
    dscr_year4: Option<Number> as Option<f64>, "dscrYear4", "Loan coverage (DSCR), year 4", Multiple, Some(Better::Higher),
        "What the business earns before your draws and taxes in year 4 for each dollar of loan payments; none in a year without loan payments.";
    dscr_year5: Option<Number> as Option<f64>, "dscrYear5", "Loan coverage (DSCR), year 5", Multiple, Some(Better::Higher),
        "What the business earns before your draws and taxes in year 5 for each dollar of loan payments; none in a year without loan payments.";
    min_dscr: Option<Number> as Option<f64>, "minDscr", "Loan coverage (DSCR), weakest year", Multiple, Some(Better::Higher),
        "The smallest loan coverage of the years that have one; lenders often look for 1.25 or more.";
    dscr_after_owner_year1: Option<Number> as Option<f64>, "dscrAfterOwnerYear1", "Loan coverage after the owner, year 1", Multiple, Some(Better::Higher),
        "What your draws and the taxes paid in year 1 leave of the earnings for each dollar of loan payments; none in a year without loan payments.";
    break_even_sales_monthly: Option<i64>, "breakEvenSalesMonthly", "Break-even sales per month", Money, Some(Better::Lower),
        "The sales of an established month that pay all its costs and the loan payment; none if no sales do.";
    break_even_sales_pct: Option<Number> as Option<f64>, "breakEvenSalesPct", "Break-even share of planned sales", Percent, Some(Better::Lower),
        "Break-even sales as a share of the monthly sales you plan once established; none without planned sales.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_metric_has_a_name_a_label_and_one_sentence_of_help_of_its_own() {
        for metric in METRICS {
            assert!(!metric.label.trim().is_empty(), "{} has no label", metric.name);
            assert!(
                metric.help.ends_with('.') && metric.help.matches(". ").count() == 0,
                "the help of {} is not one sentence",
                metric.name
            );
        }
        let distinct = |text: fn(&Metric) -> &'static str| METRICS.iter().map(text).collect::<HashSet<_>>().len();
        assert_eq!(distinct(|metric| metric.name), METRICS.len());
        assert_eq!(distinct(|metric| metric.label), METRICS.len());
        assert_eq!(distinct(|metric| metric.help), METRICS.len());
    }

    #[test]
    fn a_row_reads_the_figure_that_json_has_under_its_name() {
        let mut metrics = serde_json::Map::new();
        let figures = Metrics {
            loan_amount: 5,
            equity_pct: Some(Number::millionths(250_000)),
            payback_month: Some(42),
            ..Metrics::default()
        };
        for metric in METRICS {
            metrics.insert(metric.name.to_owned(), serde_json::json!((metric.value)(&figures)));
        }
        assert_eq!(serde_json::json!(metrics), serde_json::json!(figures));
    }

    #[test]
    fn figures_that_were_stored_before_a_metric_came_are_read_without_it() {
        let mut stored = serde_json::json!(Metrics::default());
        let figures = stored.as_object_mut().expect("an object");
        for name in ["dscrAfterOwnerYear1", "breakEvenSalesMonthly", "breakEvenSalesPct"] {
            assert!(figures.remove(name).is_some(), "{name}");
        }
        let read: Metrics = serde_json::from_value(stored).expect("metrics");
        assert_eq!(read, Metrics::default());
    }

    #[test]
    fn figures_are_quoted_with_their_unit() {
        assert_eq!(MetricKind::Money.show(Number::whole(-373_910)), "-$3,739.10");
        assert_eq!(MetricKind::Percent.show(Number::millionths(840_500)), "84.05%");
        assert_eq!(MetricKind::Month.show(Number::whole(39)), "39");
        assert_eq!(MetricKind::Multiple.show(Number::millionths(610_000)), "0.61");
    }

    #[test]
    fn figures_are_said_as_the_page_writes_them() {
        let said = |name: &str, value: Number| find(name).expect("a metric").show(value);
        assert_eq!(said("lowestCash", Number::whole(-64_641_938)), "−$646,419");
        assert_eq!(said("monthlyPayment", Number::whole(373_910)), "$3,739.10");
        assert_eq!(said("dscrYear1", Number::whole(1)), "1.00×");
        assert_eq!(said("minDscr", Number::millionths(1_254_900)), "1.25×");
        assert_eq!(said("breakEvenMonth", Number::whole(13)), "month 13");
        assert_eq!(said("fiveYearRoiPct", Number::millionths(-2_173_000)), "−217.3%");
    }

    #[test]
    fn a_ratio_that_covers_nothing_is_no_figure() {
        for name in ["dscrYear1", "dscrYear5", "minDscr"] {
            let metric = find(name).expect("a metric");
            assert_eq!(metric.show(Number::whole(-3)), NOT_COVERED);
            assert_eq!(metric.show(Number::ZERO), NOT_COVERED);
        }
        assert!(
            !find("fiveYearRoiPct")
                .expect("a metric")
                .is_uncovered(Number::whole(-1))
        );
    }
}
