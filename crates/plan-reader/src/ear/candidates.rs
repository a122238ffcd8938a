//! The numbers that are asked about, and those that are left alone.

mod aside;

use super::Hearing;
use super::spots::{NumberFit, Spot, Spots};
use crate::grammar::{Message, Vocabulary};
use crate::texts::{Source, Texts};
use crate::understanding::{Candidate, Choice, IgnoredNumber, ShareInDollars, Statement};
use aside::{aside, is_denied};
use plan_model::extracted::NoteCode;
use plan_model::field::Kind;

/// What a message does with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// Surely states them, also where a question follows.
    SurelyStates,
    /// States them, or may.
    States,
    /// Puts one in the place of the value that was noted.
    Corrects,
    /// Asks, supposes or acts: none of them is a value.
    Asks,
}

/// A number is asked about where its field is at least so likely. From the table that `train-reader --unseen` prints: of the three
/// writers who were set aside 82 % of the plain values are heard and 10 % of the proposals are wrong; at 0.4 it is 75 and 6 %. A
/// wrong question costs a no, a value that is not heard has to be typed again.
pub(crate) const ASKED_FROM: f32 = 0.1;

/// A further field is offered where it is at least so likely.
const OFFERED_FROM: f32 = 0.15;

/// So much likelier an earlier number must be to be asked about instead of a later one.
const LIKELIER: f32 = 0.1;

/// A number whose field is taken is asked about for its next one where that is so likely of what is left.
const NEXT_FROM: f32 = 0.4;

/// Fields of a number that are looked at.
const MOST_CHOICES: usize = 3;

/// More numbers of one message are not asked about.
const MOST: usize = 12;

/// More numbers of one message are not looked at: a table of 200 rows is read in the time of one of 30.
pub(crate) const LOOKED_AT: usize = 5 * MOST;

/// What is asked about and what is left alone.
#[derive(Default)]
pub(crate) struct Found {
    pub candidates: Vec<Candidate>,
    /// Of questions: nobody is asked whether they are so.
    pub supposed: Vec<Candidate>,
    pub ignored: Vec<IgnoredNumber>,
    /// What shares of sales come to in dollars.
    pub shares: Vec<ShareInDollars>,
}

fn share(message: &Message<'_>, fit: &NumberFit, number: (usize, usize)) -> ShareInDollars {
    ShareInDollars {
        field: message.vocabulary.fields()[fit.field].path.clone(),
        cents: fit.value,
        number,
    }
}

