//! The conversation for AG-UI clients: one run per message, the plan as shared state.

use crate::app::AppState;
use crate::conversation::confirmation::{Decision, ResolvedConfirmation};
use crate::conversation::history::Range;
use crate::conversation::stream::subscription::Subscription;
use crate::conversation::{TurnHandle, TurnRequest};
use crate::http::dialect::event::Confirmation;
use crate::http::dialect::last::Last;
use crate::http::dialect::page::PageQuery;
use crate::http::dialect::plan_state::PlanState;
use crate::http::dialect::sources::Opening;
use crate::http::dialect::{ag_ui, answer_id, sources, turn_of, user_message_id};
use crate::http::error::AppError;
use crate::http::extract::headers::{self, mark_replayed};
use crate::http::extract::{PlanAccess, ValidJson, ValidQuery};
use crate::http::handlers::dialogue::conversation::{message, turn_request};
use crate::http::history::Elements;
use crate::http::reads::Reads;
use crate::http::sse;
use crate::http::streams::{StreamGuard, Streams};
use crate::store::turns::prompts::Prompt;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::{Extension, Json};
use plan_model::error::ErrorCode;
use plan_model::ids::{PendingActionId, TurnId};
use plan_model::language::Language;
use plan_model::message::{Message, Role};
use request::{ResumeEntry, UserMessage, asked, decision_of};
use serde::Deserialize;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;
use validator::Validate;

mod request;

/// `RunAgentInput`. State, tools, context and forwarded properties are the client's own and are not read.
#[derive(Debug, Deserialize, Validate, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"threadId": "0197a000-0000-7000-8000-000000000001", "runId": "r1", "messages": [{"id": "m1", "role": "user", "content": "My rent is $4,200/month"}]}))]
pub(crate) struct RunAgentRequest {
    /// The plan's id, as in the path.
    thread_id: String,
    /// 1 to 200 bytes; a run that is sent again is attached to, or replayed.
    run_id: String,
    /// Only the last one counts: the history is the server's own. Without a new message of the user the run answers with
    /// history and state, then with the running turn.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Last,
    /// The answer to the open confirmation.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    resume: Option<Vec<ResumeEntry>>,
}

/// One request with everything that its ways of answering need.
struct Run {
    app: AppState,
    access: PlanAccess,
    streams: Streams,
    reads: Reads,
    /// Of the history, where it is told.
    range: Range,
    thread_id: String,
    run_id: String,
    /// Of the person's page.
    language: Language,
}

/// Runs the advisor once and streams the run's events.
#[utoipa::path(post, path = "/api/plans/{id}/ag-ui", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), PageQuery),
    request_body = RunAgentRequest,
    responses(
        (status = 200, description = "Events of AG-UI 1.0", body = String, content_type = "text/event-stream"),
    ))]
pub(crate) async fn run_agent(
    app: AppState,
    access: PlanAccess,
    Extension(streams): Extension<Streams>,
    Extension(reads): Extension<Reads>,
    ValidQuery(page): ValidQuery<PageQuery>,
    head: HeaderMap,
    ValidJson(body): ValidJson<RunAgentRequest>,
) -> Result<Response, AppError> {
    if body.thread_id.parse() != Ok(access.id().0) {
        return Err(AppError::new(
            ErrorCode::NotFound,
            "There is no such thread. The thread's id must be the plan's.",
        ));
    }
    if !(1..=200).contains(&body.run_id.len()) || body.run_id.chars().any(char::is_control) {
        return Err(AppError::invalid(
            "runId",
            "must have 1 to 200 bytes, no control characters",
        ));
    }
    let resume = body.resume.unwrap_or_default();
    let asked = asked(body.messages.0)?;
    let run = Run {
        app,
        access,
        streams,
        reads,
        range: page.range()?,
        thread_id: body.thread_id,
        run_id: body.run_id,
        language: headers::language(&head),
    };
    if !resume.is_empty() {
        let (id, decision) = decision_of(&resume)?;
        return run.settle(id, decision).await;
    }
    match asked {
        Some(UserMessage { id, text }) if !run.is_stored(&id).await? => run.ask(&text).await,
        _ => run.tell().await,
    }
}

impl Run {
    fn state(&self, turn: Option<TurnId>) -> ag_ui::State {
        ag_ui::State::new(self.thread_id.clone(), self.run_id.clone(), turn)
    }

    /// Whether the message is one that came from the server: it was said before.
    async fn is_stored(&self, message: &str) -> Result<bool, AppError> {
        let Some(turn) = turn_of(message) else {
            return Ok(false);
        };
        let prompt = Prompt::find(&*self.app.db.conn().await?, turn).await?;
        Ok(prompt.is_some_and(|prompt| prompt.plan_id == self.access.id().0 && prompt.is_kept()))
    }

    /// Starts a turn, or attaches to the one that the run already has.
    async fn ask(self, text: &str) -> Result<Response, AppError> {
        let text = message::checked(text, self.app.config.llm.max_message_chars)?;
        let key = format!("agui:{}", self.run_id);
        let guard = self.streams.enter(&self.app, self.access.clone())?;
        let request = TurnRequest {
            has_too_many_streams: guard.is_one_too_many,
            language: self.language,
            ..turn_request(&self.app, &self.access, text, Some(key))
        };
        let TurnHandle {
            turn, events, replayed, ..
        } = self.app.conversations.ask(request).await?;
        let state = self.state(Some(turn));
        let mut opening = Opening::default();
        opening.push(ag_ui::begin(&state));
        let mut response = self.stream(turn, events, state, opening, guard);
        if replayed {
            mark_replayed(&mut response);
        }
        Ok(response)
    }

