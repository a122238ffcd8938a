//! The conversation of a plan: send, listen, stop, read, clear.

use super::error::{AppError, ErrorEnvelope};
use super::extract::{PlanAccess, ValidJson, ValidQuery};
use super::sse;
use super::streams::Streams;
use crate::app::AppState;
use crate::conversation::frames::Cursor;
use crate::conversation::history::{Page, Range};
use crate::conversation::proposals::ProposalError;
use crate::conversation::{Answering, Question, TurnError};
use crate::model::error::ErrorCode;
use crate::model::event::TurnEvent;
use crate::model::extracted::ExtractedValue;
use crate::model::ids::{MessageId, TurnId};
use crate::model::message::{Message, Role};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

mod message;
mod settle;

pub use settle::*;

/// Seconds after which a plan that is busy may be free.
pub(super) const BUSY_RETRY_SECONDS: u64 = 2;

/// What the franchisee says.
#[derive(Debug, Deserialize, Validate, utoipa::ToSchema)]
#[schema(example = json!({"message": "My rent is $4,200/month"}))]
pub struct SendMessageRequest {
    /// 1 to 8,000 characters after trimming; no control characters but newline and tab.
    pub message: String,
}

/// A stored message.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageResponse {
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
}

/// Numbers about the whole conversation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationMeta {
    total_tokens_used: i64,
    total: usize,
    /// `before` of the next older page; null at the beginning.
    next_before: Option<Uuid>,
}

/// Messages in order.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ConversationResponse {
    data: Vec<MessageResponse>,
    meta: ConversationMeta,
}

/// Which part of the conversation.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ConversationQuery {
    /// The newest so many messages; all when left out.
    #[validate(range(min = 1, max = 100, message = "must be between 1 and 100"))]
    limit: Option<usize>,
    /// Only messages older than the one with this id.
    before: Option<Uuid>,
}

/// Where to begin.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// An event id; the stream begins behind it. The header `Last-Event-ID` goes first.
    after: Option<String>,
}

/// The turn that was started.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartedTurn {
    turn_id: Uuid,
}

/// Answer to `Prefer: respond-async`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct StartedTurnResponse {
    data: StartedTurn,
}

impl From<Message> for MessageResponse {
    fn from(message: Message) -> Self {
        let Message {
            id,
            turn_id,
            role,
            content,
            extracted_values,
            timestamp,
            stopped,
        } = message;
        Self {
            id: id.0,
            turn_id: turn_id.0,
            role,
            content,
            extracted_values,
            timestamp,
            stopped,
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
            TurnError::Limited(wait) => Self::new(
                ErrorCode::RateLimited,
                "That was a lot of messages. Give the advisor a moment.",
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
            TurnError::Panicked => Self::internal(error),
            TurnError::Store(error) => error.into(),
        }
    }
}

fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

impl From<ProposalError> for AppError {
    fn from(error: ProposalError) -> Self {
        match error {
            ProposalError::NotFound => Self::not_found("The value"),
            ProposalError::AlreadySettled => Self::conflict("This value is settled already."),
            ProposalError::Refused(why) => Self::invalid("value", why),
            ProposalError::Store(error) => error.into(),
        }
    }
}

/// Sends a message to the plan's advisor and streams the answer.
///
/// `token` events as the model speaks, then exactly one `done` or `error`. The turn goes on when the client goes away. With
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
        (status = 202, description = "The turn runs", body = StartedTurnResponse),
        (status = 204, description = "Nothing to attach to"),
        (status = 400, body = ErrorEnvelope, description = "VALIDATION_ERROR"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
        (status = 409, body = ErrorEnvelope, description = "TURN_IN_PROGRESS"),
        (status = 413, body = ErrorEnvelope, description = "PAYLOAD_TOO_LARGE"),
        (status = 415, body = ErrorEnvelope, description = "UNSUPPORTED_MEDIA_TYPE"),
        (status = 422, body = ErrorEnvelope, description = "IDEMPOTENCY_KEY_REUSED"),
        (status = 429, body = ErrorEnvelope, description = "RATE_LIMITED or BUDGET_EXHAUSTED"),
        (status = 503, body = ErrorEnvelope, description = "UNAVAILABLE"),
    ))]
