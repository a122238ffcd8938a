//! The events of a turn's stream: `token`, then exactly one `done` or `error`.

use super::error::ErrorCode;
use super::extracted::ExtractedValue;
use super::field::FieldPath;
use super::ids::{PendingActionId, ScenarioId, TurnId};
use super::message::FinishReason;
use super::number::Number;
use super::outputs::UpdatedOutputs;
use super::usage::Usage;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use time::OffsetDateTime;

/// Target of the spans that are made for traces. They never reach the log.
pub const SPANS: &str = "gen_ai";

/// The protocol as one enum. `Token`s come first; exactly one `Done` or `Error` ends every turn.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum TurnEvent {
    /// A piece of the answer.
    Token {
        /// Text, as it came.
        content: String,
    },
    /// The turn was stored.
    Done(Box<Done>),
    /// The turn was not stored.
    Error(TurnFailure),
}

/// A destructive action that waits for its yes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingConfirmation {
    /// What the confirmation names.
    #[schema(value_type = uuid::Uuid)]
    pub id: PendingActionId,
    /// The tool that waits.
    pub tool_name: String,
    /// Made by the server from the canonical arguments.
    pub prompt: String,
    /// The canonical arguments.
    pub arguments: serde_json::Value,
    /// From then on a yes does nothing.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
}

/// The end of a turn that was stored.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The turn.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// The `token` contents joined.
    pub full_response: String,
    /// The values that it recorded.
    pub extracted_values: Vec<ExtractedValue>,
    /// `null` only for a plan without inputs.
    pub updated_outputs: Option<UpdatedOutputs>,
    /// What waits for a yes.
    pub pending_confirmation: Option<PendingConfirmation>,
    /// Why the answer ended.
    pub finish_reason: FinishReason,
    /// Core fields that are still at their default.
    #[schema(value_type = Vec<String>)]
    pub missing_fields: Vec<FieldPath>,
    /// The tokens of all its rounds.
    pub usage: Usage,
    /// The scenario that the turn has saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario_saved: Option<SavedScenario>,
    /// Messages that one could send next; at most three.
    #[serde(default)]
    pub suggestions: Vec<String>,
    /// What the advisor without a model took the message for; `null` with a model.
    #[serde(default)]
    pub heard_as: Option<HeardAs>,
}

/// What a message was taken for. For logs and tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct HeardAs {
    /// A name of the intent catalog.
    #[schema(example = "what_if")]
    pub intent: String,
    /// How likely, from 0 to 1, with two digits.
    #[schema(value_type = f64)]
    pub confidence: Number,
}

/// A scenario by id and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SavedScenario {
    /// The scenario.
    #[schema(value_type = uuid::Uuid)]
    pub id: ScenarioId,
    /// Its name.
    pub name: String,
}

/// The end of a turn that was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TurnFailure {
    /// What the franchisee reads.
    pub message: String,
    /// What programs read.
    pub code: ErrorCode,
    /// Whether the same message may be sent again.
    pub retryable: bool,
}

/// How a turn ended, as it is stored: without the answer, which is the turn's output.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StoredEnding {
    /// It was answered.
    Done(Box<StoredDone>),
    /// It failed.
    Error(TurnFailure),
}

/// A [`Done`] without its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredDone {
    /// The turn.
    pub turn_id: TurnId,
    /// What was heard, with what became of it.
    pub extracted_values: Vec<ExtractedValue>,
    /// The projection, where the turn changed values.
    pub updated_outputs: Option<UpdatedOutputs>,
    /// What waits for a yes.
    pub pending_confirmation: Option<PendingConfirmation>,
    /// Why the model stopped.
    pub finish_reason: FinishReason,
    /// Core fields without a value.
    pub missing_fields: Vec<FieldPath>,
    /// What the turn cost.
    pub usage: Usage,
    /// The scenario that the turn saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario_saved: Option<SavedScenario>,
    /// Messages that one could send next; at most three.
    #[serde(default)]
    pub suggestions: Vec<String>,
    /// What the advisor without a model took the message for; `null` with a model.
    #[serde(default)]
    pub heard_as: Option<HeardAs>,
}

impl StoredEnding {
    /// Reads what was stored; `None` where a member is missing. Members that it does not know are skipped.
    pub fn read(json: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Kind<'a> {
            #[serde(rename = "type", borrow)]
            kind: Cow<'a, str>,
        }
        // Not by serde's tag: what it reads ahead loses the digits of numbers.
        match &*serde_json::from_str::<Kind<'_>>(json).ok()?.kind {
            "done" => serde_json::from_str(json).ok().map(Self::Done),
            "error" => serde_json::from_str(json).ok().map(Self::Error),
            _ => None,
        }
    }

    /// The event that the turn's readers get.
    pub fn with_text(self, text: &str) -> TurnEvent {
        match self {
            Self::Done(done) => TurnEvent::Done(Box::new(Done {
                turn_id: done.turn_id,
                full_response: text.to_owned(),
                extracted_values: done.extracted_values,
                updated_outputs: done.updated_outputs,
                pending_confirmation: done.pending_confirmation,
                finish_reason: done.finish_reason,
                missing_fields: done.missing_fields,
                usage: done.usage,
                scenario_saved: done.scenario_saved,
                suggestions: done.suggestions,
                heard_as: done.heard_as,
            })),
            Self::Error(failure) => TurnEvent::Error(failure),
        }
    }
}
