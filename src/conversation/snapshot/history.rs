//! Earlier messages as the model sees them: without sentences that the server spoke in its place, and no more than fit.

use llm_client::ChatMessage;
use plan_model::ids::TurnId;
use plan_model::message::{Message, Role};
use std::sync::Arc;

/// Said when the rounds are used up, or when the model had nothing to say.
pub(crate) const FALLBACK: &str =
    "I could not finish that just now. Please put it to me again in a few words, one value at a time.";

/// Said where the model only named values, and one of them was written.
pub(crate) const LOOKED: &str = "I have looked at that; you find it in your plan.";

/// Said where the model only named values, and none of them was written.
pub(crate) const WAITS: &str = "I have noted that as a proposal; it is not in your plan yet.";

/// Said where the provider's filter refused the request.
pub(crate) const FILTERED: &str = "The model's provider refused these words.";

/// Begins what is said where the model did not find out of its own calls.
pub(crate) const LEARNED: &str = "From your message:";

/// The history. A model that sees the server's own sentences under its name repeats them, so they are left out; a question
/// that had no other answer goes with its answer, because roles have to alternate. A turn of which words were erased is
/// left out.
pub(crate) fn for_model(messages: &[Message]) -> Vec<ChatMessage> {
    let mut history: Vec<ChatMessage> = Vec::with_capacity(messages.len());
    let erased: Vec<TurnId> = messages
        .iter()
        .filter(|one| one.is_erased())
        .map(|one| one.turn_id)
        .collect();
    for message in messages.iter().filter(|one| !erased.contains(&one.turn_id)) {
        match message.role {
            Role::User => history.push(ChatMessage::User(Arc::clone(&message.content))),
            Role::Assistant => match own_words(&message.content) {
                Some(content) => history.push(ChatMessage::Assistant {
                    content,
                    tool_calls: Vec::new(),
                }),
                None => {
                    history.pop_if(|last| matches!(last, ChatMessage::User(_)));
                }
            },
        }
    }
    history
}

/// What the model said itself; `None` where that is nothing.
fn own_words(content: &Arc<str>) -> Option<Arc<str>> {
    let is_ours = |part: &str| [FALLBACK, LOOKED, WAITS, FILTERED].contains(&part) || part.starts_with(LEARNED);
    if !content.split("\n\n").any(is_ours) {
        return Some(Arc::clone(content));
    }
    let own: Vec<&str> = content.split("\n\n").filter(|part| !is_ours(part)).collect();
    let own = own.join("\n\n");
    (!own.trim().is_empty()).then(|| Arc::from(own))
}

/// The newest part of the history that has at most `budget` tokens.
pub(crate) fn newest(history: &[ChatMessage], budget: usize) -> usize {
    let mut left = budget;
    let fits = history.iter().rev().take_while(|message| {
        let tokens = message.tokens();
        let fits = tokens <= left;
        left = left.saturating_sub(tokens);
        fits
    });
    fits.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: Role, content: &str) -> Message {
        let json = serde_json::json!({
            "id": uuid::Uuid::nil(), "turnId": uuid::Uuid::nil(), "role": role, "content": content,
            "timestamp": "2026-01-01T00:00:00Z",
        });
        serde_json::from_value(json).expect("a message")
    }

    #[test]
    fn the_servers_own_sentences_are_never_the_models_words() {
        let fallen = format!("Let me look.\n\n{FALLBACK}");
        let learned = format!("{LEARNED} Rent per month: $4,200.");
        let history = [
            message(Role::User, "a"),
            message(Role::Assistant, FALLBACK),
            message(Role::User, "b"),
            message(Role::Assistant, &fallen),
            message(Role::User, "c"),
            message(Role::Assistant, &learned),
            message(Role::User, "d"),
            message(Role::Assistant, "My own.\n\nTwo paragraphs."),
        ];
        let shown: Vec<String> = for_model(&history)
            .into_iter()
            .map(|message| match message {
                ChatMessage::User(text) => format!("user {text}"),
                ChatMessage::Assistant { content, .. } => format!("model {content}"),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "user b",
                "model Let me look.",
                "user d",
                "model My own.\n\nTwo paragraphs."
            ]
        );
    }

    #[test]
    fn the_newest_messages_that_fit_are_kept() {
        let history: Vec<ChatMessage> = (0..10).map(|_| ChatMessage::User("one two three".into())).collect();
        let each = history[0].tokens();
        assert_eq!(newest(&history, each * 3 + 1), 3);
        assert_eq!(newest(&history, 0), 0);
        assert_eq!(newest(&history, usize::MAX), 10);
    }
}
