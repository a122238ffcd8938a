//! From a name and an amount to a field and its value, exactly or not at all.

use super::language::Key;
use super::vocabulary::Vocabulary;
use crate::convert;
use crate::lex::{Amount, Period, Unit};
use plan_model::field::{Base, Bounds, Field, FieldRole, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;

// The thresholds below have no source outside of this project: they were set on the tuned messages of `tests/truth`, so that none
// of their values is written wrongly, and the unseen messages measure them (docs/TRUTH.md has both).

/// An amount for a month that is a year's for nobody: disclosed ranges reach down to a quarter of their lower end.
const LEAST_OF_RANGE: i64 = 4;

/// Written without asking: from half the range's lower end to twice its upper one, and at least a hundredth of the upper one where
/// the range begins at zero. "Build-out is 140" leaves thousands out.
const WRITTEN: Decimal = Decimal::TWO;

/// Cents; from here a field without a range is written without a dollar sign, too.
const LEAST_WITHOUT_RANGE: i64 = 100_000;

/// A value as it was said, before a field is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AmountReading {
    /// The message's amount with this number.
    pub amount: u16,
    pub period: Option<Period>,
    pub base: Option<Base>,
    /// Growth years, one bit each.
    pub years: u8,
    /// All were percent: "labor 38, cogs 9, all percent".
    pub percent: bool,
    /// Said in the past: only for what is paid once.
    pub past: bool,
    /// In a question of the advisor, which means the field's own period and size.
    pub sure: bool,
    /// An answer to a question for this field.
    pub asked: bool,
}

/// The fields and values that an amount, as it was said, can mean by a name: exact, with its period, in the size that its words
/// have. Plain only where there is exactly one.
pub(super) fn fits(
    key: &Key,
    as_said: &AmountReading,
    amount: &Amount,
    vocabulary: &Vocabulary,
) -> Vec<(usize, Number)> {
    if key.is_growth() {
        return growth(as_said, amount, vocabulary);
    }
    let mut out = Vec::new();
    for named in key.fields.iter().filter(|named| !named.is_guess) {
        let Some(at) = vocabulary.position(&named.path) else {
            continue;
        };
        let field = &vocabulary.fields()[at];
        let reading = FieldReading {
            field,
            as_said,
            amount,
            range: vocabulary.range(at),
            alone: key.fields.iter().filter(|field| !field.is_guess).count() == 1,
        };
        out.extend(reading.values().into_iter().map(|value| (at, value)));
    }
    out.dedup();
    out
}

fn growth(as_said: &AmountReading, amount: &Amount, vocabulary: &Vocabulary) -> Vec<(usize, Number)> {
    let is_percent = amount.unit == Unit::Percent || (amount.unit == Unit::Bare && !amount.marked_size());
    let is_yearly = matches!(as_said.period, None | Some(Period::Annual));
    // "Growth 0.02" may be two percent, and two hundredths of one.
    let is_unclear = amount.unit == Unit::Bare && !amount.value.is_zero() && amount.value.abs() <= Decimal::ONE;
    if !is_percent || is_unclear || !is_yearly || as_said.base.is_some() || amount.colloquial {
        return Vec::new();
    }
    let value = Number::new(amount.value / Decimal::ONE_HUNDRED);
    (1..=5)
        .filter(|year| as_said.years >> year & 1 == 1)
        .filter_map(|year| vocabulary.growth(year))
        .map(|at| (at, value))
        .collect()
}

struct FieldReading<'a> {
    field: &'a Field,
    as_said: &'a AmountReading,
    amount: &'a Amount,
    range: Option<Bounds>,
    /// The name means no other field.
    alone: bool,
}