/// What to ask about, the likeliest value of each field, in the order of the message.
pub(crate) fn candidates(
    hearing: Hearing<'_>,
    spots: &Spots<'_>,
    message: &Message<'_>,
    plain: &[Statement],
    (source, stance): (Source, Stance),
) -> Found {
    let mut found = Found::default();
    let fields = |at: usize| hearing.ear.fields(spots, at, message.vocabulary);
    let mut read: Vec<Vec<(NumberFit, f32)>> = (0..spots.all.len()).map(fields).collect();
    let first = |choices: &Vec<(NumberFit, f32)>| Some(choices.first()?.0.field);
    let firsts: Vec<Option<usize>> = match read.len() {
        2..=MOST => read.iter().map(first).collect(),
        count => vec![None; count],
    };
    for (at, spot) in spots.all.iter().enumerate() {
        let part = &message.parts[spot.part];
        let range = &part.sentence.tokens;
        let number = spot.bytes(message);
        if plain.iter().any(|one| one.number == number) || is_denied(message, spot) {
            continue;
        }
        let aside = aside(spots, message, spot);
        if let Some(
            aside @ (IgnoredNumber::Past | IgnoredNumber::Foreign | IgnoredNumber::Shared | IgnoredNumber::Change),
        ) = aside
        {
            found.ignored.push(aside);
            continue;
        }
        let mut choices = std::mem::take(&mut read[at]);
        if spots.counts_customers(spot) {
            let fields = message.vocabulary.fields();
            choices.retain(|(choice, _)| fields[choice.field].kind != Kind::Money && !choice.in_dollars);
        }
        beside_first(spots, (at, &firsts), &mut choices);
        let answer = spots
            .answered(spot)
            .and_then(|field| choices.iter().position(|(choice, _)| choice.field == field));
        let is_answer = answer.is_some();
        if let Some(nth) = answer {
            choices[..=nth].rotate_right(1);
        }
        let likely = choices
            .first()
            .filter(|(_, probability)| is_answer || *probability >= hearing.asked_from);
        let in_question = part.sentence.asks && source == Source::Message;
        let is_asked = stance == Stance::Asks
            || in_question && !(stance == Stance::SurelyStates && spots.stands_before_question(spot));
        if likely.is_none() {
            found.ignored.extend(aside);
            continue;
        }
        if choices[0].0.in_dollars {
            if !is_asked {
                found.shares.push(share(message, &choices[0].0, number));
            }
            continue;
        }
        let choices = choices
            .into_iter()
            .filter(|(choice, _)| !choice.in_dollars)
            .take(MOST_CHOICES)
            .map(|(choice, probability)| Choice {
                field: message.vocabulary.fields()[choice.field].path.clone(),
                value: choice.value,
                probability,
            });
        let candidate = Candidate {
            choices: choices.collect(),
            source,
            start: message.tokens[range.start].start,
            end: message.tokens[range.end - 1].end.max(number.1),
            number,
            reason: NoteCode::Unclear,
        };
        let growth = growth_years(spots, message, spot, &candidate);
        let states = plain.iter().any(|one| one.field == candidate.choices[0].field);
        if is_asked {
            found.supposed.push(candidate);
        } else if !states {
            add(&mut found.candidates, candidate);
            growth.into_iter().for_each(|one| add(&mut found.candidates, one));
        }
    }
    found.candidates.sort_by_key(|one| one.number);
    found.candidates.truncate(MOST);
    for one in found.candidates.iter_mut().chain(&mut found.supposed) {
        let mut nth = 0..;
        one.choices
            .retain(|choice| nth.next() == Some(0) || choice.probability >= OFFERED_FROM);
    }
    found
}

/// Of two numbers that are likeliest of one field, one beside its name and the other beside another name, the other is of its own:
/// "insurance is like 450, and marketing 600".
fn beside_first(spots: &Spots<'_>, (at, firsts): (usize, &[Option<usize>]), choices: &mut [(NumberFit, f32)]) {
    const LIKELY: f32 = 0.5;
    // Below it the number is none of the name's either.
    const LEAST: f32 = 0.02;
    let Some((fields, first)) = spots.named_beside(&spots.all[at]).zip(firsts[at]) else {
        return;
    };
    let has = |fields: &[(usize, bool)], field: usize| fields.iter().any(|(one, _)| *one == field);
    let is_rival = |other: usize| {
        let beside = spots.named_beside(&spots.all[other]);
        other != at && firsts[other] == Some(first) && beside.is_some_and(|fields| has(fields, first))
    };
    // "Goods around 8, marketing like 1,000": dollars of a share stand beside no other name.
    let is_in_dollars = choices.first().is_some_and(|(choice, _)| choice.in_dollars);
    if has(fields, first) || !is_in_dollars && !(0..firsts.len()).any(is_rival) {
        return;
    }
    if let Some(nth) = choices
        .iter()
        .position(|(choice, likely)| has(fields, choice.field) && *likely >= LEAST)
    {
        choices[nth].1 = choices[nth].1.max(LIKELY);
        choices[..=nth].rotate_right(1);
    }
}

