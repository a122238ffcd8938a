//! What is to be reached, and what may move for it.

use super::{Intent, Line, Reader, Slots};
use crate::ear::Ear;
use crate::ear::candidates::LOOKED_AT;
use crate::ear::spots::{Spot, Spots};
use crate::grammar::Message;
use crate::intent::change::operands::operands;
use crate::lex::{Kind, Token, Unit};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// How sure it is that a multiple without its name is a coverage.
const UNNAMED: f32 = 0.92;

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
        let is_coverage = matches!(out.metric, Some(Line::Dscr | Line::DscrAfterOwner));
        let is_open = |multiple: &Decimal| {
            let can_be = |metric: &Line| can_reach(metric, Number::new(*multiple));
            !is_coverage && !out.metric.as_ref().is_some_and(can_be)
        };
        if let Some(multiple) = self.multiple().filter(is_open) {
            (out.metric, out.target) = (Some(Line::Dscr), Some(Number::new(multiple)));
            // What may move for it is not clear: sales are what moves it most.
            out.field = out.field.take().filter(|_| likely >= 0.5);
            return if out.field.is_none() { UNNAMED } else { likely * UNNAMED };
        }
        let (target, of_target) = self.target(out.metric.as_ref());
        out.target = target;
        let target = out.target.zip(out.metric.as_ref());
        if self.is_unread() || target.is_some_and(|(target, metric)| !can_reach(metric, target)) {
            *out = Slots::default();
        }
        likely * of_target
    }

    /// "1,25" of a coverage: the only number that is written otherwise, with a decimal comma.
    fn with_comma(&self) -> Option<Decimal> {
        let mut odd = self
            .message
            .tokens
            .iter()
            .filter(|token| matches!(token.kind, Kind::Odd));
        let (token, None) = (odd.next()?, odd.next()) else {
            return None;
        };
        let written = self.texts.message.get(token.start..token.end)?;
        let (whole, decimals) = written.split_once(',')?;
        let is_decimal = whole.len() == 1 && (1..=2).contains(&decimals.len());
        format!("{whole}.{decimals}").parse().ok().filter(|_| is_decimal)
    }

    /// "What must I sell for 1.25 in year 2?": nothing else of a plan is so small a number with decimals.
    fn multiple(&self) -> Option<Decimal> {
        let spots = operands(self.message, LOOKED_AT);
        let bare = spots.all.iter().map(|spot| &spot.amount);
        let bare = bare.filter(|one| matches!(one.unit, Unit::Bare | Unit::Multiple));
        let with_decimals = bare.map(|one| one.value).filter(|value| value.scale() > 0);
        let is_near = |value: &Decimal| *value >= Decimal::ONE && *value < Decimal::TWO;
        let mut all = self.with_comma().into_iter().chain(with_decimals);
        let (multiple, None) = (all.next()?, all.next()) else {
            return None;
        };
        Some(multiple).filter(is_near)
    }

    /// Whether a number is written as no target is: only one may have a decimal comma.
    fn is_unread(&self) -> bool {
        let is_odd = |token: &Token| matches!(token.kind, Kind::Odd);
        self.with_comma().is_none() && self.message.tokens.iter().any(is_odd)
    }

    /// The number that the figure is to reach, in its unit, and how likely it is that one.
    fn target(&self, metric: Option<&Line>) -> (Option<Number>, f32) {
        let is_coverage = matches!(metric, Some(Line::Dscr | Line::DscrAfterOwner));
        if let Some(comma) = self.with_comma() {
            let likely = if is_coverage { 1.0 } else { 0.0 };
            return (Some(Number::new(comma)).filter(|_| is_coverage), likely);
        }
        let spots = operands(self.message, LOOKED_AT);
        let (best, all) = likeliest_target(self.ear, &spots);
        let target = best.and_then(|at| target_of(metric?, &spots.all[at]));
        // A number that the figure cannot reach is a target of another one.
        let is_lost = best.is_some() && target.is_none();
        (target, if is_lost { 0.0 } else { all })
    }
}

/// The number that is most likely a goal's target, and how likely all are what they are taken for.
fn likeliest_target(ear: &Ear, spots: &Spots<'_>) -> (Option<usize>, f32) {
    let (mut best, mut all) = (None, 1.0);
    for at in (0..spots.all.len()).filter(|at| can_be_target(&spots.all[*at])) {
        let likely = ear.is_target(spots, at);
        all *= likely.max(1.0 - likely);
        if likely >= best.map_or(0.5, |(_, most)| most) {
            best = Some((at, likely));
        }
    }
    (best.map(|(at, _)| at), all)
}

/// Leaves the figures that can reach what is said, whatever was talked about before: 1.25 is no balance.
pub(super) fn leave_reachable(ear: &Ear, message: &Message<'_>, choices: &mut Vec<(u8, Vec<u32>)>) {
    let spots = operands(message, LOOKED_AT);
    let Some(at) = likeliest_target(ear, &spots).0 else {
        return;
    };
    let can = |line: &Line| target_of(line, &spots.all[at]).is_some_and(|target| can_reach(line, target));
    choices.retain(|(class, _)| Line::NAMED.get(usize::from(*class)).is_none_or(|(_, line)| can(line)));
}

/// No plan breaks even in month 35,000, and no coverage is a dollar amount.
fn can_reach(metric: &Line, target: Number) -> bool {
    let target = target.decimal();
    match metric {
        Line::BreakEvenMonth | Line::Payback | Line::FirstNegativeMonth => target <= Decimal::from(60),
        Line::Dscr | Line::DscrAfterOwner => target <= Decimal::from(4),
        Line::LoanPayment => target >= Decimal::from(10_000),
        Line::MoneyToOpen | Line::OwnCash | Line::Sales => target >= Decimal::from(100_000),
        Line::Cash | Line::LowestCash | Line::OwnerLeft | Line::NetProfit | Line::Ebitda | Line::Valuation => {
            target.is_zero() || target >= Decimal::from(10_000)
        }
        _ => true,
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
        (Line::BreakEvenMonth | Line::Payback, Unit::Years) => value.checked_mul(Decimal::from(12))?,
        (Line::BreakEvenMonth | Line::Payback, Unit::Bare | Unit::Months) => value,
        (Line::Dscr | Line::DscrAfterOwner, Unit::Bare | Unit::Multiple) => value,
        (Line::BreakEvenMonth | Line::Payback | Line::Dscr | Line::DscrAfterOwner, _) => return None,
        (_, Unit::Bare | Unit::Money) => value.checked_mul(Decimal::ONE_HUNDRED)?,
        _ => return None,
    };
    Some(Number::new(target))
}
