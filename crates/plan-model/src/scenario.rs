//! A scenario: a name, and hypothetical values that lie on top of a plan as it is now.

use super::clean;
use super::field::FieldPath;
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
    fn a_name_is_one_visible_line_of_1_to_60_characters() {
        assert_eq!(name(" le\u{200B}an\n case ").as_deref(), Some("lean case"));
        assert_eq!(name(&"é".repeat(60)).map(|name| name.chars().count()), Some(60));
        for refused in ["", " ", "\u{200B}", &"a".repeat(61)] {
            assert_eq!(name(refused), None, "{refused:?}");
        }
    }
}
