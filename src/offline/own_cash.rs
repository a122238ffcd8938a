//! A person's own cash beside what the plan takes of it: "I have 60k saved, is that enough?", "so how much am I short?"

use crate::offline::lead;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::tool_result::{FieldResult, PlanSummary};
use plan_reader::{Intent, Mention, Source, Unit};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::json;

/// Cash beyond what opening takes.
const EXTRA: &str = "financing.additionalEquity";

const LOAN: &str = "financing.loanAmount";

/// A smaller number is no cash to open with.
const LEAST: i64 = 1_000;

/// So sure it must be that a message about a person's own money supposes or asks something.
const SURELY_A_CASE: f32 = 0.75;

/// Whether the cash that the message or the one before speaks of is enough; nothing where it is not about that.
pub(super) fn enough(situation: &Situation<'_>) -> Option<Step> {
    // "If I threw in another 25,000 of my own" is a case.
    let heard = &situation.heard;
    if heard.intent == Intent::WhatIf && heard.is_sure_of_figures() && !heard.slots.all_changes().is_empty() {
        return None;
    }
    let is_of_cash = |message: &str| wording::says(message, "w.own");
    let asks = |key: &str| wording::says(situation.message(), key);
    let states = !situation.understanding.plain.is_empty() || situation.understanding.has_heard();
    // "What if we put in 15,000 of our own?" is asked back, where it is not computed.
    let is_case = matches!(
        heard.intent,
        Intent::WhatIf | Intent::Goal | Intent::Estimate | Intent::IsHigh
    ) && heard.probability >= SURELY_A_CASE;
    let asks_figure = matches!(heard.intent, Intent::Figure | Intent::Why) && heard.is_sure_of_figures();
    let asks_more = situation.message().contains('?') && !asks("w.enough") && asks_figure;
    let own = own_amount(situation)
        .map(|one| one.value)
        .filter(|_| !states && !asks_more && !is_case);
    let said = own.or_else(
        || match amount(situation.message(), &situation.understanding.mentions) {
            Some(said) => {
                let is_asked = asks("w.enough") && is_of_cash(situation.message());
                // "We only have 60,000": an answer where a number was asked for.
                let is_question =
                    situation.message().contains('?') || wording::says_first(situation.message(), "w.asks");
                let is_own = asks("w.own_is") && !is_question;
                let is_all = asks("w.own_all") || is_own || asks("w.has") && asks("w.saved");
                let is_all = is_all && situation.asked.is_none();
                Some(said).filter(|_| is_asked || is_all)
            }
            None => {
                let (message, mentions) = situation.message_before()?;
                amount(message, &mentions).filter(|_| asks("w.gap") && is_of_cash(message))
            }
        },
    )?;
    // "We have 37,000 and the 70,000 loan" is about cash; "we have 32,000 and they lend us 60,000" states a loan.
    let (message, numbers) = (situation.message(), &situation.understanding.mentions);
    let loan = loan(message, numbers);
    let named = &situation.understanding.named;
    let is_known = |path: &FieldPath| path.as_str() == EXTRA || path.as_str() == LOAN && numbers.len() < 3;
    let states_loan = named.iter().any(|path| path.as_str() == LOAN) && loan.is_none() && numbers.len() > 1;
    if own.is_none() && (!named.iter().all(is_known) || states_loan) {
        return None;
    }
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return Some(step);
    }
    let summary = results::summary(situation)?;
    // "We have 37,000 and the 70,000 loan": as the plan has it.
    let loan = loan.and_then(|loan| loan.to_f64());
    if loan.is_some() && loan != results::amount(&summary, LOAN) {
        return None;
    }
    let text = compared(situation, &summary, said)?;
    // "And my 35k, did you note that?"
    let is_again = situation
        .advisor()
        .is_some_and(|answer| wording::begins(answer, "own_cash"));
    let kept = is_again || own.is_some() && situation.message().contains('?') && !asks("w.enough");
    let kept = if kept {
        situation.say("own_cash.kept", &[])
    } else {
        String::new()
    };
    Some(Step::say(
        [text, kept, situation.footer()],
        situation.suggest(&["s.open", "s.cash", "s.levers"]),
    ))
}

