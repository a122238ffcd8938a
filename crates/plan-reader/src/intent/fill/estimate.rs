//! The factors of a product.

use super::Reader;
use crate::ear::spots::Spot;
use crate::lex::{Kind, Unit};
use plan_model::number::Number;
use rust_decimal::Decimal;

impl Reader<'_> {
    /// The factors of a product, and how likely it has no other; none where a number cannot be read.
    pub(super) fn factors(&self) -> (Vec<Number>, f32) {
        let is_odd = self.message.tokens.iter().any(|token| matches!(token.kind, Kind::Odd));
        let (mut out, mut all) = (Vec::new(), 1.0);
        for at in (0..self.spots.all.len()).filter(|at| !self.spots.all[*at].is_word) {
            let likely = self.ear.is_factor(self.spots, at);
            all *= likely.max(1.0 - likely);
            if likely >= 0.5 {
                out.push(factor(&self.spots.all[at]));
            }
        }
        let has_cents = [" dollars and ", " dolares con ", " a buck ", " a dollar "];
        // "We see 22 people, those 22 pay 31 dollars"
        let is_again = |(nth, factor): (usize, &Number)| out[..nth].contains(factor);
        let is_twice = out.iter().enumerate().any(is_again);
        if is_odd || is_twice || has_cents.iter().any(|said| self.words.contains(said)) {
            out.clear();
        }
        (out, all)
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
