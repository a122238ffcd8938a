//! A person's own cash beside what the plan takes of it: "I have 60k saved, is that enough?", "so how much am I short?" It has no line of
//! its own, so what was told of it is looked for in the messages.

use crate::offline::message::lead::{self, SURE};
use crate::offline::message::shown;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::inputs::EXTRA_CASH;
use plan_model::number::Number;
use plan_model::tool_result::{FieldResult, PlanSummary};
use plan_reader::{Change, FieldChange, Heard, Intent, Line, Mention, Source, Unit};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Value, json};

mod loan;

pub(in crate::offline) use loan::{in_words, opening};

pub(in crate::offline) const LOAN: &str = "financing.loanAmount";

/// A smaller number is no cash to open with.
pub(in crate::offline) const LEAST: i64 = 1_000;

/// So sure it must be that a message about a person's own money supposes or asks something.
const SURELY_A_CASE: f32 = 0.75;

/// What a message states of a person's own money, and nothing else: "we have 60k saved".
pub(in crate::offline) fn stated(situation: &Situation<'_>) -> Option<Step> {
    // A question for what opening takes is answered by its figure.
    let heard = &situation.heard;
    let is_asked = asks(situation) && heard.is_answered();
    if is_computed(situation) || is_asked {
        return None;
    }
    let says = |key: &str| wording::says(situation.message(), key);
    let states = !situation.understanding.plain.is_empty() || situation.understanding.has_heard();
    // "What if we put in 15,000 of our own?" is asked back, where it is not computed.
    let is_case = matches!(
        heard.intent,
        Intent::WhatIf | Intent::Goal | Intent::Estimate | Intent::IsHigh
    ) && heard.probability >= SURELY_A_CASE;
    let asks_more = matches!(heard.intent, Intent::Figure | Intent::Why) && heard.certainty() >= Heard::LIKELY;
    let together = in_parts(situation.message(), &situation.understanding.mentions);
    let own = together
        .or_else(|| own_amount(situation).map(|one| one.value))
        .filter(|_| !states && !asks_more && !is_case);
    let said = own.or_else(|| {
        let said = amount(situation.message(), &situation.understanding.mentions)?;
        // "We only have 60,000": an answer where a number was asked for.
        let is_question = situation.message().contains('?') || wording::says_first(situation.message(), "w.asks");
        let is_own = says("w.own_is") && !is_question;
        let is_all = says("w.own_all") || is_own || says("w.has") && says("w.saved");
        Some(said).filter(|_| is_all && situation.asked.is_none())
    })?;
    // "We have 37,000 and the 70,000 loan" is about cash; "we have 32,000 and they lend us 60,000" states a loan.
    let (message, numbers) = (situation.message(), &situation.understanding.mentions);
    let loan = loan_said(message, numbers);
    let named = &situation.understanding.named;
    let is_known = |path: &FieldPath| path.as_str() == EXTRA_CASH || path.as_str() == LOAN && numbers.len() < 3;
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
    let metrics = summary.metrics.as_ref()?;
    let (total, counted) = (
        results::text(metrics, "totalInvestment")?,
        results::text(metrics, "ownerCash")?,
    );
    let text = compared(situation, "own_cash", said, (total, counted))?;
    let (as_loan, set_loan) = loan::beside(situation, said).unzip();
    // "And my 35k, did you note that?"
    let is_again = situation
        .advisor()
        .is_some_and(|answer| wording::begins(answer, "own_cash"));
    let kept = is_again || own.is_some() && situation.message().contains('?');
    let kept = if kept {
        situation.say("own_cash.kept", &[])
    } else {
        String::new()
    };
    let suggested = situation.suggest(&["s.open", "s.cash", "s.levers"]);
    Some(Step::say(
        [text, kept, as_loan.unwrap_or_default(), situation.footer()],
        set_loan.into_iter().chain(suggested).collect(),
    ))
}

/// "If I threw in another 25,000 of my own": a case.
pub(in crate::offline) fn is_computed(situation: &Situation<'_>) -> bool {
    let heard = &situation.heard;
    heard.intent == Intent::WhatIf && heard.is_sure_of_figures() && !heard.slots.all_changes().is_empty()
}

