//! The numbers of a message with the words around them, as features.

use super::linear::{hash, hash_of};
use super::names::{self, Named};
use super::values::value;
use super::words::{root, word};
use crate::grammar::{ClassSet, EdgePayload, GRAMMAR, Message, Place};
use crate::lex::{Amount, Kind, Period, Unit};
use plan_model::field::{FieldRole, Kind as FieldKind};
use plan_model::number::Number;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::ops::Range;

/// Words on each side of a number that are looked at.
const AROUND: usize = 8;

/// Words of a sentence that are looked at as a whole.
const OF_SENTENCE: usize = 40;

/// A number of a message; also the word that says there is nothing of something.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// The sentence that it is in.
    pub part: usize,
    pub amount: Amount,
    /// A word such as "no" or "free".
    pub is_word: bool,
}

/// A field that a number may belong to.
#[derive(Clone, Debug)]
pub(crate) struct NumberFit {
    /// Its place in the vocabulary's fields.
    pub field: usize,
    pub value: Number,
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

impl<'m> Spots<'m> {
    pub(crate) fn of(message: &'m Message<'m>, most: usize) -> Self {
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
        for (at, part) in message.parts.iter().enumerate() {
            let range = &part.sentence.tokens;
            let mut here: Vec<Spot> = message
                .amounts_of(range)
                .map(|(_, amount)| Spot {
                    part: at,
                    amount: amount.clone(),
                    is_word: false,
                })
                .collect();
            if !out.names[at].is_empty() {
                here.extend(out.nothings(at, range));
                here.sort_by_key(|spot| spot.amount.from);
            }
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
        let is_nothing = |at: &usize| NOTHING.contains(&message.tokens[*at].word()) && !is_amount(*at);
        let zero = |at: usize| Spot {
            part,
            amount: Amount {
                value: Decimal::ZERO,
                unit: Unit::Bare,
                upper: None,
                from: at,
                to: at + 1,
                marked: false,
                colloquial: false,
                year_like: false,
                spoken: true,
                ungrouped: false,
            },
            is_word: true,
        };
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
        let asked = self.message.before.asked.as_ref().and_then(|asked| asked.period);
        let heading = self.message.parts[spot.part].period;
        place.period().or(heading).or(asked)
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

    /// What describes the number at a place of [`Spots::all`], whatever field it may belong to.
    pub(crate) fn features(&self, at: usize) -> Vec<u32> {
        let spot = &self.all[at];
        let (from, to) = (spot.amount.from, spot.amount.to);
        let range = self.message.parts[spot.part].sentence.tokens.clone();
        let mut out = Vec::with_capacity(160);
        let near = |offset: isize| {
            let at = if offset < 0 {
                from.checked_sub(offset.unsigned_abs())
            } else {
                Some(to + offset as usize - 1)
            };
            at.filter(|at| range.contains(at)).map_or(1, |at| self.words[at])
        };
        for offset in [-3, -2, -1, 1, 2, 3] {
            out.push(hash(1, near(offset), (offset + 8) as u32));
        }
        out.push(hash(2, near(-2), near(-1)));
        out.push(hash(3, near(-1), near(1)));
        out.push(hash(4, near(1), near(2)));
        out.push(hash(5, hash(0, near(-3), near(-2)), near(-1)));
        let clause = self.clause(at);
        for at in clause.start.max(from.saturating_sub(AROUND))..from {
            out.push(hash(6, self.words[at], 0));
            out.push(hash(7, self.roots[at], 0));
        }
        for at in to..clause.end.min(to + AROUND) {
            out.push(hash(8, self.words[at], 0));
            out.push(hash(9, self.roots[at], 0));
        }
        for at in range.clone().take(OF_SENTENCE) {
            out.push(hash(10, self.roots[at], 0));
        }
        self.earlier(spot, &mut out);
        self.shape(spot, &mut out);
        self.meant(spot, &clause, &mut out);
        out.push(hash(11, self.heads[from], 0));
        out.push(hash(12, self.words[range.start], self.heads[from]));
        let first = self.message.parts[spot.part].sentence.paragraph;
        out.push(hash(13, u32::from(first), u32::from(spot.part == 0)));
        if self.names.iter().all(Vec::is_empty) {
            out.extend(self.asked.iter().map(|word| hash(14, *word, 0)));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The sentence before, and the one that announced a list.
    fn earlier(&self, spot: &Spot, out: &mut Vec<u32>) {
        let parts = &self.message.parts[..spot.part];
        if let Some(before) = parts.last() {
            let range = before.sentence.tokens.clone();
            out.extend(range.rev().take(10).map(|at| hash(15, self.roots[at], 0)));
        }
        if let Some(heading) = parts.iter().rev().take(12).find(|part| part.sentence.announces) {
            let range = heading.sentence.tokens.clone();
            out.extend(range.take(12).map(|at| hash(16, self.roots[at], 0)));
        }
    }

    /// What the number itself looks like.
    fn shape(&self, spot: &Spot, out: &mut Vec<u32>) {
        let amount = &spot.amount;
        let unit = amount.unit as u32;
        let period = self.period(spot).map_or(9, |period| period as u32);
        let size = size(amount.value);
        let place = self.place(spot);
        let flags = [
            amount.marked,
            amount.year_like,
            amount.spoken,
            amount.upper.is_some(),
            amount.colloquial,
            place.is_per_unit(),
            place.is_month(),
            place.bound().is_some(),
            spot.is_word,
            self.message.parts[spot.part].sentence.asks,
            self.message.parts[spot.part].sentence.quoted,
            self.message.parts[spot.part].is_signature,
        ];
        out.push(hash(20, unit, period));
        out.push(hash(21, unit, size));
        out.push(hash(22, size, period));
        out.push(hash(23, unit, 0));
        out.extend(
            (0..)
                .zip(flags)
                .filter(|(_, is)| *is)
                .map(|(nth, _)| hash(24, nth, unit)),
        );
        let count = self.all.len().min(6) as u32;
        out.push(hash(25, count, 0));
        let before = spot.amount.from.checked_sub(1).map_or(1, |at| self.words[at]);
        out.push(hash(26, before, unit));
        out.push(hash(27, self.words.get(spot.amount.to).copied().unwrap_or(1), unit));
    }

    /// Whose the number is, and whether it is so: words of known classes in its clause and in its sentence.
    fn meant(&self, spot: &Spot, clause: &Range<usize>, out: &mut Vec<u32>) {
        let part = &self.message.parts[spot.part];
        let Some(edges) = &part.edges else { return };
        let start = part.sentence.tokens.start;
        let inside: ClassSet = (clause.start - start..clause.end - start)
            .filter_map(|at| edges.at.get(at))
            .flatten()
            .map(|edge| edge.class)
            .collect();
        for (class, name) in &self.classes {
            if inside.contains(*class) {
                out.push(hash(30, *name, 0));
            } else if edges.has(Some(*class)) {
                out.push(hash(31, *name, 0));
            }
        }
        let years = self.years(spot);
        out.extend(
            (1..=5)
                .filter(|year| years >> year & 1 == 1)
                .map(|year| hash(32, year, 0)),
        );
    }

    /// The growth years that stand nearest, one bit each.
    pub(crate) fn years(&self, spot: &Spot) -> u8 {
        let part = &self.message.parts[spot.part];
        let start = part.sentence.tokens.start;
        let Some(edges) = &part.edges else { return 0 };
        let (from, to) = (spot.amount.from - start, spot.amount.to - start);
        let all = edges.at.iter().enumerate();
        let named = all.flat_map(|(at, here)| here.iter().map(move |edge| (at, edge)));
        let years = named.filter_map(|(at, edge)| match edge.payload {
            EdgePayload::Years(years) => Some((at, edge.end, years)),
            _ => None,
        });
        let distance = |at: usize, end: usize| {
            if end <= from {
                from - end
            } else {
                at.saturating_sub(to) + 1
            }
        };
        years
            .min_by_key(|(at, end, _)| (distance(*at, *end), std::cmp::Reverse(*end)))
            .map_or(0, |(.., years)| years)
    }

    /// The fields that the number can be a value of, with what speaks for each.
    pub(crate) fn choices(&self, at: usize) -> Vec<NumberFit> {
        let spot = &self.all[at];
        let vocabulary = self.message.vocabulary;
        let period = self.period(spot);
        let years = self.years(spot);
        let (nearest, lists) = (self.nearest(spot), self.distances(at));
        let is_month = self.place(spot).is_month();
        let before = &self.message.before;
        let word_at = |at: Option<usize>| {
            let range = &self.message.parts[spot.part].sentence.tokens;
            at.filter(|at| range.contains(at)).map_or(1, |at| self.words[at])
        };
        let (before_it, behind_it) = (word_at(spot.amount.from.checked_sub(1)), word_at(Some(spot.amount.to)));
        let is_short = self.message.tokens.len() <= spot.amount.to - spot.amount.from + 4;
        let has_names = self.names.iter().any(|names| !names.is_empty());
        let fields = vocabulary.fields().iter().enumerate();
        fields
            .filter_map(|(field, described)| {
                let range = vocabulary.range(field);
                let value = value(described, range, &spot.amount, period)?;
                let kind = described.kind as u32;
                let mut features = Vec::with_capacity(16);
                let name = lists[field];
                features.push(hash(40, name, 0));
                features.push(hash(41, name, kind));
                features.push(hash(42, name & 0xff, u32::from(spot.is_word)));
                let is_nearest = nearest
                    .as_ref()
                    .map_or(2, |fields| u32::from(fields.iter().any(|(at, _)| *at == field)));
                features.push(hash(43, is_nearest, name & 0xff));
                let side = name >> 12 & 3;
                features.push(hash(54, behind_it, side));
                features.push(hash(55, before_it, side));
                features.push(hash(56, hash(0, before_it, behind_it), side));
                features.push(hash(44, spot.amount.unit as u32, kind));
                let own = described.period.map_or(9, |period| period as u32);
                let said = period.map_or(9, |period| period as u32);
                features.push(hash(45, own, said));
                features.push(hash(46, usual(value, range), kind));
                features.push(hash(47, usual(value, range), is_nearest));
                let role = match described.role {
                    FieldRole::Growth(year) => hash(48, u32::from(years >> year & 1 == 1), u32::from(years == 0)),
                    FieldRole::StartMonth => hash(49, u32::from(is_month), is_nearest),
                    _ => hash(50, u32::from(is_month), u32::from(described.kind == FieldKind::Months)),
                };
                features.push(role);
                if before.asked.as_ref().is_some_and(|asked| asked.field == field) {
                    features.push(hash(51, u32::from(is_short), u32::from(has_names)));
                    features.push(hash(
                        52,
                        u32::from(is_nearest == 1),
                        u32::from(self.names[spot.part].is_empty()),
                    ));
                }
                if before.noted == Some(field) {
                    features.push(hash(53, u32::from(has_names), u32::from(self.corrects(spot))));
                }
                Some(NumberFit { field, value, features })
            })
            .collect()
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

    /// The fields of the name that stands nearest in the number's sentence.
    fn nearest(&self, spot: &Spot) -> Option<Vec<(usize, bool)>> {
        Some(self.nearest_name(spot)?.fields.clone())
    }

    fn nearest_name(&self, spot: &Spot) -> Option<&Named> {
        let (from, to) = (spot.amount.from, spot.amount.to);
        let between = |a: usize, b: usize| {
            self.all
                .iter()
                .any(|other| other.amount.from >= a && other.amount.to <= b)
        };
        let distance = |name: &Named| {
            if name.range.end <= from {
                from - name.range.end + if between(name.range.end, from) { 50 } else { 0 }
            } else {
                name.range.start.saturating_sub(to) + 1 + if between(to, name.range.start) { 50 } else { 0 }
            }
        };
        self.names[spot.part].iter().min_by_key(|name| distance(name))
    }

    /// For each field how its nearest name stands to the number: in the sentence before or behind it, in another sentence, nowhere.
    fn distances(&self, at: usize) -> Vec<u32> {
        let spot = &self.all[at];
        let (from, to) = (spot.amount.from, spot.amount.to);
        let mut out = vec![(usize::MAX, 0_u32); self.message.vocabulary.fields().len()];
        let mut take = |fields: &[(usize, bool)], rank: usize, code: u32| {
            for (nth, (field, is_guess)) in fields.iter().enumerate() {
                let first = (nth.min(2) as u32) << 4 | u32::from(*is_guess) << 6;
                if rank < out[*field].0 {
                    out[*field] = (rank, code | first << 4);
                }
            }
        };
        let numbers = |a: usize, b: usize| {
            let inside = self
                .all
                .iter()
                .filter(|other| other.amount.from >= a && other.amount.to <= b);
            inside.count()
        };
        for name in &self.names[spot.part] {
            let (side, steps, others) = if name.range.end <= from {
                (1, from - name.range.end, numbers(name.range.end, from))
            } else {
                (2, name.range.start.saturating_sub(to), numbers(to, name.range.start))
            };
            let close = match steps {
                0..=1 => 0,
                2..=3 => 1,
                4..=7 => 2,
                _ => 3,
            };
            let code = side << 12 | close << 14 | (others.min(2) as u32) << 16;
            take(&name.fields, steps + 8 * others, code);
        }
        for (back, names) in self.names[..spot.part].iter().rev().take(4).enumerate() {
            for name in names.iter().rev() {
                take(&name.fields, 100 + 10 * back, 3 << 12 | (back as u32) << 16);
            }
        }
        if let Some(names) = self.names.get(spot.part + 1) {
            for name in names {
                take(&name.fields, 150, 4 << 12);
            }
        }
        out.into_iter().map(|(_, code)| code).collect()
    }
}

/// Powers of ten, and whether the number is whole.
fn size(value: Decimal) -> u32 {
    let whole = value.abs().to_u64().unwrap_or(u64::MAX);
    let digits = whole.checked_ilog10().map_or(0, |power| power + 1);
    digits * 2 + u32::from(value.fract().is_zero())
}

/// Where a value lies to its usual range.
fn usual(value: Number, range: Option<plan_model::field::Bounds>) -> u32 {
    let Some(range) = range else { return 0 };
    let (value, low, high) = (value.decimal(), range.low.decimal(), range.high.decimal());
    if value.is_zero() {
        1
    } else if value * Decimal::TEN < low {
        2
    } else if value < low {
        3
    } else if value <= high {
        4
    } else if value <= high * Decimal::TEN {
        5
    } else {
        6
    }
}
