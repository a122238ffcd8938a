//! Messages with a product and something else: "45 dogs a week at 65, two groomers at 18 an hour, 30 hours, and rent is 2,900".

use crate::offline::message::product::{Product, Said, kept};
use crate::offline::message::reading::{Reader, Reading, given};
use crate::wording;
use plan_model::field::{FieldPath, Kind};
use plan_model::number::Number;
use plan_reader::{Candidate, Choice, Heard, Intent, Mention, Slots, Understanding, Unit};
use rust_decimal::Decimal;
use std::collections::{HashMap, HashSet};

/// A message with fewer numbers has no product beside something else.
const LEAST: usize = 3;

/// Pieces of a message.
const MOST: usize = 5;

/// How sure a product must be.
const SURE: f32 = 0.7;

/// A longer list is no few products, and each piece that it may be parted into is read.
const MOST_CUTS: usize = 16;

/// A piece of a message of which every number has its place.
#[derive(Clone)]
enum Piece {
    /// And whether it counts hours of its own.
    Product(Product, bool),
    Values(Understanding),
    /// A sentence with numbers that nothing is made of.
    Left(Vec<Mention>),
    /// No number, and no question.
    Words,
}

/// The message as one statement of its products and values; nothing where it has no product beside something else, or a number without a
/// place.
pub(in crate::offline) fn several<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>) -> Option<Reading<'a>> {
    let message = whole.texts.message;
    let is_told = matches!(
        whole.heard.intent,
        Intent::Estimate | Intent::State | Intent::Correct | Intent::Other
    );
    if whole.understanding.mentions.len() < LEAST || message.contains('?') || !is_told {
        return None;
    }
    let pieces = Splitter::of(reader, whole)?.split(0, MOST, false)?;
    let mut understanding = Understanding::default();
    let (mut products, mut has_left) = (Vec::new(), false);
    for piece in pieces {
        match piece {
            Piece::Product(product, has_hours) => add(&mut products, product, has_hours),
            Piece::Values(own) => {
                understanding.candidates.extend(own.candidates);
                understanding.shares.extend(own.shares);
                understanding.mentions.extend(own.mentions);
                understanding.named.extend(own.named);
            }
            Piece::Left(mentions) => {
                has_left = true;
                understanding.mentions.extend(mentions);
            }
            Piece::Words => {}
        }
    }
    let fields: Vec<&FieldPath> = given(&understanding)
        .chain(products.iter().map(|one| &one.field))
        .collect();
    let is_twice = (1..fields.len()).any(|at| fields[..at].contains(&fields[at]));
    let is_sum = products.iter().any(|product| product.groups.len() > 1);
    // "6 dollars of shampoo a dog. 50 dogs a week at 65 each": all of them multiplied would be another product.
    let mixes = whole.heard.slots.product.len() == whole.understanding.mentions.len();
    if products.is_empty() || is_twice {
        return None;
    }
    if is_sum || fields.len() > 1 {
        return Some(Reading {
            heard: Heard::known(Intent::State, Slots::default()),
            understanding,
            products,
            ..whole.clone()
        });
    }
    let product = products.pop().filter(|_| has_left && mixes)?;
    let slots = Slots {
        field: Some(product.field),
        product: product.groups.into_iter().flatten().collect(),
        ..Slots::default()
    };
    Some(Reading {
        heard: Heard::known(Intent::Estimate, slots),
        ..whole.clone()
    })
}

/// "Insurance is 300 a month per van, two vans": what one of several costs, and how many there are.
pub(in crate::offline) fn of_each<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>) -> Option<Reading<'a>> {
    const MOST_OF_ONE: Decimal = Decimal::from_parts(30, 0, 0, false, 0);
    let said = &whole.understanding;
    let [one, other] = &said.mentions[..] else {
        return None;
    };
    let is_count = |number: &Mention| {
        let is_whole = number.value.scale() == 0 && number.value > Decimal::ONE && number.value <= MOST_OF_ONE;
        number.unit == Unit::Bare && is_whole
    };
    let (amount, count) = [(one, other), (other, one)]
        .into_iter()
        .find(|(_, count)| is_count(count))?;
    let plain = said.plain.iter().map(|one| (one.number, &one.field));
    let heard = said.candidates.iter();
    let heard = heard.filter_map(|one| Some((one.number, &one.choices.first()?.field)));
    // "Dos camionetas" may sound like a cost of its own.
    let mut values = plain.chain(heard).filter(|(number, _)| *number != count.number);
    let (number, path) = values.next().filter(|_| values.next().is_none())?;
    let field = reader.field(path.as_str()).filter(|field| field.kind == Kind::Money)?;
    let is_of_field = amount.period.is_none() || amount.period == field.period;
    let behind = whole.texts.message.get(amount.number.1..)?;
    let is_each = amount.per_unit || wording::says(behind, "w.per_piece");
    if number != amount.number || !is_of_field || !is_each {
        return None;
    }
    let product = Product {
        groups: vec![vec![Number::new(amount.value), Number::new(count.value)]],
        field: path.clone(),
        per: None,
    };
    let mut read = whole.stating(product);
    read.understanding.plain.clear();
    Some(read)
}

/// Two groups of people, each with its hours, are of one line.
fn add(products: &mut Vec<Product>, one: Product, has_hours: bool) {
    let is_same = |other: &&mut Product| other.field == one.field && other.per == one.per;
    match products.iter_mut().find(is_same).filter(|_| has_hours) {
        Some(same) => same.groups.extend(one.groups),
        None => products.push(one),
    }
}

/// A piece as it is read, or what is left of a sentence.
#[derive(Clone)]
enum Found {
    Whole(Piece),
    /// Counts only where a sentence ends.
    Left(Piece),
    Nothing,
}

