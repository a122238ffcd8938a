//! Messages that want own cash to be an amount, or ask for the loan that leaves it: "put in our 120,000", "how big a loan do I need if I
//! put in the whole 110?"

use crate::offline::intents::own_cash::{self, LEAST, LOAN, in_words, opening};
use crate::offline::intents::record::propose;
use crate::offline::message::ask;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::{Answer, Step};
use crate::wording;
use plan_reader::{Act, Change, FieldChange, Intent, Mention, Unit};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::json;

/// What answers such a message.
pub(in crate::offline) fn wanted(situation: &Situation<'_>) -> Option<Step> {
    if own_cash::is_computed(situation) && !is_loan_of_own(situation) {
        return None;
    }
    ordered(situation).or_else(|| needed(situation))
}

/// "If we only put in 80,000, how large would the loan be?" heard as a loan of 80,000.
fn is_loan_of_own(situation: &Situation<'_>) -> bool {
    let changes = situation.slots().all_changes();
    let is_of_loan = |one: &FieldChange| one.field.as_str() == LOAN && matches!(one.change, Change::To(_));
    changes.iter().all(is_of_loan) && wording::says(situation.message(), "w.loan_size")
}

/// "Put our own cash at 120,000", and "put that in" behind what opening takes of it: the loan that makes it so is asked about.
fn ordered(situation: &Situation<'_>) -> Option<Step> {
    let message = situation.message();
    let orders = sets(message) || wording::says(message, "w.sets_it");
    let asks = message.contains('?') || situation.heard.intent == Intent::WhatIf || is_of_all(message);
    let said = said(situation).filter(|_| orders && !asks)?;
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return Some(step);
    }
    let opening = opening(&results::summary(situation)?, said)?;
    let (loan, cash) = (in_words(situation, opening.loan)?, in_words(situation, said)?);
    let so = situation.say("own_cash.loan.so", &[("loan", &loan), ("cash", &cash)]);
    Some(match propose(situation, &[(LOAN, opening.loan.to_f64()?)]) {
        Step::Say(answer) => Step::Say(Answer { text: so, ..answer }),
        calls @ Step::Call(_) => calls,
    })
}

/// "How big a loan do I need if I put in the whole 110?"
fn needed(situation: &Situation<'_>) -> Option<Step> {
    let message = situation.message();
    let heard = &situation.heard;
    // A goal that is understood is sought as any other.
    let is_whole = ["w.in_total", "w.smallest"]
        .iter()
        .any(|key| wording::says(message, key));
    let is_goal = heard.intent == Intent::Goal && heard.slots.target.is_some() && heard.is_answered() && !is_whole;
    let asks = wording::says(message, "w.loan_size") && !wording::says(message, "w.enough") && !is_goal;
    let own = || own_cash::told(situation).filter(|_| wording::says(message, "w.own_is"));
    let said = of_message(situation).or_else(own).filter(|_| asks)?;
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return Some(step);
    }
    let opening = opening(&results::summary(situation)?, said)?;
    let [total, now, loan, cash] = [opening.total, opening.now, opening.loan, said].map(|one| in_words(situation, one));
    let (total, now, loan, cash) = (total?, now?, loan?, cash?);
    let label = situation.label("ownerCash", "your cash investment");
    let name = situation.named(LOAN);
    let slots = [
        ("Label", &*wording::sentence(&label)),
        ("target", &cash),
        ("name", &name),
        ("value", &loan),
        ("now", &now),
    ];
    let reached = situation.say("goal.reached", &slots);
    let whole = match is_whole {
        true => situation.say("own_cash.total", &[("total", &total)]),
        false => String::new(),
    };
    let set = situation.say("s.set_loan", &[("loan", &loan)]);
    let suggestions = [vec![set], situation.suggest(&["s.open", "s.cash"])].concat();
    Some(Step::say([whole, reached, situation.footer()], suggestions))
}

/// The own money that is meant: of the message, or told before where the answer was about it.
fn said(situation: &Situation<'_>) -> Option<Decimal> {
    let message = situation.message();
    let names = wording::says(message, "w.own_is") || wording::says(message, "w.saved");
    let own = of_message(situation).filter(|_| names);
    let is_short = message.split_whitespace().count() <= 7;
    let is_behind = situation.advisor().is_some_and(ask::compares_own_cash) && situation.understanding.named.is_empty();
    let is_told = is_short && (names || is_behind);
    own.or_else(|| {
        let told = own_cash::told(situation).filter(|_| is_told)?;
        // "Put the 100k in": the same.
        let is_same = |one: &Mention| one.value == told || one.value.checked_mul(Decimal::ONE_THOUSAND) == Some(told);
        situation.understanding.mentions.iter().all(is_same).then_some(told)
    })
}

/// "Yes to all, write it down" is about what waits.
fn is_of_all(message: &str) -> bool {
    wording::says(message, "w.to_all") || plan_reader::said_act(message).is_some_and(|said| said.act != Act::Yes)
}

/// Whether one of its clauses begins as an order.
fn sets(message: &str) -> bool {
    const BEFORE: [&str; 9] = ["ok", "okay", "kk", "no", "please", "so", "and", "y", "entonces"];
    let clauses = message.split(['.', ',', ';', ':', '!', '\n']);
    clauses.into_iter().any(|clause| {
        let mut rest = clause.trim_start();
        while let Some((word, behind)) = rest.split_once(' ')
            && BEFORE.contains(&word.to_lowercase().as_str())
        {
            rest = behind;
        }
        wording::says_first(rest, "w.sets")
    })
}

/// The own money that a message tells of.
fn of_message(situation: &Situation<'_>) -> Option<Decimal> {
    let (message, numbers) = (situation.message(), &situation.understanding.mentions);
    let says = |key: &str| wording::says(message, key);
    let is_own = ["w.own", "w.own_is", "w.own_all", "w.saved", "w.puts", "w.puts_in"]
        .iter()
        .any(|key| says(key));
    own_cash::of_message(situation)
        .or_else(|| only(message, numbers).filter(|_| is_own))
        .or_else(|| own_cash::in_thousands(numbers).filter(|_| is_own))
}

/// The one amount of money of a message.
fn only(message: &str, numbers: &[Mention]) -> Option<Decimal> {
    let is_once = |one: &Mention| {
        !own_cash::is_of_loan(message, one) && one.period.is_none() && one.or_period.is_none() && !one.per_unit
    };
    let [only] = numbers else {
        return None;
    };
    let is_amount = matches!(only.unit, Unit::Money | Unit::Bare) && only.value >= Decimal::from(LEAST);
    (is_amount && is_once(only)).then_some(only.value)
}
