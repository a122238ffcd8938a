//! The last N messages of a conversation, never splitting a tool call from its results.

use llm_client::ChatMessage;

/// The newest messages, at most `count`, starting at a user message or a whole tool group: where the cut would fall inside
/// a group, or before an answer without its question, it moves towards the end.
pub fn window(messages: &[ChatMessage], count: usize) -> &[ChatMessage] {
    let mut start = messages.len().saturating_sub(count);
    while let Some(message) = messages.get(start) {
        match message {
            ChatMessage::User(_) => break,
            ChatMessage::Assistant { tool_calls, .. } if !tool_calls.is_empty() => break,
            ChatMessage::Assistant { .. }
            | ChatMessage::Tool { .. }
            | ChatMessage::System(_)
            | ChatMessage::Stable(_)
            | ChatMessage::Replay(_) => start += 1,
        }
    }
    &messages[start.min(messages.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::message::ToolCall;
    use proptest::prelude::*;

    fn assistant(calls: usize, first: usize) -> ChatMessage {
        let tool_calls = (0..calls)
            .map(|nth| ToolCall {
                id: format!("c{}", first + nth),
                name: "t".into(),
                arguments: "{}".into(),
            })
            .collect();
        ChatMessage::Assistant {
            content: "a".into(),
            tool_calls,
        }
    }

    /// Turns of a question, some tool groups and an answer.
    fn history() -> impl Strategy<Value = Vec<ChatMessage>> {
        prop::collection::vec(prop::collection::vec(1usize..4, 0..3), 0..12).prop_map(|turns| {
            let mut messages = Vec::new();
            for groups in turns {
                messages.push(ChatMessage::User("u".into()));
                for calls in groups {
                    let first = messages.len();
                    messages.push(assistant(calls, first));
                    messages.extend((0..calls).map(|nth| ChatMessage::Tool {
                        call_id: format!("c{}", first + nth),
                        content: "r".into(),
                    }));
                }
                messages.push(assistant(0, 0));
            }
            messages
        })
    }

    proptest! {
        #[test]
        fn every_call_is_answered_and_every_answer_called_for(messages in history(), count in 0usize..40) {
            let window = window(&messages, count);
            prop_assert!(window.len() <= count);
            prop_assert!(messages.ends_with(window));
            let mut open: Vec<String> = Vec::new();
            for (at, message) in window.iter().enumerate() {
                match message {
                    ChatMessage::Assistant { tool_calls, .. } => {
                        prop_assert!(at > 0 || !tool_calls.is_empty(), "an answer without its request");
                        prop_assert!(open.is_empty());
                        open = tool_calls.iter().map(|call| call.id.clone()).collect();
                    }
                    ChatMessage::Tool { call_id, .. } => {
                        prop_assert_eq!(open.first(), Some(call_id));
                        open.remove(0);
                    }
                    _ => prop_assert!(open.is_empty()),
                }
            }
            prop_assert!(open.is_empty());
        }

        #[test]
        fn nothing_is_dropped_that_fits(messages in history()) {
            prop_assert_eq!(window(&messages, messages.len()).len(), messages.len());
        }
    }
}
