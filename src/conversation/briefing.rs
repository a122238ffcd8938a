//! What the model is told before the turn's own exchange: rules, brand, plan, earlier messages.
//!
//! It is put together anew for each call of the model, so that no running turn keeps a copy while the model speaks.

use super::context::{self, Base, Context};
use super::prompt::Prefix;
use super::window::window;
use super::{Engine, Question};
use crate::llm::ChatMessage;
use crate::model::ids::TurnId;
use crate::model::message::{Message, Role};
use crate::store::StoreResult;
use crate::store::brands::Edition;
use crate::store::conversations::Window;
use std::sync::Arc;
use time::OffsetDateTime;

/// Everything a briefing is made of but the messages.
pub struct Briefing<'a> {
    engine: &'a Engine,
    question: &'a Question,
    turn: TurnId,
    pub prefix: Arc<Prefix>,
    edition: Arc<Edition>,
    plan_name: String,
    base: Base,
    /// Which state of the conversation the turn began with.
    window_at: Option<OffsetDateTime>,
}

impl<'a> Briefing<'a> {
    #[must_use]
    pub fn new(engine: &'a Engine, question: &'a Question, turn: TurnId, context: &Context) -> Self {
        Self {
            engine,
            question,
            turn,
            prefix: engine.prefixes.of(&context.edition),
            edition: Arc::clone(&context.edition),
            plan_name: context.plan_name.clone(),
            base: context.base.clone(),
            window_at: context.recent.updated_at,
        }
    }

    /// The messages, from a conversation that is at hand.
    #[must_use]
    pub fn messages(&self, recent: &Window) -> Vec<ChatMessage> {
        let Base { version, inputs } = &self.base;
        let plan = self.question.plan;
        let view = self.engine.view(plan, *version, inputs.as_deref(), &self.edition);
        let last_message_at = recent.messages.last().map(|message| message.timestamp);
        let person = &self.question.caller.effective.display_name;
        let history: Vec<ChatMessage> = recent.messages.iter().map(spoken).collect();
        let mut messages = vec![
            ChatMessage::Stable(Arc::clone(&self.prefix.text)),
            ChatMessage::Stable(Arc::clone(&view.text)),
            ChatMessage::System(Arc::from(view.conversation(person, &self.plan_name, last_message_at))),
        ];
        messages.extend_from_slice(window(&history, self.engine.settings.max_context_messages));
        messages.push(ChatMessage::User(Arc::from(self.question.message.as_str())));
        messages
    }

    /// The same messages for another call. Nobody else can have added to the conversation while the turn runs.
    ///
    /// # Errors
    /// Where the conversation has to be read again and cannot be.
    pub async fn again(&self) -> StoreResult<Vec<ChatMessage>> {
        let (plan, recent) = (self.question.plan, &self.engine.recent);
        let known = recent.known(plan).window;
        if let Some(window) = known.filter(|window| window.updated_at == self.window_at) {
            return Ok(self.messages(&window));
        }
        let (query, known) = context::query(self.engine, self.question, self.turn);
        let scene = query.load(&*self.engine.db.conn().await?).await?;
        Ok(self.messages(&recent.window(plan, scene.window, known.window)))
    }
}

fn spoken(message: &Message) -> ChatMessage {
    match message.role {
        Role::User => ChatMessage::User(Arc::clone(&message.content)),
        Role::Assistant => ChatMessage::Assistant {
            content: Arc::clone(&message.content),
            tool_calls: Vec::new(),
        },
    }
}