/// Whether a message asks what opening takes.
fn asks(situation: &Situation<'_>) -> bool {
    let heard = &situation.heard;
    let is_of_opening = matches!(heard.slots.line, Some(Line::OwnCash | Line::MoneyToOpen));
    heard.intent == Intent::Figure && is_of_opening && heard.probability >= SURE
}

/// How the own money that the person has told compares with what opening takes of it, behind that figure: "so how much am I short?"
pub(in crate::offline) fn beside_figure(situation: &Situation<'_>, counted: &str) -> Option<String> {
    let message = situation.message();
    let numbers = not_shown(situation.advisor(), &situation.understanding.mentions);
    let all = parts(message, &situation.understanding.mentions);
    let said = sum_said(&all)
        .or_else(|| put_in_too(situation))
        .or_else(|| summed(message, &numbers))
        .or_else(|| amount(message, &numbers))
        .or_else(|| in_thousands(&numbers).filter(|_| numbers.len() == situation.understanding.mentions.len()))
        .or_else(|| had(message, &situation.understanding.mentions).filter(|_| situation.asked.is_none()))
        .or_else(|| told(situation))?;
    let compared = beside(situation, "own_cash", said, counted)?;
    let is_of_plan = results::summary(situation).is_some_and(|summary| {
        let metrics = summary.metrics.as_ref();
        metrics.and_then(|metrics| results::text(metrics, "ownerCash")) == Some(counted)
    });
    let loan = loan::beside(situation, said).filter(|_| is_of_plan);
    Some(match loan {
        Some((loan, _)) => format!("{compared} {loan}"),
        None => compared,
    })
}

/// What a message tells of own money in so many words.
pub(in crate::offline) fn of_message(situation: &Situation<'_>) -> Option<Decimal> {
    let (message, numbers) = (situation.message(), &situation.understanding.mentions);
    let parts = parts(message, numbers);
    sum_said(&parts)
        .or_else(|| put_in_too(situation))
        .or_else(|| summed(message, numbers))
}

fn summed(message: &str, numbers: &[Mention]) -> Option<Decimal> {
    in_parts(message, numbers)
        .or_else(|| added(message, numbers))
        .or_else(|| own_of(message, numbers).map(|one| one.value))
}

/// "My sister puts in another 20,000", "and my partner might put in 40k": on top of what was told before.
fn put_in_too(situation: &Situation<'_>) -> Option<Decimal> {
    let (message, numbers) = (situation.message(), &situation.understanding.mentions);
    let is_on_top = wording::says(message, "w.more") || wording::behind_and(message).is_some();
    let is_put = is_on_top && (wording::says(message, "w.puts") || wording::says(message, "w.puts_too"));
    let one = amount(message, numbers).or_else(|| in_thousands(numbers));
    told(situation).filter(|_| is_put)?.checked_add(one?)
}

/// "Yes, together we have 115,000": a number of the answer before, told once more.
fn had(message: &str, numbers: &[Mention]) -> Option<Decimal> {
    let has = wording::says(message, "w.has") || wording::says(message, "w.own_all");
    amount(message, numbers).filter(|_| has)
}

/// The numbers that are not those of the answer before: "3,500 short, and where do the 91,500 come from?" tells of no own money.
fn not_shown(answer: Option<&str>, numbers: &[Mention]) -> Vec<Mention> {
    let is_shown = |one: &&Mention| answer.is_some_and(|answer| shown::is_number_of(answer, one.value));
    numbers.iter().filter(|one| !is_shown(one)).cloned().collect()
}

/// "Traigo 50 mil y mi compadre pone otros 30", where it is asked whether that is enough.
fn added(message: &str, numbers: &[Mention]) -> Option<Decimal> {
    let parts = parts(message, numbers);
    let [(first, one), (second, other)] = parts[..] else {
        return sum_said(&parts);
    };
    let between = message.get(first.number.1..second.number.0)?;
    // "I'm 48 and have 65k" adds nothing, nor does "60k and the loan of 200k".
    let is_large = |one: &Mention| one.value >= Decimal::from(LEAST);
    let joins = [" and ", " y ", "+", " plus "]
        .iter()
        .any(|join| between.contains(join));
    let is_added = is_large(first) && (wording::says(between, "w.plus") || is_large(second) && joins);
    one.checked_add(other)
        .filter(|_| is_added && !wording::says(message, "w.loan"))
}

