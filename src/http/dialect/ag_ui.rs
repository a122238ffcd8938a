//! AG-UI 1.0, as `HttpAgent` reads it.
//!
//! One turn is one run with at most one text message. The plan travels as shared state: a snapshot when the run starts, a
//! patch when it ends. What a run ends with is the plan as it is stored then, so that a run that is replayed later does
//! not take its client back in time.

use crate::http::dialect::event::{Confirmation, Done, TokenUsage, TurnEvent, ValueHead};
use crate::http::dialect::plan_state::PlanState;
use crate::http::dialect::{Frames, answer_id};
use bytes::Bytes;
use plan_model::ids::TurnId;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

/// A run on its way to a client.
#[derive(Debug)]
pub struct State {
    thread_id: String,
    run_id: String,
    /// The answer's message; `None` where the run has no turn.
    message_id: Option<String>,
    text_open: bool,
    ended: bool,
    /// The plan as the client knows it.
    known: Option<PlanState>,
    /// The plan as it is stored, read when the turn ended.
    latest: Option<PlanState>,
}

/// A message as AG-UI keeps it.
#[derive(Debug, Serialize)]
pub struct Message {
    pub id: String,
    pub role: plan_model::message::Role,
    pub content: std::sync::Arc<str>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
enum Event<'a> {
    RunStarted {
        thread_id: &'a str,
        run_id: &'a str,
    },
    StateSnapshot {
        snapshot: &'a PlanState,
    },
    StateDelta {
        delta: Vec<Value>,
    },
    TextMessageStart {
        message_id: &'a str,
        role: &'static str,
    },
    TextMessageEnd {
        message_id: &'a str,
    },
    Custom {
        name: &'static str,
        value: &'a RawValue,
    },
    RunFinished {
        thread_id: &'a str,
        run_id: &'a str,
        outcome: Outcome<'a>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        usage: Vec<TokenUsage>,
    },
    RunError {
        message: &'a str,
        code: &'a str,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Outcome<'a> {
    Success,
    Cancelled,
    Interrupt { interrupts: [Interrupt<'a>; 1] },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Interrupt<'a> {
    id: Uuid,
    reason: &'static str,
    message: &'a str,
    #[serde(with = "time::serde::rfc3339")]
    expires_at: time::OffsetDateTime,
    response_schema: Value,
    metadata: Value,
}

impl State {
    /// A run under the client's ids. Without a turn it only states the plan and the messages.
    pub fn new(thread_id: String, run_id: String, turn: Option<TurnId>) -> Self {
        Self {
            thread_id,
            run_id,
            message_id: turn.map(answer_id),
            text_open: false,
            ended: false,
            known: None,
            latest: None,
        }
    }

    /// Takes the plan as it is stored at the end of the turn.
    pub fn learn(&mut self, latest: Option<PlanState>) {
        self.latest = latest;
    }

    fn close_text(&mut self, out: &mut Frames) {
        if std::mem::take(&mut self.text_open)
            && let Some(message_id) = &self.message_id
        {
            out.push(&Event::TextMessageEnd { message_id });
        }
    }

    fn open_text(&mut self, out: &mut Frames) {
        if !std::mem::replace(&mut self.text_open, true)
            && let Some(message_id) = &self.message_id
        {
            out.push(&Event::TextMessageStart {
                message_id,
                role: "assistant",
            });
        }
    }

    fn finish(&mut self, out: &mut Frames, outcome: Outcome<'_>, usage: Vec<TokenUsage>) {
        out.push(&Event::RunFinished {
            thread_id: &self.thread_id,
            run_id: &self.run_id,
            outcome,
            usage,
        });
        self.ended = true;
    }

    /// The patch from what the client knows to what is stored now.
    fn push_patch(&mut self, out: &mut Frames, reported: Option<&RawValue>) {
        let (Some(known), Some(latest)) = (&self.known, self.latest.take()) else {
            return;
        };
        let mut delta = latest.patch_from(known);
        if let Some(outputs) = delta.iter_mut().find(|operation| operation["path"] == "/outputs")
            && let Some(reported) = reported.and_then(|json| serde_json::from_str::<Value>(json.get()).ok())
            && reported["metrics"] == outputs["value"]["metrics"]
        {
            // The turn's own report also says what moved.
            outputs["value"] = reported;
        }
        if !delta.is_empty() {
            out.push(&Event::StateDelta { delta });
        }
        self.known = Some(latest);
    }
}

/// The first event of a run.
pub fn begin(state: &State) -> Bytes {
    let mut out = Frames::default();
    out.push(&Event::RunStarted {
        thread_id: &state.thread_id,
        run_id: &state.run_id,
    });
    out.bytes()
}

/// The plan as the run finds it.
pub fn snapshot(state: &mut State, plan: PlanState) -> Bytes {
    let mut out = Frames::default();
    out.push(&Event::StateSnapshot { snapshot: &plan });
    state.known = Some(plan);
    out.bytes()
}

/// Around the messages of the conversation, which come block by block: `MESSAGES_SNAPSHOT`.
pub const MESSAGES: [&[u8]; 2] = [br#"data: {"type":"MESSAGES_SNAPSHOT","messages":["#, b"]}\n\n"];

/// The events of one event. Behind the end of the turn there are none.
pub fn step(state: &mut State, event: &TurnEvent<'_>) -> Bytes {
    let mut out = Frames::default();
    if state.ended {
        return out.bytes();
    }
    match event {
        TurnEvent::Token(escaped) => {
            state.open_text(&mut out);
            push_text(&mut out, state.message_id.as_deref().unwrap_or_default(), escaped);
        }
        TurnEvent::Done(done) => push_done(state, &mut out, done),
        TurnEvent::Error(failure) => {
            state.close_text(&mut out);
            if failure.is_stop() {
                state.finish(&mut out, Outcome::Cancelled, Vec::new());
            } else {
                out.push(&Event::RunError {
                    message: &failure.message,
                    code: &failure.code,
                });
                state.ended = true;
            }
        }
    }
    out.bytes()
}

/// `message_id` is one of ours, so it needs no escaping.
fn push_text(out: &mut Frames, message_id: &str, escaped: &str) {
    out.push_raw(&[
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":""#,
        message_id,
        r#"","delta":""#,
        escaped,
        r#""}"#,
    ]);
}

fn push_done(state: &mut State, out: &mut Frames, done: &Done<'_>) {
    state.close_text(out);
    state.push_patch(out, done.updated_outputs);
    for value in &done.extracted_values {
        let head = serde_json::from_str::<ValueHead<'_>>(value.get());
        if head.is_ok_and(|head| head.status == "proposed") {
            out.push(&Event::Custom {
                name: "plan-advisor.proposal",
                value,
            });
        }
    }
    let outcome = done
        .pending_confirmation
        .as_ref()
        .map_or(Outcome::Success, interrupt_outcome);
    state.finish(out, outcome, vec![done.usage.into()]);
}

fn interrupt_outcome(pending: &Confirmation) -> Outcome<'_> {
    Outcome::Interrupt {
        interrupts: [Interrupt {
            id: pending.id,
            reason: "confirmation",
            message: &pending.prompt,
            expires_at: pending.expires_at,
            response_schema: json!({
                "type": "object",
                "properties": {"approved": {"type": "boolean"}},
                "required": ["approved"],
            }),
            metadata: json!({"toolName": pending.tool_name, "arguments": pending.arguments}),
        }],
    }
}

/// Ends a run that had no turn; an action that still waits for a yes is asked about again.
pub fn end(state: &mut State, pending: Option<&Confirmation>) -> Bytes {
    let mut out = Frames::default();
    let outcome = pending.map_or(Outcome::Success, interrupt_outcome);
    state.finish(&mut out, outcome, Vec::new());
    out.bytes()
}

/// Ends a run that settled a confirmation, with what was done in words.
pub fn settled(state: &mut State, message_id: String, text: &str, updated_outputs: Option<&RawValue>) -> Bytes {
    let mut out = Frames::default();
    state.message_id = Some(message_id);
    state.open_text(&mut out);
    let mut escaped = String::with_capacity(text.len() + 8);
    plan_model::json_text::push_escaped(&mut escaped, text);
    push_text(&mut out, state.message_id.as_deref().unwrap_or_default(), &escaped);
    state.close_text(&mut out);
    state.push_patch(&mut out, updated_outputs);
    state.finish(&mut out, Outcome::Success, Vec::new());
    out.bytes()
}

#[cfg(test)]
mod tests;
