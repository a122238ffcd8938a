//! Slots that are words of the message itself: a term, a case's name.

use super::Reader;

/// Words of asking what something means.
const ASKING: &str = "what whats 's is are a an the does do mean means meaning of explain define que es significa quiere decir un una \
    el la exactly please pls even kindly supposed to be me huh that eso de explique expliqueme in plain words by";

/// Words behind an act that refer to cases and name none.
const REFERRING: &str = "it them all both that with to con todo todos everything cases scenarios escenarios";

fn is_one_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

impl Reader<'_> {
    /// The word whose meaning is asked for: what is left without the words of asking.
    pub(super) fn term(&self) -> Option<String> {
        let sentence = self
            .message
            .parts
            .iter()
            .find(|part| part.sentence.asks)
            .or(self.message.parts.first())?;
        let tokens = &self.message.tokens[sentence.sentence.tokens.clone()];
        let asked = tokens
            .iter()
            .filter(|token| !token.word().is_empty() && !is_one_of(ASKING, token.word()));
        let words: Vec<&str> = asked.take(4).map(crate::lex::Token::word).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// "adopt lean", "compare bold": the name stands right behind the act, and is all that follows.
    fn acts_on_a_name(&self) -> bool {
        let mut words = self.message.tokens.iter().map(crate::lex::Token::word);
        let acts = words.next().is_some_and(|word| {
            matches!(
                word,
                "adopt" | "compare" | "adoptar" | "comparar" | "adopta" | "compara"
            )
        });
        let rest: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let refers = |word: &&str| is_one_of(REFERRING, word);
        acts && rest.len() <= 3 && !rest.iter().any(refers)
    }

    /// A case's name: in quotation marks, else behind a word such as "as" or "called".
    pub(super) fn name(&self) -> Option<String> {
        let text = self.texts.message;
        let marks = |c: char| matches!(c, '"' | '“' | '”');
        if let Some((_, rest)) = text.split_once(marks)
            && let Some((name, _)) = rest.split_once(marks)
        {
            return Some(name.trim().to_owned());
        }
        let tokens = &self.message.tokens;
        let introduced = tokens
            .iter()
            .rposition(|token| matches!(token.word(), "as" | "called" | "named" | "name" | "como"));
        let at = introduced.or_else(|| self.acts_on_a_name().then_some(0))?;
        let rest = &text[tokens.get(at + 1)?.start..];
        let rest = rest.split([',', '.', ';', '!', '?', '\n']).next().unwrap_or_default();
        let words: Vec<&str> = rest
            .split_whitespace()
            .filter(|word| !matches!(*word, "lol" | "please" | "pls"))
            .take(4)
            .collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}
