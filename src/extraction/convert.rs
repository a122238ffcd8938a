//! From what was said to what a field holds: cents, decimals, whole months. Exact, one rounding at the end, half away from zero.

use super::doubt::Doubts;
use super::link::fits;
use super::reading::Span;
use super::unit::{Period, Unit};
use crate::model::field::{Field, Kind};
use crate::model::number::Number;
use rust_decimal::Decimal;

/// The period a money field counts in.
#[must_use]
pub fn period_of(path: &str) -> Period {
    if path.ends_with("Monthly") || path == "revenue.monthlyAuv" {
        Period::Monthly
    } else if path.ends_with("Annual") || path.ends_with("shareholderSalaryAdj") {
        Period::Annual
    } else {
        Period::Once
    }
}

/// Dollars of one period as cents of the field's period. `None` where the two cannot be compared.
#[must_use]
pub fn cents(dollars: Decimal, said: Option<Period>, field: &Field) -> Option<Number> {
    let own = period_of(field.path.as_str());
    let per_year = |period: Period| match period {
        Period::Weekly => Some(52),
        Period::Biweekly => Some(26),
        Period::Monthly => Some(12),
        Period::Quarterly => Some(4),
        Period::Annual => Some(1),
        Period::Once => None,
    };
    let cents = dollars.checked_mul(Decimal::ONE_HUNDRED)?;
    let said = said.unwrap_or(own);
    let value = if said == own {
        cents
    } else {
        // Multiplied before it is divided, so that nothing is rounded twice.
        cents
            .checked_mul(Decimal::from(per_year(said)?))?
            .checked_div(Decimal::from(per_year(own)?))?
    };
    Some(Number::new(value).round(0))
}

/// Every value of the field that the span can mean, the likeliest first; empty where its unit does not fit.
#[must_use]
pub fn values(span: &Span, field: &Field) -> Vec<Number> {
    values_of(span, span.value, field)
}

/// The field's values at both ends of a range.
#[must_use]
pub fn bounds(span: &Span, field: &Field) -> Option<(Number, Number)> {
    let low = values_of(span, span.value, field).first().copied()?;
    let high = values_of(span, span.upper?, field).first().copied()?;
    Some((low.min(high), low.max(high)))
}

fn values_of(span: &Span, value: Decimal, field: &Field) -> Vec<Number> {
    if !fits(field.kind, field.path.as_str(), span.unit) {
        return Vec::new();
    }
    match field.kind {
        Kind::Money => money(span, value, field),
        Kind::Percent => percent(span.unit, value, field),
        Kind::Months => months(span.unit, value, field),
        Kind::Years if span.unit == Unit::Months => vec![Number::new(value / Decimal::from(12))],
        Kind::Days if span.unit == Unit::Weeks => vec![Number::new(value * Decimal::from(7))],
        Kind::Years | Kind::Days | Kind::Count | Kind::Multiple => vec![Number::new(value)],
    }
}

fn money(span: &Span, dollars: Decimal, field: &Field) -> Vec<Number> {
    if span.odd_period {
        return Vec::new();
    }
    let as_said = cents(dollars, span.period, field);
    let mut out = Vec::with_capacity(2);
    if span.period.is_none() && span.yearly_name {
        out.extend(cents(dollars, Some(Period::Annual), field));
    }
    let thousand = is_short(span, dollars, field)
        .then(|| dollars.checked_mul(Decimal::ONE_THOUSAND))
        .flatten();
    out.extend(thousand.and_then(|dollars| cents(dollars, span.period, field)));
    if let Some(hundred) = dollars
        .checked_mul(Decimal::ONE_HUNDRED)
        .filter(|_| thousand.is_none() && is_short_hundred(span, dollars, field))
    {
        out.extend(cents(hundred, span.period, field));
    }
    out.extend(as_said);
    if period_of(field.path.as_str()) == Period::Annual && span.period.is_none() && is_small_salary(dollars) {
        out.extend(cents(dollars, Some(Period::Monthly), field));
    }
    out
}

/// Whether thousands were probably left out: "we borrowed two eighty", "build-out is 140".
fn is_short(span: &Span, dollars: Decimal, field: &Field) -> bool {
    if !(span.bare || (span.doubts.has(Doubts::SHORT) && span.unit == Unit::Bare))
        || dollars <= Decimal::ZERO
        || dollars >= Decimal::ONE_THOUSAND
    {
        return false;
    }
    let grown = Number::new(dollars * Decimal::from(100_000));
    match field.soft {
        Some(soft) if soft.low == Number::ZERO => {
            grown <= soft.high && (dollars < Decimal::ONE_HUNDRED || soft.high >= Number::whole(100_000_000))
        }
        Some(soft) => soft.contains(grown) && Number::new(dollars * Decimal::ONE_HUNDRED) < soft.low,
        None => dollars < Decimal::ONE_HUNDRED || is_large_row(field.path.as_str()),
    }
}

/// "rent is forty-two": hundreds were left out.
fn is_short_hundred(span: &Span, dollars: Decimal, field: &Field) -> bool {
    let cents = |factor: i64| Number::new(dollars * Decimal::from(factor));
    let Some(soft) = field
        .soft
        .filter(|_| span.bare && dollars > Decimal::ZERO && dollars < Decimal::ONE_HUNDRED)
    else {
        return false;
    };
    cents(100) < soft.low && soft.contains(cents(10_000))
}

fn is_large_row(path: &str) -> bool {
    matches!(
        path,
        "startupCosts.leaseholdImprovements"
            | "startupCosts.furnitureFixturesEquipment"
            | "startupCosts.additionalFunds"
            | "startupCosts.franchiseFee"
    )
}

/// Small for a year, usual for a month.
fn is_small_salary(dollars: Decimal) -> bool {
    dollars > Decimal::ZERO && dollars < Decimal::from(15_000)
}

fn percent(unit: Unit, value: Decimal, field: &Field) -> Vec<Number> {
    let points = Number::new(value / Decimal::ONE_HUNDRED).round(6);
    if unit == Unit::Percent || value.abs() > Decimal::ONE || value.is_zero() {
        return vec![points];
    }
    let decimal = Number::new(value).round(6);
    let soft = |number: Number| field.soft.is_some_and(|soft| soft.contains(number));
    match (soft(decimal), soft(points)) {
        (true, false) => vec![decimal],
        // Nobody plans with a few hundredths of a percent.
        (true, true) if points < Number::millionths(1_000) => vec![decimal],
        (false, true) => vec![points],
        _ if value == Decimal::ONE => vec![points, decimal],
        _ => vec![decimal, points],
    }
}

fn months(unit: Unit, value: Decimal, field: &Field) -> Vec<Number> {
    let years = Number::new(value * Decimal::from(12));
    let months = Number::new(value);
    match unit {
        Unit::Years => vec![years],
        Unit::Bare
            if field.soft.is_some_and(|soft| months < soft.low && soft.contains(years)) && value > Decimal::ZERO =>
        {
            vec![years, months]
        }
        _ => vec![months],
    }
}

/// Whether a value needs rounding before the field can hold it.
#[must_use]
pub fn is_storable(value: Number, field: &Field) -> bool {
    value.scale() <= if field.kind.is_decimal() { 6 } else { 0 }
}

/// The nearest value the field can hold.
#[must_use]
pub fn storable(value: Number, field: &Field) -> Number {
    value.round(if field.kind.is_decimal() { 6 } else { 0 })
}
