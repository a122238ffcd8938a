//! A scenario: a name, and hypothetical values that lie on top of a plan as it is now.

use super::clean;
use super::field::{Field, FieldPath};
use super::number::Number;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// Scenarios of one plan.
pub const MAX_SCENARIOS: usize = 10;

/// Values of one scenario.
pub const MAX_OVERRIDES: usize = 40;

/// Characters of a name.
pub const MAX_NAME_CHARS: usize = 60;

/// Scenarios that are compared with the plan at once.
pub const MAX_COMPARED: usize = 3;

/// Hypothetical values by field, each within its field's hard bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Overrides(pub BTreeMap<FieldPath, Number>);

/// A hypothetical value of a field: itself, or how far it is from the plan's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The value.
    To(Number),
    /// So much more, or less where negative, in the field's unit.
    By(Number),
    /// So many times the plan's value: 0.9 is a tenth less.
    Times(Number),
}

/// JSON of a relative change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Relative {
    by: Option<Number>,
    times: Option<Number>,
}

impl Change {
    /// Reads a number, `{"by": n}` or `{"times": x}`; `None` for anything else.
    pub fn read(json: &str) -> Option<Self> {
        if let Ok(value) = json.parse() {
            return Some(Self::To(value));
        }
        // A list would be read as the members in their order.
        if !json.trim_start().starts_with('{') {
            return None;
        }
        match serde_json::from_str(json).ok()? {
            Relative {
                by: Some(by),
                times: None,
            } => Some(Self::By(by)),
            Relative {
                by: None,
                times: Some(times),
            } => Some(Self::Times(times)),
            _ => None,
        }
    }

    /// The value where the plan holds `now`: exact, what is relative rounded half away from zero to what the field can hold.
    /// `None` where it is too large for a number.
    pub fn resolve(self, field: &Field, now: Number) -> Option<Number> {
        let digits = if field.kind.is_decimal() { 6 } else { 0 };
        let relative = match self {
            Self::To(value) => return Some(value),
            Self::By(by) => now.decimal().checked_add(by.decimal())?,
            Self::Times(times) => now.decimal().checked_mul(times.decimal())?,
        };
        Some(Number::new(relative).round(digits))
    }
}

/// A name as it is stored and shown: on one line, nothing invisible, 1 to [`MAX_NAME_CHARS`] characters.
pub fn name(text: &str) -> Option<String> {
    let name = clean::label(text);
    (1..=MAX_NAME_CHARS).contains(&name.chars().count()).then_some(name)
}

/// What is unique in a plan: names that look the same, or differ only in case, have the same key.
pub fn name_key(name: &str) -> String {
    let folded: String = name.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    clean::label(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::find;

    #[test]
    fn names_that_look_alike_have_one_key() {
        for same in [
            "lean",
            "LEAN",
            " Le\u{200B}an ",
            "\u{FF2C}ean",
            "lea\u{00AD}n",
            "l\u{FE0F}ean\u{2060}",
        ] {
            assert_eq!(name_key(same), "lean", "{same:?}");
        }
        assert_eq!(name_key("Cafe\u{301}  plan"), name_key("CAF\u{C9} plan"));
        assert_eq!(name_key("\u{FB01}rst"), "first");
        assert_ne!(name_key("lean 1"), name_key("lean 2"));
    }

    #[test]
    fn a_change_is_a_value_or_relative_to_the_plans() {
        assert_eq!(Change::read("420000"), Some(Change::To(Number::whole(420_000))));
        assert_eq!(
            Change::read(r#"{"by": -0.01}"#),
            Some(Change::By(Number::millionths(-10_000)))
        );
        assert_eq!(
            Change::read(r#"{ "times": 1.1 }"#),
            Some(Change::Times(Number::millionths(1_100_000)))
        );
        for wrong in [
            "null",
            "{}",
            "[]",
            "\"5\"",
            "true",
            r#"{"by":1,"times":2}"#,
            r#"{"by":"1"}"#,
            r#"{"to":1}"#,
            r#"{"by":null}"#,
            r"[1,null]",
        ] {
            assert_eq!(Change::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_relative_change_is_exact_and_rounded_half_away_from_zero() {
        let field = |path: &str| find(path).expect("a field");
        let (rent, growth) = (field("operatingCosts.rentMonthly"), field("revenue.year1GrowthRate"));
        let resolved =
            |change: Change, field: &Field, now: Number| change.resolve(field, now).map(|value| value.to_string());
        let times = |millionths: i64| Change::Times(Number::millionths(millionths));
        assert_eq!(
            resolved(times(1_100_000), rent, Number::whole(450_005)).as_deref(),
            Some("495006")
        );
        assert_eq!(
            resolved(times(500_000), rent, Number::whole(450_001)).as_deref(),
            Some("225001")
        );
        assert_eq!(
            resolved(times(500_000), growth, Number::millionths(-33_333)).as_deref(),
            Some("-0.016667")
        );
        assert_eq!(
            resolved(Change::By(Number::whole(-2_000_000)), rent, Number::whole(450_000)).as_deref(),
            Some("-1550000")
        );
        let largest = Number::new(rust_decimal::Decimal::MAX);
        assert_eq!(Change::By(largest).resolve(rent, largest), None);
        assert_eq!(Change::Times(largest).resolve(rent, largest), None);
    }

    #[test]
    fn a_name_is_one_visible_line_of_1_to_60_characters() {
        assert_eq!(name(" le\u{200B}an\n case ").as_deref(), Some("lean case"));
        assert_eq!(name(&"é".repeat(60)).map(|name| name.chars().count()), Some(60));
        for refused in ["", " ", "\u{200B}", &"a".repeat(61)] {
            assert_eq!(name(refused), None, "{refused:?}");
        }
    }
}
