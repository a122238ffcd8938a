//! The stored conversation as `UIMessage[]`.

use crate::app::AppState;
use crate::conversation::history::Range;
use crate::http::dialect::ai_sdk::{self, DataPart, Metadata};
use crate::http::dialect::event::{Confirmation, TurnEvent, terminal};
use crate::http::dialect::page::PageMeta;
use crate::http::dialect::{answer_id, user_message_id};
use crate::http::error::AppError;
use crate::http::extract::PlanAccess;
use crate::http::history::{self, Elements};
use crate::http::reads::Reads;
use crate::store::turns::prompts::Prompt;
use axum::response::Response;
use pg_link::json::Json;
use plan_model::event::PendingConfirmation;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::TurnId;
use plan_model::message::{Message, Role};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use std::sync::Arc;

/// A message as `useChat` keeps it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct UiMessage {
    id: String,
    #[schema(value_type = String, example = "assistant")]
    role: Role,
    #[schema(value_type = Object)]
    metadata: Metadata,
    #[schema(value_type = Vec<Object>)]
    parts: Vec<Box<RawValue>>,
}

/// The messages and how long the whole is. The newest answer is as its stream made it, with the values' current statuses.
pub(super) async fn respond(
    app: &AppState,
    access: &PlanAccess,
    reads: &Reads,
    range: Range,
    approvals: bool,
) -> Result<Response, AppError> {
    // The running turn first: one that ends in between is in both, and shown once.
    let running = Prompt::find_running(&*app.db.conn().await?, access.id()).await?;
    let stored = app.conversations.history(access.id(), range).await?;
    let meta = PageMeta::of(&stored);
    let is_newest = stored.outline().is_none_or(|outline| outline.is_newest);
    let newest_turn = stored.outline().and_then(|outline| outline.newest_turn);
    let newest = match newest_turn.filter(|_| is_newest) {
        Some(turn) => Prompt::find(&*app.db.conn().await?, turn).await?,
        None => None,
    };
    let pending = app.conversations.pending(&access.caller, access.id()).await?;
    let waiting = running
        .filter(|prompt| is_newest && Some(prompt.turn()) != newest_turn)
        .map(|prompt| user_message(prompt.turn(), &prompt.input));
    let show = move |message: Message, is_last: bool| match &newest {
        Some(prompt) if is_last && prompt.turn() == message.turn_id => {
            newest_answer(&message, prompt, pending.as_ref(), approvals)
        }
        _ => ui_message(&message),
    };
    let elements = Elements::open(stored, reads, access.caller.actor.id, Box::new(show), waiting).await?;
    history::respond(elements, &meta).await
}

/// The newest answer with everything that its stream had.
fn newest_answer(
    message: &Message,
    prompt: &Prompt,
    pending: Option<&PendingConfirmation>,
    approvals: bool,
) -> UiMessage {
    let mut shown = ui_message(message);
    if let Some(Json(ending)) = &prompt.ending
        && let TurnEvent::Done(mut done) = terminal(ending.get())
    {
        done.extracted_values.clear();
        done.pending_confirmation = done
            .pending_confirmation
            .filter(|asked| pending.is_some_and(|pending| pending.id.0 == asked.id));
        shown.parts = answer_parts(message);
        shown.parts.extend(ai_sdk::parts(&done).iter().map(raw));
        if let Some(asked) = done.pending_confirmation.as_ref().filter(|_| approvals) {
            shown.parts.push(raw(&approval_part(asked)));
        }
        shown.metadata.usage = Some(done.usage.into());
    }
    shown
}

fn ui_message(message: &Message) -> UiMessage {
    let mut shown = match message.role {
        Role::User => user_message(message.turn_id, &message.content),
        Role::Assistant => UiMessage {
            id: answer_id(message.turn_id),
            role: Role::Assistant,
            metadata: metadata(message.turn_id),
            parts: answer_parts(message),
        },
    };
    shown.metadata.erased = message.is_erased();
    shown
}

fn user_message(turn: TurnId, text: &str) -> UiMessage {
    UiMessage {
        id: user_message_id(turn),
        role: Role::User,
        metadata: metadata(turn),
        parts: vec![raw(&json!({"type": "text", "text": text}))],
    }
}

const fn metadata(turn_id: TurnId) -> Metadata {
    Metadata {
        turn_id,
        usage: None,
        erased: false,
    }
}

fn answer_parts(message: &Message) -> Vec<Box<RawValue>> {
    let text: &Arc<str> = &message.content;
    let mut parts = vec![
        raw(&json!({"type": "step-start"})),
        raw(&json!({"type": "text", "text": text, "state": "done"})),
    ];
    parts.extend(message.extracted_values.iter().flatten().map(value_part));
    parts
}

fn value_part(value: &ExtractedValue) -> Box<RawValue> {
    let data = raw(value);
    raw(&DataPart::DataExtractedValue {
        id: value.id.0,
        data: &data,
    })
}

/// A tool call that waits for its approval, as the client holds it.
fn approval_part(asked: &Confirmation) -> Value {
    json!({
        "type": format!("tool-{}", asked.tool_name),
        "toolCallId": asked.id,
        "state": "approval-requested",
        "input": asked.arguments,
        "providerExecuted": true,
        "approval": {"id": asked.id},
    })
}

/// Our own plain types always serialize.
fn raw(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).unwrap_or_default()
}
