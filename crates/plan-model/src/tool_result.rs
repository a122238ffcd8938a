//! The results of tools as types. Readers branch on codes, never on sentences.

use super::extracted::{NoteCode, RangeCode};
use super::field::FieldPath;
use serde::{Deserialize, Serialize};

/// What became of a call of `set_financial_field`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldStatus {
    Applied,
    Proposed,
    Unchanged,
    Superseded,
}

/// The result of one `set_financial_field`. Values are shown as people write them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldResult {
    pub status: FieldStatus,
    pub field: FieldPath,
    pub label: String,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_code: Option<RangeCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_code: Option<NoteCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Where a reference range comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    /// The franchisor's published estimate.
    Item7,
    /// The catalogue's planning range.
    Typical,
}

/// The range a value is held against, its ends as people write them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    pub kind: ReferenceKind,
    pub low: String,
    pub high: String,
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            ReferenceKind::Item7 => "Item 7",
            ReferenceKind::Typical => "typical",
        };
        write!(f, "{kind} {} to {}", self.low, self.high)
    }
}

/// Who set a value of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueState {
    #[serde(rename = "default")]
    Default,
    #[serde(rename = "yours")]
    Yours,
    #[serde(rename = "AI")]
    Advisor,
    #[serde(rename = "admin")]
    Admin,
    /// A source that this release does not know.
    #[serde(rename = "other")]
    Other,
}

impl ValueState {
    /// As prompt and tools show it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Yours => "yours",
            Self::Advisor => "AI",
            Self::Admin => "admin",
            Self::Other => "other",
        }
    }
}

/// One field in the result of `get_plan_summary`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryField {
    pub path: FieldPath,
    pub label: String,
    pub value: Option<String>,
    pub state: ValueState,
    pub range: Option<Reference>,
    pub core: bool,
}

/// A field that is still at its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingField {
    pub path: FieldPath,
    pub label: String,
}

/// The result of `get_plan_summary`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanSummary {
    pub brand: String,
    pub fields: Vec<SummaryField>,
    pub missing: Vec<MissingField>,
    /// `None` while the plan has no figures.
    pub metrics: Option<serde_json::Value>,
}

/// A value that returns when the last change is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Returning {
    pub field: FieldPath,
    pub label: String,
    pub value: String,
    pub returns_to: String,
}

/// The result of `undo_last_change`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum UndoResult {
    /// Done when the turn is stored.
    WillUndo {
        changes: Vec<Returning>,
    },
    NothingToUndo,
}
