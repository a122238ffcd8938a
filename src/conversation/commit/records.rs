//! The messages a turn adds to its conversation.

use crate::conversation::TurnRequest;
use crate::store::prompts::TurnLease;
use plan_model::access::UserRole;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::MessageId;
use plan_model::message::{Author, FinishReason, Message, Role};
use plan_model::outputs::MetricChange;
use std::sync::Arc;
use time::OffsetDateTime;

/// An answer as it is stored.
#[derive(Default)]
pub struct AnswerRecord<'a> {
    pub text: &'a str,
    pub values: Vec<ExtractedValue>,
    pub changes: Vec<MetricChange>,
    pub stopped: bool,
    pub finish: FinishReason,
}

/// Question and answer as they are kept.
pub fn pair(
    request: &TurnRequest,
    lease: TurnLease,
    answer: AnswerRecord<'_>,
    answered: OffsetDateTime,
) -> Vec<Message> {
    let message = |role, content: &str, timestamp| {
        Message::plain(MessageId::fresh(), lease.turn, role, Arc::from(content), timestamp)
    };
    let actor = &request.caller.actor;
    let values = Some(answer.values).filter(|values| !values.is_empty());
    vec![
        Message {
            author: (actor.role == UserRole::PlatformAdmin).then(|| Author::from(actor)),
            ..message(Role::User, &request.message, request.asked_at)
        },
        Message {
            changes: answer.changes,
            extracted_values: values,
            stopped: answer.stopped.then_some(true),
            finish_reason: answer.finish,
            ..message(Role::Assistant, answer.text, answered)
        },
    ]
}