/// The one number of a message that is said to be a person's own money, whatever else it has: "rent 2,100, plus I have 35k saved up".
pub(super) fn own_amount<'s>(situation: &'s Situation<'_>) -> Option<&'s Mention> {
    let message = situation.message();
    let mentions = &situation.understanding.mentions;
    let is_only = mentions
        .iter()
        .filter(|mention| mention.source == Source::Message)
        .count()
        == 1;
    let is_own = |mention: &&Mention| {
        let is_amount = matches!(mention.unit, Unit::Money | Unit::Bare) && mention.value >= Decimal::from(LEAST);
        let is_once = mention.period.is_none() && mention.or_period.is_none() && !mention.per_unit;
        mention.source == Source::Message
            && is_amount
            && is_once
            && !is_of_loan(message, mention)
            && lead::is_own_money(message, mention.number.0, is_only)
    };
    let mut own = mentions.iter().filter(is_own);
    own.next().filter(|_| own.next().is_none())
}

/// How a person's own money compares with what the plan takes of it, beside values of the same message.
pub(super) fn beside_values(situation: &Situation<'_>, summary: &PlanSummary) -> Option<String> {
    compared(situation, summary, own_amount(situation)?.value)
}

/// What opening takes, what of it is own cash, and how much an amount is above or below that.
fn compared(situation: &Situation<'_>, summary: &PlanSummary, said: Decimal) -> Option<String> {
    let metrics = summary.metrics.as_ref()?;
    let (total, own) = (
        results::text(metrics, "totalInvestment")?,
        results::text(metrics, "ownerCash")?,
    );
    let text = situation.say(
        "own_cash",
        &[("total", &situation.figure(total)), ("own", &situation.figure(own))],
    );
    Some(format!("{text} {}", beside(situation, "own_cash", said, own)?))
}

/// "120k of my own" may be the cash that the plan already counts beside the loan: whether it is meant on top is theirs to say.
pub(super) fn on_top(situation: &Situation<'_>, proposed: &[&FieldResult], summary: &PlanSummary) -> Option<String> {
    let extra = proposed.iter().find(|one| one.field.as_str() == EXTRA)?;
    let counted = results::text(summary.metrics.as_ref()?, "ownerCash")?;
    let text = situation.say("heard.own_cash", &[("value", &situation.figure(counted))]);
    let beside = beside(situation, "heard.own_cash", results::dollars(&extra.value)?, counted)?;
    Some(format!("{text} {beside}"))
}

/// How much cash is above or below what the plan takes of it.
fn beside(situation: &Situation<'_>, key: &str, said: Decimal, counted: &str) -> Option<String> {
    let gap = said.checked_sub(results::dollars(counted)?)?;
    let form = match gap {
        gap if gap.is_zero() => "same",
        gap if gap.is_sign_negative() => "short",
        _ => "over",
    };
    let (said, gap) = (results::shown(said)?, results::shown(gap.abs())?);
    let (said, gap) = (situation.figure(&said), situation.figure(&gap));
    Some(situation.say(&format!("{key}.{form}"), &[("said", &said), ("gap", &gap)]))
}

/// Whether a number is said of the loan: "the 70,000 loan".
fn is_of_loan(message: &str, mention: &Mention) -> bool {
    let behind = message
        .get(mention.number.1..)
        .unwrap_or_default()
        .trim_start()
        .to_lowercase();
    wording::phrases("w.of_loan").any(|word| behind.starts_with(word))
}

fn loan(message: &str, mentions: &[Mention]) -> Option<Decimal> {
    let mut loans = mentions.iter().filter(|mention| is_of_loan(message, mention));
    loans.next().map(|mention| mention.value)
}

/// The one amount of a message that may be cash: "2,000 customers" and "1,200 a month" are none.
fn amount(message: &str, mentions: &[Mention]) -> Option<Decimal> {
    let is_counted = |mention: &Mention| {
        let rest = message.get(mention.number.1..).unwrap_or_default();
        let ends = |c: char| !c.is_alphanumeric();
        let word = rest.trim_start().split(ends).next().unwrap_or_default().to_lowercase();
        mention.unit == Unit::Bare && !word.is_empty() && !wording::phrases("w.behind_cash").any(|known| known == word)
    };
    let is_cash = |mention: &&Mention| {
        let is_plain = matches!(mention.unit, Unit::Money | Unit::Bare) && mention.upper.is_none();
        let is_once = mention.period.is_none() && mention.or_period.is_none() && !mention.per_unit;
        mention.source == Source::Message
            && is_plain
            && is_once
            && mention.value >= Decimal::from(LEAST)
            && !is_counted(mention)
            && !is_of_loan(message, mention)
    };
    let mut amounts = mentions.iter().filter(is_cash);
    let only = amounts.next().filter(|_| amounts.next().is_none())?;
    Some(only.value)
}
