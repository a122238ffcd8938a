//! Figures as people read them in summaries, advisories and pictures.

use plan_model::field::minus;
use plan_model::number::Number;
use rust_decimal::Decimal;

/// `84.05%` for 0.8405.
pub(crate) fn percent(ratio: Number) -> String {
    minus(&format!(
        "{}%",
        Number::new(ratio.decimal().saturating_mul(Decimal::ONE_HUNDRED))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_come_without_trailing_zeros() {
        let shown = [840_500, 1_000_000, -2_173_000, 0].map(|ratio| percent(Number::millionths(ratio)));
        assert_eq!(shown, ["84.05%", "100%", "−217.3%", "0%"]);
    }
}
