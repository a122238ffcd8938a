//! The results of tools as types. Readers branch on codes, never on sentences.

use super::extracted::{NoteCode, RangeCode};
use super::field::FieldPath;
use serde::{Deserialize, Serialize};

/// What became of a call of `set_financial_field`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldStatus {
    /// It will be written.
    Applied,
    /// It waits for the franchisee.
    Proposed,
    /// The plan holds it already.
    Unchanged,
    /// A later value of the turn took its place.
    Superseded,
}

/// The result of one `set_financial_field`. Values are shown as people write them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldResult {
    /// What became of it.
    pub status: FieldStatus,
    /// The field.
    pub field: FieldPath,
    /// The field's label.
    pub label: String,
    /// The value.
    pub value: String,
    /// What the plan held before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    /// Which range it leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_code: Option<RangeCode>,
    /// The range it leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Reference>,
    /// Why it waits, or what it replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_code: Option<NoteCode>,
    /// The same as a sentence.
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
    /// Where it comes from.
    pub kind: ReferenceKind,
    /// The lower end.
    pub low: String,
    /// The upper end.
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
    /// Nobody: the brand's default.
    #[serde(rename = "default")]
    Default,
    /// The franchisee, by hand.
    #[serde(rename = "yours")]
    Yours,
    /// A turn with the advisor.
    #[serde(rename = "AI")]
    Advisor,
    /// An administrator.
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
    /// The field.
    pub path: FieldPath,
    /// Its label.
    pub label: String,
    /// Its value; none while the plan has no figures.
    pub value: Option<String>,
    /// Who set it.
    pub state: ValueState,
    /// What it is compared with.
    pub range: Option<Reference>,
    /// Whether a plan is not complete without it.
    pub core: bool,
}

/// A field that is still at its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingField {
    /// The field.
    pub path: FieldPath,
    /// Its label.
    pub label: String,
}

/// The result of `get_plan_summary`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanSummary {
    /// The brand's name.
    pub brand: String,
    /// Each field of the plan.
    pub fields: Vec<SummaryField>,
    /// Core fields that are still at their default.
    pub missing: Vec<MissingField>,
    /// `None` while the plan has no figures.
    pub metrics: Option<serde_json::Value>,
}

/// A value that returns when the last change is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Returning {
    /// The field.
    pub field: FieldPath,
    /// Its label.
    pub label: String,
    /// What it is now.
    pub value: String,
    /// What it will be.
    pub returns_to: String,
}

/// The result of `undo_last_change`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum UndoResult {
    /// Done when the turn is stored.
    WillUndo {
        /// The values that return.
        changes: Vec<Returning>,
    },
    /// No change is left to take back.
    NothingToUndo,
}
