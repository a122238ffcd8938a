//! Coordinates of a month and an amount in a chart, in tenths of a pixel, and the round dollars beside the axis.

use std::fmt;

/// The picture and the frame of the plot inside it, in pixels.
pub(super) const WIDTH: i64 = 600;
pub(super) const HEIGHT: i64 = 300;
pub(super) const LEFT: i64 = 70;
pub(super) const RIGHT: i64 = 580;
pub(super) const TOP: i64 = 52;
pub(super) const BOTTOM: i64 = 246;

const MONTHS: i64 = 60;
const TICKS: i64 = 5;
const DOLLAR: i64 = 100;

/// A coordinate in tenths of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tenths(pub i64);

impl Tenths {
    pub(super) const fn px(pixels: i64) -> Self {
        Self(pixels * 10)
    }

    pub(super) const fn plus(self, pixels: i64) -> Self {
        Self(self.0 + pixels * 10)
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, tenth) = (self.0.abs() / 10, self.0.abs() % 10);
        let sign = if self.0 < 0 { "-" } else { "" };
        if tenth == 0 {
            write!(f, "{sign}{whole}")
        } else {
            write!(f, "{sign}{whole}.{tenth}")
        }
    }
}

/// Maps amounts in cents to heights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: i64,
    high: i64,
}

impl Scale {
    /// Spans the values and zero.
    pub(super) fn around(values: &[i64]) -> Self {
        let low = values.iter().copied().min().unwrap_or(0).min(0);
        let high = values.iter().copied().max().unwrap_or(0).max(0);
        if low == high {
            Self {
                low: 0,
                high: 1_000 * DOLLAR,
            }
        } else {
            Self { low, high }
        }
    }

    /// Leaves a line of text free under `value`.
    pub(super) fn with_room_below(self, value: i64) -> Self {
        Self {
            low: self.low.min(value - (self.high - self.low) / 6),
            ..self
        }
    }

    /// Leaves a line of text free over the highest value.
    pub(super) fn with_room_above(self) -> Self {
        Self {
            high: self.high + (self.high - self.low) / 7,
            ..self
        }
    }

    pub(super) fn x(month: u32) -> Tenths {
        Tenths(LEFT * 10 + i64::from(month) * (RIGHT - LEFT) * 10 / MONTHS)
    }

    pub(super) fn y(&self, cents: i64) -> Tenths {
        let height = i128::from((BOTTOM - TOP) * 10);
        let above = i128::from(cents - self.low) * height / i128::from(self.high - self.low);
        // Heights of values within the scale fit the picture; others are held at its edge.
        Tenths(BOTTOM * 10 - i64::try_from(above.clamp(0, height)).unwrap_or_default())
    }

    /// Round amounts in cents within the scale, lowest first, zero always among them.
    pub(super) fn ticks(&self) -> Vec<i64> {
        let step = self.step();
        let first = -(-self.low / step) * step;
        (0..)
            .map(|nth| first + nth * step)
            .take_while(|tick| *tick <= self.high)
            .collect()
    }

    /// The smallest of 1, 2, 5, 10, 20 … dollars that needs few steps.
    fn step(&self) -> i64 {
        let span = self.high - self.low;
        let mut power = DOLLAR;
        loop {
            for factor in [1, 2, 5] {
                if span <= power * factor * TICKS {
                    return power * factor;
                }
            }
            power *= 10;
        }
    }
}

/// `$40k`, `$1.2M`: a round amount as an axis label.
pub(super) fn short_dollars(cents: i64) -> String {
    let dollars = cents.abs() / DOLLAR;
    let sign = if cents < 0 { "\u{2212}" } else { "" };
    let units = [
        (1_000_000_000_000, "T"),
        (1_000_000_000, "B"),
        (1_000_000, "M"),
        (1_000, "k"),
    ];
    let Some((unit, letter)) = units.into_iter().find(|(unit, _)| dollars >= *unit) else {
        return format!("{sign}${dollars}");
    };
    let (whole, hundredths) = (dollars / unit, dollars % unit * 100 / unit);
    match (hundredths / 10, hundredths % 10) {
        (0, 0) => format!("{sign}${whole}{letter}"),
        (tenth, 0) => format!("{sign}${whole}.{tenth}{letter}"),
        _ => format!("{sign}${whole}.{hundredths:02}{letter}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_beside_an_axis_are_short() {
        let shown = [
            0,
            50_000,
            4_000_000,
            -4_000_000,
            120_000_000,
            125_000_000,
            1_000_000_000_000_000,
        ]
        .map(short_dollars);
        assert_eq!(shown, ["$0", "$500", "$40k", "\u{2212}$40k", "$1.2M", "$1.25M", "$10T"]);
    }

    #[test]
    fn ticks_are_round_and_hold_zero() {
        let ticks = Scale::around(&[-1_523_000, 4_500_000]).ticks();
        assert_eq!(ticks, [0, 2_000_000, 4_000_000]);
        assert_eq!(
            Scale::around(&[0, 0]).ticks(),
            [0, 20_000, 40_000, 60_000, 80_000, 100_000]
        );
    }

    proptest! {
        #[test]
        fn few_ticks_stand_within_the_plot(a in -900_000_000_000_000i64..900_000_000_000_000, b in -900_000_000_000i64..900_000_000_000) {
            let scale = Scale::around(&[a, b]).with_room_below(b).with_room_above();
            let ticks = scale.ticks();
            prop_assert!(ticks.contains(&0) && (1..=7).contains(&ticks.len()), "{:?}", ticks);
            for value in ticks.into_iter().chain([a, b]) {
                let y = scale.y(value);
                prop_assert!(Tenths::px(TOP) <= y && y <= Tenths::px(BOTTOM));
            }
        }
    }
}
