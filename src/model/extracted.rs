//! A value the advisor heard, and what became of it.

use super::field::{FieldPath, Kind};
use super::ids::ExtractionId;
use super::number::Number;
use serde::{Deserialize, Serialize};

/// How certain the speaker was. Only `High` is ever applied by itself.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    Uncertain,
    Tentative,
    High,
}

impl Confidence {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Tentative => "tentative",
            Self::Uncertain => "uncertain",
        }
    }
}

/// What became of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Written to the plan.
    Applied,
    /// Equal to what the plan already held.
    Unchanged,
    /// Waits for the franchisee.
    Proposed,
    /// The franchisee took it.
    Accepted,
    /// The franchisee refused it, or the field was set otherwise.
    Dismissed,
    /// Never a value of this plan.
    Invalid,
}

impl Status {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Unchanged => "unchanged",
            Self::Proposed => "proposed",
            Self::Accepted => "accepted",
            Self::Dismissed => "dismissed",
            Self::Invalid => "invalid",
        }
    }

    /// Reads what [`Status::as_str`] wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Applied,
            Self::Unchanged,
            Self::Proposed,
            Self::Accepted,
            Self::Dismissed,
            Self::Invalid,
        ]
        .into_iter()
        .find(|status| status.as_str() == text)
    }
}

/// Which reference a value leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RangeCode {
    AboveItem7,
    BelowItem7,
    AboveTypical,
    BelowTypical,
}

/// As it stands in `done` and in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExtractedValue {
    #[schema(value_type = uuid::Uuid)]
    pub id: ExtractionId,
    #[schema(value_type = String)]
    pub field: FieldPath,
    pub label: String,
    #[schema(value_type = String)]
    pub kind: Kind,
    /// In the field's unit: cents, decimals, whole numbers.
    #[schema(value_type = f64)]
    pub value: Number,
    #[schema(value_type = Option<f64>)]
    pub previous_value: Option<Number>,
    pub confidence: Confidence,
    pub status: Status,
    pub applied: bool,
    pub range_warning: Option<String>,
    pub range_code: Option<RangeCode>,
    /// The franchisee's own words.
    pub evidence: Option<String>,
    pub note: Option<String>,
}
