//! The record of a turn: what it adds to its conversation and says in its `done` event.

use crate::conversation::TurnRequest;
use crate::conversation::tools::Hints;
use crate::store::turns::prompts::TurnLease;
use plan_model::access::UserRole;
use plan_model::event::{PendingConfirmation, SavedScenario};
use plan_model::extracted::ExtractedValue;
use plan_model::ids::MessageId;
use plan_model::message::{Author, FinishReason, Message, Role};
use plan_model::outputs::MetricChange;
use plan_model::usage::Usage;
use std::sync::Arc;
use time::OffsetDateTime;

/// A turn as it is stored.
#[derive(Default)]
pub(super) struct TurnRecord<'a> {
    pub text: &'a str,
    pub finish: FinishReason,
    pub usage: Usage,
    pub values: Vec<ExtractedValue>,
    pub pending: Option<PendingConfirmation>,
    pub saved: Option<SavedScenario>,
    pub hints: Hints,
    /// What moved in the results.
    pub changes: Vec<MetricChange>,
    pub stopped: bool,
}

impl TurnRecord<'_> {
    /// Question and answer as they are kept.
    pub(super) fn messages(self, request: &TurnRequest, lease: TurnLease, answered: OffsetDateTime) -> Vec<Message> {
        let message = |role, content: &str, timestamp| {
            Message::plain(MessageId::fresh(), lease.turn, role, Arc::from(content), timestamp)
        };
        let actor = &request.caller.actor;
        let values = Some(self.values).filter(|values| !values.is_empty());
        vec![
            Message {
                author: request
                    .assistant
                    .clone()
                    .or_else(|| (actor.role == UserRole::PlatformAdmin).then(|| Author::from(actor))),
                ..message(Role::User, &request.message, request.asked_at)
            },
            Message {
                changes: self.changes,
                extracted_values: values,
                stopped: self.stopped.then_some(true),
                finish_reason: self.finish,
                ..message(Role::Assistant, self.text, answered)
            },
        ]
    }
}
