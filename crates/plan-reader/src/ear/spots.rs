//! The numbers of a message with the words around them, as features.

mod beside;
mod choices;
mod describe;

use super::linear::hash_of;
use super::names::{self, Named};
use super::words::{root, word};
use crate::grammar::{EdgePayload, GRAMMAR, Message, Place, replacing};
use crate::lex::{Amount, Kind, Period, Unit};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::ops::Range;

/// A number of a message; also the word that says there is nothing of something.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// The sentence that it is in.
    pub part: usize,
    pub amount: Amount,
    /// The tokens of its number, which may stand elsewhere: "the loan is 286,500, no, 290,000".
    pub said: Range<usize>,
    /// A word such as "no" or "free".
    pub is_word: bool,
}

impl Spot {
    /// A word that says a value without a number.
    pub(crate) fn word(part: usize, at: usize, value: Decimal, unit: Unit) -> Self {
        Self {
            part,
            amount: Amount {
                value,
                unit,
                upper: None,
                from: at,
                to: at + 1,
                marked: false,
                colloquial: false,
                year_like: false,
                spoken: true,
                ungrouped: false,
            },
            said: at..at + 1,
            is_word: true,
        }
    }

    /// The bytes of its number.
    pub(crate) fn bytes(&self, message: &Message<'_>) -> (usize, usize) {
        let (from, to) = (&message.tokens[self.said.start], &message.tokens[self.said.end - 1]);
        (from.start, to.end)
    }

    /// Words between it and a name.
    pub(crate) fn words_to(&self, name: &Range<usize>) -> usize {
        match self.amount.from.checked_sub(name.end) {
            Some(words) => words,
            None => name.start.saturating_sub(self.amount.to),
        }
    }

    /// As [`Spot::words_to`]; of two that are equally far the one before it is nearer.
    pub(crate) fn steps_to(&self, name: &Range<usize>) -> usize {
        self.words_to(name) + usize::from(name.end > self.amount.from)
    }
}

/// An amount at the place of the one that it replaces.
fn in_place_of(first: &Amount, last: &Amount) -> Amount {
    // "62k, no, 55"
    let is_near = |value: &Decimal| {
        let twice = |one: Decimal| one.checked_mul(Decimal::TWO);
        twice(*value).is_some_and(|most| most > first.value) && twice(first.value).is_some_and(|most| *value < most)
    };
    let in_thousands = last.value.checked_mul(Decimal::ONE_THOUSAND);
    let in_thousands =
        in_thousands.filter(|value| last.unit == Unit::Bare && first.value > last.value && is_near(value));
    Amount {
        value: in_thousands.unwrap_or(last.value),
        unit: if last.unit == Unit::Bare { first.unit } else { last.unit },
        from: first.from,
        to: first.to,
        ..last.clone()
    }
}

/// A field that a number may belong to.
#[derive(Clone, Debug)]
pub(crate) struct NumberFit {
    /// Its place in the vocabulary's fields.
    pub field: usize,
    /// In the field's unit, or cents a month.
    pub value: Number,
    /// Whether it is what a share of sales comes to.
    pub in_dollars: bool,
    /// What speaks for it, in words that hold for every field alike.
    pub features: Vec<u32>,
}

/// All numbers of a message, ready to be described.
pub(crate) struct Spots<'m> {
    message: &'m Message<'m>,
    pub names: Vec<Vec<Named>>,
    pub all: Vec<Spot>,
    words: Vec<u32>,
    roots: Vec<u32>,
    /// The first word of each sentence's line, and the cell of the table's head above a token.
    heads: Vec<u32>,
    /// Of the advisor's last question.
    asked: Vec<u32>,
    classes: Vec<(u8, u32)>,
}

/// Classes of words that say how a number is meant.
const MEANT: [&str; 16] = [
    "OTHERS", "AHEAD", "ALLDOUBT", "OURS", "MINE", "NOT", "PASTBE", "LANDLORD", "LENDER", "SETTLED", "AFFIRMS",
    "CHANGEBY", "SALES", "WAGES", "PROJECT", "CORRECT",
];

/// Words that say a value of zero without a number.
const NOTHING: [&str; 14] = [
    "no", "zero", "none", "nothing", "without", "free", "sin", "cero", "nada", "ninguna", "ningun", "gratis", "nil",
    "zilch",
];

/// Words before a "no" that is none of an amount.
const NOT_YET: [&str; 4] = ["todavia", "aun", "mejor", "pero"];

/// Words that a "no" negates.
const NEGATED: [&str; 12] = [
    "todavia", "aun", "yet", "me", "te", "le", "lo", "la", "se", "es", "porque", "porq",
];

/// Words that a question begins with behind a comma.
const OPENS: [&str; 36] = [
    "is",
    "are",
    "am",
    "was",
    "do",
    "does",
    "did",
    "should",
    "can",
    "could",
    "would",
    "will",
    "what",
    "why",
    "how",
    "who",
    "when",
    "where",
    "which",
    "right",
    "correct",
    "ok",
    "okay",
    "or",
    "isn",
    "isn't",
    "aren't",
    "doesn't",
    "don't",
    "shouldn't",
    "verdad",
    "no",
    "cierto",
    "esta",
    "es",
    "se",
];

