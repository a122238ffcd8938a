//! Slots that are words of the message itself: a term, a case's name.

use super::Reader;
use crate::lex::is_of;

/// Words of asking what something means.
const ASKING: &str = "what whats 's is are a an the does do mean means meaning of explain define que es significa quiere decir un una \
    el la exactly please pls even kindly supposed to be me huh that eso de explique expliqueme in plain words by";

/// Words behind an act that refer to cases and name none.
const REFERRING: &str = "it them all both that this with to con todo todos everything a an another my new the un una otro otra nuevo el case \
    cases scenario scenarios caso casos escenario escenarios";

/// Words that go on behind a case's name: "save this as Plan A before I mess it up".
const ENDING: &str = "with where before so because cuz then con donde antes porque luego";

/// "Call it Lean and keep it".
fn is_kept(words: &str) -> bool {
    const KEPT: [&str; 10] = [
        "keep it",
        "save it",
        "store it",
        "keep that",
        "save that",
        "guardalo",
        "guárdalo",
        "guardala",
        "guárdala",
        "listo",
    ];
    KEPT.contains(&words.trim().to_lowercase().as_str())
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
            .filter(|token| !token.word().is_empty() && !is_of(ASKING, token.word()));
        let words: Vec<&str> = asked.take(4).map(crate::lex::Token::word).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// "adopt lean", "compare bold": the name stands right behind the act, and is all that follows.
    fn acts_on_a_name(&self) -> bool {
        const ACTS: &str = "adopt compare adoptar comparar adopta compara";
        let words = self.message.tokens.iter().map(crate::lex::Token::word);
        let mut words = words.filter(|word| !word.is_empty());
        let acts = words.next().is_some_and(|word| is_of(ACTS, word));
        let rest: Vec<&str> = words.collect();
        acts && rest.len() <= 3 && !rest.iter().any(|word| is_of(REFERRING, word))
    }

    /// A case's name: in quotation marks, else behind a word such as "as" or "called". "As a case" names none.
    pub(super) fn name(&self) -> Option<String> {
        let tokens = &self.message.tokens;
        let introduced = tokens
            .iter()
            .rposition(|token| matches!(token.word(), "as" | "called" | "named" | "name" | "como"));
        let behind = || self.behind_call_it().or(introduced);
        let at = || behind().or_else(|| self.acts_on_a_name().then_some(0));
        self.quoted().or_else(|| self.name_behind(at()?))
    }

    /// The last word of "call it", "llámalo".
    fn behind_call_it(&self) -> Option<usize> {
        let tokens = &self.message.tokens;
        let word = |at: usize| tokens.get(at).map_or("", crate::lex::Token::word);
        (0..tokens.len()).rev().find(|at| {
            let calls_it = matches!(word(*at), "it" | "that" | "this") && *at > 0 && word(at - 1) == "call";
            // "Call that one Committee Downside": the name is behind "one".
            let calls_one =
                word(*at) == "one" && *at > 1 && matches!(word(at - 1), "that" | "this") && word(at - 2) == "call";
            // "The name should be Lean"
            let is_named = matches!(word(*at), "be" | "is") && (at.saturating_sub(2)..*at).any(|at| word(at) == "name");
            calls_one
                || is_named
                || calls_it && word(at + 1) != "one"
                || matches!(word(*at), "llamalo" | "llamala" | "llámalo" | "llámala")
        })
    }

    /// The name of a case in the message that says what it changes: 'save one called "lean" with sales 10% lower'.
    pub(super) fn name_of_changes(&self) -> Option<String> {
        let calls = |word: &str| matches!(word, "called" | "named" | "llamado" | "llamada" | "llame" | "nombre");
        let called = || self.message.tokens.iter().rposition(|token| calls(token.word()));
        let at = || self.behind_call_it().or_else(called);
        self.quoted().or_else(|| self.name_behind(at()?))
    }

    fn quoted(&self) -> Option<String> {
        let marks = |c: char| matches!(c, '"' | '“' | '”' | '«' | '»');
        let (_, rest) = self.texts.message.split_once(marks)?;
        let (name, _) = rest.split_once(marks)?;
        Some(name.trim().to_owned())
    }

    fn name_behind(&self, at: usize) -> Option<String> {
        let rest = &self.texts.message[self.message.tokens.get(at + 1)?.start..];
        let rest = rest
            .split([',', '.', ';', ':', '!', '?', '\n'])
            .next()
            .unwrap_or_default();
        // "Save that as sba and put them side by side"
        let rest = match rest.split_once(" and ").or_else(|| rest.split_once(" y ")) {
            Some((name, more)) if more.split_whitespace().count() > 2 || is_kept(more) => name,
            _ => rest,
        };
        let words: Vec<&str> = rest
            .split_whitespace()
            .filter(|word| !matches!(*word, "lol" | "please" | "pls"))
            .take_while(|word| !is_of(ENDING, &word.to_lowercase()))
            .take(4)
            .collect();
        let refers = words.iter().all(|word| is_of(REFERRING, &word.to_lowercase()));
        (!refers).then(|| words.join(" "))
    }
}
