//! Exact numbers: what a plan field holds, from JSON text to storage without binary floating point.
//!
//! Money is whole cents, percentages and multiples are decimals with at most six fractional digits, the rest is whole.

use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;
use std::{fmt, str::FromStr};

/// Millionths in one: the unit of the engine's rates.
pub const PPM: i64 = 1_000_000;

/// An exact decimal that travels through JSON as a plain number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number(Decimal);

impl Number {
    /// Nothing.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// A decimal as it is.
    pub fn new(value: Decimal) -> Self {
        Self(value.normalize())
    }

    /// A whole number: cents, months, days, heads.
    pub fn whole(value: i64) -> Self {
        Self(Decimal::from(value))
    }

    /// A rate given in millionths: `60_000` is 0.06.
    pub fn millionths(value: i64) -> Self {
        Self(Decimal::new(value, 6).normalize())
    }

    /// As a decimal.
    pub fn decimal(self) -> Decimal {
        self.0
    }

    /// Whether it has no digits behind the point.
    pub fn is_whole(self) -> bool {
        self.0.fract().is_zero()
    }

    /// Digits behind the point, without trailing zeros.
    pub fn scale(self) -> u32 {
        self.0.normalize().scale()
    }

    /// The value as a whole number, half away from zero, saturating.
    pub fn to_whole(self) -> i64 {
        saturate(self.0.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero))
    }

    /// The value in millionths, half away from zero, saturating.
    pub fn to_millionths(self) -> i64 {
        let scaled = self
            .0
            .checked_mul(Decimal::from(PPM))
            .unwrap_or(if self.0.is_sign_negative() {
                Decimal::MIN
            } else {
                Decimal::MAX
            });
        saturate(scaled.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero))
    }

    /// Rounds half away from zero to `digits` behind the point.
    #[must_use]
    pub fn round(self, digits: u32) -> Self {
        Self::new(
            self.0
                .round_dp_with_strategy(digits, RoundingStrategy::MidpointAwayFromZero),
        )
    }
}

/// The quotient; the largest decimal where it would not fit or the divisor is 0. `/` panics then.
pub fn quotient(value: Decimal, divisor: Decimal) -> Decimal {
    value.checked_div(divisor).unwrap_or(if value.is_sign_negative() {
        Decimal::MIN
    } else {
        Decimal::MAX
    })
}

fn saturate(value: Decimal) -> i64 {
    value
        .to_i64()
        .unwrap_or(if value.is_sign_negative() { i64::MIN } else { i64::MAX })
}

/// Why a text is not a [`Number`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a number that can be stored exactly")]
pub struct NotANumber;

impl FromStr for Number {
    type Err = NotANumber;

    /// Reads JSON number syntax, also with an exponent. Refuses what does not fit 28 digits rather than rounding it.
    fn from_str(text: &str) -> Result<Self, NotANumber> {
        if let Some(short) = short_decimal(text) {
            return Ok(Self::new(short));
        }
        let text = text.trim();
        if text.is_empty() || text.len() > 64 {
            return Err(NotANumber);
        }
        let parsed = match text.split_once(['e', 'E']) {
            None => Decimal::from_str_exact(text),
            Some(_) => Decimal::from_scientific(text),
        };
        parsed.map(Self::new).map_err(|_| NotANumber)
    }
}

/// Up to eighteen digits, perhaps with a point between them: nearly every number of a plan, in a fraction of the time.
fn short_decimal(text: &str) -> Option<Decimal> {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    if !(1..=18).contains(&digits.len()) {
        return None;
    }
    let (mut units, mut point) = (0_i64, None);
    for (at, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => units = units * 10 + i64::from(byte - b'0'),
            b'.' if point.is_none() && at > 0 && at < digits.len() - 1 => point = Some(at),
            _ => return None,
        }
    }
    let scale = point.map_or(0, |point| digits.len() - point - 1);
    let signed = if digits.len() < text.len() { -units } else { units };
    Some(Decimal::new(signed, scale as u32))
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.normalize().fmt(f)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_whole().then(|| self.0.to_i64()).flatten() {
            Some(whole) => serializer.serialize_i64(whole),
            // Raw text, so that 0.06 is written as 0.06 and never passes through an f64.
            None => RawValue::from_string(self.to_string())
                .map_err(ser::Error::custom)?
                .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        raw.get().parse().map_err(|_| de::Error::custom("expected a number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn json_text_is_kept_exactly() {
        for (text, back) in [
            ("0.06", "0.06"),
            ("420000", "420000"),
            ("1e3", "1000"),
            ("0.1025", "0.1025"),
            ("3.0", "3"),
            ("-0.05", "-0.05"),
        ] {
            let number: Number = serde_json::from_str(text).expect(text);
            assert_eq!(serde_json::to_string(&number).expect("writes"), back);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "\"4\"",
            "true",
            "null",
            "[1]",
            "1e400",
            "12345678901234567890123456789012345",
        ] {
            assert!(serde_json::from_str::<Number>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn it_also_travels_through_a_value() {
        let value = serde_json::to_value(Number::millionths(102_500)).expect("to value");
        assert_eq!(value.to_string(), "0.1025");
        assert_eq!(
            serde_json::from_value::<Number>(value).expect("from value"),
            Number::millionths(102_500)
        );
    }

    proptest! {
        #[test]
        fn short_numbers_are_read_like_long_ones(text in "-?[0-9]{0,20}[.]?[0-9]{0,20}|-?[0-9]{1,3}[.e-]{0,2}[0-9]{0,3}") {
            if let Some(short) = short_decimal(&text) {
                prop_assert_eq!(Ok(short), Decimal::from_str_exact(&text));
            }
        }

        #[test]
        fn millionths_and_cents_come_back(n in -10_000_000_000_000i64..10_000_000_000_000) {
            prop_assert_eq!(Number::millionths(n).to_millionths(), n);
            prop_assert_eq!(Number::whole(n).to_whole(), n);
            let text = serde_json::to_string(&Number::millionths(n)).expect("writes");
            prop_assert_eq!(serde_json::from_str::<Number>(&text).expect("reads"), Number::millionths(n));
        }
    }
}