    fn stream(
        self,
        turn: TurnId,
        events: Subscription,
        state: ag_ui::State,
        opening: Opening,
        guard: StreamGuard,
    ) -> Response {
        let source = sources::AgUi {
            app: self.app.clone(),
            plan: self.access.id(),
            brand_version: self.access.brand_version(),
            events,
            state,
            opening,
            has_snapshot: false,
            taken: None,
        };
        sse::respond_from(Some(turn), source, guard)
    }

    /// Answers with the conversation and the plan, then with the turn that runs.
    async fn tell(self) -> Result<Response, AppError> {
        let guard = self.streams.enter_within_limit(&self.app, self.access.clone())?;
        let live = self.app.conversations.attach(self.access.id(), None).await?;
        let running = match &live {
            Some((turn, _)) => Prompt::find(&*self.app.db.conn().await?, *turn).await?,
            None => None,
        };
        let turn = live.as_ref().map(|(turn, _)| *turn);
        let mut state = self.state(turn);
        let mut opening = Opening::default();
        opening.push(ag_ui::begin(&state));
        opening.push_messages(self.messages(running).await?);
        if let Some((turn, events)) = live {
            return Ok(self.stream(turn, events, state, opening, guard));
        }
        let plan = self.plan_state().await?;
        let pending = self
            .app
            .conversations
            .pending(&self.access.caller, self.access.id())
            .await?;
        let pending = pending.map(|pending| Confirmation {
            id: pending.id.0,
            tool_name: pending.tool_name,
            prompt: pending.prompt,
            arguments: pending.arguments,
            expires_at: pending.expires_at,
        });
        opening.push(ag_ui::snapshot(&mut state, plan));
        opening.push(ag_ui::end(&mut state, pending.as_ref()));
        Ok(sse::respond_from(None, opening, guard))
    }

    /// The stored messages, then the one whose turn runs.
    async fn messages(&self, running: Option<Prompt>) -> Result<Elements<ag_ui::Message>, AppError> {
        let history = self.app.conversations.history(self.access.id(), self.range).await?;
        let newest = history.outline().and_then(|outline| outline.newest_turn);
        let running = running.filter(|prompt| Some(prompt.turn()) != newest && self.range.before.is_none());
        let running = running.map(|prompt| ag_ui::Message {
            id: user_message_id(prompt.turn()),
            role: Role::User,
            content: Arc::from(prompt.input),
        });
        let show = |message: Message, _| ag_ui::Message {
            id: match message.role {
                Role::User => user_message_id(message.turn_id),
                Role::Assistant => answer_id(message.turn_id),
            },
            role: message.role,
            content: message.content,
        };
        let reader = self.access.caller.actor.id;
        Elements::open(history, &self.reads, reader, Box::new(show), running).await
    }

    async fn plan_state(&self) -> Result<PlanState, AppError> {
        Ok(PlanState::load(&self.app, self.access.id(), self.access.brand_version()).await?)
    }

    /// Settles the confirmation. No turn runs for it.
    async fn settle(self, id: Uuid, decision: Decision) -> Result<Response, AppError> {
        let before = self.plan_state().await?;
        let (actor, plan) = (self.access.actor(), self.access.plan_ref(&self.app).await?);
        let ResolvedConfirmation { text, updated_outputs } = self
            .app
            .conversations
            .resolve_confirmation(&actor, &plan, PendingActionId(id), decision)
            .await?;
        let mut state = self.state(None);
        state.learn(self.plan_state().await.ok());
        let outputs = updated_outputs.as_ref().and_then(|outputs| to_raw_value(outputs).ok());
        let events = [
            ag_ui::begin(&state),
            ag_ui::snapshot(&mut state, before),
            ag_ui::settled(&mut state, format!("{id}-settled"), &text, outputs.as_deref()),
        ];
        Ok(sse::respond_whole(None, &events))
    }
}

/// What an AG-UI client can expect: the protocol's own `AgentCapabilities`, not in an envelope.
#[utoipa::path(get, path = "/api/plans/{id}/ag-ui/capabilities", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses((status = 200, body = Object)))]
pub(crate) async fn get_agent_capabilities(_access: PlanAccess) -> Json<Value> {
    Json(json!({
        "identity": {
            "name": "plan-advisor",
            "description": "Turns a conversation about a franchise into exact plan values and a 60-month projection.",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "transport": {"streaming": true, "websocket": false, "httpBinary": false, "pushNotifications": false, "resumable": true},
        "tools": {"supported": true, "items": [], "clientProvided": false},
        "state": {"snapshots": true, "deltas": true, "persistentState": true},
        "multimodal": {"input": {"image": false, "audio": false, "video": false, "pdf": false, "file": false}},
        "humanInTheLoop": {"supported": true, "approvals": true, "interrupts": true, "approveWithEdits": false},
        "custom": {"events": ["plan-advisor.proposal", "plan-advisor.suggestions", "plan-advisor.heard-as"]},
    }))
}
