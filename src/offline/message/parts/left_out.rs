//! What of a message no part of its answer takes up: it is named, so that nothing is lost without a word.

use super::kept::is_remark_on_cases;
use super::repeats;
use crate::offline::message::lead;
use crate::offline::message::pieces::Piece;
use crate::offline::message::reading::{Reading, SURELY_STATED, counts_customers_of_plan, given};
use crate::wording;
use plan_model::field::FieldPath;
use plan_reader::{FieldChange, Heard, Intent, Line, ScenarioAct};

/// Whether a piece says something that no part of the answer takes up: it is said that it is left out.
pub(super) fn is_left_out(piece: &Piece<'_>, one: &Reading<'_>, parts: &[Reading<'_>]) -> bool {
    let heard = &one.heard;
    let is_sure = heard.probability >= SURELY_STATED;
    let is_own = |part: &Reading<'_>| std::ptr::eq(part.texts.message, one.texts.message);
    let sets = |part: &Reading<'_>, field: &FieldPath| {
        let changes = part.heard.slots.all_changes();
        let is_case = changes.iter().any(|change| change.field == *field);
        is_case
            || part.heard.slots.field.as_ref() == Some(field)
            || given(&part.understanding).any(|other| other == field)
    };
    let acts_so = |part: &Reading<'_>| part.heard.intent == heard.intent && part.heard.slots.act == heard.slots.act;
    // What one of the staff is paid is told of all of them.
    let is_wage =
        wording::says(piece.text, "w.pays_staff") && parts.iter().any(|part| part.heard.intent == Intent::Define);
    let is_computed = |change: &FieldChange| parts.iter().any(|part| sets(part, &change.field));
    let is_left = match heard.intent {
        _ if is_wage => false,
        // "Maybe 32" behind a number is another of the same.
        _ if wording::says_first(piece.text, "w.or_else") && is_short(piece.text) => false,
        _ if one.changes_something() && heard.slots.all_changes().iter().all(is_computed) => false,
        Intent::State | Intent::Correct => {
            let is_taken = |field| parts.iter().any(|part| sets(part, field));
            is_sure && !given(&one.understanding).all(is_taken)
        }
        Intent::Scenario if is_remark_on_cases(one) && heard.slots.act != Some(ScenarioAct::Compare) => false,
        // "I want to open a franchise" leads nowhere.
        Intent::Place if !piece.asks() => false,
        Intent::Scenario | Intent::Undo | Intent::Place => is_sure && !parts.iter().any(acts_so),
        _ => asks_for_more(piece, one, parts),
    };
    is_left && !parts.iter().any(is_own)
}

fn is_short(text: &str) -> bool {
    const WORDS: usize = 3;
    text.split_whitespace().count() <= WORDS
}

/// Whether a piece asks for something else than the parts.
fn asks_for_more(piece: &Piece<'_>, one: &Reading<'_>, parts: &[Reading<'_>]) -> bool {
    // "And which month?" is said with the figure.
    let is_short = is_short(piece.text);
    // What opening is made of is said with what it takes.
    let is_of_parts = wording::says(piece.text, "w.all_parts");
    let is_meant = piece.is_added || lead::goes_on(&one.heard);
    let about = |heard: &Heard| {
        let slots = &heard.slots;
        let line = slots.line.clone().or(slots.metric.clone());
        line.or(slots.field.clone().map(Line::Field))
    };
    // What a part is taken for is answered.
    let is_answered = |part: &Reading<'_>| about(&one.heard).is_some() && about(&one.heard) == about(&part.heard);
    let asks = (piece.asks() || wording::says(piece.text, "w.requests"))
        && is_meant
        && !one.has_values()
        && !is_of_parts
        && !is_short;
    // "How many dogs a day is my plan counting on, and at what price?"
    let counts_customers = |part: &Reading<'_>| counts_customers_of_plan(part.texts.message);
    asks && !parts.iter().any(|part| is_answered(part) || counts_customers(part))
        && !repeats(&one.heard, piece.is_added, parts)
}
