//! The conversation for clients of the AI SDK: `useChat` and everything that reads its stream.

use crate::app::AppState;
use crate::conversation::confirmation::{ConfirmationError, Decision, ResolvedConfirmation};
use crate::conversation::{TurnHandle, TurnRequest};
use crate::http::dialect::last::Last;
use crate::http::dialect::page::{PageMeta, PageQuery};
use crate::http::dialect::{ai_sdk, sources};
use crate::http::error::AppError;
use crate::http::extract::headers::{self, mark_replayed};
use crate::http::extract::{PlanAccess, ValidJson, ValidQuery};
use crate::http::handlers::dialogue::conversation::{message, turn_request};
use crate::http::reads::Reads;
use crate::http::sse;
use crate::http::streams::Streams;
use crate::http::wire::List;
use axum::Extension;
use axum::extract::RawPathParams;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use plan_model::error::ErrorCode;
use plan_model::ids::PendingActionId;
use request::{ChatAction, ChatMessage};
use serde::Deserialize;
use serde_json::value::to_raw_value;
use uuid::Uuid;
use validator::Validate;

mod history;
mod request;
mod retry;

use history::UiMessage;

/// Names the protocol of the stream.
const PROTOCOL: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-vercel-ai-ui-message-stream"),
    HeaderValue::from_static("v1"),
);

/// What `DefaultChatTransport` sends, whole or with the last message only.
#[derive(Debug, Deserialize, Validate, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"id": "0197a000-0000-7000-8000-000000000001", "message": {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "My rent is $4,200/month"}]}}))]
pub(crate) struct ChatRequest {
    /// The plan's id, as in the path.
    #[serde(default)]
    id: Option<String>,
    /// Only the last one counts: the history is the server's own.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Last,
    /// The last message, instead of all of them.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    message: Option<serde_json::Value>,
    #[serde(default)]
    trigger: Option<Trigger>,
    /// The message that is edited or answered again.
    #[serde(default)]
    message_id: Option<String>,
}

/// Why the client sends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Trigger {
    #[default]
    SubmitMessage,
    RegenerateMessage,
}

/// What the client can read.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChatQuery {
    /// `tool`: confirmations come as tool approvals too, for clients of `ai` 6 and newer.
    approvals: Option<Approvals>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Approvals {
    Tool,
}

/// Sends a message and streams the answer as the AI SDK's UI message stream, version 1.
///
/// A last assistant message with an answered approval settles the confirmation instead.
#[utoipa::path(post, path = "/api/plans/{id}/chat", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ChatQuery),
    request_body = ChatRequest,
    responses(
        (status = 200, description = "Chunks of the UI message stream, then `[DONE]`", body = String, content_type = "text/event-stream"),
    ))]
pub(crate) async fn send_chat(
    app: AppState,
    access: PlanAccess,
    Extension(streams): Extension<Streams>,
    ValidQuery(query): ValidQuery<ChatQuery>,
    head: HeaderMap,
    ValidJson(body): ValidJson<ChatRequest>,
) -> Result<Response, AppError> {
    if let Some(id) = &body.id {
        require_plan(&access, id)?;
    }
    let last = body.message.or(body.messages.0);
    let last = ChatMessage::read(last.ok_or_else(|| AppError::invalid("messages", "must not be empty"))?)?;
    let (id, text) = match last.asked()? {
        ChatAction::Answer { approval, approved } => return settle(&app, &access, &last, &approval, approved).await,
        ChatAction::Message { id, text } => (id, message::checked(&text, app.config.llm.max_message_chars)?),
    };
    let retry = retry::find(
        &app,
        &access,
        id,
        &text,
        body.trigger.unwrap_or_default(),
        body.message_id,
    )
    .await?;
    let guard = streams.enter(&app, access.clone())?;
    let request = TurnRequest {
        replaces: retry.replaces,
        has_too_many_streams: guard.is_one_too_many,
        language: headers::language(&head),
        ..turn_request(&app, &access, text, retry.key)
    };
    let TurnHandle {
        turn, events, replayed, ..
    } = app.conversations.ask(request).await?;
    let source = sources::AiSdk {
        events,
        state: ai_sdk::State::new(turn, query.approvals.is_some()),
        begun: false,
    };
    let mut response = sse::respond_from(Some(turn), source, guard);
    if replayed {
        mark_replayed(&mut response);
    }
    Ok(with_protocol(response))
}

