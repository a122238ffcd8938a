//! Which way a number of a case leads, and whether it is the value itself.

use super::{CHANGES, Changes};
use crate::ear::names::Named;
use crate::lex::Unit;
use rust_decimal::Decimal;

/// Words on each side of a number that say how it is meant.
const AROUND: usize = 5;

/// The beginnings of Spanish verbs behind which "a" leads to a value.
const TO_VERBS: [&str; 8] = ["sub", "baj", "aument", "pasa", "lleg", "cae", "camb", "cuest"];

/// Verbs beside which "up" and "down" say no way.
const UP_VERBS: [&str; 12] = [
    "fill", "fills", "end", "ends", "show", "shows", "set", "sign", "open", "came", "run", "put",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Less,
    More,
}

impl Changes<'_> {
    /// Which way, by the nearest word of direction around the number that no other number stands before.
    pub(super) fn direction(&self, field: Option<usize>, at: usize) -> Option<Direction> {
        let spot = &self.spots.all[at];
        let (from, to) = (spot.amount.from, spot.amount.to);
        let others = |at: usize| {
            self.spots
                .all
                .iter()
                .any(|other| !other.is_word && other.amount.from == at)
        };
        let is_sales = field.is_some_and(|field| self.described(field).path.section() == "revenue");
        let names: Vec<&Named> = self.named().filter(|name| !self.grows(name.fields[0].0)).collect();
        let of = |at: usize| match self.word(at) {
            // "over by 15 %"
            "over" if at < from && self.word(at + 1) == "by" => Some(Direction::More),
            // "over 7 years", "30 down"
            "over" | "under" | "above" | "below" if at < from || others(at + 1) => None,
            // "rent 500 cheaper plus four free months": another case.
            "plus" if at + 1 == from && self.spots.all.iter().any(|other| other.amount.to <= at) => None,
            // "fill up", "ends up", "came up with"
            "up" | "down" if at > 0 && UP_VERBS.contains(&self.word(at - 1)) => None,
            // "35 percent down": the name of what it is of, and no way.
            _ if self.is_its_name(field, at) => None,
            // "$25,000 more equity", "rent goes up": the name says the way, too.
            _ if at != to && names.iter().any(|name| name.range.contains(&at)) => None,
            // Better sales are more, better costs are less.
            "better" | "mejor" | "worse" | "peor" if at < to || at > to + 1 => None,
            "better" | "mejor" => Some(if is_sales { Direction::More } else { Direction::Less }),
            "worse" | "peor" => Some(if is_sales { Direction::Less } else { Direction::More }),
            // "95 mil nada más"
            "mas" if at > 0 && self.word(at - 1) == "nada" => None,
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
        let behind = (to..self.message.tokens.len().min(to + AROUND)).take_while(|at| !others(*at) && !self.joins(*at));
        // "500 cheaper plus four": what stands right behind another number is of that one.
        let is_of_other = |at: usize| {
            self.spots
                .all
                .iter()
                .any(|other| !other.is_word && other.amount.to == at)
        };
        let before = (from.saturating_sub(AROUND)..from).rev();
        let before = before.take_while(|at| !others(*at) && !is_of_other(*at));
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

    /// "2,000 and no extra funds": what follows is of the next one.
    pub(super) fn joins(&self, at: usize) -> bool {
        matches!(self.word(at), "and" | "y" | "e" | "but" | "pero") && !matches!(self.word(at + 1), "a" | "media")
    }

    /// Whether a word is by itself the name of a field.
    fn is_its_name(&self, field: Option<usize>, at: usize) -> bool {
        let mut names = self.names.iter().filter(|name| name.range == (at..at + 1));
        names.any(|name| name.fields.iter().any(|(of, _)| Some(*of) == field))
    }

    /// "points less", "less": right behind a number.
    pub(super) fn says_way_behind(&self, to: usize) -> bool {
        const WAYS: [&str; 30] = [
            "less", "lower", "fewer", "menos", "cheaper", "smaller", "shorter", "sooner", "earlier", "more", "higher",
            "mas", "pricier", "bigger", "longer", "later", "worse", "better", "peor", "mejor", "light", "short", "off",
            "under", "over", "up", "down", "abajo", "arriba", "slower",
        ];
        // "$150 a month less"
        let at = self.message.behind_period(to) + usize::from(CHANGES.has("point", self.word(to)));
        WAYS.contains(&self.word(at))
    }

    /// "sube a 5,200", "subo la renta a 5,200": a Spanish verb before "a", which in English is an article.
    pub(super) fn moves_to(&self, at: usize) -> bool {
        let is_verb = |at: usize| TO_VERBS.iter().any(|stem| self.word(at).starts_with(stem));
        (at.saturating_sub(5)..at).any(is_verb)
    }

    /// "a point and a half": how many points, where the number is the half behind them.
    pub(super) fn point_and(&self, at: usize) -> Option<Decimal> {
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
}
