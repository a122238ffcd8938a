//! From what was said to what a field holds: cents, decimals, whole months. Exact, one rounding at the end, half away from zero.

use super::call_unit::CallUnit;
use super::lex::Period;
use plan_model::field::{Field, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// Dollars of one period as cents of the field's period, unrounded. `None` where the two cannot be compared.
fn unrounded(dollars: Decimal, said: Option<Period>, field: &Field) -> Option<Decimal> {
    let own = field.period.unwrap_or(Period::Once);
    cents_per(dollars, said.unwrap_or(own), own)
}

fn cents_per(dollars: Decimal, said: Period, own: Period) -> Option<Decimal> {
    let cents = dollars.checked_mul(Decimal::ONE_HUNDRED)?;
    if said == own {
        return Some(cents);
    }
    // Multiplied before it is divided, so that nothing is rounded twice.
    cents
        .checked_mul(Decimal::from(said.per_year()?))?
        .checked_div(Decimal::from(own.per_year()?))
}

/// Dollars of one period as whole cents of the field's period.
pub(crate) fn cents(dollars: Decimal, said: Option<Period>, field: &Field) -> Option<Number> {
    unrounded(dollars, said, field).map(|cents| Number::new(cents).round(0))
}

/// Dollars of one period as whole cents a month; of none named they are a month's.
pub(crate) fn cents_a_month(dollars: Decimal, said: Option<Period>) -> Option<Number> {
    let cents = cents_per(dollars, said.unwrap_or(Period::Monthly), Period::Monthly)?;
    Some(Number::new(cents).round(0))
}

/// As [`cents`], but only where nothing is rounded.
pub(crate) fn exact_cents(dollars: Decimal, said: Option<Period>, field: &Field) -> Option<Number> {
    unrounded(dollars, said, field)
        .map(Number::new)
        .filter(|cents| cents.is_whole())
}

/// A number in the unit and period of a call as the field counts, unrounded. Without a unit: dollars; percent points above one,
/// else a decimal; the field's own. `None` where the field does not count so.
pub(crate) fn value(number: Decimal, unit: Option<CallUnit>, period: Option<Period>, field: &Field) -> Option<Number> {
    let months = |per: i64| number.checked_mul(Decimal::from(12))?.checked_div(Decimal::from(per));
    let value = match (field.kind, unit) {
        (Kind::Money, None | Some(CallUnit::Dollars)) => unrounded(number, period, field)?,
        (Kind::Percent, Some(CallUnit::Percent)) => number / Decimal::ONE_HUNDRED,
        (Kind::Percent, None) if number.abs() > Decimal::ONE => number / Decimal::ONE_HUNDRED,
        (Kind::Percent, None) => number,
        (Kind::Months, None | Some(CallUnit::Months)) => number,
        (Kind::Months, Some(CallUnit::Years)) => months(1)?,
        (Kind::Months, Some(CallUnit::Weeks)) => months(52)?,
        (Kind::Years, None | Some(CallUnit::Years)) => number,
        (Kind::Years, Some(CallUnit::Months)) => number / Decimal::from(12),
        (Kind::Days, None | Some(CallUnit::Days)) => number,
        (Kind::Days, Some(CallUnit::Weeks)) => number.checked_mul(Decimal::from(7))?,
        (Kind::Count, None | Some(CallUnit::Count)) => number,
        (Kind::Multiple, None | Some(CallUnit::Multiple)) => number,
        _ => return None,
    };
    Some(Number::new(value))
}

/// The nearest value the field can hold.
pub(crate) fn storable(value: Number, field: &Field) -> Number {
    value.round(if field.kind.is_decimal() { 6 } else { 0 })
}