/// The chat id in the AI SDK's words is the plan's id, here as in the path.
fn require_plan(access: &PlanAccess, id: &str) -> Result<(), AppError> {
    match id.parse::<Uuid>() {
        Ok(id) if id == access.id().0 => Ok(()),
        _ => Err(AppError::new(
            ErrorCode::NotFound,
            "There is no such chat. The chat's id must be the plan's: useChat({ id: planId }).",
        )),
    }
}

async fn settle(
    app: &AppState,
    access: &PlanAccess,
    asking: &ChatMessage,
    approval: &str,
    approved: bool,
) -> Result<Response, AppError> {
    let id: Uuid = approval.parse().map_err(|_| ConfirmationError::Gone)?;
    let decision = if approved { Decision::Approve } else { Decision::Deny };
    let (actor, plan) = (access.actor(), access.plan_ref(app).await?);
    let ResolvedConfirmation { text, updated_outputs } = app
        .conversations
        .resolve_confirmation(&actor, &plan, PendingActionId(id), decision)
        .await?;
    let outputs = updated_outputs.as_ref().and_then(|outputs| to_raw_value(outputs).ok());
    let events = ai_sdk::settled(&ai_sdk::Settled {
        message_id: &asking.id,
        confirmation: id,
        approved,
        text: &text,
        updated_outputs: outputs.as_deref(),
    });
    Ok(with_protocol(sse::respond_whole(None, &[events])))
}

fn with_protocol(mut response: Response) -> Response {
    let (name, value) = PROTOCOL;
    response.headers_mut().insert(name, value);
    response
}

/// Attaches to the plan's running turn: the whole answer from its first word.
///
/// 204 where none runs: `useChat` has nothing to resume.
#[utoipa::path(get, path = "/api/plans/{id}/chat/{chatId}/stream", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ("chatId" = String, Path, description = "The plan's id again"), ChatQuery),
    responses(
        (status = 200, description = "Chunks of the UI message stream, then `[DONE]`", body = String, content_type = "text/event-stream"),
        (status = 204, description = "No turn runs"),
    ))]
pub(crate) async fn resume_chat(
    app: AppState,
    access: PlanAccess,
    Extension(streams): Extension<Streams>,
    params: RawPathParams,
    ValidQuery(query): ValidQuery<ChatQuery>,
) -> Result<Response, AppError> {
    let chat = params.iter().find(|(name, _)| *name == "chatId");
    require_plan(&access, chat.map_or("", |(_, id)| id))?;
    let guard = streams.enter_within_limit(&app, access.clone())?;
    let Some((turn, events)) = app.conversations.attach(access.id(), None).await? else {
        return Ok(with_protocol(StatusCode::NO_CONTENT.into_response()));
    };
    let source = sources::AiSdk {
        events,
        state: ai_sdk::State::new(turn, query.approvals.is_some()),
        begun: false,
    };
    let response = sse::respond_from(Some(turn), source, guard);
    Ok(with_protocol(response))
}

/// The conversation as `UIMessage[]`, to begin `useChat` with.
///
/// While a turn runs its message is the last one. The newest answer has all its parts, older ones have text and values.
#[utoipa::path(get, path = "/api/plans/{id}/chat", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ChatQuery, PageQuery),
    responses(
        (status = 200, body = List<UiMessage, PageMeta>),
    ))]
pub(crate) async fn get_chat(
    app: AppState,
    access: PlanAccess,
    Extension(reads): Extension<Reads>,
    ValidQuery(query): ValidQuery<ChatQuery>,
    ValidQuery(page): ValidQuery<PageQuery>,
) -> Result<Response, AppError> {
    history::respond(&app, &access, &reads, page.range()?, query.approvals.is_some()).await
}