/// What earlier messages tell of own money, the newest.
pub(in crate::offline) fn told(situation: &Situation<'_>) -> Option<Decimal> {
    let mut said = situation.said_before();
    said.find_map(|(texts, said)| {
        let asks = || {
            let heard = situation.wanted(&texts);
            heard.slots.line == Some(Line::OwnCash) && heard.intent == Intent::Figure
        };
        let mentions = not_shown(texts.advisor, &said.mentions);
        let own = in_parts(texts.message, &mentions).or_else(|| own_of(texts.message, &mentions).map(|one| one.value));
        // A number of a line is no cash.
        let is_of_line = |one: &Mention| said.candidates.iter().any(|other| other.number == one.number);
        let others: Vec<Mention> = mentions.iter().filter(|one| !is_of_line(one)).cloned().collect();
        let counted = || {
            let own = added(texts.message, &others)
                .or_else(|| amount(texts.message, &others))
                .or_else(|| in_thousands(&others));
            own.filter(|_| said.plain.is_empty() && asks())
        };
        own.or_else(counted)
    })
}

/// "With my 85, how much am I short?": the one number, of thousands.
pub(in crate::offline) fn in_thousands(numbers: &[Mention]) -> Option<Decimal> {
    let [only] = numbers else {
        return None;
    };
    let is_small = only.unit == Unit::Bare && only.value >= Decimal::from(5) && only.value < Decimal::ONE_THOUSAND;
    only.value
        .checked_mul(Decimal::ONE_THOUSAND)
        .filter(|_| is_small && !only.month_number)
}

/// "I got 38k saved plus my aunt puts in 25", "85 thousand and 40 from the truck, so 125": what own money comes to where it is told in
/// parts; bare numbers below a thousand are of thousands.
fn in_parts(message: &str, numbers: &[Mention]) -> Option<Decimal> {
    let parts = parts(message, numbers);
    let says = |key: &str| wording::says(message, key);
    if !says("w.own") && !says("w.own_is") && !says("w.saved") {
        return None;
    }
    let [(first, one), (second, other)] = parts[..] else {
        return sum_said(&parts);
    };
    let between = message.get(first.number.1..second.number.0).unwrap_or_default();
    let behind = message.get(first.number.1..).unwrap_or_default();
    // "80k saved, but 20k of that is for my kids' college"
    let own = message.get(second.number.1..).unwrap_or_default();
    let is_of_it = wording::says(between, "w.turns") || wording::says_first(own, "w.of_it");
    if is_of_it && wording::says(own, "w.is_for") && other < one {
        return one.checked_sub(other);
    }
    let is_added = wording::says(between, "w.plus") && wording::says(behind, "w.gives");
    let all = one.checked_add(other);
    all.filter(|_| (is_added || says("w.puts")) && !says("w.lends"))
}

/// Amounts of money that a message tells of once, each in dollars: bare numbers below a thousand are of thousands.
fn parts<'m>(message: &str, numbers: &'m [Mention]) -> Vec<(&'m Mention, Decimal)> {
    let in_dollars = |one: &Mention| match one.value < Decimal::from(LEAST) {
        true => one.value.checked_mul(Decimal::ONE_THOUSAND),
        false => Some(one.value),
    };
    let is_amount = |one: &&Mention| {
        let is_plain = matches!(one.unit, Unit::Money | Unit::Bare) && one.value >= Decimal::from(5);
        let is_once = one.period.is_none() && one.or_period.is_none() && !one.per_unit && !one.month_number;
        one.source == Source::Message && is_plain && is_once && !is_of_loan(message, one)
    };
    let amounts = numbers.iter().filter(is_amount);
    amounts.filter_map(|one| Some((one, in_dollars(one)?))).collect()
}

/// The sum of three or four amounts, where it is one of them: "80 between us, 50 and 30".
fn sum_said(parts: &[(&Mention, Decimal)]) -> Option<Decimal> {
    let mut amounts: Vec<Decimal> = parts.iter().map(|(_, amount)| *amount).collect();
    amounts.sort_unstable();
    amounts.dedup();
    let most = amounts.last().copied().filter(|_| matches!(amounts.len(), 3 | 4))?;
    let all = amounts
        .iter()
        .try_fold(Decimal::ZERO, |all, one| all.checked_add(*one))?;
    (all.checked_sub(most)? == most).then_some(most)
}

