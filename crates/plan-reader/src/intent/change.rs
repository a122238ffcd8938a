//! How values are to differ: "10 % less", "20,000 less", "double", "three months later", "without the van", "at 5,000".

mod meant;

use super::calendar::When;
use super::phrasebook::CHANGES;
use super::slots::{Change, FieldChange};
use crate::convert;
use crate::ear::Ear;
use crate::ear::names::Named;
use crate::ear::spots::Spots;
use crate::grammar::Message;
use crate::lex::Unit;
use plan_model::field::{Bounds, Field, FieldRole, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::ops::Range;

/// Words on each side of a number that say how it is meant.
const AROUND: usize = 5;

/// Points from which a change of a share in percent is meant of the share itself: "10 % less labor" is nine tenths of it, "labor 2 %
/// lower" two points.
const OF_ITSELF: Decimal = Decimal::TEN;

/// A bare number below it is no amount of money.
const FEW_DOLLARS: Decimal = Decimal::from_parts(20, 0, 0, false, 0);

/// The beginnings of Spanish verbs behind which "a" leads to a value.
const TO_VERBS: [&str; 8] = ["sub", "baj", "aument", "pasa", "lleg", "cae", "camb", "cuest"];

/// Verbs beside which "up" and "down" say no way.
const UP_VERBS: [&str; 12] = [
    "fill", "fills", "end", "ends", "show", "shows", "set", "sign", "open", "came", "run", "put",
];

/// A number that is less likely of any field is beside the point.
const ASIDE: f32 = 0.3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Less,
    More,
}

/// Reads the changes of one message.
pub(super) struct Changes<'m> {
    pub ear: &'m Ear,
    pub message: &'m Message<'m>,
    pub spots: &'m Spots<'m>,
    pub when: &'m When,
    /// What a change without a name is of.
    pub about: Option<usize>,
}