/// "4 % in years three to five": the other years of a growth rate.
fn growth_years(spots: &Spots<'_>, message: &Message<'_>, spot: &Spot, one: &Candidate) -> Vec<Candidate> {
    let fields = message.vocabulary.fields();
    let first = &one.choices[0];
    let is_growth = fields
        .iter()
        .any(|field| field.path == first.field && field.is_growth());
    let growths = if is_growth { spots.growths(spot) } else { Vec::new() };
    let others = growths.into_iter().map(|growth| &fields[growth].path);
    let of = |path: &plan_model::field::FieldPath| Candidate {
        choices: vec![Choice {
            field: path.clone(),
            ..first.clone()
        }],
        ..one.clone()
    };
    others.filter(|path| **path != first.field).map(of).collect()
}

/// A correction without a name: its last number that is not said to be the old one, as the value of the field that was noted.
pub(crate) fn corrected(spots: &Spots<'_>, message: &Message<'_>, noted: usize) -> Found {
    let is_old = |spot: &Spot| {
        let before = spot
            .amount
            .from
            .checked_sub(1)
            .map_or("", |at| message.tokens[at].word());
        spot.is_word || matches!(before, "not" | "no" | "from" | "than")
    };
    let mut numbers = spots.all.iter().enumerate().rev().filter(|(_, spot)| !is_old(spot));
    let last = numbers.find_map(|(at, spot)| {
        let mut choices = spots.choices(at).into_iter();
        Some((spot, choices.find(|choice| choice.field == noted)?))
    });
    let mut found = Found::default();
    let Some((spot, choice)) = last else { return found };
    let number = spot.bytes(message);
    if choice.in_dollars {
        found.shares.push(share(message, &choice, number));
        return found;
    }
    let range = &message.parts[spot.part].sentence.tokens;
    found.candidates.push(Candidate {
        choices: vec![Choice {
            field: message.vocabulary.fields()[noted].path.clone(),
            value: choice.value,
            probability: 1.0,
        }],
        source: Source::Message,
        start: message.tokens[range.start].start,
        end: message.tokens[range.end - 1].end.max(number.1),
        number,
        reason: NoteCode::Unclear,
    });
    found
}

/// A message, with the field of the value that the advisor noted before it.
pub(crate) fn read<'v>(hearing: Hearing<'_>, texts: &Texts<'_>, vocabulary: &'v Vocabulary) -> Message<'v> {
    let mut message = Message::read(texts, vocabulary);
    if message.before.noted.is_none()
        && let Some(advisor) = texts.advisor.filter(|_| {
            message
                .advisor_numbers
                .as_ref()
                .is_some_and(|numbers| !numbers.is_empty())
        })
    {
        message.before.noted = noted(hearing, &Message::read(&Texts::of(advisor), vocabulary));
    }
    message
}

/// The one field of the numbers in the advisor's text, as they are heard.
fn noted(hearing: Hearing<'_>, message: &Message<'_>) -> Option<usize> {
    let spots = Spots::of(message, MOST);
    let mut found = None;
    for at in (0..spots.all.len()).filter(|at| !spots.all[*at].is_word) {
        let likely = hearing.ear.fields(&spots, at, message.vocabulary).into_iter().next();
        let field = likely
            .filter(|(_, probability)| *probability >= hearing.asked_from)?
            .0
            .field;
        if found.replace(field).is_some_and(|known| known != field) {
            return None;
        }
    }
    found
}

/// Of two numbers for one field the surely likelier is asked about, else the later. The other one belongs to its next field, where
/// that is likely without the first.
fn add(all: &mut Vec<Candidate>, one: Candidate) {
    let field = &one.choices[0].field;
    let Some(at) = all.iter().position(|other| other.choices[0].field == *field) else {
        all.push(one);
        return;
    };
    let is_less = all[at].choices[0].probability > one.choices[0].probability + LIKELIER;
    let mut other = if is_less {
        one
    } else {
        std::mem::replace(&mut all[at], one)
    };
    let left = 1.0 - other.choices.remove(0).probability;
    let next = other
        .choices
        .first()
        .filter(|next| next.probability >= NEXT_FROM * left);
    if next.is_some_and(|next| next.probability > 0.0) {
        add(all, other);
    }
}
