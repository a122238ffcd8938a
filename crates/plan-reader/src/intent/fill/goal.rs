//! What is to be reached, and what may move for it.

use super::{Intent, Line, Reader, Slots};
use crate::ear::candidates::LOOKED_AT;
use crate::ear::spots::Spot;
use crate::intent::change::operands::operands;
use crate::lex::{Kind, Token, Unit};
use plan_model::number::Number;
use rust_decimal::Decimal;

impl Reader<'_> {
    /// The figure with its target, and the field that may move; with how likely field and target are those that are meant.
    pub(super) fn goal(&self, out: &mut Slots) -> f32 {
        let (field, likely) = self.subject(Intent::Goal);
        // The only cash that can be sought.
        out.metric = match self.metric() {
            Some(Line::Cash | Line::FirstNegativeMonth) => Some(Line::LowestCash),
            metric => metric,
        };
        out.field = field;
        out.year = self.when.year;
        let (target, of_target) = self.target(out.metric.as_ref());
        out.target = target;
        if self.is_unread() || !Self::is_possible(out) {
            *out = Slots::default();
        }
        likely * of_target
    }

    /// "1,30" is none of the forms that are read, and "1 point 5" one number in two.
    fn is_unread(&self) -> bool {
        let tokens = &self.message.tokens;
        let is_odd = tokens.iter().any(|token| matches!(token.kind, Kind::Odd));
        let is_figure = |token: &Token| matches!(token.kind, Kind::Figure(_));
        let is_split = |three: &[Token]| {
            is_figure(&three[0]) && matches!(three[1].word(), "point" | "punto") && is_figure(&three[2])
        };
        is_odd || tokens.windows(3).any(is_split)
    }

    /// No plan breaks even in month 35,000, and no coverage is a dollar amount.
    fn is_possible(out: &Slots) -> bool {
        let Some(target) = out.target.map(Number::decimal) else {
            return true;
        };
        match out.metric {
            Some(Line::BreakEvenMonth | Line::Payback | Line::FirstNegativeMonth) => target <= Decimal::from(60),
            Some(Line::Dscr | Line::DscrAfterOwner) => target <= Decimal::from(4),
            Some(Line::LoanPayment) => target >= Decimal::from(10_000),
            Some(Line::MoneyToOpen | Line::OwnCash | Line::Sales) => target >= Decimal::from(100_000),
            Some(Line::LowestCash | Line::OwnerLeft | Line::NetProfit | Line::Ebitda | Line::Valuation) => {
                target.is_zero() || target >= Decimal::from(10_000)
            }
            _ => true,
        }
    }

    /// Whether a month or a number of months stands beside a figure that is a month itself.
    pub(super) fn has_target(&self, line: Option<&Line>) -> bool {
        let mut spots = self.spots.all.iter().filter(|spot| !spot.is_word);
        let is_time = |spot: &Spot| matches!(spot.amount.unit, Unit::Months | Unit::Years);
        let can_be = matches!(line, Some(Line::BreakEvenMonth | Line::Payback));
        can_be && (self.when.month.is_some() || spots.any(is_time))
    }

    /// The number that the figure is to reach, in its unit, and how likely it is that one.
    fn target(&self, metric: Option<&Line>) -> (Option<Number>, f32) {
        let spots = operands(self.message, LOOKED_AT);
        let (mut best, mut all) = (None, 1.0);
        for at in (0..spots.all.len()).filter(|at| can_be_target(&spots.all[*at])) {
            let likely = self.ear.is_target(&spots, at);
            all *= likely.max(1.0 - likely);
            if likely >= best.map_or(0.5, |(_, most)| most) {
                best = Some((at, likely));
            }
        }
        let by_itself = matches!(metric, Some(Line::LowestCash | Line::NetProfit));
        let target = match best {
            Some((at, _)) => metric.and_then(|metric| target_of(metric, &spots.all[at])),
            None => by_itself.then_some(Number::ZERO),
        };
        // A number that the figure cannot reach is a target of another one.
        let is_lost = best.is_some() && target.is_none();
        (target, if is_lost { 0.0 } else { all })
    }
}

/// "Never below zero" needs no number.
pub(crate) fn can_be_target(spot: &Spot) -> bool {
    spot.amount.value > Decimal::ZERO
}

/// A number as a figure's target: cents, a factor, months.
pub(crate) fn target_of(metric: &Line, spot: &Spot) -> Option<Number> {
    let (value, unit) = (spot.amount.value, spot.amount.unit);
    let target = match (metric, unit) {
        (Line::BreakEvenMonth | Line::Payback, Unit::Years) => value * Decimal::from(12),
        (Line::BreakEvenMonth | Line::Payback, Unit::Bare | Unit::Months) => value,
        (Line::Dscr | Line::DscrAfterOwner, Unit::Bare | Unit::Multiple) => value,
        (Line::BreakEvenMonth | Line::Payback | Line::Dscr | Line::DscrAfterOwner, _) => return None,
        (_, Unit::Bare | Unit::Money) => value.checked_mul(Decimal::ONE_HUNDRED)?,
        _ => return None,
    };
    Some(Number::new(target))
}
