//! The cases of the talk, as a message is read behind them.

use super::Situation;
use crate::offline::message::reading::on_top;
use crate::offline::message::shown;
use crate::offline::message::talked::Talk;
use crate::offline::{content, is_answer};
use crate::wording;
use llm_client::ChatMessage;
use plan_reader::{FieldChange, Texts, Unit, understand};
use rust_decimal::Decimal;

impl<'a> Situation<'a> {
    /// Whether the last answer that was none of not understanding shows or keeps a case, or asks about one that is not refused.
    pub(in crate::offline) fn is_behind_case(&self) -> bool {
        self.talk().is_behind_case()
    }

    /// Whether an answer of before keeps or compares cases, so that one of them may be named.
    pub(in crate::offline) fn keeps_cases(&self) -> bool {
        let keeps = |text: &str| wording::begins(text, "saved") || wording::begins(text, "compared");
        let answers = self
            .messages
            .iter()
            .filter(|message| matches!(message, ChatMessage::Assistant { .. }));
        answers.map(content).any(keeps)
    }

    /// The names of the saved cases that the answers have told, each once.
    pub(in crate::offline) fn cases_kept(&self) -> Vec<&'a str> {
        shown::names_kept(self.messages, &self.fields)
    }

    /// The last case that was computed or asked about.
    pub(in crate::offline) fn last_case(&self) -> Option<Vec<FieldChange>> {
        self.talk().last_case()
    }

    /// The case that is talked about, where it was computed.
    pub(in crate::offline) fn computed_case(&self) -> Option<Vec<FieldChange>> {
        self.talk().computed_case()
    }

    /// Puts what is supposed on top of the last case.
    pub(in crate::offline) fn go_on_from_case(&mut self) {
        if let Some(case) = self.last_case() {
            let slots = std::mem::take(&mut self.heard.slots);
            self.heard.slots = on_top(case, slots.all_changes(), slots);
        }
    }

    /// The newest computed case whose answer shows one of some numbers: "save the 320 one".
    pub(in crate::offline) fn case_with(&self, numbers: &[Decimal]) -> Option<Vec<FieldChange>> {
        self.talk().case_with(numbers)
    }

    /// The newest computed case whose question had one of some numbers: "save the one with sales 15 % lower".
    pub(in crate::offline) fn case_asked_with(&self, numbers: &[Decimal]) -> Option<Vec<FieldChange>> {
        let answered = |at: usize| {
            self.messages
                .get(at.checked_add(1)?..)?
                .iter()
                .find(|one| is_answer(one))
        };
        let users = self.messages.iter().enumerate().rev();
        let mut asked = users
            .filter(|(_, one)| matches!(one, ChatMessage::User(_)))
            .map(|(at, one)| (content(one), answered(at)));
        asked.find_map(|(message, answer)| {
            let said = understand(&Texts::of(message), &self.vocabulary)
                .with_ungrouped()
                .mentions;
            let is_it = said.iter().any(|one| numbers.contains(&one.value));
            let case = shown::case(content(answer?), &self.fields);
            (is_it && !case.is_empty()).then_some(case)
        })
    }

    /// The newest computed case that has a number of the message as a value.
    pub(in crate::offline) fn case_at_number(&self) -> Option<Vec<FieldChange>> {
        const LEAST: i64 = 100;
        let mentions = self.understanding.mentions.iter();
        let numbers: Vec<Decimal> = mentions
            .filter(|one| one.value >= Decimal::from(LEAST) || one.unit == Unit::Percent)
            .map(|one| one.value)
            .collect();
        self.talk().case_at(&numbers)
    }

    /// The newest computed case whose answer shows a number of the message as a figure: "coverage 0.55? Why is that so bad?"
    pub(in crate::offline) fn case_quoted(&self) -> Option<Vec<FieldChange>> {
        let numbers: Vec<Decimal> = self.understanding.mentions.iter().map(|one| one.value).collect();
        self.talk().case_with(&numbers)
    }

    /// Whether the last case was not understood.
    pub(in crate::offline) fn has_lost_case(&self) -> bool {
        self.talk().has_lost_case()
    }

    fn talk(&self) -> Talk<'_> {
        Talk {
            before: self.messages,
            is_refused: self.refuses(),
            fields: &self.fields,
        }
    }
}
