//! From an amount to what a field would hold: arithmetic only, nothing learned.

use crate::convert;
use crate::lex::{Amount, Period, Unit};
use plan_model::field::{Bounds, Field, FieldRole, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// Cents; an unmarked number for a field that usually is larger may have left out its thousands: "build-out is 140".
const LARGE: i64 = 2_000_000;

/// Below this part of the usual range's lower end the thousands were left out, where they make the number usual.
const FAR_BELOW: i64 = 10;

/// What the field would hold; `None` where it does not count so. Without a period an amount of money is of the field's own: it is
/// never divided by twelve because it looks like a year's.
pub(crate) fn value(field: &Field, range: Option<Bounds>, amount: &Amount, period: Option<Period>) -> Option<Number> {
    let said = match amount.upper {
        Some(upper) => (amount.value + upper) / Decimal::TWO,
        None => amount.value,
    };
    let twelve = Decimal::from(12);
    let value = match (field.kind, amount.unit) {
        (Kind::Money, Unit::Money | Unit::Bare) => money(field, range, amount, said, period)?,
        // "2,950 mo": so much a month.
        (Kind::Money, Unit::Months) if amount.marked => convert::cents(said, Some(Period::Monthly), field)?,
        (Kind::Money, Unit::Years) if amount.marked => convert::cents(said, Some(Period::Annual), field)?,
        (Kind::Percent, Unit::Percent) => Number::new(said / Decimal::ONE_HUNDRED),
        (Kind::Percent, Unit::Fraction) => Number::new(said).round(6),
        (Kind::Percent, Unit::Bare) => percent(said)?,
        (Kind::Months, Unit::Months) => Number::new(said),
        (Kind::Months, Unit::Years) => Number::new(said * twelve),
        (Kind::Months, Unit::Weeks) => Number::new(said * twelve / Decimal::from(52)),
        (Kind::Months, Unit::Bare) => months(field, said),
        (Kind::Years, Unit::Years | Unit::Bare) => Number::new(said),
        (Kind::Years, Unit::Months) => Number::new(said / twelve),
        (Kind::Days, Unit::Days | Unit::Bare) => Number::new(said),
        (Kind::Days, Unit::Weeks) => Number::new(said * Decimal::from(7)),
        (Kind::Days, Unit::Months) => Number::new(said * Decimal::from(30)),
        (Kind::Count, Unit::Bare) | (Kind::Multiple, Unit::Multiple | Unit::Bare) => Number::new(said),
        _ => return None,
    };
    (field.refusal(value).is_none()).then_some(value)
}

/// Cents a month of a cost that the plan keeps as a share of sales, and that people know in dollars: "the girls cost me 9,000 a month".
pub(crate) fn dollars(field: &Field, amount: &Amount, period: Option<Period>) -> Option<Number> {
    const LEAST: i64 = 100;
    // More without a time is no month's.
    const MOST: i64 = 20_000;
    if !field.is_share_in_dollars() || amount.upper.is_some() || amount.value < Decimal::from(LEAST) {
        return None;
    }
    let period = match amount.unit {
        Unit::Money | Unit::Bare => period,
        Unit::Months if amount.marked => Some(Period::Monthly),
        Unit::Years if amount.marked => Some(Period::Annual),
        _ => return None,
    };
    let is_month = period.is_some() || amount.value <= Decimal::from(MOST);
    convert::cents_a_month(amount.value, period).filter(|_| is_month)
}

fn money(
    field: &Field,
    range: Option<Bounds>,
    amount: &Amount,
    said: Decimal,
    period: Option<Period>,
) -> Option<Number> {
    let value = convert::cents(said, period, field)?;
    let Some(range) = range.filter(|_| !amount.marked && !said.is_zero()) else {
        return Some(value);
    };
    let is_large = range.high >= Number::whole(LARGE) && field.period != Some(Period::Monthly);
    let is_far = value.decimal() * Decimal::from(FAR_BELOW) < range.low.decimal();
    let grown = convert::cents(said.checked_mul(Decimal::ONE_THOUSAND)?, period, field)?;
    let left_out = (is_far || is_large && value < range.low) && range.contains(grown);
    Some(if left_out { grown } else { value })
}

/// Points, where they can be ones.
fn percent(said: Decimal) -> Option<Number> {
    let is_decimal = said.abs() < Decimal::ONE && !said.is_zero();
    let value = if is_decimal { said } else { said / Decimal::ONE_HUNDRED };
    (value.abs() <= Decimal::ONE).then(|| Number::new(value))
}

/// Months, unless only years are usual: "a term of 10".
fn months(field: &Field, said: Decimal) -> Number {
    let [months, years] = [said, said * Decimal::from(12)].map(Number::new);
    let usual = |value| field.soft.is_some_and(|soft| soft.contains(value));
    let is_start = field.role == FieldRole::StartMonth;
    if !usual(months) && usual(years) && !is_start {
        years
    } else {
        months
    }
}
