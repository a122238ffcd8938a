//! Any plan at all: the identities hold, nothing overflows, nothing panics.

use crate::engine::arithmetic::mul_div;
use crate::engine::break_even::mature_month;
use crate::engine::project;
use crate::engine::reader::MONEY;
use crate::engine::terms::Assumptions;
use plan_model::brand::{Brand, CostClass};
use plan_model::field::{Field, Kind};
use plan_model::inputs::{FinancialInputs, LOAN_AMOUNT};
use plan_model::number::Number;
use proptest::prelude::*;
use rust_decimal::Decimal;
use std::sync::LazyLock;
use time::{Duration, OffsetDateTime};

static BRAND: LazyLock<Brand> = LazyLock::new(Brand::demo);
static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| BRAND.fields());

/// A value within the hard bounds, often at or near one of them or where people plan.
fn clamped(field: &Field) -> BoxedStrategy<Number> {
    let unit = |bound: Number| {
        if field.kind.is_decimal() {
            bound.to_millionths()
        } else {
            bound.to_whole()
        }
    };
    let number = if field.kind.is_decimal() {
        Number::millionths
    } else {
        Number::whole
    };
    let hard = field.hard();
    let (low, high) = (unit(hard.low), unit(hard.high));
    let default = BRAND.default_of(&field.path).map_or(low, unit);
    let near = (default / 3).max(low)..=(default.saturating_mul(3)).clamp((default / 3).max(low), high);
    let small = low..=high.min(match field.kind {
        Kind::Money => 50_000_000,
        Kind::Percent => 200_000,
        _ => 72,
    });
    prop_oneof![
        6 => near.prop_map(number),
        3 => small.prop_map(number),
        1 => (low..=high).prop_map(number),
        1 => Just(number(low)),
        1 => Just(number(high)),
        1 => Just(number(0)),
    ]
    .boxed()
}

/// A value that validation would have refused at every entry point.
fn wild(_: &Field) -> BoxedStrategy<Number> {
    let decimal = (any::<i64>(), 0u32..=18).prop_map(|(units, digits)| Number::new(Decimal::new(units, digits)));
    prop_oneof![
        decimal,
        Just(Number::new(Decimal::MAX)),
        Just(Number::new(Decimal::MIN)),
        Just(Number::ZERO)
    ]
    .boxed()
}

fn plans(value: fn(&Field) -> BoxedStrategy<Number>) -> impl Strategy<Value = FinancialInputs> {
    let values: Vec<_> = FIELDS.iter().map(value).collect();
    (
        values,
        proptest::collection::vec(proptest::option::of(0i64..4), FIELDS.len()),
    )
        .prop_map(|(values, times)| {
            let mut inputs = FinancialInputs::from_brand(&BRAND);
            for ((field, value), seconds) in FIELDS.iter().zip(values).zip(times) {
                let stored = inputs.0.get_mut(&field.path).expect("a field of the plan");
                stored.current_value = value;
                stored.last_modified_at = seconds.map(|s| OffsetDateTime::UNIX_EPOCH + Duration::seconds(s));
            }
            inputs
        })
}

fn write(inputs: &mut FinancialInputs, path: &str, value: Number) {
    if let Some(field) = inputs.0.get_mut(path) {
        field.current_value = value;
    }
}

