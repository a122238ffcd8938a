//! One stored value of a plan, with its source.

use super::field::Bounds;
use super::number::Number;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::OffsetDateTime;

/// Who a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The brand's document.
    BrandDefault,
    /// The franchisee, by hand.
    UserEntry,
    /// A turn with the advisor.
    AiPopulated,
    /// Written by an administrator; holds the name.
    Admin(Box<str>),
    /// A kind that this release does not know, as it is stored. Kept, and shown as it is.
    Other(Box<str>),
}

impl Source {
    /// As it is stored.
    pub fn to_text(&self) -> String {
        match self {
            Self::BrandDefault => "brand_default".into(),
            Self::UserEntry => "user_entry".into(),
            Self::AiPopulated => "ai_populated".into(),
            Self::Admin(name) => format!("admin:{name}"),
            Self::Other(text) => text.to_string(),
        }
    }

    /// Reads what [`Source::to_text`] wrote.
    pub fn parse(text: &str) -> Self {
        match text {
            "brand_default" => Self::BrandDefault,
            "user_entry" => Self::UserEntry,
            "ai_populated" => Self::AiPopulated,
            other => match other.strip_prefix("admin:") {
                Some(name) => Self::Admin(name.into()),
                None => Self::Other(other.into()),
            },
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_text())
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::parse(&String::deserialize(deserializer)?))
    }
}

/// One stored field value. Small, because a running turn holds one for each field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldValue {
    /// In the field's unit.
    pub current_value: Number,
    /// Who it came from.
    pub source: Source,
    /// What the brand proposed when the plan was made.
    pub brand_default: Number,
    /// The brand's Item 7 row, or what derives from one, as it was when the plan was made.
    pub item7_range: Option<Box<Bounds>>,
    /// `None` while at brand default.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub last_modified_at: Option<OffsetDateTime>,
    /// Whether somebody set it.
    #[serde(default)]
    pub is_custom: bool,
}

impl FieldValue {
    /// The Item 7 range the plan was made with.
    pub fn item7(&self) -> Option<Bounds> {
        self.item7_range.as_deref().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_read_as_it_was_written_and_unknown_ones_are_kept() {
        for (text, source) in [
            ("brand_default", Source::BrandDefault),
            ("user_entry", Source::UserEntry),
            ("ai_populated", Source::AiPopulated),
            ("admin:Ada", Source::Admin("Ada".into())),
            ("bank_import", Source::Other("bank_import".into())),
        ] {
            assert_eq!(Source::parse(text), source);
            assert_eq!(source.to_text(), text);
        }
    }

    #[test]
    fn a_stored_value_may_lack_what_has_a_default() {
        let stored = r#"{"currentValue": 5, "source": "bank_import", "brandDefault": 4, "later": []}"#;
        let value: FieldValue = serde_json::from_str(stored).expect("a value");
        assert_eq!(value.current_value, Number::whole(5));
        assert_eq!(
            (value.item7_range, value.last_modified_at, value.is_custom),
            (None, None, false)
        );
    }
}
