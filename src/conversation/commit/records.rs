//! Rows and messages as a turn writes them.

use crate::conversation::Question;
use crate::model::extracted::ExtractedValue;
use crate::model::ids::{ChangeId, MessageId};
use crate::model::inputs::FieldValue;
use crate::model::message::{Message, Role};
use crate::store::json::Json;
use crate::store::plan_changes::{NewPlanChange, Reason};
use crate::store::prompts::Hold;
use std::sync::Arc;
use time::OffsetDateTime;

/// Question and answer as they are kept.
pub fn pair(
    question: &Question,
    hold: Hold,
    text: &str,
    answered: OffsetDateTime,
    values: Vec<ExtractedValue>,
    stopped: bool,
) -> Vec<Message> {
    let message = |role, content: &str, timestamp| Message {
        id: MessageId::fresh(),
        turn_id: hold.turn,
        role,
        content: Arc::from(content),
        extracted_values: None,
        timestamp,
        stopped: None,
    };
    let values = Some(values).filter(|values| !values.is_empty());
    vec![
        message(Role::User, &question.message, question.asked_at),
        Message {
            extracted_values: values,
            stopped: stopped.then_some(true),
            ..message(Role::Assistant, text, answered)
        },
    ]
}

/// A line of the audit trail in the caller's name.
pub fn new_change(
    question: &Question,
    field: String,
    old: Option<FieldValue>,
    new: FieldValue,
    reason: Reason,
) -> NewPlanChange {
    NewPlanChange {
        id: ChangeId::fresh().0,
        plan_id: question.plan.0,
        field,
        old_value: old.map(Json),
        source: new.source.to_text(),
        new_value: Json(new),
        reason: reason.as_str(),
        confidence: None,
        evidence: None,
        turn_id: None,
        actor_id: question.caller.actor.id.0,
        effective_user_id: question.caller.effective.id.0,
    }
}
