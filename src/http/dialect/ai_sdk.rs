//! The AI SDK's UI message stream, version 1, as `useChat` reads it.
//!
//! One turn is one message with one step: text part `t0`, then data parts. Schemas of `ai` before 5.0.217, 6.0.231 and
//! 7.0.32 refuse keys they do not know, so nothing is added to the chunks that these versions have.

use crate::http::dialect::event::{Confirmation, Done, TokenUsage, TurnEvent, ValueHead};
use crate::http::dialect::{Frames, answer_id};
use bytes::Bytes;
use plan_model::ids::TurnId;
use plan_model::message::FinishReason;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

/// The text part of every answer.
const TEXT_ID: &str = "t0";

/// The client waits for this line, also behind an error.
const END: &[&str] = &["[DONE]"];

/// One answer on its way to a client.
#[derive(Debug)]
pub struct State {
    turn: TurnId,
    /// The client knows tool approvals (`?approvals=tool`); version 5 refuses the chunk.
    approvals: bool,
    ended: bool,
}

/// A part of a message that is more than text. On the wire and in a stored `UIMessage` it looks the same.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum DataPart<'a> {
    DataExtractedValue { id: Uuid, data: &'a RawValue },
    DataUpdatedOutputs { id: &'static str, data: &'a RawValue },
    DataMissingFields { id: &'static str, data: &'a RawValue },
    DataConfirmation { id: Uuid, data: &'a Confirmation },
    DataSuggestions { id: &'static str, data: &'a [String] },
    DataHeardAs { id: &'static str, data: &'a RawValue },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Chunk<'a> {
    Start {
        message_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message_metadata: Option<Metadata>,
    },
    StartStep,
    TextStart {
        id: &'static str,
    },
    TextEnd {
        id: &'static str,
    },
    ToolInputAvailable {
        tool_call_id: Uuid,
        tool_name: &'a str,
        input: &'a serde_json::Value,
        provider_executed: bool,
    },
    ToolApprovalRequest {
        approval_id: Uuid,
        tool_call_id: Uuid,
        reason: &'a str,
    },
    ToolOutputAvailable {
        tool_call_id: Uuid,
        output: ToolOutput<'a>,
        provider_executed: bool,
    },
    ToolOutputDenied {
        tool_call_id: Uuid,
    },
    FinishStep,
    Finish {
        finish_reason: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message_metadata: Option<UsageMetadata>,
    },
    Abort {
        reason: &'a str,
    },
    Error {
        error_text: &'a str,
    },
}

#[derive(Serialize)]
struct ToolOutput<'a> {
    message: &'a str,
}

/// What the client knows of a message besides its parts.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    pub turn_id: TurnId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// The words of the message were erased.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
}

#[derive(Serialize)]
struct UsageMetadata {
    usage: TokenUsage,
}

impl State {
    pub const fn new(turn: TurnId, approvals: bool) -> Self {
        Self {
            turn,
            approvals,
            ended: false,
        }
    }
}

/// What is sent before the model says anything.
pub fn begin(state: &State) -> Bytes {
    let mut out = Frames::default();
    open(&mut out, state.turn);
    out.bytes()
}

fn open(out: &mut Frames, turn: TurnId) {
    let message_metadata = Metadata {
        turn_id: turn,
        usage: None,
        erased: false,
    };
    out.push(&Chunk::Start {
        message_id: &answer_id(turn),
        message_metadata: Some(message_metadata),
    });
    out.push(&Chunk::StartStep);
    out.push(&Chunk::TextStart { id: TEXT_ID });
}

/// The chunks of one event. Behind the end of the turn there are none.
pub fn step(state: &mut State, event: &TurnEvent<'_>) -> Bytes {
    let mut out = Frames::default();
    if state.ended {
        return out.bytes();
    }
    match event {
        TurnEvent::Token(escaped) => push_text(&mut out, escaped),
        TurnEvent::Done(done) => push_done(&mut out, done, state.approvals),
        TurnEvent::Error(failure) => {
            out.push(&Chunk::TextEnd { id: TEXT_ID });
            out.push(&match failure.is_stop() {
                true => Chunk::Abort {
                    reason: &failure.message,
                },
                false => Chunk::Error {
                    error_text: &failure.message,
                },
            });
        }
    }
    if !matches!(event, TurnEvent::Token(_)) {
        out.push_raw(END);
        state.ended = true;
    }
    out.bytes()
}