impl Changes<'_> {
    /// Each change, in the order of the message; none where a number or a name beside them is not understood: half a case is another
    /// case.
    pub(super) fn all(&self) -> Vec<FieldChange> {
        let mut out: Vec<FieldChange> = Vec::new();
        let mut used: Vec<Range<usize>> = Vec::new();
        for (at, spot) in self.spots.all.iter().enumerate() {
            let range = spot.amount.from..spot.amount.to;
            let is_date = self
                .when
                .said
                .iter()
                .any(|said| said.start < range.end && range.start < said.end);
            if spot.is_word || is_date && !self.is_start(at) || self.is_replaced(spot) {
                continue;
            }
            let found = self.field(at);
            let change = found.as_ref().and_then(|(field, _)| self.of_number(*field, at));
            match (found, change) {
                // "Without the van and with 10 % more for the manager": the ten percent are of no van.
                (Some((_, Some(name))), Some(_)) if !spot.amount.value.is_zero() && self.is_without(&name) => {
                    return Vec::new();
                }
                (Some(_), Some(_)) if self.is_a_year(at) => return Vec::new(),
                (Some((field, name)), Some(change)) => {
                    used.extend(name);
                    if !self.add(&mut out, field, change) {
                        return Vec::new();
                    }
                }
                _ if self.is_aside(at) => {}
                _ => return Vec::new(),
            }
        }
        for (field, name) in self.names() {
            if used.contains(&name) {
                continue;
            }
            if let Some(change) = self.of_words(field, &name, out.is_empty()) {
                self.add(&mut out, field, change);
            }
        }
        if out.is_empty()
            && let Some(field) = self.about
            && let Some(change) = self.of_words(field, &(0..0), true)
        {
            self.add(&mut out, field, change);
        }
        out
    }

    /// Whether it is the first change of its field, or says the same again.
    fn add(&self, out: &mut Vec<FieldChange>, field: usize, change: Change) -> bool {
        let field = self.described(field).path.clone();
        match out.iter().find(|known| known.field == field) {
            Some(known) => known.change == change,
            None => {
                out.push(FieldChange { field, change });
                true
            }
        }
    }

    fn described(&self, field: usize) -> &Field {
        &self.message.vocabulary.fields()[field]
    }

    fn word(&self, at: usize) -> &str {
        self.message.tokens.get(at).map_or("", |token| token.word())
    }

    /// Which way, by the nearest word of direction around the number that no other number stands before.
    fn direction(&self, at: usize) -> Option<Direction> {
        let spot = &self.spots.all[at];
        let (from, to) = (spot.amount.from, spot.amount.to);
        let others = |at: usize| {
            self.spots
                .all
                .iter()
                .any(|other| !other.is_word && other.amount.from == at)
        };
        let names: Vec<&Named> = self.named().collect();
        let of = |at: usize| match self.word(at) {
            // "over 7 years", "30 down"
            "over" | "under" | "above" | "below" if at < from => None,
            // "fill up", "ends up", "came up with"
            "up" | "down" if at > 0 && UP_VERBS.contains(&self.word(at - 1)) => None,
            _ if names.iter().any(|name| name.range.contains(&at)) => None,
            // "más barata"
            "mas"
                if ["barat", "baj", "chic"]
                    .iter()
                    .any(|less| self.word(at + 1).starts_with(less)) =>
            {
                Some(Direction::Less)
            }
            word if CHANGES.has("less", word) => Some(Direction::Less),
            word if CHANGES.has("more", word) => Some(Direction::More),
            _ => None,
        };
        let behind = (to..self.message.tokens.len().min(to + AROUND)).take_while(|at| !others(*at));
        let before = (from.saturating_sub(AROUND)..from).rev().take_while(|at| !others(*at));
        let behind = behind.zip(1..).find_map(|(at, steps)| Some((steps, of(at)?)));
        let before = before.zip(1..).find_map(|(at, steps)| Some((steps, of(at)?)));
        // "+150 bps"
        let signed = from
            .checked_sub(1)
            .is_some_and(|at| self.message.tokens[at].is_mark('+'));
        let nearest = behind.into_iter().chain(before).min_by_key(|(steps, _)| *steps);
        nearest
            .map(|(_, direction)| direction)
            .or(signed.then_some(Direction::More))
    }

    fn of_number(&self, field: usize, at: usize) -> Option<Change> {
        let spot = &self.spots.all[at];
        let described = self.described(field);
        let said = spot.amount.value;
        let direction = self.direction(at);
        let before = spot.amount.from.checked_sub(1).map_or("", |at| self.word(at));
        let is_goal = matches!(
            before,
            "to" | "at" | "only" | "en" | "is" | "are" | "was" | "were" | "fuera" | "queda"
        ) || before == "a" && self.moves_to(spot.amount.from);
        // "At ten points less" is no goal, and "by 24 months" none either: which way it is then has to be said.
        let is_goal = is_goal && !self.says_way_behind(spot.amount.to);
        if before == "by" && direction.is_none() {
            return None;
        }
        if let Some(points) = self.point_and(at).filter(|_| described.kind == Kind::Percent) {
            let sign = match direction? {
                Direction::Less => -Decimal::ONE,
                Direction::More => Decimal::ONE,
            };
            return Some(Change::By(Number::new(sign * points / Decimal::ONE_HUNDRED)));
        }
        if self.is_part_of_a_time(at) {
            return None;
        }
        if let Some(part) = self.of_part(at, before) {
            return Some(part);
        }
        let is_point = CHANGES.has("point", self.word(spot.amount.to));
        let sign = match direction.filter(|_| !is_goal) {
            Some(Direction::Less) => -Decimal::ONE,
            Some(Direction::More) => Decimal::ONE,
            // "Two points heavier": points lead somewhere from where they are.
            None if is_point && !is_goal => return None,
            None => return self.to(field, at),
        };
        // "Three quarters of a point" is of a share, and of nothing else.
        if spot.amount.unit == Unit::Fraction && self.is_of_a_point(spot.amount.to) {
            let share = Number::new(sign * said / Decimal::ONE_HUNDRED);
            return (described.kind == Kind::Percent).then_some(Change::By(share));
        }
        let hundredth = Decimal::ONE_HUNDRED;
        let share = match spot.amount.unit {
            Unit::Percent => Some(said / hundredth),
            Unit::Fraction => Some(said),
            _ => None,
        };
        match (described.kind, share) {
            // A hundred points and more are another field's dollars.
            (Kind::Percent, _) if is_point || spot.amount.unit == Unit::Bare && said < hundredth => {
                let size = if self.word(spot.amount.to) == "bps" {
                    hundredth * hundredth
                } else {
                    hundredth
                };
                Some(Change::By(Number::new(sign * said / size)))
            }
            (Kind::Percent, Some(share)) if spot.amount.unit == Unit::Percent && said < OF_ITSELF => {
                Some(Change::By(Number::new(sign * share)))
            }
            // "Half a turn less on the exit multiple"
            (Kind::Multiple, Some(share)) if spot.amount.unit == Unit::Fraction => {
                Some(Change::By(Number::new(sign * share)))
            }
            (_, Some(share)) => Some(Change::Times(Number::new(Decimal::ONE + sign * share))),
            (Kind::Money, None) => {
                let cents = convert::cents(said, self.spots.period(spot), described)?;
                Some(Change::By(Number::new(sign * cents.decimal())))
            }
            (_, None) => {
                let value = self.to(field, at)?;
                let Change::To(value) = value else { return None };
                Some(Change::By(Number::new(sign * value.decimal())))
            }
        }
    }

    /// "points less", "less": right behind a number.
    fn says_way_behind(&self, to: usize) -> bool {
        const WAYS: [&str; 16] = [
            "less", "lower", "fewer", "menos", "cheaper", "smaller", "shorter", "sooner", "earlier", "more", "higher",
            "mas", "pricier", "bigger", "longer", "later",
        ];
        let at = to + usize::from(CHANGES.has("point", self.word(to)));
        WAYS.contains(&self.word(at))
    }

    /// "sube a 5,200": a Spanish verb before "a", which in English is an article.
    fn moves_to(&self, at: usize) -> bool {
        let verb = at.checked_sub(2).map_or("", |at| self.word(at));
        TO_VERBS.iter().any(|stem| verb.starts_with(stem))
    }

    /// "a point and a half": how many points, where the number is the half behind them.
    fn point_and(&self, at: usize) -> Option<Decimal> {
        let amount = &self.spots.all[at].amount;
        let before = |steps: usize| amount.from.checked_sub(steps).map_or("", |at| self.word(at));
        let is_behind_points = matches!(before(1), "and" | "y") && CHANGES.has("point", before(2));
        let whole = match before(3) {
            "a" | "one" | "un" => Decimal::ONE,
            _ => return None,
        };
        (amount.unit == Unit::Fraction && is_behind_points).then(|| whole + amount.value)
    }

    pub(super) fn is_of_a_point(&self, at: usize) -> bool {
        let of = |at: usize| matches!(self.word(at), "of" | "de" | "a" | "un");
        let skip = usize::from(of(at)) + usize::from(of(at) && of(at + 1));
        CHANGES.has("point", self.word(at + skip))
    }

    fn to(&self, field: usize, at: usize) -> Option<Change> {
        let amount = &self.spots.all[at].amount;
        // "sales at 85 % of plan"
        let share = match amount.unit {
            Unit::Fraction => Some(amount.value),
            Unit::Percent => Some(amount.value / Decimal::ONE_HUNDRED),
            _ => None,
        };
        if let Some(share) = share.filter(|_| self.described(field).kind == Kind::Money) {
            return Some(Change::Times(Number::new(share)));
        }
        let choices = self.spots.choices(at);
        let choice = choices.into_iter().find(|choice| choice.field == field)?;
        // "Two trucks instead of one": so few dollars are no dollars.
        let is_count = amount.unit == Unit::Bare && !amount.marked && amount.value < FEW_DOLLARS;
        if is_count && amount.value > Decimal::ZERO && self.described(field).kind == Kind::Money {
            return None;
        }
        // "Only borrow one fifty": 150 dollars or thousands are asked back.
        let is_usual = |bounds: &Bounds| {
            let value = choice.value.decimal();
            let is_tiny =
                value * Decimal::TEN < bounds.low.decimal() || value * Decimal::ONE_THOUSAND < bounds.high.decimal();
            amount.unit != Unit::Bare || amount.marked || !is_tiny || self.described(field).kind != Kind::Money
        };
        let is_zero = choice.value == Number::ZERO;
        (is_zero || self.described(field).soft.as_ref().is_none_or(is_usual)).then_some(Change::To(choice.value))
    }

    /// A change in words: "double", "half", "without", "a point lower", "one month later".
    fn of_words(&self, field: usize, name: &Range<usize>, alone: bool) -> Option<Change> {
        let message = self.message;
        let part = message
            .parts
            .iter()
            .find(|part| part.sentence.tokens.contains(&name.start));
        let range = match part {
            Some(part) if alone => part.sentence.tokens.clone(),
            // "sales up 10 % and food cost one point down": beside another change only the words at the name count.
            Some(part) => {
                let sentence = &part.sentence.tokens;
                let others = self.spots.all.iter().filter(|spot| !spot.is_word);
                let before = others.clone().filter(|spot| spot.amount.to <= name.start);
                let from = before.map(|spot| spot.amount.to).max().unwrap_or(sentence.start);
                let behind = others.filter(|spot| spot.amount.from >= name.end);
                let to = behind.map(|spot| spot.amount.from).min().unwrap_or(sentence.end);
                from.max(name.start.saturating_sub(2)).max(sentence.start)..to.min(name.end + 5).min(sentence.end)
            }
            None => 0..message.tokens.len(),
        };
        let words = || range.clone().map(|at| self.word(at));
        let has = |kind: &str| words().any(|word| CHANGES.has(kind, word));
        let times = |number: i64, scale: u32| Some(Change::Times(Number::new(Decimal::new(number, scale))));
        if has("double") {
            return times(2, 0);
        }
        if has("triple") {
            return times(3, 0);
        }
        if has("half") && !has("point") {
            return times(5, 1);
        }
        let kind = self.described(field).kind;
        let sign = if has("less") {
            Some(-1)
        } else {
            has("more").then_some(1)
        };
        if let Some(sign) = sign.filter(|_| kind == Kind::Percent && has("point")) {
            let points = if has("half") {
                Decimal::new(5 * sign, 3)
            } else {
                Decimal::new(sign, 2)
            };
            return Some(Change::By(Number::new(points)));
        }
        let counted = words().any(|word| matches!(word, "one" | "a" | "an" | "un" | "una"));
        if let Some(sign) = sign.filter(|_| alone && counted && kind != Kind::Money && kind != Kind::Percent) {
            let year = kind == Kind::Months && words().any(|word| matches!(word, "year" | "ano"));
            return Some(Change::By(Number::whole(sign * if year { 12 } else { 1 })));
        }
        let before = name.start.saturating_sub(4).max(range.start)..name.start;
        let near = before.chain(name.end..(name.end + 3).min(range.end));
        let is_nothing = near.into_iter().any(|at| CHANGES.has("nothing", self.word(at)));
        // There is no month 0.
        let can_be_nothing = self.described(field).role != FieldRole::StartMonth;
        (is_nothing && can_be_nothing && !name.is_empty()).then_some(Change::To(Number::ZERO))
    }
}