/// The identities, without the limit on absurd figures, which is no identity.
fn broken(projection: &plan_model::outputs::Projection) -> Vec<String> {
    let identities = projection.checks.failed.iter().filter(|name| name.starts_with('I'));
    identities.map(ToString::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(600)))]

    #[test]
    fn every_clamped_plan_satisfies_the_identities(inputs in plans(clamped)) {
        let projection = project(&inputs, &BRAND);
        prop_assert_eq!(broken(&projection), Vec::<&str>::new());
    }

    #[test]
    fn a_plan_of_any_numbers_is_clamped_and_projected(inputs in plans(wild)) {
        let projection = project(&inputs, &BRAND);
        prop_assert_eq!(broken(&projection), Vec::<&str>::new());
    }

    #[test]
    fn startup_rows_may_have_any_class(classes in proptest::collection::vec(0usize..7, 16), ahead in 0i64..=3, inputs in plans(clamped)) {
        use CostClass::{Capex, Deposit, Intangible, Inventory, NonCapex, Prepaid, WorkingCapital};
        let mut brand = BRAND.clone();
        for (row, class) in brand.startup_cost_template.iter_mut().zip(classes) {
            row.class = [Capex, Intangible, NonCapex, Inventory, Deposit, WorkingCapital, Prepaid][class];
            for covered in &mut row.derives {
                covered.prepaid = ahead;
            }
        }
        prop_assert_eq!(broken(&project(&inputs, &brand)), Vec::<&str>::new());
    }

    /// The exact margin at these sales is between zero and one cent; each line is rounded, and so is the share of payroll tax.
    #[test]
    fn break_even_sales_leave_nothing_after_costs_and_loan(mut inputs in plans(clamped)) {
        for year in 1..=5 {
            write(&mut inputs, &format!("revenue.year{year}GrowthRate"), Number::ZERO);
        }
        let metrics = project(&inputs, &BRAND).metrics;
        let Some(sales) = metrics.break_even_sales_monthly.filter(|sales| *sales <= MONEY) else { return Ok(()) };
        write(&mut inputs, "revenue.monthlyAuv", Number::whole(sales));
        let terms = Assumptions::resolve(&inputs, &BRAND);
        prop_assume!(terms.sales.ramp_months <= 60);
        let at_break_even = project(&inputs, &BRAND);
        let row = &at_break_even.monthly[mature_month(&terms) as usize - 1];
        prop_assert_eq!((row.revenue, at_break_even.metrics.break_even_sales_monthly), (sales, Some(sales)));
        let interest = mul_div(terms.loan.amount, terms.loan.rate, 12_000_000);
        let margin = row.operating_ebitda - metrics.monthly_payment.unwrap_or(interest);
        let rounded = 8 + sales / 1_000_000;
        prop_assert!((-rounded..=rounded + 1).contains(&margin), "{margin} at {sales}");
    }

    /// A banker's addition, of plans that sell little and borrow much as well.
    #[test]
    fn printed_years_add_up_to_their_totals(mut inputs in plans(clamped), sales in 0_i64..2_000_000, is_weak in any::<bool>()) {
        if is_weak {
            write(&mut inputs, "revenue.monthlyAuv", Number::whole(sales));
            write(&mut inputs, "operatingCosts.rentMonthly", Number::whole(900_000));
            write(&mut inputs, LOAN_AMOUNT, Number::whole(90_000_000));
        }
        let plan = project(&inputs, &BRAND);
        let mut before = plan.opening.balance;
        for year in &plan.annual {
            let (lines, sheet) = (&year.lines, year.balance);
            let direct = lines.materials + lines.royalty + lines.ad_fund;
            prop_assert_eq!(year.gross_profit, year.revenue - direct);
            prop_assert_eq!(year.operating_expenses, lines.total() - direct - lines.direct_labor);
            let received = year.operating_ebitda - year.interest + year.working_capital_change - year.taxes_paid;
            prop_assert_eq!(sheet.cash, before.cash + received - year.principal - year.owner_draw);
            prop_assert_eq!(sheet.equity, before.equity + year.net_income - year.owner_draw);
            prop_assert_eq!(sheet.loan, before.loan - year.principal);
            prop_assert_eq!(sheet.tax_payable, before.tax_payable + year.tax - year.taxes_paid);
            prop_assert_eq!(sheet.total_assets, sheet.total_liabilities + sheet.equity);
            prop_assert_eq!((sheet.cash, sheet.equity), (year.ending_cash, year.equity));
            before = sheet;
        }
    }

    #[test]
    fn the_same_plan_projects_the_same(inputs in plans(clamped)) {
        prop_assert_eq!(project(&inputs, &BRAND), project(&inputs, &BRAND));
    }
}

#[test]
fn everything_at_its_highest_and_at_its_lowest_still_adds_up() {
    for bound in [|field: &Field| field.hard().high, |field: &Field| field.hard().low] {
        let mut inputs = FinancialInputs::from_brand(&BRAND);
        for field in FIELDS.iter() {
            inputs
                .0
                .get_mut(&field.path)
                .expect("a field of the plan")
                .current_value = bound(field);
        }
        assert_eq!(broken(&project(&inputs, &BRAND)), Vec::<&str>::new());
    }
}
