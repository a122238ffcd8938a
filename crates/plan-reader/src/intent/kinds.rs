//! Slots of few values, as further classes beside the figures: a place of the page, an act on cases, a kind of small talk, what the
//! model does not have, and whether a case changes one thing or several.

use super::{Intent, Place, ScenarioAct, Slots, SocialKind, Topic};

const PLACES: u8 = 32;
const ACTS: u8 = 48;
const SMALL_TALK: u8 = 56;

/// How many changes a case has.
pub(crate) const ONE_CHANGE: u8 = 64;
const SEVERAL_CHANGES: u8 = 65;

const TOPICS: u8 = 66;

/// The classes of an intent's slot; none where it has no such slot.
pub(crate) fn classes(intent: Intent) -> Vec<u8> {
    let (from, count) = match intent {
        Intent::Place => (PLACES, Place::ALL.len()),
        Intent::Scenario => (ACTS, ScenarioAct::ALL.len()),
        Intent::Social => (SMALL_TALK, SocialKind::ALL.len()),
        Intent::NotModeled => (TOPICS, Topic::ALL.len()),
        Intent::WhatIf => (ONE_CHANGE, 2),
        _ => return Vec::new(),
    };
    (from..).take(count).collect()
}

/// The class that an intent's slots have.
pub(crate) fn class_of(intent: Intent, slots: &Slots) -> Option<u8> {
    fn at<T: PartialEq>(from: u8, all: &[T], one: Option<T>) -> Option<u8> {
        let nth = all.iter().position(|known| Some(known) == one.as_ref())?;
        Some(from + nth as u8)
    }
    match intent {
        Intent::Place => at(PLACES, Place::ALL, slots.place),
        Intent::Scenario => at(ACTS, ScenarioAct::ALL, slots.act),
        Intent::Social => at(SMALL_TALK, SocialKind::ALL, slots.kind),
        Intent::NotModeled => at(TOPICS, Topic::ALL, slots.topic),
        Intent::WhatIf => match slots.all_changes().len() {
            0 => None,
            1 => Some(ONE_CHANGE),
            _ => Some(SEVERAL_CHANGES),
        },
        _ => None,
    }
}

/// The slots of a kind by its name: "adopt". `None` where the intent has no such kind.
pub(crate) fn slots(intent: Intent, name: &str) -> Option<Slots> {
    let mut slots = Slots::default();
    match intent {
        Intent::Place => slots.place = Some(Place::parse(name)?),
        Intent::Scenario => slots.act = Some(ScenarioAct::parse(name)?),
        Intent::Social => slots.kind = Some(SocialKind::parse(name)?),
        Intent::NotModeled => slots.topic = Some(Topic::parse(name)?),
        _ => return None,
    }
    Some(slots)
}

/// Sets the slot that a class is of.
pub(crate) fn set(class: u8, slots: &mut Slots) {
    fn of<T: Copy>(all: &[T], from: u8, class: u8) -> Option<T> {
        all.get(usize::from(class - from)).copied()
    }
    match class {
        PLACES..ACTS => slots.place = of(Place::ALL, PLACES, class),
        ACTS..SMALL_TALK => slots.act = of(ScenarioAct::ALL, ACTS, class),
        SMALL_TALK..ONE_CHANGE => slots.kind = of(SocialKind::ALL, SMALL_TALK, class),
        TOPICS.. => slots.topic = of(Topic::ALL, TOPICS, class),
        _ => {}
    }
}
