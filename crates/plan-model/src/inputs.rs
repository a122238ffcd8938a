//! The inputs of a plan: one value per field, with its source.

use super::brand::Brand;
use super::field::FieldPath;
use super::field_map::FieldMap;
pub use super::field_value::{FieldValue, Source};
use super::number::Number;
use serde::{Deserialize, Serialize};

/// All values of a plan by path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FinancialInputs(pub FieldMap);

impl FinancialInputs {
    /// A plan as the brand proposes it: every field at its default.
    pub fn from_brand(brand: &Brand) -> Self {
        Self(
            brand
                .fields()
                .iter()
                .map(|field| (field.path.clone(), FieldValue::at_default(brand, &field.path)))
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

    /// The stored value of a path.
    pub fn get(&self, path: &str) -> Option<&FieldValue> {
        self.0.get(path)
    }

    /// The current value, zero for a field this plan does not have.
    pub fn value(&self, path: &str) -> Number {
        self.get(path).map_or(Number::ZERO, |field| field.current_value)
    }
}

impl FieldValue {
    /// A field as the brand proposes it; zero where the brand says nothing.
    pub fn at_default(brand: &Brand, path: &FieldPath) -> Self {
        let default = brand.default_of(path).unwrap_or(Number::ZERO);
        Self {
            current_value: default,
            source: Source::BrandDefault,
            brand_default: default,
            item7_range: brand.item7_range(path).map(Box::new),
            last_modified_at: None,
            is_custom: false,
        }
    }
}
