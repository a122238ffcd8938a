//! Figures as people read them in summaries, advisories and pictures.

use plan_model::field::show_cents;
use plan_model::number::Number;
use rust_decimal::Decimal;

/// `$1,234`, rounded half away from zero. Projected figures are no more exact than that to a reader.
pub fn whole_dollars(cents: i64) -> String {
    let rounded = cents.abs().saturating_add(50) / 100 * 100;
    show_cents(if cents < 0 { -rounded } else { rounded })
}

/// `84.05%` for 0.8405.
pub fn percent(ratio: Number) -> String {
    format!("{}%", Number::new(ratio.decimal().saturating_mul(Decimal::ONE_HUNDRED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_come_without_cents() {
        let shown = [0, 49, 50, -49, -50, 123_456_789].map(whole_dollars);
        assert_eq!(shown, ["$0", "$0", "$1", "$0", "-$1", "$1,234,568"]);
    }

    #[test]
    fn percentages_come_without_trailing_zeros() {
        let shown = [840_500, 1_000_000, -2_173_000, 0].map(|ratio| percent(Number::millionths(ratio)));
        assert_eq!(shown, ["84.05%", "100%", "-217.3%", "0%"]);
    }
}
