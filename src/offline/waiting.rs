//! Numbers of an earlier message that are asked about one after the other.

use crate::offline::content;
use llm_client::ChatMessage;
use plan_reader::{Choice, Texts, Vocabulary, Wish, understand};

/// What is still to be asked about, the next first.
#[derive(Debug, Clone, Default)]
pub struct Waiting(pub Vec<Choice>);

/// Looks back over answers of yes and no to the message whose numbers they answer. `before` ends before the present answer, `now`.
/// A yes settles its field.
pub fn after(before: &[ChatMessage], now: Wish, vocabulary: &Vocabulary) -> Waiting {
    let mut answers = Vec::new();
    for (at, message) in before.iter().enumerate().rev() {
        if !matches!(message, ChatMessage::User(_)) {
            continue;
        }
        let said = |user: bool| {
            let earlier = before[..at].iter().rev();
            let mut texts = earlier.filter(|one| match one {
                ChatMessage::User(_) => user,
                ChatMessage::Assistant { content, .. } => !user && !content.is_empty(),
                _ => false,
            });
            texts.next().map(content)
        };
        let understood = understand(
            &Texts {
                message: content(message),
                previous_message: said(true),
                advisor: said(false),
                asked: None,
                about: None,
            },
            vocabulary,
        );
        if let Some(wish @ (Wish::Yes | Wish::No)) = understood.wish {
            answers.push(wish);
            continue;
        }
        let choices = understood.candidates.into_iter();
        let mut open: Vec<Choice> = choices.filter_map(|one| one.choices.into_iter().next()).collect();
        for answer in answers.into_iter().rev().chain([now]) {
            if open.is_empty() {
                break;
            }
            let settled = open.remove(0);
            open.retain(|choice| answer == Wish::No || choice.field != settled.field);
        }
        return Waiting(open);
    }
    Waiting::default()
}
