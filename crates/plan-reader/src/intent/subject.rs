//! Which field a question is about, as features: its words, and how each field is named in it. A brand's own rows are known by
//! their names alone.

use super::Intent;
use super::calendar::When;
use super::talked_about::TalkedAbout;
use crate::ear::linear::{hash, hash_of};
use crate::ear::names::Named;
use crate::ear::sentence;
use crate::ear::spots::Spots;
use crate::ear::words::word;
use crate::ear::{class_of, none};
use crate::grammar::Message;
use plan_model::field::{Field, FieldRole};

/// Words that ask for a time: of what is paid from a month on they ask for the month, of a loan for its term.
const ASK_TIME: [&str; 14] = [
    "month", "months", "year", "years", "long", "when", "late", "early", "soon", "mes", "meses", "anos", "plazo",
    "cuando",
];

/// A field that a question may be about: its class, and what speaks for it.
pub(crate) type SubjectChoice = (u8, Vec<u32>);

/// A question, ready to be described.
pub(crate) struct Subject<'m> {
    pub message: &'m Message<'m>,
    pub spots: &'m Spots<'m>,
    pub when: &'m When,
    pub intent: Intent,
    pub before: &'m TalkedAbout<'m>,
}

impl Subject<'_> {
    /// What describes the question, whatever field it is about.
    pub(crate) fn features(&self) -> Vec<u32> {
        let mut out = sentence::of_question(self.message, [110, 111, 112, 113]);
        out.push(hash(114, self.intent as u32, 0));
        let fields = self.message.vocabulary.fields();
        for (field, _) in self.names().flat_map(|name| &name.fields) {
            out.push(hash(115, hash_of(fields[*field].path.as_str()), 0));
        }
        if self.names().next().is_none() {
            out.extend(self.before.words([110, 111, 112, 113]));
        }
        for spot in self.spots.all.iter().filter(|spot| !spot.is_word) {
            out.push(hash(116, spot.amount.unit as u32, 0));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Each field of the vocabulary, and behind them that it is about none.
    pub(crate) fn choices(&self) -> Vec<SubjectChoice> {
        let fields = self.message.vocabulary.fields();
        let all = fields.iter().enumerate().map(|(at, field)| {
            let class = class_of(field.path.as_str()).unwrap_or(none() + 1);
            (class, self.of_field(at, field))
        });
        let count = self.names().count().min(3) as u32;
        let of_none = vec![hash(130, self.intent as u32, count), hash(131, count, 0)];
        all.chain([(none(), of_none)]).collect()
    }

    fn names(&self) -> impl Iterator<Item = &Named> + Clone {
        self.spots.names.iter().flatten()
    }

    fn of_field(&self, at: usize, field: &Field) -> Vec<u32> {
        let intent = self.intent as u32;
        let vocabulary = self.message.vocabulary;
        let count = self.names().count().min(3) as u32;
        let longest = self.names().map(|name| name.range.len()).max().unwrap_or(0);
        let mut out = Vec::with_capacity(24);
        let own = |name: &Named| name.fields.iter().position(|(named, _)| *named == at);
        let named = self
            .names()
            .enumerate()
            .filter_map(|(nth, name)| Some((nth, name, own(name)?)));
        let best = named
            .clone()
            .max_by_key(|(nth, name, _)| (name.range.len(), usize::MAX - nth));
        if let Some((nth, name, place)) = best {
            let length = name.range.len();
            let is_guess = name.fields[place].1;
            let form = place.min(2) as u32 | u32::from(is_guess) << 2;
            let is_longest = u32::from(length == longest);
            let side = match (nth, self.names().count() - nth) {
                (_, 1) if nth == 0 => 0,
                (0, _) => 1,
                (_, 1) => 2,
                _ => 3,
            };
            out.push(hash(117, length.min(4) as u32, form));
            out.push(hash(118, is_longest, count));
            out.push(hash(119, side, is_longest));
            out.push(hash(120, intent, side | is_longest << 2));
            out.push(hash(121, u32::from(self.is_in_question(name)), is_longest));
            out.push(hash(122, u32::from(field.affects_results()), count));
            let beside = |at: Option<usize>| at.and_then(|at| self.message.tokens.get(at)).map_or(1, word);
            out.push(hash(123, beside(name.range.start.checked_sub(1)), 0));
            out.push(hash(124, beside(Some(name.range.end)), 0));
            out.push(hash(123, beside(name.range.start.checked_sub(1)), intent + 1));
            out.push(hash(124, beside(Some(name.range.end)), intent + 1));
            out.push(hash(125, named.count().min(3) as u32, count));
        } else {
            out.push(hash(126, intent, count));
        }
        let is_named = u32::from(best.is_some());
        let asks_time = self.message.tokens.iter().any(|token| ASK_TIME.contains(&token.word()));
        let starts = |other: &Field| other.start_month.as_ref() == Some(&field.path);
        let of_paid = self.names().any(|name| starts(&vocabulary.fields()[name.fields[0].0]));
        let is_term = field.role == FieldRole::LoanTerm;
        let of_loan = self
            .names()
            .any(|name| vocabulary.fields()[name.fields[0].0].role == FieldRole::Loan);
        out.push(hash(
            127,
            u32::from(of_paid) | u32::from(is_term && of_loan) << 1,
            u32::from(asks_time) | is_named << 1,
        ));
        if let FieldRole::Growth(year) = field.role {
            let of_year = self.when.year.map_or(2, |said| u32::from(said == year));
            out.push(hash(128, of_year, is_named));
        }
        let before = &self.message.before;
        let fields = &self.before.fields;
        if let Some(rank) = fields.iter().position(|(field, _)| *field == at) {
            let origin = fields[rank].1;
            let first = fields.iter().position(|(_, other)| *other == origin) == Some(rank);
            let length = self.message.tokens.len().min(9) as u32 / 3;
            let rank = rank.min(2) as u32;
            out.push(hash(135, rank, count));
            out.push(hash(136, length, count));
            out.push(hash(138, (origin as u32) << 1 | u32::from(first), count << 2 | length));
            out.push(hash(139, intent << 2 | rank, count.min(1)));
        }
        let asked = before.asked.as_ref().is_some_and(|asked| asked.field == at);
        let noted = before.noted == Some(at);
        if asked || noted {
            out.push(hash(129, u32::from(asked), count));
        }
        self.of_number(at, field, is_named, &mut out);
        out
    }

    /// Whether a name stands in the sentence that asks, else in the last one.
    fn is_in_question(&self, name: &Named) -> bool {
        let asking = sentence::asking_part(self.message);
        asking.is_some_and(|part| part.sentence.tokens.contains(&name.range.start))
    }

    /// Whether the only number can be a value of the field: "is 10.75 normal for a loan" is of no amount.
    fn of_number(&self, at: usize, field: &Field, is_named: u32, out: &mut Vec<u32>) {
        let mut numbers = (0..self.spots.all.len()).filter(|at| !self.spots.all[*at].is_word);
        let (Some(number), None) = (numbers.next(), numbers.next()) else {
            return;
        };
        let unit = self.spots.all[number].amount.unit as u32;
        out.push(hash(132, unit, field.kind as u32 | is_named << 4));
        let fit = self.spots.usual(number, at);
        out.push(hash(133, fit, is_named));
        out.push(hash(134, fit, field.kind as u32));
    }
}
