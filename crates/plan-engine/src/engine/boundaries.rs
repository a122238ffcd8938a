//! Plans at the edge: no sales, no loan, no term, no owner's cash, everything at its highest.

use crate::engine::project;
use plan_model::brand::{Brand, CostClass, StartupCost};
use plan_model::field::FieldPath;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_model::outputs::{AdvisoryLevel, Item7Position, Projection};
use time::{Duration, OffsetDateTime};

struct Plan {
    brand: Brand,
    inputs: FinancialInputs,
    edits: i64,
}

impl Plan {
    fn demo() -> Self {
        Self::of(Brand::demo())
    }

    fn of(brand: Brand) -> Self {
        Self {
            inputs: FinancialInputs::from_brand(&brand),
            brand,
            edits: 0,
        }
    }

    /// An edit, each a second after the one before.
    fn with(mut self, path: &'static str, value: Number) -> Self {
        self.edits += 1;
        let field = self
            .inputs
            .0
            .get_mut(&FieldPath::from_static(path))
            .expect("a field of the plan");
        field.current_value = value;
        field.last_modified_at = Some(OffsetDateTime::UNIX_EPOCH + Duration::seconds(self.edits));
        self
    }

    /// Money in dollars.
    fn dollars(self, path: &'static str, dollars: i64) -> Self {
        self.with(path, Number::whole(dollars * 100))
    }

    fn whole(self, path: &'static str, value: i64) -> Self {
        self.with(path, Number::whole(value))
    }

    fn percent(self, path: &'static str, percent: i64) -> Self {
        self.with(path, Number::millionths(percent * 10_000))
    }

    fn run(&self) -> Projection {
        let projection = project(&self.inputs, &self.brand);
        assert!(projection.checks.passed, "{:?}", projection.checks.failed);
        assert_eq!((projection.monthly.len(), projection.annual.len()), (60, 5));
        projection
    }
}

#[test]
fn the_later_edit_of_loan_and_down_payment_drives() {
    let both = Plan::demo()
        .percent("financing.downPaymentPct", 40)
        .dollars("financing.loanAmount", 100_000)
        .run();
    assert_eq!(both.metrics.loan_amount, 10_000_000);

    let both = Plan::demo()
        .dollars("financing.loanAmount", 100_000)
        .percent("financing.downPaymentPct", 40)
        .run();
    assert_eq!(both.metrics.loan_amount, 37_150_000 - 14_860_000);
    assert_eq!(both.metrics.owner_cash, 14_860_000);
    assert_eq!(both.metrics.equity_pct, Some(Number::millionths(400_000)));
}

#[test]
fn without_a_loan_there_is_nothing_to_cover() {
    let all_own = Plan::demo().percent("financing.downPaymentPct", 100).run();
    assert_eq!(
        (all_own.metrics.loan_amount, all_own.metrics.monthly_payment),
        (0, Some(0))
    );
    assert_eq!((all_own.metrics.dscr_year1, all_own.metrics.min_dscr), (None, None));
    assert!(
        all_own
            .monthly
            .iter()
            .all(|row| row.interest == 0 && row.principal == 0)
    );
}

#[test]
fn a_loan_beyond_the_investment_is_opening_cash() {
    let borrowed = Plan::demo().dollars("financing.loanAmount", 500_000).run();
    assert_eq!(borrowed.metrics.owner_cash, 0);
    assert_eq!(borrowed.metrics.opening_cash, 50_000_000 - 37_150_000 + 4_500_000);
    assert_eq!(
        (borrowed.metrics.five_year_roi_pct, borrowed.metrics.equity_pct),
        (None, Some(Number::ZERO))
    );
}

#[test]
fn a_term_of_0_is_interest_only_and_says_so() {
    let endless = Plan::demo().whole("financing.loanTermMonths", 0).run();
    assert_eq!(endless.metrics.monthly_payment, None);
    assert!(
        endless
            .monthly
            .iter()
            .all(|row| row.principal == 0 && row.interest == 239_167)
    );
    let warning = endless
        .advisories
        .iter()
        .find(|advisory| advisory.code == "loan_term")
        .expect("a warning");
    assert_eq!(warning.level, AdvisoryLevel::Watch);
    assert!(
        Plan::demo()
            .run()
            .advisories
            .iter()
            .all(|advisory| advisory.code != "loan_term")
    );
}

#[test]
fn terms_of_1_of_60_and_of_300_months_are_repaid_on_time() {
    for term in [1, 59, 60] {
        let repaid = Plan::demo().whole("financing.loanTermMonths", term).run();
        assert_eq!(repaid.monthly[term as usize - 1].loan_balance, 0, "{term}");
    }
    let long = Plan::demo().whole("financing.loanTermMonths", 300).run();
    assert!(long.metrics.monthly_payment < Some(373_910) && long.monthly[59].loan_balance > 0);
}

#[test]
fn interest_only_months_end_before_the_term_does() {
    let late = Plan::demo()
        .whole("financing.loanTermMonths", 12)
        .whole("financing.interestOnlyMonths", 40)
        .run();
    assert_eq!(late.monthly[10].principal, 0);
    assert_eq!(late.monthly[11].principal, 28_000_000);
    assert_eq!(late.metrics.monthly_payment, Some(28_239_167));
}