/// Parts a message; each piece is read once.
struct Splitter<'r, 'a> {
    reader: &'r Reader<'r, 'a>,
    whole: &'r Reading<'a>,
    /// Where it may be parted, each with where the rest begins.
    cuts: Vec<(usize, usize)>,
    found: HashMap<(usize, usize), Found>,
    failed: HashSet<(usize, usize, bool)>,
}

impl<'r, 'a> Splitter<'r, 'a> {
    fn of(reader: &'r Reader<'r, 'a>, whole: &'r Reading<'a>) -> Option<Self> {
        let message = whole.texts.message;
        let mut cuts: Vec<(usize, usize)> = [", ", " and ", " y ", ". ", "; ", "\n"]
            .iter()
            .flat_map(|mark| message.match_indices(mark).map(|(at, mark)| (at, at + mark.len())))
            .collect();
        cuts.sort_unstable();
        (cuts.len() <= MOST_CUTS).then(|| Self {
            reader,
            whole,
            cuts,
            found: HashMap::new(),
            failed: HashSet::new(),
        })
    }

    /// The pieces from a place on, the first as short as it can be; nothing where a number is left over.
    fn split(&mut self, start: usize, most: usize, begins: bool) -> Option<Vec<Piece>> {
        if most == 0 || self.failed.contains(&(start, most, begins)) {
            return None;
        }
        let message = self.whole.texts.message;
        for at in 0..self.cuts.len() {
            let (end, behind) = self.cuts[at];
            let ends = message[end..].starts_with(['.', ';', '\n']);
            if end >= start
                && let Some(first) = self.piece(start, end, ends)
                && let Some(rest) = self.split(behind, most - 1, ends)
            {
                return Some(std::iter::once(first).chain(rest).collect());
            }
        }
        // "And you left out the 600 for ads" behind a product.
        let last = self.piece(start, message.len(), begins);
        if last.is_none() {
            self.failed.insert((start, most, begins));
        }
        Some(vec![last?])
    }

    fn piece(&mut self, start: usize, end: usize, may_be_left: bool) -> Option<Piece> {
        let (reader, whole) = (self.reader, self.whole);
        let read = || read(reader, whole, (start, end));
        match self.found.entry((start, end)).or_insert_with(read) {
            Found::Whole(piece) => Some(piece.clone()),
            Found::Left(piece) => Some(piece.clone()).filter(|_| may_be_left),
            Found::Nothing => None,
        }
    }
}

fn read<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>, (start, end): (usize, usize)) -> Found {
    let text = &whole.texts.message[start..end];
    let read = reader.piece(&whole.texts, text);
    if let Some(piece) = piece(reader, &read, start) {
        return Found::Whole(piece);
    }
    // "26 days a month" is a factor of what follows, and another price is none.
    let is_price = |mention: &Mention| mention.unit == Unit::Money;
    let is_of_others = !read.understanding.named.is_empty() || read.understanding.mentions.iter().all(is_price);
    match is_of_others && read.heard.intent != Intent::Estimate {
        true => Found::Left(Piece::Left(moved(&read.understanding, start).mentions)),
        false => Found::Nothing,
    }
}

/// A text of which every number has its place.
fn piece(reader: &Reader<'_, '_>, read: &Reading<'_>, at: usize) -> Option<Piece> {
    let (text, said) = (read.texts.message, &read.understanding);
    let count = said.mentions.len();
    if count == 0 {
        return (!read.has_values()).then_some(Piece::Words);
    }
    let factors = &read.heard.slots.product;
    if read.heard.intent == Intent::Estimate && read.heard.probability >= SURE {
        let said = Said {
            message: text,
            mentions: &said.mentions,
            factors,
            counts_customers: said.counts_customers,
        };
        let field = |path: &str| kept(reader.field(path)?);
        let product = said.product(read.heard.slots.field.as_ref(), field);
        let has_hours = wording::says(text, "w.hours");
        let product = product.filter(|_| factors.len() > 1 && factors.len() == count);
        return product.map(|product| Piece::Product(product, has_hours));
    }
    let is_amount = |path: &FieldPath| {
        let field = reader.field(path.as_str());
        field.is_some_and(|field| matches!(field.kind, Kind::Money | Kind::Percent))
    };
    let is_whole = given(said).count() == count && given(said).all(is_amount);
    let states = matches!(read.heard.intent, Intent::State | Intent::Correct) || !said.plain.is_empty();
    (is_whole && states).then(|| Piece::Values(moved(said, at)))
}

/// What is heard of a piece, at its place in the message. What is plain by itself need not be so in the whole message: it is asked about.
fn moved(said: &Understanding, by: usize) -> Understanding {
    let span = |(start, end): (usize, usize)| (start + by, end + by);
    let plain = said.plain.iter().map(|one| Candidate {
        choices: vec![Choice {
            field: one.field.clone(),
            value: one.value,
            probability: 1.0,
        }],
        source: one.source,
        start: one.start,
        end: one.end,
        number: one.number,
        reason: plan_model::extracted::NoteCode::Unclear,
    });
    let mut out = Understanding {
        candidates: plain.chain(said.candidates.iter().cloned()).collect(),
        shares: said.shares.clone(),
        mentions: said.mentions.clone(),
        named: said.named.clone(),
        ..Understanding::default()
    };
    for one in &mut out.candidates {
        (one.start, one.end, one.number) = (one.start + by, one.end + by, span(one.number));
    }
    out.shares.iter_mut().for_each(|one| one.number = span(one.number));
    out.mentions.iter_mut().for_each(|one| one.number = span(one.number));
    out
}
