//! Months of a cost that are paid before opening (`docs/FINANCIAL-MODEL.md` 3.2 and 3.4, step 11): no month is paid twice.

use crate::engine::project;
use plan_model::brand::{Brand, CostClass, Derives, StartupCost};
use plan_model::field::FieldPath;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_model::outputs::Projection;

const RENT: &str = "operatingCosts.rentMonthly";
const DEPOSIT: &str = "startupCosts.rentDeposits";
const INSURANCE: &str = "operatingCosts.insuranceMonthly";

fn with(brand: &Brand, values: &[(&'static str, i64)]) -> Projection {
    let mut inputs = FinancialInputs::from_brand(brand);
    for (path, value) in values {
        let field = inputs
            .0
            .get_mut(&FieldPath::from_static(path))
            .expect("a field of the plan");
        field.current_value = Number::whole(*value);
    }
    let projection = project(&inputs, brand);
    assert_eq!(projection.checks.failed, [""; 0]);
    projection
}

/// The demo brand as it was before anything could be paid ahead.
fn pays_nothing_ahead() -> Brand {
    let mut brand = Brand::demo();
    for row in &mut brand.startup_cost_template {
        row.derives.iter_mut().for_each(|covered| covered.prepaid = 0);
        if row.class == CostClass::Prepaid {
            row.class = CostClass::Deposit;
        }
    }
    brand
}

/// What is left of what was paid ahead at the end of each of the first months, in cents.
fn left(projection: &Projection, months: usize) -> Vec<i64> {
    let mut expense = 0;
    let rows = projection.monthly.iter().take(months);
    rows.map(|row| {
        expense += row.startup_expense;
        row.balance.prepaid - (4_370_000 - expense)
    })
    .collect()
}

#[test]
fn the_first_rent_and_three_months_of_insurance_are_not_paid_again() {
    let (ahead, again) = (with(&Brand::demo(), &[]), with(&pays_nothing_ahead(), &[]));
    let more: Vec<i64> = ahead
        .monthly
        .iter()
        .zip(&again.monthly)
        .map(|(a, b)| a.ending_cash - b.ending_cash)
        .collect();
    assert_eq!(more[..4], [450_000 + 80_000, 450_000 + 160_000, 690_000, 690_000]);
    assert_eq!(more[59], 690_000);
    assert_eq!(left(&ahead, 4), [160_000, 80_000, 0, 0]);
    // The months have their costs all the same.
    let costs = |projection: &Projection| {
        projection
            .monthly
            .iter()
            .map(|row| (row.lines, row.ebitda))
            .collect::<Vec<_>>()
    };
    assert!(costs(&ahead) == costs(&again));
    assert_eq!(ahead.opening.deposits, again.opening.deposits - 690_000);
    assert_eq!(ahead.metrics.dscr_year1, again.metrics.dscr_year1);
}

#[test]
fn what_the_first_months_do_not_need_pays_the_next() {
    // Of 13,500 for three months 4,500 are ahead; the rent is 3,000.
    assert_eq!(
        left(&with(&Brand::demo(), &[(RENT, 300_000), (INSURANCE, 0)]), 3),
        [390_000, 240_000, 240_000]
    );
    // Free rent uses nothing, and neither does a plan without rent.
    let free = with(
        &Brand::demo(),
        &[("operatingCosts.rentAbatementMonths", 2), (INSURANCE, 80_000)],
    );
    assert_eq!(left(&free, 4), [610_000, 530_000, 0, 0]);
    let none = with(&Brand::demo(), &[(RENT, 0), (INSURANCE, 0)]);
    assert_eq!(left(&none, 60)[59], 690_000);
    assert_eq!(none.opening.cash, with(&Brand::demo(), &[]).opening.cash);
}

#[test]
fn a_share_is_rounded_half_away_from_zero_and_the_rest_stays_a_deposit() {
    let cents = |amount| {
        let opening = with(&Brand::demo(), &[(DEPOSIT, amount)]).opening;
        (opening.prepaid - 4_370_000 - 240_000, opening.deposits - 100_000)
    };
    assert_eq!(cents(1_000_000), (333_333, 666_667));
    assert_eq!(cents(5), (2, 3));
    assert_eq!(cents(0), (0, 0));
}

#[test]
fn two_rows_pay_one_cost_together() {
    let mut brand = Brand::demo();
    let covered = |months| Derives {
        field: FieldPath::from_static(INSURANCE),
        months,
        prepaid: 0,
    };
    brand.startup_cost_template.push(StartupCost {
        slug: "policy".into(),
        label: "First premium".into(),
        class: CostClass::Prepaid,
        default_amount: 100_000,
        item7_low: None,
        item7_high: None,
        derives: vec![covered(1)],
        aliases: vec![],
        help: None,
    });
    let projection = with(&brand, &[(RENT, 0), (DEPOSIT, 0)]);
    assert_eq!(left(&projection, 6), [260_000, 180_000, 100_000, 20_000, 0, 0]);
}