#[test]
fn without_sales_there_are_costs_and_no_ratios() {
    let closed = Plan::demo().whole("revenue.monthlyAuv", 0).run();
    assert_eq!(closed.metrics.projected_annual_revenue_year1, 0);
    assert_eq!((closed.annual[0].gross_pct, closed.annual[0].pre_tax_pct), (None, None));
    assert_eq!(
        (closed.metrics.break_even_month, closed.metrics.stable_from_month),
        (None, None)
    );
    assert_eq!(closed.metrics.payback_month, None);
    // Minimum royalty and minimum marketing are owed all the same.
    assert_eq!(
        (closed.monthly[0].royalty, closed.monthly[0].marketing),
        (75_000, 150_000)
    );
    assert!(
        closed
            .monthly
            .iter()
            .all(|row| row.tax == 0 && row.inventory == 800_000)
    );
}

#[test]
fn a_plan_that_always_covers_is_stable_from_month_1() {
    let strong = Plan::demo().dollars("revenue.monthlyAuv", 400_000).run();
    assert_eq!(
        (strong.metrics.break_even_month, strong.metrics.stable_from_month),
        (Some(1), Some(1))
    );
}

#[test]
fn ramps_of_0_and_1_months_open_at_full_sales_and_grow_from_month_2() {
    for months in [0, 1] {
        let at_once = Plan::demo().whole("revenue.monthsToReachAuv", months).run();
        assert_eq!(at_once.monthly[0].revenue, 5_800_000);
        assert_eq!(at_once.monthly[1].revenue, 5_824_167);
    }
    let slow = Plan::demo().whole("revenue.monthsToReachAuv", 1_200).run();
    assert!(slow.monthly[59].revenue < 5_800_000 && slow.monthly[59].revenue > slow.monthly[58].revenue);
}

#[test]
fn lives_of_0_years_are_never_written_off() {
    let kept = Plan::demo()
        .whole("startupCapital.depreciationYears", 0)
        .whole("startupCapital.intangibleAmortizationYears", 0)
        .run();
    assert!(
        kept.monthly
            .iter()
            .all(|row| row.depreciation == 0 && row.amortization == 0)
    );
}

#[test]
fn costs_above_sales_have_no_break_even_revenue() {
    let dear = Plan::demo()
        .percent("operatingCosts.laborPct", 100)
        .percent("operatingCosts.cogsPct", 20)
        .run();
    assert!(dear.annual.iter().all(|row| row.break_even_revenue.is_none()));
    assert_eq!(
        dear.metrics.months_negative,
        60 - dear.monthly.iter().take_while(|row| row.ending_cash >= 0).count() as u32
    );
}

#[test]
fn own_rows_count_by_class_and_rows_the_brand_lacks_do_not() {
    let mut brand = Brand::demo();
    brand.startup_cost_template.retain(|row| row.slug != "signage");
    brand.startup_cost_template.push(StartupCost {
        slug: "muralArtist".into(),
        label: "Mural".into(),
        class: CostClass::Capex,
        default_amount: 500_000,
        item7_low: Some(400_000),
        item7_high: Some(600_000),
        derives: vec![],
        aliases: vec![],
        help: None,
    });
    let mut plan = Plan::of(brand);
    let stray = plan.inputs.0.get("startupCosts.muralArtist").expect("a row").clone();
    plan.inputs.0.insert(FieldPath::startup("signage"), stray);

    let projection = plan.run();

    assert_eq!(projection.opening.fixed, 21_800_000 - 950_000 + 500_000);
    assert_eq!(projection.item7.plan_total, 36_500_000 - 950_000 + 500_000);
    assert_eq!(projection.item7.low, 26_890_000 - 600_000 + 400_000);
}

#[test]
fn item_7_is_below_within_or_above() {
    let build_out = |dollars| {
        Plan::demo()
            .dollars("startupCosts.leaseholdImprovements", dollars)
            .run()
            .item7
    };
    // The other rows of the default plan are 225,000 dollars.
    assert_eq!(build_out(43_899).position, Item7Position::Below);
    assert_eq!(build_out(43_900).position, Item7Position::Within);
    assert_eq!(build_out(289_500).position, Item7Position::Within);
    assert_eq!(build_out(289_501).position, Item7Position::Above);
}

#[test]
fn an_empty_plan_is_the_brands() {
    let brand = Brand::demo();
    let full = project(&FinancialInputs::from_brand(&brand), &brand);
    // All but the growth of years 3 to 5, which follows year 2.
    let empty = project(&FinancialInputs::default(), &brand);
    assert_eq!(empty.monthly[..24], full.monthly[..24]);
    assert_eq!(empty.opening, full.opening);
}

#[test]
fn a_figure_beyond_the_limit_is_cut_and_named() {
    let absurd = Plan::demo()
        .with("operatingCosts.laborPct", Number::millionths(999_999))
        .percent("operatingCosts.payrollTaxPct", 0)
        .percent("operatingCosts.cogsPct", 0)
        .percent("operatingCosts.royaltyPct", 0)
        .percent("operatingCosts.adFundPct", 0)
        .percent("operatingCosts.marketingPct", 0)
        .percent("operatingCosts.merchantFeePct", 0)
        .dollars("operatingCosts.rentMonthly", 100_000_000);
    let projection = project(&absurd.inputs, &absurd.brand);
    assert_eq!(projection.checks.failed, ["limit"]);
    assert_eq!(projection.annual[0].break_even_revenue, Some(1_000_000_000_000_000));
}
