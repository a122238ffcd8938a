//! Whole-number arithmetic with one rounding rule: nearest, half away from zero (`docs/FINANCIAL-MODEL.md` 3.1).
//!
//! Products that fit 64 bits stay there, the rest take 128: same results, and nearly every product fits.

use plan_model::number::{Number, PPM};
use rust_decimal::Decimal;

/// Results are cut here, in cents (`docs/FINANCIAL-MODEL.md` 3.1); sums of 60 of them still fit 64 bits.
pub(super) const LIMIT: i64 = 1_000_000_000_000_000;

/// `n / d`, half away from zero. `d` is positive.
#[inline]
fn rdiv(n: i64, d: i64) -> i64 {
    let d = d.unsigned_abs();
    let quotient = n.unsigned_abs().saturating_add(d / 2) / d;
    let quotient = i64::try_from(quotient).map_or(LIMIT, |q| q.min(LIMIT));
    if n < 0 { -quotient } else { quotient }
}

#[cold]
fn rdiv_wide(n: i128, d: i64) -> i64 {
    let d = u128::from(d.unsigned_abs());
    let quotient = (n.unsigned_abs() + d / 2) / d;
    let quotient = i64::try_from(quotient).map_or(LIMIT, |q| q.min(LIMIT));
    if n < 0 { -quotient } else { quotient }
}

/// `a · b / d`, rounded once, cut at ±[`LIMIT`]. `d` is positive.
#[inline]
pub(super) fn mul_div(a: i64, b: i64, d: i64) -> i64 {
    match a.checked_mul(b) {
        Some(n) => rdiv(n, d),
        None => rdiv_wide(i128::from(a) * i128::from(b), d),
    }
}

/// Cents times a rate in millionths.
#[inline]
pub(super) fn mulp(cents: i64, ppm: i64) -> i64 {
    mul_div(cents, ppm, PPM)
}

/// Part `k` of `total` split exactly into `n`: all parts sum up to `total`. Nothing outside of 1..=n.
#[inline]
pub(super) fn share(total: i64, n: i64, k: i64) -> i64 {
    if k < 1 || k > n || total == 0 {
        0
    } else {
        mul_div(total, k, n) - mul_div(total, k - 1, n)
    }
}

/// What `cents` becomes in `year` (0 = the first) when it rises by `ppm` every year.
pub(super) fn escalate(cents: i64, ppm: i64, year: usize) -> i64 {
    (0..year).fold(cents, |amount, _| amount + mulp(amount, ppm))
}

/// `⌈n · 10^6 / d⌉` for `n ≥ 0` and `d > 0`, cut at [`LIMIT`].
pub(super) fn per_million_ceil(n: i64, d: i64) -> i64 {
    let exact = (i128::from(n) * i128::from(PPM) + i128::from(d) - 1) / i128::from(d);
    i64::try_from(exact).map_or(LIMIT, |q| q.min(LIMIT))
}

/// `n / d` with four digits, by way of millionths; none where the divisor is not positive.
pub(super) fn ratio(n: i64, d: i64) -> Option<Number> {
    (d > 0).then(|| decimal(rdiv(mul_div(n, PPM, d), 100), 4))
}

/// `n / d` with two digits; none where the divisor is not positive.
pub(super) fn coverage(n: i64, d: i64) -> Option<Number> {
    (d > 0).then(|| decimal(mul_div(n, 100, d), 2))
}

fn decimal(units: i64, digits: u32) -> Number {
    Number::new(Decimal::new(units, digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let rounded = [
            (5, 10),
            (-5, 10),
            (4, 10),
            (-4, 10),
            (15, 10),
            (-15, 10),
            (1, 3),
            (2, 3),
            (-2, 3),
        ];
        assert_eq!(rounded.map(|(n, d)| rdiv(n, d)), [1, -1, 0, 0, 2, -2, 0, 1, -1]);
    }

    #[test]
    fn ratios_have_four_digits_and_coverage_two() {
        assert_eq!(ratio(9_150_000, 37_150_000), Some(Number::millionths(246_300)));
        assert_eq!(coverage(2_715_417, 4_486_920), Some(Number::millionths(610_000)));
        assert_eq!((ratio(1, 0), coverage(1, -1)), (None, None));
    }

    #[test]
    fn what_is_too_large_is_cut_and_never_wraps() {
        assert_eq!(mul_div(i64::MAX, i64::MAX, 1), LIMIT);
        assert_eq!(mul_div(i64::MIN, i64::MAX, 1), -LIMIT);
        assert_eq!(rdiv(i64::MIN, 1), -LIMIT);
        assert_eq!(per_million_ceil(i64::MAX, 1), LIMIT);
        assert!(coverage(i64::MAX, 1).is_some() && ratio(i64::MIN, 1).is_some());
    }

    proptest! {
        #[test]
        fn both_widths_round_alike(a in -1_000_000_000_000i64..1_000_000_000_000, b in 0i64..1_000_000, d in 1i64..20_000_000) {
            prop_assert_eq!(mul_div(a, b, d), rdiv_wide(i128::from(a) * i128::from(b), d));
        }

        #[test]
        fn shares_sum_up_to_the_whole(total in 0i64..10_000_000_000, n in 1i64..15_000) {
            prop_assert_eq!((0..=n + 1).map(|k| share(total, n, k)).sum::<i64>(), total);
        }
    }
}
