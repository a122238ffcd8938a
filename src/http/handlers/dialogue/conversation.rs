//! The conversation of a plan: send, listen, stop, read, clear.

use crate::app::AppState;
use crate::conversation::history::Range;
use crate::conversation::stream::frame::Cursor;
use crate::conversation::turn::stop::Stop;
use crate::conversation::{TurnError, TurnHandle, TurnRequest};
use crate::http::error::AppError;
use crate::http::etag;
use crate::http::extract::{Credential, PlanAccess, ValidJson, ValidQuery, headers};
use crate::http::history::{self, Elements};
use crate::http::reads::Reads;
use crate::http::sse;
use crate::http::streams::Streams;
use crate::http::wire::{Data, List, data};
use crate::store::people::sessions::hash_of;
use crate::store::plans::conversations::reading::Before;
use axum::Extension;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use plan_model::error::{ErrorCode, NOT_NEWEST_MESSAGE};
use plan_model::event::TurnEvent;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::{MessageId, TurnId, UserId};
use plan_model::language::Language;
use plan_model::message::{Author, FinishReason, Message, Role};
use plan_model::outputs::MetricChange;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

mod decisions;
pub(in crate::http) mod message;

pub(crate) use decisions::*;

/// Seconds after which a plan that is busy may be free.
pub(in crate::http) const BUSY_RETRY_SECONDS: u64 = 2;

/// What the franchisee says.
#[derive(Debug, Deserialize, Validate, utoipa::ToSchema)]
#[schema(example = json!({"message": "My rent is $4,200/month"}))]
pub(crate) struct SendMessageRequest {
    /// 1 to 8,000 characters after trimming; no control characters but newline and tab.
    pub message: String,
    /// The plan's newest stored turn, to edit its message or, with the same message, to answer it again. With the new
    /// answer its standing values are restored, its open proposals dismissed and its messages removed; until then, and
    /// where the new turn fails or is stopped, everything stays.
    #[serde(default)]
    pub replaces: Option<Uuid>,
}

/// A stored message.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageResponse {
    id: Uuid,
    turn_id: Uuid,
    #[schema(value_type = String, example = "assistant")]
    role: Role,
    #[schema(value_type = String)]
    content: Arc<str>,
    extracted_values: Option<Vec<ExtractedValue>>,
    #[serde(with = "time::serde::rfc3339")]
    timestamp: OffsetDateTime,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<bool>,
    /// Set where the words were erased: `content` is empty and no value has its `evidence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    erased: Option<bool>,
    /// `length` or `content_filter`; left out where the model ended the answer itself.
    #[serde(skip_serializing_if = "FinishReason::is_stop")]
    finish_reason: FinishReason,
    /// Who wrote a user message, where that was not the plan's owner in person.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<Author>,
    /// What the turn moved in the results, as `updatedOutputs.changes` of its `done` event.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<MetricChange>>,
}

/// Numbers about the whole conversation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConversationMeta {
    total_tokens_used: i64,
    total: usize,
    /// `before` of the next older page; null at the beginning.
    before: Option<Uuid>,
    /// The same, under the name that it had first.
    next_before: Option<Uuid>,
}

/// Which part of the conversation.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConversationQuery {
    /// The newest so many messages; all when left out.
    #[validate(range(min = 1, max = 200, message = "must be between 1 and 200"))]
    limit: Option<usize>,
    /// Only messages older than the one with this id.
    before: Option<Uuid>,
}

/// Where to begin.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StreamQuery {
    /// An event id; the stream begins behind it. The header `Last-Event-ID` goes first.
    after: Option<String>,
}

/// The turn that was started: the answer to `Prefer: respond-async`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StartedTurn {
    turn_id: Uuid,
}

/// A turn that has not ended within the time of a stop.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct StoppingTurn {
    #[schema(value_type = String, example = "stopping")]
    state: &'static str,
}

impl MessageResponse {
    /// As the readers of `owner`'s plan see it.
    fn new(message: Message, owner: UserId) -> Self {
        let Message {
            id,
            turn_id,
            role,
            content,
            extracted_values,
            timestamp,
            stopped,
            erased,
            finish_reason,
            author,
            changes,
        } = message;
        Self {
            id: id.0,
            turn_id: turn_id.0,
            role,
            content,
            extracted_values,
            timestamp,
            stopped,
            erased,
            finish_reason,
            author: author.filter(|author| author.is_assistant || author.id != owner),
            changes: (role == Role::Assistant).then_some(changes),
        }
    }
}

