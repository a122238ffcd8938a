//! The two tools that lead to a change. Neither makes one: nobody knows whether the person said what an assistant passes on, so
//! values go through the decision of every value without words that count, and wait.

use crate::conversation::tools::{Called, Figures};
use crate::conversation::{TurnHandle, TurnRequest};
use crate::http::dialect::event::{TurnEvent, events_of};
use crate::http::error::AppError;
use crate::http::handlers::dialogue::conversation::{message, turn_request};
use crate::http::mcp::plans::Opened;
use crate::plans::{EditError, proposals};
use crate::store::turns::rate_limits;
use plan_model::clean;
use plan_model::error::ErrorCode;
use plan_model::extracted::{ExtractedValue, NoteCode, Status};
use plan_reader::Outcome;
use rmcp::model::JsonObject;
use serde::Deserialize;
use serde_json::{Value, json};

/// The advisor's tool that decides on values.
const DECIDES: &str = "set_financial_field";

const MAX_QUOTE_CHARS: usize = 500;
const MAX_KEY_CHARS: usize = 200;

/// Of an answer; the rest is on the page.
const MAX_ANSWER_CHARS: usize = 8_000;

const NEXT: &str =
    "The plan has not changed. The person takes or drops what waits on the page, or in their own words to the advisor.";
const HELD: &str = "The plan holds this value already.";
const RELAYED: &str = "Nobody knows whether the person said so: it waits for their word.";

/// `propose_value`: one number with the words that the person is said to have used.
pub(super) async fn propose(opened: &Opened, mut arguments: JsonObject) -> Result<Value, AppError> {
    let quote = arguments
        .remove("quote")
        .and_then(|quote| Some(quote.as_str()?.trim().to_owned()));
    let quote = quote.map(clean::storable).unwrap_or_default();
    if !(1..=MAX_QUOTE_CHARS).contains(&quote.chars().count()) {
        let problem = format!("must have the person's own words with the number, 1 to {MAX_QUOTE_CHARS} characters");
        return Err(AppError::invalid("quote", problem));
    }
    let mut ctx = opened.context();
    let index = match ctx.call(DECIDES, &Value::Object(arguments).to_string(), opened).await {
        Called::Recorded(index) => index,
        Called::Refused(words) => return Err(AppError::new(ErrorCode::ValidationError, words)),
        Called::Result(_) | Called::Intercepted(_) => return Err(AppError::internal("a value was not decided on")),
    };
    let decision = ctx.decision(index).clone();
    let mut shown = json!(ctx.field_results(&[index]).pop());
    (shown["number"], shown["next"]) = (json!(decision.value), json!(HELD));
    if decision.outcome == Outcome::Unchanged {
        return Ok(shown);
    }
    if decision.note_code == Some(NoteCode::NotSaid) {
        shown["note"] = json!(RELAYED);
    }
    let (db, caller) = (&opened.app.db, &opened.access.caller);
    // A row that nothing deletes, as that of a change by hand.
    let taken = rate_limits::take_changes(&*db.conn().await?, caller.actor.id, 1).await?;
    taken.map_err(EditError::TooManyChanges)?;
    let value = ExtractedValue {
        evidence: Some(quote),
        author: caller.assistant(),
        ..ctx.candidates[index].value(decision, Status::Proposed)
    };
    let value = proposals::propose(db, opened.access.id(), value, caller.actor.id).await?;
    (shown["id"], shown["next"]) = (json!(value.id), json!(NEXT));
    Ok(shown)
}

/// A message to the advisor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    message: String,
    #[serde(default)]
    key: Option<String>,
}

/// `ask_advisor`: one whole turn, which settles, confirms and takes back nothing ([`TurnRequest::assistant`]). As for people, it goes
/// on when its caller goes away.
pub(super) async fn ask(opened: &Opened, asked: Asked) -> Result<Value, AppError> {
    let app = &opened.app;
    let message = message::checked(&asked.message, app.config.llm.max_message_chars)?;
    let request = TurnRequest {
        assistant: opened.access.caller.assistant(),
        ..turn_request(app, &opened.access, message, key(asked.key)?)
    };
    let TurnHandle { turn, mut events, .. } = app.conversations.ask(request).await?;
    let mut said = String::new();
    while let Some(frames) = events.next().await {
        for event in events_of(&frames) {
            match event {
                TurnEvent::Token(escaped) => said.push_str(&escaped),
                TurnEvent::Error(failure) => return Err(AppError::new(ErrorCode::Unavailable, failure.message)),
                TurnEvent::Done(done) => {
                    let values = done.extracted_values.iter().filter_map(|value| heard(value.get()));
                    return Ok(json!({
                        "turnId": turn, "answer": text(&said), "values": values.collect::<Vec<_>>(),
                        "suggestions": done.suggestions, "finishReason": done.finish_reason, "next": NEXT,
                    }));
                }
            }
        }
    }
    Err(AppError::internal("a turn has no end"))
}

/// Keys of assistants are no keys of the person's page.
fn key(given: Option<String>) -> Result<Option<String>, AppError> {
    let is_key = |key: &String| (1..=MAX_KEY_CHARS).contains(&key.len()) && key.bytes().all(|c| c.is_ascii_graphic());
    match given {
        Some(key) if !is_key(&key) => {
            let problem = format!("must have 1 to {MAX_KEY_CHARS} visible ASCII characters");
            Err(AppError::invalid("key", problem))
        }
        given => Ok(given.map(|key| format!("assistant:{key}"))),
    }
}

/// The answer, from its text inside of JSON.
fn text(escaped: &str) -> String {
    let whole: String = serde_json::from_str(&format!("\"{escaped}\"")).unwrap_or_default();
    match whole.char_indices().nth(MAX_ANSWER_CHARS) {
        Some((end, _)) => format!("{} … The rest is on the page.", &whole[..end]),
        None => whole,
    }
}

fn heard(json: &str) -> Option<Value> {
    let value: ExtractedValue = serde_json::from_str(json).ok()?;
    let figure = Figures::WithNumbers.show(Some(value.value), |number| value.kind.show(number));
    Some(json!({
        "id": value.id, "field": value.field, "label": value.label, "value": figure, "status": value.status,
        "noteCode": value.note_code, "note": value.note,
    }))
}
