//! The results of tools as types. Readers branch on codes, never on sentences.

use super::extracted::{NoteCode, RangeCode};
use super::field::FieldPath;
use super::number::Number;
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
    /// The same in the field's unit, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Number>,
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
    /// Results that the values of this turn have moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<MovedResult>,
}

/// A result before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedResult {
    /// A name of the metric catalog.
    pub metric: String,
    /// What people read.
    pub label: String,
    /// As people write it; `None` where there was none.
    pub before: Option<String>,
    /// As people write it; `None` where there is none.
    pub after: Option<String>,
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

/// A part of a figure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigurePart {
    /// The line's name, or a field's path.
    pub line: String,
    /// Inside a sentence.
    pub label: String,
    /// As people write it.
    pub value: String,
}

/// Where a figure comes from: what it was in an earlier time or is in the plan beside a case, and the lines that made the difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Moved {
    /// The other time's figure; none where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The other year or month, in the unit of the figure's own; none where the other is the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<u32>,
    /// By how much each line changed, those that changed most first. Empty where none did.
    pub by: Vec<FigurePart>,
    /// The month until which both are counted, where neither a year nor a month is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_month: Option<u32>,
}

/// The result of `get_projection` for one line: the figure, and what makes it. Amounts as people write them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LineFigure {
    /// The line's name, or a field's path.
    pub line: String,
    /// Inside a sentence.
    pub label: String,
    /// Its year, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u32>,
    /// Its month, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<u32>,
    /// None where there is none.
    pub value: Option<String>,
    /// A month's share of a year's amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_month: Option<String>,
    /// Whether it is below zero.
    pub is_negative: bool,
    /// The same in each of the five years.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub years: Vec<String>,
    /// The same in each month of its year, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub months: Vec<String>,
    /// What follows is of months 1 to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_month: Option<u32>,
    /// Cash on opening day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_cash: Option<String>,
    /// Sales of the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sales: Option<String>,
    /// All that sales have to pay before the loan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_costs: Option<String>,
    /// The largest costs of the time, or of the opening.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<FigurePart>,
    /// Interest and principal of the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_payments: Option<String>,
    /// Whether sales pay less than running costs and loan payments.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_short: bool,
    /// What the owner takes out in the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<String>,
    /// Of cash: what terms of payment, stock and taxes add; negative where they take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<String>,
    /// Of profit: the interest of the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest: Option<String>,
    /// Of profit: depreciation, amortization and startup costs written off in the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_off: Option<String>,
    /// Of profit: the income tax on it; negative where a loss saves some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub income_tax: Option<String>,
    /// Of coverage after the owner: the taxes paid in the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taxes_paid: Option<String>,
    /// Of break-even sales: their share of the planned sales.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_of_planned: Option<String>,
    /// What changed it since another time, or against the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// Of the money to open: what is borrowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan: Option<String>,
    /// Of the money to open: what the owner puts in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_cash: Option<String>,
}

/// A value that waits for the franchisee, in the result of `list_open_proposals`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenProposal {
    /// The field.
    pub field: FieldPath,
    /// Its label.
    pub label: String,
    /// As people write it.
    pub value: String,
    /// The words that it is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

/// A change of the plan, in the result of `list_changes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedChange {
    /// The field.
    pub field: FieldPath,
    /// Its label.
    pub label: String,
    /// What it was, as people write it.
    pub from: Option<String>,
    /// What it became.
    pub to: String,
    /// What it was in the field's unit, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_before: Option<Number>,
    /// What it became in the field's unit, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Number>,
    /// Who set the new value.
    pub state: ValueState,
    /// `entry`, `turn`, `accept`, `undo`, `reset` or `scenario`.
    pub reason: String,
    /// The words that it is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The day, as `2026-11-25`.
    pub on: String,
    /// Whether that day is today.
    pub is_today: bool,
    /// Minutes ago.
    pub minutes_ago: i64,
}
