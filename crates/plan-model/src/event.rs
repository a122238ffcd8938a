//! The events of a turn's stream: `token`, then exactly one `done` or `error`.

use super::error::ErrorCode;
use super::extracted::ExtractedValue;
use super::field::FieldPath;
use super::ids::{PendingActionId, ScenarioId, TurnId};
use super::message::FinishReason;
use super::outputs::UpdatedOutputs;
use super::usage::Usage;
use serde::{Deserialize, Serialize};
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