impl FieldReading<'_> {
    fn own_period(&self) -> Period {
        self.field.period.unwrap_or(Period::Once)
    }

    fn values(&self) -> Vec<Number> {
        let amount = self.amount;
        if amount.unit == Unit::Foreign || amount.colloquial || amount.upper.is_some() || amount.ungrouped {
            return Vec::new();
        }
        let once = self.own_period() == Period::Once && self.field.kind == Kind::Money;
        if self.as_said.past && !once {
            return Vec::new();
        }
        let values = match self.field.kind {
            Kind::Money => self.money(),
            Kind::Percent => self.percent().into_iter().collect(),
            Kind::Months => self.months(),
            Kind::Years => self.years().into_iter().collect(),
            Kind::Days => self.days().into_iter().collect(),
            Kind::Count => self.count().into_iter().collect(),
            Kind::Multiple => self.multiple().into_iter().collect(),
        };
        let has_period = self.as_said.period.is_some() && !matches!(self.field.kind, Kind::Money | Kind::Percent);
        let mut values: Vec<Number> = values;
        values.retain(|value| !has_period && self.field.refusal(*value).is_none());
        values
    }

    fn within(&self, value: Decimal, bounds: Option<Bounds>) -> bool {
        bounds.is_some_and(|bounds| bounds.contains(Number::new(value)))
    }

    fn money(&self) -> Vec<Number> {
        let (amount, as_said) = (self.amount, self.as_said);
        if !matches!(amount.unit, Unit::Money | Unit::Bare)
            || as_said.base.is_some()
            || as_said.percent
            || as_said.years != 0
        {
            return Vec::new();
        }
        // "1,100 a week" may be 50 or 52 weeks of a year.
        if matches!(as_said.period, Some(Period::Weekly | Period::Biweekly)) {
            return Vec::new();
        }
        let Some(value) = convert::exact_cents(amount.value, as_said.period, self.field) else {
            return Vec::new();
        };
        let sure = as_said.sure
            || as_said.period.is_some()
            || self.own_period() == Period::Once
            || value == Number::ZERO && self.range.is_some_and(|range| range.contains(value))
            || self.is_sure_of_period(value);
        if sure && self.is_sure_of_size(value) {
            vec![value]
        } else {
            Vec::new()
        }
    }

    /// Whether the amount would be absurd for the other period.
    fn is_sure_of_period(&self, value: Number) -> bool {
        let (Some(soft), Some(range)) = (self.field.soft, self.range) else {
            return false;
        };
        let twelve = Decimal::from(12);
        match self.own_period() {
            Period::Monthly => {
                let least = soft
                    .low
                    .decimal()
                    .max(range.low.decimal() / Decimal::from(LEAST_OF_RANGE));
                soft.contains(value) && value.decimal() / twelve <= least && least > Decimal::ZERO
            }
            Period::Annual => soft.contains(value) && value.decimal() * twelve > soft.high.decimal(),
            _ => false,
        }
    }

    /// Whether a bare number can be meant in dollars: "build-out is 140" leaves thousands out.
    fn is_sure_of_size(&self, value: Number) -> bool {
        if self.as_said.sure {
            return true;
        }
        let Some(range) = self.range.filter(|_| !self.amount.marked && !value.decimal().is_zero()) else {
            return self.amount.marked
                || value.decimal().is_zero()
                || self.range.is_none() && value >= Number::whole(LEAST_WITHOUT_RANGE);
        };
        let (low, high) = (range.low.decimal(), range.high.decimal());
        let least = if low.is_zero() {
            high / Decimal::ONE_HUNDRED
        } else {
            low / WRITTEN
        };
        value.decimal() >= least && value.decimal() <= high * WRITTEN
    }

    fn percent(&self) -> Option<Number> {
        let (amount, as_said) = (self.amount, self.as_said);
        if as_said.years != 0 || !self.fits_base() {
            return None;
        }
        let yearly = matches!(self.field.role, FieldRole::Escalation | FieldRole::InterestRate);
        let is_annual = as_said.period == Some(Period::Annual);
        if as_said.period.is_some() && !(yearly && is_annual) {
            return None;
        }
        let points = match amount.unit {
            Unit::Percent => amount.value,
            Unit::Bare if as_said.percent => amount.value,
            Unit::Fraction if as_said.base.is_some() => amount.value * Decimal::ONE_HUNDRED,
            Unit::Bare if amount.marked_size() || (!as_said.asked && self.field.role == FieldRole::Escalation) => {
                return None;
            }
            Unit::Bare => {
                let value = amount.value / Decimal::ONE_HUNDRED;
                let sure = self.within(value, self.field.soft) && amount.value > Decimal::ONE;
                sure.then_some(amount.value)?
            }
            _ => return None,
        };
        let value = Number::new(points / Decimal::ONE_HUNDRED);
        (value.scale() <= 6).then_some(value)
    }

    fn fits_base(&self) -> bool {
        self.as_said.base.is_none() || self.as_said.base == self.field.role.base()
    }

    /// In months; a bare number may also be years.
    fn months(&self) -> Vec<Number> {
        let twelve = Decimal::from(12);
        let is_start = self.field.role == FieldRole::StartMonth;
        let value = self.amount.value;
        if !self.fits_base() || self.as_said.percent || self.as_said.years != 0 {
            return Vec::new();
        }
        if is_start && !(self.as_said.asked && self.amount.unit == Unit::Bare) {
            return Vec::new();
        }
        match self.amount.unit {
            Unit::Months => vec![Number::new(value)],
            Unit::Years => vec![Number::new(value * twelve)],
            Unit::Bare if !self.amount.marked => {
                let usual = |months: &Number| self.within(months.decimal(), self.field.soft);
                let [months, years] = [value, value * twelve].map(Number::new);
                // "term is 10" is asked about, also where only years are usual.
                let sure = self.alone && usual(&months) && (is_start || !usual(&years));
                if sure { vec![months] } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    fn years(&self) -> Option<Number> {
        self.whole(match self.amount.unit {
            Unit::Years | Unit::Bare => self.amount.value,
            Unit::Months => self.amount.value / Decimal::from(12),
            _ => return None,
        })
    }

    fn days(&self) -> Option<Number> {
        self.whole(match self.amount.unit {
            Unit::Days | Unit::Bare => self.amount.value,
            Unit::Weeks => self.amount.value * Decimal::from(7),
            _ => return None,
        })
    }

    fn count(&self) -> Option<Number> {
        let value = Some(self.amount.value).filter(|_| self.amount.unit == Unit::Bare)?;
        self.whole(value)
    }

    /// A bare number only where it is usual.
    fn whole(&self, value: Decimal) -> Option<Number> {
        let is_bare = self.amount.unit == Unit::Bare;
        let said_otherwise = self.as_said.base.is_some() || self.as_said.percent || self.as_said.years != 0;
        let usual = self.within(value, self.field.soft);
        (!said_otherwise && value.fract().is_zero() && (!is_bare || (usual && !self.amount.marked)))
            .then(|| Number::new(value))
    }

    fn multiple(&self) -> Option<Number> {
        let value = self.amount.value;
        let said_otherwise = self.as_said.base.is_some() || self.as_said.percent || self.as_said.years != 0;
        match self.amount.unit {
            Unit::Multiple if !said_otherwise => Some(Number::new(value)),
            Unit::Bare if !said_otherwise && self.within(value, self.field.soft) => Some(Number::new(value)),
            _ => None,
        }
    }
}