impl From<TurnError> for AppError {
    fn from(error: TurnError) -> Self {
        match error {
            TurnError::Busy(turn) => Self::new(
                ErrorCode::TurnInProgress,
                "The advisor is still answering the message before this one.",
            )
            .with_details([json!({ "turnId": turn })])
            .retry_after(BUSY_RETRY_SECONDS),
            TurnError::KeyReused => Self::new(
                ErrorCode::IdempotencyKeyReused,
                "This idempotency key was used for another message.",
            ),
            TurnError::NotNewest => Self::conflict(NOT_NEWEST_MESSAGE),
            TurnError::Limited(wait) => Self::new(
                ErrorCode::RateLimited,
                "That was a lot of messages at once. Give the advisor a moment.",
            )
            .retry_after(seconds(wait)),
            TurnError::OverBudget(wait) => Self::new(
                ErrorCode::BudgetExhausted,
                "Today's share of the advisor is used up. Your plan can still be edited.",
            )
            .retry_after(seconds(wait)),
            TurnError::Draining => Self::new(
                ErrorCode::Unavailable,
                "The server is restarting. Try again in a moment.",
            )
            // The next request shall find another instance.
            .closing(),
            TurnError::NoMemory => Self::new(
                ErrorCode::Unavailable,
                "The advisor is very busy. Your plan can still be edited. Try again in a moment.",
            )
            .closing(),
            TurnError::TooLong => Self::invalid("message", "is too long for the model"),
            TurnError::Panicked => Self::internal(error),
            TurnError::Store(error) => error.into(),
        }
    }
}

fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// Sends a message to the plan's advisor and streams the answer.
///
/// `token` events as the model answers, then exactly one `done` or `error`. The turn goes on when the client goes away. With
/// `Prefer: respond-async` the answer is 202 and the stream is read at `Location`. With `Last-Event-ID` it attaches to that turn.
#[utoipa::path(post, path = "/api/plans/{id}/conversation", tag = "conversation",
    params(
        ("id" = Uuid, Path, description = "Plan"),
        ("Idempotency-Key" = Option<String>, Header, description = "At most 255 bytes; the same key and message never start a second turn"),
        ("Prefer" = Option<String>, Header, description = "`respond-async` to get 202 and a Location"),
        ("Last-Event-ID" = Option<String>, Header, description = "Attach behind this event instead of starting a turn"),
    ),
    request_body = SendMessageRequest,
    responses(
        (status = 200, description = "The turn's events", body = TurnEvent, content_type = "text/event-stream"),
        (status = 202, description = "The turn runs", body = Data<StartedTurn>),
        (status = 204, description = "Nothing to attach to"),
    ))]
pub(crate) async fn send_message(
    app: AppState,
    access: PlanAccess,
    Extension(streams): Extension<Streams>,
    head: HeaderMap,
    ValidJson(body): ValidJson<SendMessageRequest>,
) -> Result<Response, AppError> {
    let message = message::checked(&body.message, app.config.llm.max_message_chars)?;
    let key = headers::idempotency_key(&head)?;
    if let Some(cursor) = headers::text_header(&head, "last-event-id")? {
        return attach(&app, &access, &streams, Some(cursor)).await;
    }
    let wants_async = message::wants_async(&head);
    let guard = if wants_async {
        None
    } else {
        Some(streams.enter(&app, access.clone())?)
    };
    let request = TurnRequest {
        replaces: body.replaces.map(TurnId),
        has_too_many_streams: guard.as_ref().is_some_and(|guard| guard.is_one_too_many),
        language: headers::language(&head),
        ..turn_request(&app, &access, message, key)
    };
    let TurnHandle {
        turn,
        attempt,
        events,
        replayed,
    } = app.conversations.ask(request).await?;
    let mut response = match guard {
        None => accepted(&access, turn, attempt),
        Some(guard) => sse::respond(turn, events, guard),
    };
    if replayed {
        headers::mark_replayed(&mut response);
    }
    Ok(response)
}

/// A message in the caller's name.
pub(in crate::http) fn turn_request(
    app: &AppState,
    access: &PlanAccess,
    message: String,
    key: Option<String>,
) -> TurnRequest {
    let (plan, brand_version, asked_at) = (access.id(), access.brand_version(), app.clock.now());
    TurnRequest {
        caller: access.caller.clone(),
        session: match access.credential {
            Credential::Session(id) if access.caller.impersonation.is_some() => Some(hash_of(&id.0)),
            _ => None,
        },
        plan,
        brand_version,
        message,
        language: Language::default(),
        asked_at,
        key,
        replaces: None,
        has_too_many_streams: false,
        assistant: None,
    }
}

fn accepted(access: &PlanAccess, turn: TurnId, attempt: i32) -> Response {
    let after = Cursor {
        turn,
        attempt,
        offset: 0,
    };
    let location = format!("/api/plans/{}/conversation/stream?after={after}", access.id());
    let body = data(StartedTurn { turn_id: turn.0 });
    (StatusCode::ACCEPTED, [(header::LOCATION, location)], body).into_response()
}

