//! The case that the franchisee asked about before and may want to keep.

use crate::llm::{ChatMessage, LlmRequest};
use crate::model::number::Number;
use crate::offline::intent::{self, Intent};
use crate::offline::situation::Situation;

/// Earlier messages among which a case is looked for.
const LOOKED_AT: usize = 10;

/// Fields and values of the newest case that was asked about before the present message.
#[must_use]
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
