//! A whole message: its sentences one after the other, what stands and what is taken back.

use super::advisor::Advisor;
use super::chart::{Chart, LONGEST};
use super::doubt::Doubt;
use super::edges::{EdgePayload, Edges, amounts_in};
use super::evaluate::Evaluator;
use super::language::{Language, language_of};
use super::meaning::{Before, Meaning};
use super::names;
use super::productions::GRAMMAR;
use super::sentences::{Sentence, sentences};
use super::vocabulary::Vocabulary;
use crate::lex::{Amount, Kind, Period, Token, Unit, amounts};
use crate::texts::Texts;
use rust_decimal::Decimal;
use std::collections::BTreeSet;
use std::ops::Range;

/// Sentences beyond these are not read.
const MOST_SENTENCES: usize = 400;

/// What came of a sentence.
pub(crate) enum SentenceResult {
    Understood(Meaning),
    /// Not understood, and without a word that could touch another sentence.
    Neutral,
    Doubtful(Doubt),
}

/// A message's sentence with what came of it.
pub(crate) struct Part {
    pub sentence: Sentence,
    pub edges: Option<Edges>,
    pub result: SentenceResult,
    /// A line behind "Kind regards," that only names a person.
    pub is_signature: bool,
    /// The period that a heading gave before it.
    pub period: Option<Period>,
}

/// A message with all that is needed to ask about it.
pub(crate) struct Message<'a> {
    pub tokens: Vec<Token>,
    pub amounts: Vec<Amount>,
    pub parts: Vec<Part>,
    pub vocabulary: &'a Vocabulary,
    pub language: &'static Language,
    pub before: Before,
    /// The words of the advisor's last question.
    pub question: Vec<String>,
    /// Numbers of the advisor's text; none where it said nothing.
    pub advisor_numbers: Option<Vec<Decimal>>,
    /// The words of the person's message before this one.
    pub previous: Vec<Token>,
    /// "Kind regards" was said.
    closed: bool,
    pub work: usize,
}

impl<'a> Message<'a> {
    pub(crate) fn read(texts: &Texts<'_>, vocabulary: &'a Vocabulary) -> Self {
        let mut message = Self::start(texts, vocabulary);
        message.read_all(texts.message);
        message
    }

    /// The message before its first sentence.
    pub(crate) fn start(texts: &Texts<'_>, vocabulary: &'a Vocabulary) -> Self {
        let language = language_of(texts.message);
        let tokens = language.tokens(texts.message);
        let advisor = texts.advisor.map(|text| Advisor::of(text, vocabulary));
        Self {
            amounts: amounts(&tokens, language.units),
            parts: Vec::new(),
            vocabulary,
            language,
            before: Before {
                asked: advisor.as_ref().and_then(|advisor| advisor.asked(texts.asked.as_ref())),
                noted: (texts.about.as_ref().and_then(|path| vocabulary.position(path.as_str())))
                    .or_else(|| advisor.as_ref()?.noted()),
                about_others: texts.asked.is_none() && advisor.as_ref().is_some_and(Advisor::asks_about_others),
                first: true,
                ..Before::default()
            },
            question: advisor.as_ref().map(Advisor::question_words).unwrap_or_default(),
            advisor_numbers: advisor
                .as_ref()
                .map(|advisor| advisor.amounts().iter().map(|amount| amount.value).collect()),
            previous: texts
                .previous_message
                .map_or_else(Vec::new, |text| language.tokens(text)),
            closed: false,
            work: tokens.len(),
            tokens,
        }
    }

    /// Whether the advisor's text has a number, or so many thousand: "31k" of $31,821, "209 grand" of $208,714. A small one counts something.
    pub(crate) fn is_shown(&self, value: Decimal) -> bool {
        const LEAST: i64 = 10;
        let thousand = Decimal::ONE_THOUSAND;
        let in_thousands = value.checked_mul(thousand).filter(|_| value < thousand);
        let is_round = value.checked_rem(thousand).is_some_and(|rest| rest.is_zero());
        let is_same = |shown: &Decimal| {
            let is_of = |said: Decimal| shown.saturating_sub(said).abs() < thousand;
            *shown == value || in_thousands.is_some_and(is_of) || is_round && is_of(value)
        };
        value >= Decimal::from(LEAST) && self.advisor_numbers.iter().flatten().any(is_same)
    }

    /// Takes all sentences of the message's text.
    pub(crate) fn read_all(&mut self, text: &str) {
        let start = self.before.clone();
        for sentence in sentences(text, &self.tokens).into_iter().take(MOST_SENTENCES) {
            self.take(sentence, self.language);
        }
        self.before = start;
    }

