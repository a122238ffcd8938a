//! The prompt before the turn's own exchange: rules, brand, plan, earlier messages.
//!
//! It is put together anew for each call of the model, so that no running turn keeps a copy while the model answers.

use crate::conversation::form::{self, PromptForm};
use crate::conversation::snapshot::brand::Prefix;
use crate::conversation::snapshot::cache::BasePlan;
use crate::conversation::snapshot::history;
use crate::conversation::snapshot::plan::PlanView;
use crate::conversation::snapshot::reader::{Snapshot, SnapshotReader};
use crate::conversation::snapshot::request::TurnRequest;
use crate::conversation::snapshot::window::window;
use crate::conversation::tools::{LatestChanges, Services};
use crate::plans::undo::{self, GroupRef};
use crate::store::StoreResult;
use crate::store::brands::BrandVersion;
use crate::store::plans::conversations::Window;
use crate::store::plans::extractions::{Extraction, Proposal};
use crate::store::plans::plan_changes::PlanChange;
use crate::store::plans::scenarios::Scenario;
use llm_client::ChatMessage;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::TurnId;
use plan_model::inputs::FinancialInputs;
use std::sync::Arc;
use time::OffsetDateTime;

/// Gives the messages of a prompt anew for each call of the model, with as much of the history as a model takes that has
/// `context` tokens for question and answer; all of it where that is not known.
#[async_trait::async_trait]
pub(crate) trait Prompts: Sync {
    async fn messages(&self, form: PromptForm, context: Option<u32>) -> StoreResult<Vec<ChatMessage>>;
}

/// Everything a prompt is made of but the messages.
pub(crate) struct PromptBuilder<'a> {
    reader: &'a SnapshotReader,
    request: &'a TurnRequest,
    turn: TurnId,
    pub prefix: Arc<Prefix>,
    brand_version: Arc<BrandVersion>,
    plan_name: String,
    base: BasePlan,
    /// What is to be answered.
    message: &'a str,
    /// What the message began or ended with, and what was said to it.
    settled: Vec<ChatMessage>,
    /// The plan is not as it is stored: what the turn replaces is gone, or what the message began with is carried out.
    is_changed: bool,
    /// Which state of the conversation the turn began with.
    window_at: Option<OffsetDateTime>,
}

impl<'a> PromptBuilder<'a> {
    pub(crate) fn new(reader: &'a SnapshotReader, request: &'a TurnRequest, turn: TurnId, snapshot: &Snapshot) -> Self {
        Self {
            reader,
            request,
            turn,
            prefix: reader.prefixes.of(&snapshot.brand_version),
            brand_version: Arc::clone(&snapshot.brand_version),
            plan_name: snapshot.plan_name.clone(),
            base: snapshot.base.clone(),
            message: &request.message,
            settled: Vec::new(),
            is_changed: request.replaces.is_some(),
            window_at: snapshot.recent.updated_at,
        }
    }

    /// A part of the message has been carried out: the rest of it is answered, with the plan as it is then, behind what was said to the
    /// part. The question that it answered is none anymore.
    pub(crate) fn goes_on(&mut self, rest: &'a str, said: &str, inputs: Option<Arc<FinancialInputs>>) {
        let whole = self.message;
        let part = whole
            .strip_suffix(rest)
            .or_else(|| whole.strip_prefix(rest))
            .unwrap_or(whole);
        self.settled = vec![
            ChatMessage::User(part.trim().into()),
            ChatMessage::Assistant {
                content: said.into(),
                tool_calls: Vec::new(),
            },
        ];
        self.message = rest;
        self.base.inputs = inputs;
        self.is_changed = true;
    }

    /// The messages, from a conversation that is at hand.
    pub(crate) fn messages(&self, form: PromptForm, context: Option<u32>, recent: &Window) -> Vec<ChatMessage> {
        let view = self.view(form);
        let remaining = self.request.replaces.map(|turn| recent.without(turn));
        let recent = remaining.as_ref().unwrap_or(recent);
        let last_message_at = recent.messages.last().map(|message| message.timestamp);
        let person = &self.request.caller.effective.display_name;
        let about = view.conversation(person, &self.plan_name, last_message_at);
        let prompt = Prompt {
            prefix: &self.prefix,
            form,
            view: &view,
            about,
            message: self.message,
        };
        let limits = self.reader.limits;
        let mut history = history::for_model(&recent.messages);
        let most = limits.messages.min(history.len()).saturating_add(self.settled.len());
        history.extend_from_slice(&self.settled);
        let budget = prompt.history_budget(context, limits.output_tokens);
        let count = budget.map_or(most, |budget| history::newest(&history[history.len() - most..], budget));
        prompt.messages(window(&history, count))
    }

