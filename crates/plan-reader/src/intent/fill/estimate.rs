//! The factors of a product.

use super::Reader;
use crate::ear::spots::Spot;
use crate::intent::change::DOUBTED;
use crate::lex::{Kind, Unit};
use plan_model::number::Number;
use rust_decimal::Decimal;

impl Reader<'_> {
    /// The factors of a product, and how likely it has no other; none where a number cannot be read.
    pub(super) fn factors(&self) -> (Vec<Number>, f32) {
        const MOST: usize = 5;
        let is_odd = self.message.tokens.iter().any(|token| matches!(token.kind, Kind::Odd));
        let figures = self.message.tokens.iter();
        let figures = figures.filter(|token| matches!(token.kind, Kind::Figure(_)));
        let spots = self.spots.all.iter().filter(|spot| !spot.is_word);
        let is_unread = figures.count() > spots.count() + self.split_figures();
        let has_cents = [" dollars and ", " dolares con ", " a buck ", " a dollar "];
        let has_cents = has_cents.iter().any(|said| self.words.contains(said));
        let (mut out, mut all) = (Vec::new(), 1.0);
        for at in (0..self.spots.all.len()).filter(|at| !self.spots.all[*at].is_word) {
            let likely = self.ear.is_factor(self.spots, at);
            all *= likely.max(1.0 - likely);
            if likely >= 0.5 {
                out.push(factor(&self.spots.all[at]));
            }
        }
        if has_cents || is_odd || is_unread || out.len() > MOST {
            out.clear();
        }
        // "We see 22 people, those 22 pay 31 dollars"
        let is_again = |(nth, factor): (usize, &Number)| out[..nth].contains(factor);
        let likely = if out.iter().enumerate().any(is_again) {
            all * DOUBTED
        } else {
            all
        };
        (out, likely)
    }

    /// Figures beyond the first of amounts of several: "two and a half", "6 1/2".
    fn split_figures(&self) -> usize {
        let of = |amount: &crate::lex::Amount| {
            let tokens = self.message.tokens.get(amount.from..amount.to).unwrap_or_default();
            tokens
                .iter()
                .filter(|token| matches!(token.kind, Kind::Figure(_)))
                .count()
                .saturating_sub(1)
        };
        self.spots.all.iter().map(|spot| of(&spot.amount)).sum()
    }
}

/// "3 % × 75 % × $325,000": a percent is a hundredth. "Eleven fifty a sandwich" are dollars and cents.
pub(crate) fn factor(spot: &Spot) -> Number {
    match spot.amount.unit {
        Unit::Percent => Number::new(spot.amount.value / Decimal::ONE_HUNDRED),
        Unit::Bare | Unit::Money if spot.amount.colloquial => Number::new(spot.amount.value / Decimal::ONE_HUNDRED),
        _ => Number::new(spot.amount.value),
    }
}