    fn take(&mut self, sentence: Sentence, language: &Language) {
        let range = sentence.tokens.clone();
        if range.len() > LONGEST {
            self.parts.push(Part {
                sentence,
                edges: None,
                result: SentenceResult::Doubtful(Doubt {
                    before: true,
                    ..Doubt::default()
                }),
                is_signature: false,
                period: self.before.period,
            });
            self.before.topic = None;
            return;
        }
        let inside: Vec<(u16, &Amount)> = self.amounts_of(&range).collect();
        let has_amount = !inside.is_empty();
        let edges = Edges::of(
            &self.tokens[range.clone()],
            &inside,
            range.start,
            language,
            self.vocabulary,
        );
        let rule = if sentence.asks { "request" } else { "sentence" };
        let mut chart = Chart::new(&edges, GRAMMAR.named(rule), names::marked());
        let readings = if sentence.quoted { [].into() } else { chart.read() };
        self.work += edges.work + chart.work;
        let evaluator = Evaluator {
            vocabulary: self.vocabulary,
            amounts: &self.amounts,
            before: &self.before,
            corrects: edges.has(GRAMMAR.known("CORRECT")),
        };
        let period = self.before.period;
        let is_signature = self.closed && self.is_signature(&range);
        let result = match evaluator.meaning(&readings) {
            _ if is_signature => SentenceResult::Neutral,
            Some(meaning) => SentenceResult::Understood(meaning),
            None => {
                let tokens = &self.tokens[range.clone()];
                let next = self.tokens.get(range.end);
                let is_whole_line =
                    tokens.first().is_some_and(|first| first.line) && next.is_some_and(|next| next.line);
                let doubt = Doubt::of(&sentence, tokens, is_whole_line, &edges, has_amount, self.vocabulary);
                doubt.map_or(SentenceResult::Neutral, SentenceResult::Doubtful)
            }
        };
        self.follow(&result);
        if sentence.announces && !matches!(result, SentenceResult::Understood(_)) {
            self.announce(&edges);
        }
        let closing = GRAMMAR.known("CLOSING");
        self.closed |= edges.at[0].iter().any(|edge| Some(edge.class) == closing);
        self.parts.push(Part {
            sentence,
            edges: Some(edges),
            result,
            is_signature,
            period,
        });
    }

    /// A heading may give the period of the list behind it, and the name.
    fn announce(&mut self, edges: &Edges) {
        let periods = edges.at.iter().flatten().filter_map(|edge| match edge.payload {
            EdgePayload::Period(period) => Some(period),
            _ => None,
        });
        let periods: BTreeSet<_> = periods.map(|period| period as u8).collect();
        self.before.period = match periods.len() {
            1 => edges.at.iter().flatten().find_map(|edge| match edge.payload {
                EdgePayload::Period(period) => Some(period),
                _ => None,
            }),
            _ => None,
        };
        let name = GRAMMAR.known("NAME");
        let names = edges.at.iter().flatten().filter(|edge| Some(edge.class) == name);
        let keys: BTreeSet<u16> = names
            .filter_map(|edge| match edge.payload {
                EdgePayload::Key(key) => Some(key),
                _ => None,
            })
            .collect();
        // Growth is stated only with a year of its own, so other names of the heading do not matter.
        let mut growth = keys.iter().copied().filter(|key| self.vocabulary.key(*key).is_growth());
        self.before.topic = growth.next();
        self.before.last = self.before.topic;
    }

    /// Capital words and initials only: who signs.
    fn is_signature(&self, range: &Range<usize>) -> bool {
        let names = |token: &Token| match &token.kind {
            Kind::Word(word) => token.capital || matches!(word.as_str(), "and" | "of" | "the" | "van" | "der" | "de"),
            Kind::Mark(mark) => matches!(mark, ',' | '.' | '&' | '-'),
            Kind::Figure(figure) => !figure.marked,
            Kind::Odd => true,
        };
        let has_unit = self.amounts_of(range).any(|(_, amount)| amount.unit != Unit::Bare);
        !has_unit && range.len() <= 8 && self.tokens[range.clone()].iter().all(names)
    }

    /// What the next sentence may refer to.
    fn follow(&mut self, result: &SentenceResult) {
        let before = &mut self.before;
        match result {
            SentenceResult::Understood(meaning) => {
                before.topic = meaning.topic;
                before.last = meaning.last.or(before.last);
                if let Some(stated) = meaning.stated.last() {
                    before.stated = Some(stated.clone());
                }
                before.correcting = meaning.correcting;
                before.first &= meaning.stated.is_empty();
            }
            SentenceResult::Neutral => {}
            SentenceResult::Doubtful(_) => {
                before.topic = None;
                before.last = None;
                before.correcting = false;
                before.first = false;
            }
        }
    }

    /// The amounts of a sentence with their numbers.
    pub(crate) fn amounts_of(&self, range: &Range<usize>) -> impl Iterator<Item = (u16, &Amount)> {
        amounts_in(&self.amounts, range)
    }

    /// The token behind "a month" or "per year" at `at`; `at` where no such words stand there.
    pub(crate) fn behind_period(&self, at: usize) -> usize {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word());
        let is_period = matches!(word(at), "a" | "per" | "al") && matches!(word(at + 1), "month" | "mes" | "year");
        at + 2 * usize::from(is_period)
    }

    /// Where an amount stands in the text.
    pub(crate) fn bytes(&self, amount: &Amount) -> (usize, usize) {
        (self.tokens[amount.from].start, self.tokens[amount.to - 1].end)
    }
}