pub async fn send_message(
    app: AppState,
    access: PlanAccess,
    Extension(streams): Extension<Streams>,
    headers: HeaderMap,
    ValidJson(body): ValidJson<SendMessageRequest>,
) -> Result<Response, AppError> {
    let message = message::checked(&body.message, app.config.llm.max_message_chars)?;
    let key = message::idempotency_key(&headers)?;
    if let Some(cursor) = message::text_header(&headers, "last-event-id")? {
        return attach(&app, &access, &streams, Some(cursor)).await;
    }
    let wants_async = message::wants_async(&headers);
    let streams_full = !wants_async && has_all_streams(&app, &access, &streams);
    let question = Question {
        streams_full,
        ..question(&app, &access, message, key)
    };
    let Answering {
        turn,
        attempt,
        events,
        replayed,
    } = app.conversations.ask(question).await?;
    let mut response = match wants_async {
        true => accepted(&access, turn, attempt),
        false => sse::respond(turn, events, streams.enter(&app, access)),
    };
    if replayed {
        response.headers_mut().insert(
            HeaderName::from_static("idempotency-replayed"),
            HeaderValue::from_static("true"),
        );
    }
    Ok(response)
}

fn question(app: &AppState, access: &PlanAccess, message: String, key: Option<String>) -> Question {
    let (plan, edition, asked_at) = (access.id(), access.edition(), app.clock.now());
    Question {
        caller: access.caller.clone(),
        plan,
        edition,
        message,
        asked_at,
        key,
        streams_full: false,
    }
}

fn accepted(access: &PlanAccess, turn: TurnId, attempt: i32) -> Response {
    let after = Cursor {
        turn,
        attempt,
        offset: 0,
    };
    let location = format!("/api/plans/{}/conversation/stream?after={after}", access.id());
    let body = StartedTurnResponse {
        data: StartedTurn { turn_id: turn.0 },
    };
    (StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(body)).into_response()
}

/// Whether the person listens to as many streams as they may.
fn has_all_streams(app: &AppState, access: &PlanAccess, streams: &Streams) -> bool {
    let limit = usize::try_from(app.config.limits.rate_limit_streams_per_user).unwrap_or(usize::MAX);
    limit > 0 && streams.count_of(access.caller.effective.id) >= limit
}

async fn attach(
    app: &AppState,
    access: &PlanAccess,
    streams: &Streams,
    cursor: Option<&str>,
) -> Result<Response, AppError> {
    match app.conversations.attach(access.id(), cursor).await? {
        Some((turn, events)) => Ok(sse::respond(turn, events, streams.enter(app, access.clone()))),
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

/// Attaches to the plan's running turn, or to the turn an event id names.
///
/// 204 where there is nothing to attach to, which tells an `EventSource` to stop.
#[utoipa::path(get, path = "/api/plans/{id}/conversation/stream", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), StreamQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The stream begins behind this event")),
    responses(
        (status = 200, description = "The turn's events", body = TurnEvent, content_type = "text/event-stream"),
        (status = 204, description = "Nothing to attach to"),
        (status = 400, body = ErrorEnvelope, description = "VALIDATION_ERROR"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
    ))]
pub async fn stream_conversation(
    app: AppState,
    access: PlanAccess,
    Extension(streams): Extension<Streams>,
    headers: HeaderMap,
    ValidQuery(query): ValidQuery<StreamQuery>,
) -> Result<Response, AppError> {
    let header = message::text_header(&headers, "last-event-id")?;
    attach(&app, &access, &streams, header.or(query.after.as_deref())).await
}

/// Reads the conversation, oldest message first.
#[utoipa::path(get, path = "/api/plans/{id}/conversation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ConversationQuery),
    responses(
        (status = 200, body = ConversationResponse),
        (status = 400, body = ErrorEnvelope, description = "VALIDATION_ERROR"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
    ))]
pub async fn get_conversation(
    app: AppState,
    access: PlanAccess,
    ValidQuery(query): ValidQuery<ConversationQuery>,
) -> Result<Json<ConversationResponse>, AppError> {
    let range = Range {
        limit: query.limit,
        before: query.before.map(MessageId),
    };
    let Page {
        messages,
        total_tokens_used,
        total,
        next_before,
    } = app.conversations.history(access.id(), range).await?;
    let meta = ConversationMeta {
        total_tokens_used,
        total,
        next_before: next_before.map(|id| id.0),
    };
    Ok(Json(ConversationResponse {
        data: messages.into_iter().map(MessageResponse::from).collect(),
        meta,
    }))
}

/// Clears the history. The audit trail and the token total stay.
#[utoipa::path(delete, path = "/api/plans/{id}/conversation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses(
        (status = 204, description = "Cleared"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
        (status = 409, body = ErrorEnvelope, description = "TURN_IN_PROGRESS"),
    ))]
pub async fn clear_conversation(app: AppState, access: PlanAccess) -> Result<StatusCode, AppError> {
    app.conversations.clear(&access.caller, access.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops the running turn; its text so far is kept, its values are not applied.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/cancel", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses(
        (status = 204, description = "Stopped, or nothing was running"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
    ))]
pub async fn cancel_turn(app: AppState, access: PlanAccess) -> Result<StatusCode, AppError> {
    app.conversations.cancel(access.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}
