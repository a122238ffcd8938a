//! What a message keeps, takes back or puts into the plan beside something else.

use crate::offline::message::reading::{Reader, Reading, on_top};
use crate::wording;
use plan_reader::{Heard, Intent, ScenarioAct, Texts};

/// What is done with cases beside something else: "what if rent is 5,200? Save that as small" keeps the case of the message. To adopt one is
/// asked about by itself, and one that has just been kept is compared in the next message. Whether one of them is left for that.
pub(super) fn carried_out(parts: &mut Vec<Reading<'_>>) -> bool {
    let act = |one: &Reading<'_>| one.heard.slots.act;
    let is_kept = parts.iter().any(|one| act(one) == Some(ScenarioAct::Save));
    let count = parts.len();
    let adopted = parts
        .iter()
        .find(|one| act(one) == Some(ScenarioAct::Adopt) && !takes_case(one))
        .map(|one| one.texts.message);
    parts.retain(|one| match act(one) {
        Some(ScenarioAct::Adopt) => count == 1 || takes_case(one),
        Some(ScenarioAct::Compare) => !is_kept,
        _ => true,
    });
    for at in 1..parts.len() {
        let case = parts[at - 1].heard.slots.all_changes();
        if act(&parts[at]) == Some(ScenarioAct::Save) && parts[at - 1].heard.intent == Intent::WhatIf {
            parts[at].heard.slots.changes = case;
        }
    }
    // "Adopt lean. And what is left for me?" says that the first is left.
    if let (Some(last), Some(adopted), true) = (parts.last_mut(), adopted, count > 1) {
        last.unanswered = Some(adopted);
    }
    parts.len() < count
}

/// "Leave it like that. And if sales come in 10 % lower?": what follows is on top of the case that is taken. "Ok do it, and my draw at
/// 3,500" supposes nothing: it is taken, too.
pub(super) fn go_on_from_taken<'a>(reader: &Reader<'_, 'a>, parts: &mut Vec<Reading<'a>>) {
    let mut at = 1;
    while at < parts.len() {
        let taken = Some(&parts[at - 1]).filter(|one| parts[at].changes_something() && takes_case(one));
        let Some(case) = taken.and_then(|one| reader.current_case(one.texts.message)) else {
            at += 1;
            continue;
        };
        let own = parts[at].heard.slots.all_changes();
        let message = parts[at].texts.message;
        let supposes =
            message.contains('?') || wording::says_first(message, "w.supposes") || wording::says(message, "w.if");
        let into = if supposes { at } else { at - 1 };
        let slots = &mut parts[into].heard.slots;
        *slots = on_top(case, own, std::mem::take(slots));
        if supposes {
            at += 1;
        } else {
            parts.remove(at);
        }
    }
}

/// Whether it has the last case put into the plan: its values are asked about.
pub(super) fn takes_case(one: &Reading<'_>) -> bool {
    one.heard.slots.act == Some(ScenarioAct::Adopt) && one.heard.slots.name.is_none()
}

/// "Second scenario. What if …" keeps nothing, and "let us move on" deletes nothing.
pub(super) fn is_remark_on_cases(one: &Reading<'_>) -> bool {
    let is_act = one.heard.intent == Intent::Scenario && one.heard.slots.name.is_none();
    is_act && !wording::says(one.texts.message, "w.save")
}

/// "Save this as grim. Then make labor 30 %": what follows would be in the case, so it is left for the next message. "250 again, but save
/// it": what would be kept is not what was said last.
pub(super) fn kept_apart<'a>(statement: Option<&Reading<'a>>, parts: &[Reading<'a>]) -> Option<Reading<'a>> {
    let (statement, only) = (statement?, parts.first().filter(|only| keeps(&only.heard))?);
    let [first, then] = match begins_before(&only.texts, &statement.texts) {
        true => [only, statement],
        false => [statement, only],
    };
    let unanswered = first.unanswered.or(Some(then.texts.message));
    (first.texts.message != then.texts.message).then(|| Reading {
        unanswered,
        ..first.clone()
    })
}

/// Whether it keeps the plan as it stands, or takes it back.
pub(super) fn keeps(heard: &Heard) -> bool {
    heard.intent == Intent::Undo || heard.slots.act == Some(ScenarioAct::Save)
}

/// Whether a part stands before another in their message.
pub(super) fn begins_before(one: &Texts<'_>, other: &Texts<'_>) -> bool {
    one.message.as_ptr().addr() < other.message.as_ptr().addr()
}
