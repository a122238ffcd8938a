//! The case that the franchisee asked about before and may want to keep.

use crate::offline::intent::{self, Intent};
use crate::offline::situation::Situation;
use llm_client::{ChatMessage, LlmRequest};
use plan_model::number::Number;

/// Earlier messages among which a case is looked for.
const LOOKED_AT: usize = 10;

/// Fields and values of the newest case that was asked about before the present message.
pub fn before(request: &LlmRequest) -> Vec<(usize, Number)> {
    let users = request.messages.iter().enumerate().rev();
    let users = users.filter(|(_, message)| matches!(message, ChatMessage::User(_)));
    for (at, _) in users.skip(1).take(LOOKED_AT) {
        let earlier = LlmRequest {
            messages: request.messages[..=at].to_vec(),
            ..request.clone()
        };
        if let Intent::WhatIf(changes) = intent::of(&Situation::of(&earlier)) {
            return changes;
        }
    }
    Vec::new()
}
