//! Several cases in one message: "what if we borrow 250k, and what if 230k?", "¿y si la tasa es 9 %? ¿y si es 11 %?"

use crate::offline::message::reading::{Reader, Reading, on_top};
use crate::wording;
use plan_reader::{Change, Heard, Intent, Slots};

/// Cases that one answer bears.
const MOST: usize = 3;

/// One reading for each "what if" of a message, where each is surely a case; a later one that names no line is of the line before it.
pub(super) fn of<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>) -> Option<Vec<Reading<'a>>> {
    let texts = supposed(whole.texts.message)?;
    let mut cases: Vec<Reading<'a>> = Vec::new();
    for text in texts {
        let mut case = reader.piece(&whole.texts, text);
        if let Some(before) = cases.last().filter(|_| case.understanding.named.is_empty()) {
            again(reader, before, &mut case)?;
        }
        let is_case = case.heard.intent == Intent::WhatIf && case.heard.is_sure_of_figures();
        if !is_case || case.heard.slots.all_changes().is_empty() {
            return None;
        }
        cases.push(case);
    }
    Some(cases)
}

/// Puts another value in the place of the one that the case before has.
fn again<'a>(reader: &Reader<'_, 'a>, before: &Reading<'a>, case: &mut Reading<'a>) -> Option<()> {
    let known = before.heard.slots.all_changes();
    let [number] = &case.understanding.mentions[..] else {
        return None;
    };
    let mut meant = known.iter().filter_map(|one| Some((one, reader.again(one, number)?)));
    let (Some((one, value)), None) = (meant.next(), meant.next()) else {
        return None;
    };
    let mut one = one.clone();
    one.change = Change::To(value);
    case.heard = Heard::known(Intent::WhatIf, on_top(known, vec![one], Slots::default()));
    Some(())
}

/// The message, parted before each "what if" but the first; `None` where it has one, or too many.
fn supposed(message: &str) -> Option<Vec<&str>> {
    let lower = message.to_lowercase();
    let found = wording::phrases("w.supposes").flat_map(|phrase| lower.match_indices(phrase));
    let mut places: Vec<usize> = found.map(|(at, _)| at).collect();
    places.sort_unstable();
    places.dedup();
    if !(2..=MOST).contains(&places.len()) || lower.len() != message.len() {
        return None;
    }
    let ends = places[1..].iter().copied().chain([message.len()]);
    let begins = [0].into_iter().chain(places[1..].iter().copied());
    let text = |(from, to)| {
        let text: &str = message.get(from..to)?;
        let trimmed = text.trim_end_matches([' ', ',', '¿']);
        Some(
            trimmed
                .strip_suffix(" and")
                .unwrap_or(trimmed)
                .trim_end_matches([' ', ',']),
        )
    };
    begins.zip(ends).map(text).collect()
}
