//! What a plan holds: one value per field, with where it came from.

use super::brand::Brand;
use super::field::{Bounds, FieldPath};
use super::field_map::FieldMap;
use super::number::Number;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use time::OffsetDateTime;

/// Who a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    BrandDefault,
    UserEntry,
    AiPopulated,
    /// Written by an administrator; holds the name.
    Admin(String),
}

impl Source {
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::BrandDefault => "brand_default".into(),
            Self::UserEntry => "user_entry".into(),
            Self::AiPopulated => "ai_populated".into(),
            Self::Admin(name) => format!("admin:{name}"),
        }
    }

    /// Reads what [`Source::to_text`] wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "brand_default" => Some(Self::BrandDefault),
            "user_entry" => Some(Self::UserEntry),
            "ai_populated" => Some(Self::AiPopulated),
            other => other.strip_prefix("admin:").map(|name| Self::Admin(name.to_owned())),
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
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("unknown source"))
    }
}

/// One stored field value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldValue {
    pub current_value: Number,
    pub source: Source,
    pub brand_default: Number,
    /// The brand's Item 7 row, or what derives from one, as it was when the plan was made.
    pub item7_range: Option<Bounds>,
    /// `None` while at brand default.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_modified_at: Option<OffsetDateTime>,
    pub is_custom: bool,
}

/// All values of a plan by path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FinancialInputs(pub FieldMap);

impl FinancialInputs {
    /// A plan as the brand proposes it: every field at its default.
    #[must_use]
    pub fn from_brand(brand: &Brand) -> Self {
        let default = |path: &FieldPath| FieldValue {
            current_value: brand.default_of(path).unwrap_or(Number::ZERO),
            source: Source::BrandDefault,
            brand_default: brand.default_of(path).unwrap_or(Number::ZERO),
            item7_range: brand.item7_range(path),
            last_modified_at: None,
            is_custom: false,
        };
        Self(
            brand
                .fields()
                .iter()
                .map(|field| (field.path.clone(), default(&field.path)))
                .collect(),
        )
    }

    /// The values that are not as they were.
    #[must_use]
    pub fn since(&self, before: Option<&Self>) -> Self {
        let moved =
            |path: &FieldPath, value: &FieldValue| before.and_then(|before| before.get(path.as_str())) != Some(value);
        let values = self.0.iter().filter(|(path, value)| moved(path, value));
        Self(values.map(|(path, value)| (path.clone(), value.clone())).collect())
    }

    #[must_use]
    pub fn get(&self, path: &str) -> Option<&FieldValue> {
        self.0.get(path)
    }

    /// The current value, zero for a field this plan does not have.
    #[must_use]
    pub fn value(&self, path: &str) -> Number {
        self.get(path).map_or(Number::ZERO, |field| field.current_value)
    }
}
