//! The loan with which a person's own cash is what they say: own cash has no line, it is what opening takes beyond the loan.

use super::LOAN;
use crate::offline::results;
use crate::offline::situation::Situation;
use plan_model::tool_result::PlanSummary;
use rust_decimal::Decimal;

/// What opening takes, and the loan that leaves an amount of it to own cash.
pub(in crate::offline) struct Opening {
    pub total: Decimal,
    pub now: Decimal,
    pub loan: Decimal,
}

/// `None` where own cash is not simply the rest, or already is that amount.
pub(in crate::offline) fn opening(summary: &PlanSummary, said: Decimal) -> Option<Opening> {
    let metrics = summary.metrics.as_ref()?;
    let dollars = |name| results::dollars(results::text(metrics, name)?);
    let (total, own) = (dollars("totalInvestment")?, dollars("ownerCash")?);
    let now = Decimal::try_from(results::amount(summary, LOAN)?).ok()?;
    let loan = total.checked_sub(said)?;
    let is_rest = total.checked_sub(now) == Some(own);
    (is_rest && own != said && !loan.is_sign_negative()).then_some(Opening { total, now, loan })
}

pub(in crate::offline) fn in_words(situation: &Situation<'_>, amount: Decimal) -> Option<String> {
    Some(situation.figure(&results::shown(amount)?))
}

/// "With all of it in, the loan would be $251,500", and the message that says so.
pub(super) fn beside(situation: &Situation<'_>, said: Decimal) -> Option<(String, String)> {
    let opening = opening(&results::summary(situation)?, said)?;
    let key = if opening.loan < opening.now {
        "own_cash.loan.less"
    } else {
        "own_cash.loan.more"
    };
    let (loan, now) = (in_words(situation, opening.loan)?, in_words(situation, opening.now)?);
    let text = situation.say(key, &[("loan", &loan), ("now", &now)]);
    Some((text, situation.say("s.set_loan", &[("loan", &loan)])))
}