fn push_text(out: &mut Frames, escaped: &str) {
    out.push_raw(&[
        r#"{"type":"text-delta","id":""#,
        TEXT_ID,
        r#"","delta":""#,
        escaped,
        r#""}"#,
    ]);
}

fn push_done(out: &mut Frames, done: &Done<'_>, approvals: bool) {
    out.push(&Chunk::TextEnd { id: TEXT_ID });
    for part in parts(done) {
        out.push(&part);
    }
    if let Some(pending) = done.pending_confirmation.as_ref().filter(|_| approvals) {
        out.push(&Chunk::ToolInputAvailable {
            tool_call_id: pending.id,
            tool_name: &pending.tool_name,
            input: &pending.arguments,
            provider_executed: true,
        });
        out.push(&Chunk::ToolApprovalRequest {
            approval_id: pending.id,
            tool_call_id: pending.id,
            reason: &pending.prompt,
        });
    }
    out.push(&Chunk::FinishStep);
    out.push(&Chunk::Finish {
        finish_reason: finish_reason(done.finish_reason),
        message_metadata: Some(UsageMetadata {
            usage: done.usage.into(),
        }),
    });
}

const fn finish_reason(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Stop => "stop",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content-filter",
    }
}

/// The data parts of a finished turn, in the order in which a client gets them.
pub fn parts<'a>(done: &'a Done<'_>) -> Vec<DataPart<'a>> {
    let values = done.extracted_values.iter().filter_map(|data| {
        let head: ValueHead<'_> = serde_json::from_str(data.get()).ok()?;
        Some(DataPart::DataExtractedValue { id: head.id, data })
    });
    let outputs = done
        .updated_outputs
        .map(|data| DataPart::DataUpdatedOutputs { id: "outputs", data });
    let missing = done
        .missing_fields
        .map(|data| DataPart::DataMissingFields { id: "missing", data });
    let confirmation = done
        .pending_confirmation
        .as_ref()
        .map(|data| DataPart::DataConfirmation { id: data.id, data });
    let suggestions = (!done.suggestions.is_empty()).then_some(DataPart::DataSuggestions {
        id: "suggestions",
        data: &done.suggestions,
    });
    let heard = done.heard_as.map(|data| DataPart::DataHeardAs { id: "heard", data });
    let of_plan = values.chain(outputs).chain(missing).chain(confirmation);
    of_plan.chain(suggestions).chain(heard).collect()
}

/// A settled confirmation: the rest of the message that asked for it.
#[derive(Debug)]
pub struct Settled<'a> {
    /// The message that asked, as the client names it.
    pub message_id: &'a str,
    pub confirmation: Uuid,
    pub approved: bool,
    /// What was done, in words.
    pub text: &'a str,
    pub updated_outputs: Option<&'a RawValue>,
}

/// The whole stream that answers an approval.
pub fn settled(settled: &Settled<'_>) -> Bytes {
    let mut out = Frames::default();
    out.push(&Chunk::Start {
        message_id: settled.message_id,
        message_metadata: None,
    });
    let tool_call_id = settled.confirmation;
    out.push(&match settled.approved {
        true => Chunk::ToolOutputAvailable {
            tool_call_id,
            output: ToolOutput { message: settled.text },
            provider_executed: true,
        },
        false => Chunk::ToolOutputDenied { tool_call_id },
    });
    out.push(&Chunk::StartStep);
    out.push(&Chunk::TextStart { id: TEXT_ID });
    push_text(&mut out, &escaped(settled.text));
    out.push(&Chunk::TextEnd { id: TEXT_ID });
    if let Some(data) = settled.updated_outputs {
        out.push(&DataPart::DataUpdatedOutputs { id: "outputs", data });
    }
    out.push(&Chunk::FinishStep);
    out.push(&Chunk::Finish {
        finish_reason: finish_reason(FinishReason::Stop),
        message_metadata: None,
    });
    out.push_raw(END);
    out.bytes()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    plan_model::json_text::push_escaped(&mut out, text);
    out
}

#[cfg(test)]
mod tests;
