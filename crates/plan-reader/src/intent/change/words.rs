//! Changes that words alone say: "double", "half", "without".

use super::{CHANGES, Change, Changes};
use plan_model::field::{FieldRole, Kind};
use plan_model::number::Number;
use rust_decimal::Decimal;
use std::ops::Range;

impl Changes<'_> {
    /// A change in words: "double", "half", "without", "a point lower", "one month later".
    pub(super) fn of_words(&self, field: usize, name: &Range<usize>, alone: bool) -> Option<Change> {
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
        // "w/o a manager"
        let is_left_out = |at: usize| {
            let tokens = &message.tokens;
            self.word(at) == "w"
                && tokens.get(at + 1).is_some_and(|token| token.is_mark('/'))
                && self.word(at + 2) == "o"
        };
        let is_nothing = near
            .into_iter()
            .any(|at| CHANGES.has("nothing", self.word(at)) || is_left_out(at));
        // There is no month 0, but a manager who is never hired.
        let is_month = self.described(field).role == FieldRole::StartMonth;
        let can_be_nothing = !is_month || self.paid_from(field) != field;
        (is_nothing && can_be_nothing && !name.is_empty()).then_some(Change::To(Number::ZERO))
    }
}