    /// What waits for the franchisee, oldest first. Proposals of the turn that this one replaces go with it.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub(crate) async fn open(&self) -> StoreResult<Vec<Proposal>> {
        let mut open = Extraction::list_open(&*self.reader.db.conn().await?, self.request.plan).await?;
        open.retain(|one| one.turn.is_none() || one.turn != self.request.replaces);
        Ok(open)
    }

    fn view(&self, form: PromptForm) -> Arc<PlanView> {
        let (BasePlan { revision, inputs }, brand_version) = (&self.base, &self.brand_version);
        match self.is_changed {
            // No stored version of the plan looks like this one.
            true => Arc::new(PlanView::new(*revision, brand_version, inputs.as_deref(), form)),
            false => self
                .reader
                .cache
                .view(self.request.plan, *revision, inputs.as_deref(), brand_version, form),
        }
    }
}

#[async_trait::async_trait]
impl Prompts for PromptBuilder<'_> {
    /// The same messages again. No other turn can have added to the conversation while the turn runs.
    async fn messages(&self, form: PromptForm, context: Option<u32>) -> StoreResult<Vec<ChatMessage>> {
        let (plan, cache) = (self.request.plan, &self.reader.cache);
        let known = cache.known(plan).window;
        if let Some(window) = known.filter(|window| window.updated_at == self.window_at) {
            return Ok(PromptBuilder::messages(self, form, context, &window));
        }
        let (query, known) = self.reader.query(self.request, self.turn);
        let snapshot = query.load(&*self.reader.db.conn().await?).await?;
        Ok(PromptBuilder::messages(
            self,
            form,
            context,
            &cache.window(plan, snapshot.window, known.window),
        ))
    }
}

#[async_trait::async_trait]
impl Services for PromptBuilder<'_> {
    fn model_name(&self) -> Arc<str> {
        self.reader.llm.model_name()
    }

    async fn is_database_up(&self) -> bool {
        self.reader.db.conn().await.is_ok()
    }

    async fn latest_changes(&self) -> StoreResult<Option<LatestChanges>> {
        let (conn, plan) = (self.reader.db.conn().await?, self.request.plan);
        let Some(group) = undo::latest_group(&conn, plan, self.request.replaces).await? else {
            return Ok(None);
        };
        let changes = undo::changes_of(&conn, plan, GroupRef::Group(group)).await?;
        Ok(Some(LatestChanges { group, changes }))
    }

    async fn changes(&self, limit: i64) -> StoreResult<Vec<PlanChange>> {
        PlanChange::list(&*self.reader.db.conn().await?, self.request.plan, limit, 0).await
    }

    async fn open_proposals(&self) -> StoreResult<Vec<ExtractedValue>> {
        Ok(self.open().await?.into_iter().map(|one| one.value).collect())
    }

    async fn scenarios(&self) -> StoreResult<Vec<Scenario>> {
        let mut scenarios = Scenario::list(&*self.reader.db.conn().await?, self.request.plan).await?;
        if let Some(TurnId(replaced)) = self.request.replaces {
            scenarios.retain(|scenario| scenario.turn_id != Some(replaced));
        }
        Ok(scenarios)
    }
}

/// The parts of a prompt around the history.
pub(crate) struct Prompt<'a> {
    pub prefix: &'a Prefix,
    pub form: PromptForm,
    /// Rendered in `form`.
    pub view: &'a PlanView,
    /// The conversation's facts.
    pub about: String,
    pub message: &'a str,
}

impl Prompt<'_> {
    /// Tokens left for the history, where the context is known: an eighth of it stays free for the results of tools.
    pub(crate) fn history_budget(&self, context: Option<u32>, wanted_output: u32) -> Option<usize> {
        let tokens = context?;
        let output = form::output_tokens(context, wanted_output) as usize;
        let parts = self.messages(&[]);
        let offered = self.prefix.form(self.form).tokens;
        let asked: usize = parts[1..].iter().map(ChatMessage::tokens).sum();
        let taken = offered + asked + output;
        Some((tokens as usize * 7 / 8).saturating_sub(taken))
    }

    /// Brand, plan, the conversation's facts, the history, the message.
    pub(crate) fn messages(&self, history: &[ChatMessage]) -> Vec<ChatMessage> {
        let mut messages = vec![
            ChatMessage::Stable(Arc::clone(&self.prefix.form(self.form).text)),
            ChatMessage::Stable(Arc::clone(&self.view.text)),
            ChatMessage::System(Arc::from(self.about.as_str())),
        ];
        messages.extend_from_slice(history);
        messages.push(ChatMessage::User(Arc::from(self.message)));
        messages
    }
}