/// The one number of a message that is said to be a person's own money, whatever else it has: "rent 2,100, plus I have 35k saved up".
pub(in crate::offline) fn own_amount<'s>(situation: &'s Situation<'_>) -> Option<&'s Mention> {
    own_of(situation.message(), &situation.understanding.mentions)
}

fn own_of<'m>(message: &str, mentions: &'m [Mention]) -> Option<&'m Mention> {
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

/// The call that tells what opening takes with the values of the message; nothing where it says nothing of own money.
pub(in crate::offline) fn call(situation: &Situation<'_>) -> Option<(&'static str, Value)> {
    own_amount(situation)?;
    let stated: Vec<FieldChange> = stated_here(situation)
        .map(|(field, value)| FieldChange {
            field: field.clone(),
            change: Change::To(value),
        })
        .collect();
    let changes = situation.as_arguments(&stated);
    let arguments = match changes.is_empty() {
        true => json!({ "line": "moneyToOpen" }),
        false => json!({ "line": "moneyToOpen", "changes": changes }),
    };
    Some(("get_projection", arguments))
}

/// The values of the message that change what opening takes.
fn stated_here<'s>(situation: &'s Situation<'_>) -> impl Iterator<Item = (&'s FieldPath, Number)> {
    let understood = &situation.understanding;
    let plain = understood.plain.iter().map(|one| (&one.field, one.value));
    let heard = understood.candidates.iter().filter_map(|one| one.choices.first());
    let all = plain.chain(heard.map(|choice| (&choice.field, choice.value)));
    all.filter(|(field, _)| matches!(field.section(), "startupCosts" | "financing"))
}

/// How a person's own money compares with what the plan takes of it, beside values of the same message: with those.
pub(in crate::offline) fn beside_values(situation: &Situation<'_>) -> Option<String> {
    let figure = results::figure(situation)?;
    let key = match stated_here(situation).next() {
        Some(_) => "own_cash.with_that",
        None => "own_cash",
    };
    let sides = (&*figure.value?, &*figure.own_cash?);
    compared(situation, key, own_amount(situation)?.value, sides)
}

/// What opening takes, what of it is own cash, and how much an amount is above or below that.
fn compared(situation: &Situation<'_>, key: &str, said: Decimal, (total, own): (&str, &str)) -> Option<String> {
    let slots = [("total", &*situation.figure(total)), ("own", &*situation.figure(own))];
    let text = situation.say(key, &slots);
    Some(format!("{text} {}", beside(situation, "own_cash", said, own)?))
}

/// "120k of my own" may be the cash that the plan already counts beside the loan: whether it is meant on top is theirs to say.
pub(in crate::offline) fn on_top(
    situation: &Situation<'_>,
    proposed: &[&FieldResult],
    summary: &PlanSummary,
) -> Option<String> {
    let extra = proposed.iter().find(|one| one.field.as_str() == EXTRA_CASH)?;
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
pub(in crate::offline) fn is_of_loan(message: &str, mention: &Mention) -> bool {
    let behind = message
        .get(mention.number.1..)
        .unwrap_or_default()
        .trim_start()
        .to_lowercase();
    wording::phrases("w.of_loan").any(|word| behind.starts_with(word))
}

fn loan_said(message: &str, mentions: &[Mention]) -> Option<Decimal> {
    let mut loans = mentions.iter().filter(|mention| is_of_loan(message, mention));
    loans.next().map(|mention| mention.value)
}

/// The one amount of a message that may be cash: "2,000 customers" and "1,200 a month" are none.
fn amount(message: &str, mentions: &[Mention]) -> Option<Decimal> {
    let is_counted = |mention: &Mention| {
        let rest = message.get(mention.number.1..).unwrap_or_default();
        let ends = |c: char| !c.is_alphanumeric();
        let word = rest.trim_start().split(ends).next().unwrap_or_default().to_lowercase();
        // "60k" is money.
        let said = message.get(mention.number.0..mention.number.1).unwrap_or_default();
        let is_plain = said.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'));
        is_plain
            && mention.unit == Unit::Bare
            && !word.is_empty()
            && !wording::phrases("w.behind_cash").any(|known| known == word)
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