async fn attach(
    app: &AppState,
    access: &PlanAccess,
    streams: &Streams,
    cursor: Option<&str>,
) -> Result<Response, AppError> {
    let guard = streams.enter_within_limit(app, access.clone())?;
    match app.conversations.attach(access.id(), cursor).await? {
        Some((turn, events)) => Ok(sse::respond(turn, events, guard)),
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

/// Attaches to the plan's running turn, or to the turn an event id names.
///
/// 204 where there is nothing to attach to, upon which an `EventSource` stops.
#[utoipa::path(get, path = "/api/plans/{id}/conversation/stream", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), StreamQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The stream begins behind this event")),
    responses(
        (status = 200, description = "The turn's events", body = TurnEvent, content_type = "text/event-stream"),
        (status = 204, description = "Nothing to attach to"),
    ))]
pub(crate) async fn stream_conversation(
    app: AppState,
    access: PlanAccess,
    Extension(streams): Extension<Streams>,
    head: HeaderMap,
    ValidQuery(query): ValidQuery<StreamQuery>,
) -> Result<Response, AppError> {
    let header = headers::text_header(&head, "last-event-id")?;
    attach(&app, &access, &streams, header.or(query.after.as_deref())).await
}

/// Reads the conversation, oldest message first.
///
/// Without `limit` all of it, streamed: it is whole where it ends with `meta`. At most four long answers at once per person.
#[utoipa::path(get, path = "/api/plans/{id}/conversation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ConversationQuery,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of what is known; 304 where it is still so")),
    responses(
        (status = 200, body = List<MessageResponse, ConversationMeta>, headers(("ETag" = String, description = "Moves with messages and the status of their values"))),
        (status = 304, description = "Nothing has changed"),
    ))]
pub(crate) async fn get_conversation(
    app: AppState,
    access: PlanAccess,
    Extension(reads): Extension<Reads>,
    head: HeaderMap,
    ValidQuery(query): ValidQuery<ConversationQuery>,
) -> Result<Response, AppError> {
    let range = Range {
        limit: query.limit,
        before: query.before.map(|id| Before::Message(MessageId(id))),
    };
    let history = app.conversations.history(access.id(), range).await?;
    let outline = history.outline();
    let version = outline.map_or("", |outline| &outline.version);
    let tag = etag::of_content(format!("{version} {:?} {:?}", query.limit, query.before).as_bytes());
    let oldest = outline
        .and_then(|outline| outline.next_before)
        .map(|oldest| oldest.id.0);
    let meta = ConversationMeta {
        total_tokens_used: outline.map_or(0, |outline| outline.total_tokens_used),
        total: outline.map_or(0, |outline| outline.total),
        before: oldest,
        next_before: oldest,
    };
    if etag::is_known(&head, &tag) {
        return Ok(etag::respond(&head, tag, || StatusCode::NOT_MODIFIED));
    }
    let owner = UserId(access.plan.user_id);
    let show = Box::new(move |message, _| MessageResponse::new(message, owner));
    let elements = Elements::open(history, &reads, access.caller.actor.id, show, None).await?;
    let response = history::respond(elements, &meta).await?;
    Ok(etag::respond(&head, tag, || response))
}

/// Clears the history. The audit trail and the token total stay.
#[utoipa::path(delete, path = "/api/plans/{id}/conversation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses(
        (status = 204, description = "Cleared"),
    ))]
pub(crate) async fn clear_conversation(app: AppState, access: PlanAccess) -> Result<StatusCode, AppError> {
    app.conversations.clear(&access.caller, access.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Erases what was said in the plan; its numbers stay.
///
/// Messages stay in the history with empty `content` and `erased: true`, values and changes lose their `evidence`, prompts
/// their `input` and `output`. A confirmation that waits is dropped. Values, results, times and the names of plan and
/// scenarios stay. It cannot be undone.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/erase", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses(
        (status = 204, description = "Erased"),
    ))]
pub(crate) async fn erase_words(app: AppState, access: PlanAccess) -> Result<StatusCode, AppError> {
    app.conversations.erase_words(&access.caller, access.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops the running turn; its text so far is kept, its values are not applied.
///
/// 204 once it has ended and nothing more is applied. Where that takes longer than two seconds the answer is 202: the stream says how it
/// ends. 409 where the answer was stored before it could be stopped, with the turn's `done` event in `details`.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/cancel", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses(
        (status = 202, description = "The turn is being stopped", body = Data<StoppingTurn>),
        (status = 204, description = "Stopped, or nothing was running"),
    ))]
pub(crate) async fn cancel_turn(app: AppState, access: PlanAccess) -> Result<Response, AppError> {
    match app.conversations.cancel(access.id()).await? {
        Stop::Ended => Ok(StatusCode::NO_CONTENT.into_response()),
        Stop::Stopping => Ok((StatusCode::ACCEPTED, data(StoppingTurn { state: "stopping" })).into_response()),
        Stop::Completed(done) => {
            Err(AppError::conflict("The answer was stored before it could be stopped.").with_details([done]))
        }
    }
}