/// The order of a sentence whose first name stands before its first number.
const NAMES_FIRST: u32 = 1;

impl<'m> Spots<'m> {
    pub(crate) fn of(message: &'m Message<'m>, most: usize) -> Self {
        Self::read(message, most, None)
    }

    /// As [`Spots::of`], with other words than those that say there is nothing of something.
    pub(crate) fn with(message: &'m Message<'m>, most: usize, words: &[Spot]) -> Self {
        Self::read(message, most, Some(words))
    }

    fn read(message: &'m Message<'m>, most: usize, words: Option<&[Spot]>) -> Self {
        let tokens = &message.tokens;
        let mut out = Self {
            names: names::names(message),
            all: Vec::new(),
            words: tokens.iter().map(word).collect(),
            roots: tokens.iter().map(root).collect(),
            heads: Vec::new(),
            asked: message.question.iter().map(|text| hash_of(text)).collect(),
            classes: MEANT
                .iter()
                .filter_map(|name| Some((GRAMMAR.known(name)?, hash_of(name))))
                .collect(),
            message,
        };
        out.heads = out.table_heads();
        // Those that stand for an earlier number are no spots of their own.
        let mut read_to = 0;
        for (at, part) in message.parts.iter().enumerate() {
            let range = &part.sentence.tokens;
            let mut here: Vec<Spot> = Vec::new();
            for (_, amount) in message.amounts_of(range) {
                if amount.from < read_to {
                    continue;
                }
                let last = replacing(message, amount);
                read_to = last.map_or(read_to, |last| last.to);
                here.push(Spot {
                    part: at,
                    amount: last.map_or_else(|| amount.clone(), |last| in_place_of(amount, last)),
                    said: last.map_or(amount.from..amount.to, |last| last.from..last.to),
                    is_word: false,
                });
            }
            match words {
                Some(words) => here.extend(words.iter().filter(|word| word.part == at).cloned()),
                None if out.names[at].is_empty() => {}
                None => here.extend(out.nothings(at, range)),
            }
            here.retain(|spot| !out.says_a_year(spot));
            here.sort_by_key(|spot| spot.amount.from);
            out.all.extend(here);
            if out.all.len() >= most {
                break;
            }
        }
        out.all.truncate(most);
        out
    }

    fn nothings(&self, part: usize, range: &Range<usize>) -> Vec<Spot> {
        let message = self.message;
        let is_amount = |at: usize| {
            message
                .amounts_of(range)
                .any(|(_, amount)| (amount.from..amount.to).contains(&at))
        };
        // "The interest not yet", "no me pongas 0 %"
        let is_negation = |at: usize| {
            let before = at.checked_sub(1).map_or("", |at| self.word_at(at));
            self.word_at(at) == "no" && (NOT_YET.contains(&before) || NEGATED.contains(&self.word_at(at + 1)))
        };
        let is_nothing =
            |at: &usize| NOTHING.contains(&message.tokens[*at].word()) && !is_amount(*at) && !is_negation(*at);
        let zero = |at: usize| Spot::word(part, at, Decimal::ZERO, Unit::Bare);
        range.clone().filter(is_nothing).map(zero).collect()
    }

    /// For each token of a row the word that heads its column: the table's first row without numbers.
    fn table_heads(&self) -> Vec<u32> {
        let tokens = &self.message.tokens;
        let mut out = vec![0; tokens.len()];
        let is_bar = |at: usize| tokens[at].is_mark('|');
        let mut head: Vec<u32> = Vec::new();
        let mut from = 0;
        while from < tokens.len() {
            let to = (from + 1..tokens.len())
                .find(|at| tokens[*at].line)
                .unwrap_or(tokens.len());
            let bars = (from..to).filter(|at| is_bar(*at)).count();
            let has_number = (from..to).any(|at| matches!(tokens[at].kind, Kind::Figure(_)));
            if bars == 0 {
                head.clear();
            } else if !has_number && head.is_empty() {
                head = tokens[from..to]
                    .split(|token| token.is_mark('|'))
                    .map(|cell| cell.first().map_or(0, word))
                    .collect();
            } else if !head.is_empty() {
                let mut column = 0;
                for (at, place) in out.iter_mut().enumerate().take(to).skip(from) {
                    column += usize::from(is_bar(at));
                    *place = head.get(column).copied().unwrap_or(0);
                }
            }
            from = to;
        }
        out
    }

    /// The word at a place of the message.
    pub(crate) fn word_at(&self, at: usize) -> &str {
        self.message.tokens.get(at).map_or("", |token| token.word())
    }

    fn place<'p>(&'p self, spot: &'p Spot) -> Place<'p> {
        let part = &self.message.parts[spot.part];
        Place {
            tokens: &self.message.tokens,
            edges: part.edges.as_ref(),
            range: &part.sentence.tokens,
            amount: &spot.amount,
        }
    }

