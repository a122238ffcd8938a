//! A value extracted in a turn, and its status.

use super::access::Author;
use super::field::{FieldPath, Kind};
use super::ids::{ChangeId, ExtractionId};
use super::number::Number;
use super::text_enum::text_enum;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

text_enum! {
    /// How certain the speaker was. Only `High` is ever applied by itself.
    #[derive(PartialOrd, Ord, utoipa::ToSchema, schemars::JsonSchema)]
    pub enum Confidence {
        /// Conditional or unclear.
        Uncertain = "uncertain",
        /// About, maybe, a range.
        Tentative = "tentative",
        /// Stated exactly.
        High = "high",
    }
}

text_enum! {
    /// What became of a value.
    #[derive(utoipa::ToSchema)]
    pub enum Status {
        /// Written to the plan.
        Applied = "applied",
        /// Equal to what the plan already held.
        Unchanged = "unchanged",
        /// Waits for the franchisee.
        Proposed = "proposed",
        /// The franchisee took it.
        Accepted = "accepted",
        /// The franchisee refused it, or the field was set otherwise.
        Dismissed = "dismissed",
        /// Never a value of this plan.
        Invalid = "invalid",
    }
}

text_enum! {
    /// Which reference a value leaves.
    #[derive(utoipa::ToSchema)]
    pub enum RangeCode {
        /// Above what the franchisor discloses.
        AboveItem7 = "above_item7",
        /// Below what the franchisor discloses.
        BelowItem7 = "below_item7",
        /// Above the catalogue's planning range.
        AboveTypical = "above_typical",
        /// Below the catalogue's planning range.
        BelowTypical = "below_typical",
    }
}

text_enum! {
    /// Why a value waits, or what it replaced; the machine's side of a note.
    #[derive(utoipa::ToSchema)]
    pub enum NoteCode {
        /// The number is not in the words that count.
        NotSaid = "not_said",
        /// Words directly at the number contradict the call.
        Contradicted = "contradicted",
        /// Far outside of the reference range.
        FarOff = "far_off",
        /// Neither plain nor confirmed by the second look.
        Unclear = "unclear",
        /// Two values were given for one field.
        TwoValues = "two_values",
        /// The field cannot hold the exact value.
        Rounded = "rounded",
        /// The value is outside the field's hard bounds.
        OutOfBounds = "out_of_bounds",
        /// An earlier value of the franchisee was replaced; the only code of an applied value.
        Replaces = "replaces",
        /// The field was changed elsewhere while the turn ran.
        ChangedMeanwhile = "changed_meanwhile",
        /// The answer was cut short.
        CutAnswer = "cut_answer",
        /// The model itself was not sure.
        ModelUnsure = "model_unsure",
    }
}

text_enum! {
    /// What decided that a value is written.
    #[derive(utoipa::ToSchema)]
    pub enum DecidedBy {
        /// The closed grammar understood the whole statement.
        Plain = "plain",
        /// The model confirmed it on a second look.
        Review = "review",
        /// The franchisee accepted it.
        User = "user",
    }
}

/// As sent in `done` and kept in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExtractedValue {
    /// What a decision on it names.
    #[schema(value_type = uuid::Uuid)]
    pub id: ExtractionId,
    /// The field.
    #[schema(value_type = String)]
    pub field: FieldPath,
    /// The field's label.
    pub label: String,
    /// What the field counts in.
    #[schema(value_type = String)]
    pub kind: Kind,
    /// In the field's unit: cents, decimals, whole numbers.
    #[schema(value_type = f64)]
    pub value: Number,
    /// What the plan held before.
    #[schema(value_type = Option<f64>)]
    pub previous_value: Option<Number>,
    /// How certain the speaker was.
    pub confidence: Confidence,
    /// What became of it.
    pub status: Status,
    /// Whether the plan holds it because of this turn.
    pub applied: bool,
    /// What a person reads where it leaves its range.
    pub range_warning: Option<String>,
    /// Which range it leaves.
    pub range_code: Option<RangeCode>,
    /// The franchisee's own words; with an author, what that one says they are.
    pub evidence: Option<String>,
    /// The assistant that named it, without proof that the franchisee said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub author: Option<Author>,
    /// The note as a sentence.
    pub note: Option<String>,
    /// Why it waits, or what it replaced. `null` where there is nothing to note, and in values of older versions.
    #[serde(default)]
    pub note_code: Option<NoteCode>,
    /// What decided that it is written; `null` while it waits.
    #[serde(default)]
    pub decided_by: Option<DecidedBy>,
    /// The line of the audit trail that wrote it.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    pub change_id: Option<ChangeId>,
    /// When that change was taken back.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub undone_at: Option<OffsetDateTime>,
}