    pub(crate) fn period(&self, spot: &Spot) -> Option<Period> {
        let place = self.place(spot);
        // Of what a message names itself, the question says no period: a loan has none, whatever sales were asked for.
        let is_named = self.names.iter().any(|names| !names.is_empty());
        let asked = self.message.before.asked.as_ref().filter(|_| !is_named);
        let asked = asked.and_then(|asked| asked.period);
        let heading = self.message.parts[spot.part].period;
        place
            .period()
            .or_else(|| self.period_of_clause(spot))
            .or(heading)
            .or(asked)
    }

    /// "$7,440 annual premium", "the year's 2,280": the one period that is said between the number and its neighbors.
    fn period_of_clause(&self, spot: &Spot) -> Option<Period> {
        let at = self.all.iter().position(|one| one.amount.from == spot.amount.from)?;
        let part = &self.message.parts[spot.part];
        let start = part.sentence.tokens.start;
        let edges = part.edges.as_ref()?;
        let mut clause = self.clause(at);
        // "Rent is 4,250 a month, the loan is 250,000": a month directly behind the number before is of that.
        let behind = edges.at.get(clause.start - start).into_iter().flatten();
        let periods = behind.filter(|edge| matches!(edge.payload, EdgePayload::Period(_)));
        if at > 0 && self.all[at - 1].part == spot.part {
            clause.start = periods.map(|edge| edge.end + start).fold(clause.start, usize::max);
        }
        // "Loan is 220,000 and rent per month is 6,500": where names stand before their numbers, the next name's month is its own.
        let is_last = self.all.get(at + 1).is_none_or(|other| other.part != spot.part);
        if !is_last && self.order(spot.part) == NAMES_FIRST {
            let next = self.names[spot.part].iter().map(|name| name.range.start);
            clause.end = next.filter(|name| *name >= spot.amount.to).fold(clause.end, usize::min);
        }
        let clause = clause.filter_map(|at| edges.at.get(at - start)).flatten();
        let mut said = clause.filter_map(|edge| match edge.payload {
            EdgePayload::Period(period) => Some(period),
            _ => None,
        });
        let first = said.next()?;
        said.all(|other| other == first).then_some(first)
    }

    /// The words between the number before and the number behind.
    fn clause(&self, at: usize) -> Range<usize> {
        let spot = &self.all[at];
        let range = &self.message.parts[spot.part].sentence.tokens;
        let before = at
            .checked_sub(1)
            .map(|at| &self.all[at])
            .filter(|other| other.part == spot.part);
        let behind = self.all.get(at + 1).filter(|other| other.part == spot.part);
        before.map_or(range.start, |other| other.amount.to)..behind.map_or(range.end, |other| other.amount.from)
    }

    /// Whether a sentence begins with a name or with a number: the next ones mostly keep to it.
    fn order(&self, part: usize) -> u32 {
        let name = self.names[part].first().map(|name| name.range.start);
        let number = self.all.iter().find(|spot| spot.part == part && !spot.is_word);
        match (name, number.map(|spot| spot.amount.from)) {
            (Some(name), Some(number)) => NAMES_FIRST + u32::from(number < name),
            _ => 0,
        }
    }

    /// Whether the question of a number's sentence only begins behind it: "rent is 4,200, is that a lot?"
    pub(crate) fn stands_before_question(&self, spot: &Spot) -> bool {
        let tokens = &self.message.tokens;
        let range = &self.message.parts[spot.part].sentence.tokens;
        let opens = |at: usize| {
            let is_mark = matches!(tokens[at - 1].kind, Kind::Mark(',' | '-' | '—' | ':' | ')'));
            tokens[at].is_mark('¿') || is_mark && OPENS.contains(&tokens[at].word())
        };
        (spot.amount.to + 1..range.end).any(opens)
    }

    /// The field that a bare answer is of: "1 month", a number and at most its unit, behind the question for it.
    pub(crate) fn answered(&self, spot: &Spot) -> Option<usize> {
        let asked = self.message.before.asked.as_ref()?;
        let length = spot.amount.to - spot.amount.from;
        (self.message.tokens.len() <= length + 2).then_some(asked.field)
    }

    /// Whether the message names the field of the value that was noted last.
    pub(crate) fn names_noted(&self) -> bool {
        let mut names = self.names.iter().flatten();
        let noted = self.message.before.noted;
        names.any(|name| name.fields.iter().any(|(field, _)| Some(*field) == noted))
    }

    /// Whether words of correction stand anywhere.
    pub(crate) fn has_correction(&self) -> bool {
        let correct = GRAMMAR.known("CORRECT");
        let mut edges = self.message.parts.iter().filter_map(|part| part.edges.as_ref());
        edges.any(|edges| edges.has(correct))
    }

    /// Whether words of correction stand in the number's sentence.
    fn corrects(&self, spot: &Spot) -> bool {
        let edges = self.message.parts[spot.part].edges.as_ref();
        edges.is_some_and(|edges| edges.has(GRAMMAR.known("CORRECT")))
    }
}
