//! Cases that go on from the one before them, from a part of it, or from a saved one.

use super::{Reader, Reading, last_of_user};
use crate::offline::message::talked::Talk;
use crate::offline::message::{ask, lead, shown};
use crate::wording;
use plan_model::field::{FieldPath, Kind};
use plan_model::number::Number;
use plan_reader::{
    Change, FieldChange, Heard, Intent, Mention, ScenarioAct, Slots, Texts, Unit, Wish, understand, wants_case,
};
use rust_decimal::Decimal;

impl<'a> Reader<'_, 'a> {
    /// "And if sales are 48,000, too?" behind a case: the changes of both.
    pub(super) fn with_case_before(&self, reading: &Reading<'a>) -> Option<Slots> {
        let own = reading.heard.slots.all_changes();
        let message = reading.texts.message;
        if reading.heard.intent != Intent::WhatIf || reading.is_agreed || own.is_empty() {
            return None;
        }
        let varies = |case: &[FieldChange]| varies(reading, case);
        // "Another 500 less?" goes on from the case that has that line.
        let is_further = |case: &[FieldChange]| {
            let is_of_case = |one: &FieldChange| case.iter().any(|other| other.field == one.field);
            let is_by = |one: &FieldChange| matches!(one.change, Change::By(_)) && is_of_case(one);
            wording::says(message, "w.another") && own.iter().all(is_by)
        };
        // "Exactly that, and no manager" behind "Is it this?"
        let asked = || {
            let asked = reading.texts.advisor.filter(|text| ask::asks_case(text))?;
            let agrees = ["w.yes", "w.means_it"]
                .iter()
                .any(|key| wording::says_first(message, key));
            agrees.then(|| shown::case(asked, self.fields))
        };
        let added = || {
            let talk = self.talk(message);
            asked().or_else(|| {
                talk.computed_case()
                    .filter(|case| adds(message) || varies(case) || is_further(case))
            })
        };
        let case = match self.talk(message).named(message) {
            Some(case) => case,
            None => self.without_varied(added()?, &own, message),
        };
        Some(on_top(case, own, reading.heard.slots.clone()))
    }

    /// "And 20 % less?" behind "10 % less" is another share of the plan's value; "another 500 less" is on top of the case's.
    fn without_varied(&self, mut case: Vec<FieldChange>, own: &[FieldChange], message: &str) -> Vec<FieldChange> {
        if wording::says(message, "w.another") {
            return case;
        }
        let last = self.changes_before().unwrap_or_default();
        let is_relative = |one: &FieldChange| !matches!(one.change, Change::To(_));
        let has =
            |all: &[FieldChange], field: &FieldPath| all.iter().any(|one| one.field == *field && is_relative(one));
        case.retain(|one| !(has(&last, &one.field) && has(own, &one.field)));
        case
    }

    /// "And without the rent part?", "now only the sales": the case that is talked about, less what the message leaves out of it.
    pub(super) fn part_of_case(&self, reading: &Reading<'a>) -> Option<Heard> {
        const SHORT: usize = 8;
        let message = reading.texts.message;
        let says = |key: &str| wording::says(message, key);
        let (is_without, is_only) = (says("w.without_part"), says("w.only_part"));
        let is_short = message.split_whitespace().count() <= SHORT && reading.understanding.mentions.is_empty();
        let named = &reading.understanding.named;
        if !is_short || is_without == is_only || named.is_empty() {
            return None;
        }
        let mut case = self.current_case(message).filter(|case| case.len() > 1)?;
        let is_named = |one: &FieldChange| named.contains(&one.field);
        let count = case.len();
        case.retain(|one| is_named(one) == is_only);
        let slots = Slots {
            changes: case,
            ..Slots::default()
        };
        let is_part = !slots.changes.is_empty() && slots.changes.len() < count;
        is_part.then(|| Heard::known(Intent::WhatIf, slots))
    }

    /// "Put the rent stuff in my plan but not the sales": what is taken of the case that is talked about.
    pub(super) fn taken_part(&self, reading: &Reading<'a>) -> Option<Heard> {
        let message = reading.texts.message;
        let says = |key: &str| wording::says(message, key);
        let orders = says("w.in_plan") || says("w.put_it") || says("w.orders");
        // "Not the sales one" has no number.
        let has_number = reading.understanding.mentions.iter().any(|one| !one.count_only);
        if !orders || message.contains('?') || has_number {
            return None;
        }
        let mut case = self.current_case(message).filter(|case| case.len() > 1)?;
        let named = |text: &str| understand(&Texts::of(text), self.vocabulary).named;
        let cut = wording::phrases("w.but_not").find_map(|phrase| message.split_once(&format!(" {phrase} ")));
        let count = case.len();
        match cut {
            Some((_, left_out)) => {
                let left_out = named(left_out);
                case.retain(|one| !left_out.contains(&one.field));
            }
            None => case.retain(|one| reading.understanding.named.contains(&one.field)),
        }
        let slots = Slots {
            act: Some(ScenarioAct::Adopt),
            changes: case,
            ..Slots::default()
        };
        let is_part = !slots.changes.is_empty() && slots.changes.len() < count;
        is_part.then(|| Heard::known(Intent::Scenario, slots))
    }

    /// "What if on top of that rent is 5,200 a month?": the ear is surer without the words that go on from the case before.
    pub(super) fn without_also(&self, texts: &Texts<'_>, heard: &Heard) -> Option<Heard> {
        if heard.intent != Intent::WhatIf || heard.is_sure_of_figures() {
            return None;
        }
        let message = texts.message;
        // "It could be 1,500 on top" is so much more.
        let joins = |before: &str| {
            let before = before.trim_end();
            before.is_empty()
                || [" if", "si", ","]
                    .iter()
                    .any(|end| before.to_lowercase().ends_with(end))
        };
        let found = wording::phrases("w.also").filter_map(|also| Some((message.find(also)?, also.len())));
        let found = found.filter(|(at, _)| joins(&message[..*at]));
        let (at, length) = found.max_by_key(|(_, length)| *length)?;
        let rest = format!(
            "{}{}",
            &message[..at],
            message[at + length..].trim_start_matches([',', ' '])
        );
        let case = wants_case(&Texts::of(&rest), self.vocabulary);
        let is_same = case.slots.all_changes().len() >= heard.slots.all_changes().len();
        (case.is_sure_of_figures() && is_same && !case.slots.all_changes().is_empty()).then_some(case)
    }

    /// "All three together": what the cases change that were computed one after the other, of one line the newest.
    pub(super) fn all_together(&self, reading: &Reading<'a>) -> Option<Heard> {
        const SHORT: usize = 8;
        let message = reading.texts.message;
        let is_short = message.split_whitespace().count() <= SHORT && reading.understanding.named.is_empty();
        if !is_short || !wording::says(message, "w.together") {
            return None;
        }
        let changes = self.talk(message).all_cases();
        let slots = Slots {
            changes,
            ..Slots::default()
        };
        (slots.changes.len() > 1).then(|| Heard::known(Intent::WhatIf, slots))
    }

    /// "Rerun lean", "go back to lean": the case, where nothing else is surely asked of it.
    pub(super) fn of_named_case(&self, reading: &Reading<'a>) -> Option<Heard> {
        let heard = &reading.heard;
        let is_open = matches!(heard.intent, Intent::Undo | Intent::Other)
            || reading.understanding.wish == Some(Wish::Undo)
            || heard.intent == Intent::WhatIf && heard.slots.all_changes().is_empty()
            || heard.intent == Intent::Figure && !heard.is_sure_of_figures();
        let message = reading.texts.message;
        let changes = self.talk(message).named(message).filter(|_| is_open)?;
        let slots = Slots {
            changes,
            ..Slots::default()
        };
        Some(Heard::known(Intent::WhatIf, slots))
    }

    /// "In lean, rent 4,000" states nothing of the plan.
    pub(super) fn stated_in_case(&self, reading: &Reading<'a>) -> Option<Heard> {
        let message = reading.texts.message;
        let states = matches!(reading.heard.intent, Intent::State | Intent::Correct);
        if !states || wording::says(message, "w.in_plan") {
            return None;
        }
        self.talk(message).named(message)?;
        let case = wants_case(&reading.texts, self.vocabulary);
        (case.is_likely() && !case.slots.all_changes().is_empty()).then_some(case)
    }

    /// "And 20 less?", "and at 25?" behind "10 % less" is a share less, too: a bare number that would be a trifle of the same line's
    /// amount.
    pub(super) fn in_percent_as_before(&self, reading: &Reading<'a>) -> Option<Slots> {
        let own = reading.heard.slots.all_changes();
        let ([one], [number]) = (&own[..], &reading.understanding.mentions[..]) else {
            return None;
        };
        // "Only 10 less then" behind labor that is 15 % less is no ten points.
        let is_points = number.value.checked_div(Decimal::ONE_HUNDRED);
        let is_by = matches!(one.change, Change::By(by) if is_points == Some(by.decimal().abs()));
        let is_moved = self
            .field(one.field.as_str())
            .is_some_and(|field| field.kind == Kind::Money || field.kind == Kind::Percent && is_by);
        let is_small = number.unit == Unit::Bare && number.value < Decimal::ONE_HUNDRED;
        if reading.heard.intent != Intent::WhatIf || !is_moved || !is_small {
            return None;
        }
        let last = self.changes_before()?;
        let share = last.iter().find_map(|change| match change.change {
            Change::Times(times) if change.field == one.field => Some(times.decimal()),
            _ => None,
        })?;
        let is_less = match one.change {
            Change::By(by) => by < Number::ZERO,
            _ => share < Decimal::ONE,
        };
        let part = number.value.checked_div(Decimal::ONE_HUNDRED)?;
        let times = match is_less {
            true => Decimal::ONE.checked_sub(part)?,
            false => Decimal::ONE.checked_add(part)?,
        };
        Some(Slots {
            change: Some(Change::Times(Number::new(times))),
            ..reading.heard.slots.clone()
        })
    }

    /// What the message before this one supposes.
    pub(super) fn changes_before(&self) -> Option<Vec<FieldChange>> {
        let before = self.before_message(last_of_user(self.before)?);
        Some(before.heard.slots.all_changes())
    }

    /// "And 40?" behind "20,000 less" is 40,000 less.
    pub(super) fn by_as_before(&self, reading: &Reading<'a>) -> Option<Slots> {
        // "And with 300?" behind "20,000 less" is another loan, and no amount less.
        const AT_MOST: i64 = 3;
        const SHORT: usize = 4;
        let own = reading.heard.slots.all_changes();
        let ([one], [number]) = (&own[..], &reading.understanding.mentions[..]) else {
            return None;
        };
        let is_short =
            reading.texts.message.split_whitespace().count() <= SHORT && reading.understanding.named.is_empty();
        let is_case = reading.heard.intent == Intent::WhatIf && matches!(one.change, Change::To(_));
        if !is_short || !is_case || number.unit == Unit::Percent {
            return None;
        }
        let last = self.changes_before()?;
        let by = last.iter().find_map(|change| match change.change {
            Change::By(by) if change.field == one.field => Some(by.decimal()),
            _ => None,
        })?;
        self.field(one.field.as_str())
            .filter(|field| field.kind == Kind::Money)?;
        let said = number.value.checked_mul(Decimal::ONE_HUNDRED)?;
        // "40" is of thousands as the 20,000 before it was.
        let is_of_thousands = said.checked_mul(Decimal::TEN)? < by.abs();
        let amount = if is_of_thousands {
            said.checked_mul(Decimal::ONE_THOUSAND)?
        } else {
            said
        };
        if amount > by.abs().checked_mul(Decimal::from(AT_MOST))? || lead::begins_with_no(reading.texts.message) {
            return None;
        }
        let signed = if by.is_sign_negative() {
            Decimal::ZERO.checked_sub(amount)?
        } else {
            amount
        };
        Some(Slots {
            change: Some(Change::By(Number::new(signed))),
            ..reading.heard.slots.clone()
        })
    }

    /// "And with 24?" behind 12 months is of the months, and "and 31 %?" of the only share that the message before supposes.
    pub(super) fn same_line_again(&self, reading: &Reading<'a>) -> Option<Slots> {
        const SHORT: usize = 5;
        let own = reading.heard.slots.all_changes();
        let ([one], [number]) = (&own[..], &reading.understanding.mentions[..]) else {
            return None;
        };
        let is_short =
            reading.texts.message.split_whitespace().count() <= SHORT && reading.understanding.named.is_empty();
        if !is_short || reading.heard.intent != Intent::WhatIf || reading.is_agreed {
            return None;
        }
        let last = self.changes_before()?;
        if last
            .iter()
            .any(|other| other.field == one.field && !matches!(one.change, Change::Times(_)))
        {
            return None;
        }
        let meant = |change: &FieldChange| Some((change.field.clone(), self.again(change, number)?));
        let mut meant = last.iter().filter_map(meant);
        let (Some((field, value)), None) = (meant.next(), meant.next()) else {
            return None;
        };
        Some(Slots {
            field: Some(field),
            change: Some(Change::To(value)),
            changes: Vec::new(),
            ..reading.heard.slots.clone()
        })
    }

    /// A number as another value of what was set before; `None` where it is of another kind or size.
    pub(in crate::offline) fn again(&self, before: &FieldChange, number: &Mention) -> Option<Number> {
        const FAR: i64 = 5;
        let Change::To(set) = before.change else { return None };
        let field = self.field(before.field.as_str())?;
        let of_unit = match (field.kind, number.unit) {
            (Kind::Money, Unit::Money | Unit::Bare) => number.value.checked_mul(Decimal::ONE_HUNDRED)?,
            (Kind::Percent, Unit::Percent | Unit::Bare) => number.value.checked_div(Decimal::ONE_HUNDRED)?,
            (Kind::Money | Kind::Percent, _) | (_, Unit::Money | Unit::Percent) => return None,
            _ => number.value,
        };
        let set = set.decimal();
        let is_near = |value: Decimal| {
            let far = Decimal::from(FAR);
            let (most, least) = (set.checked_mul(far), set.checked_div(far));
            most.is_some_and(|most| value <= most) && least.is_some_and(|least| value >= least)
        };
        let in_thousands = || {
            of_unit
                .checked_mul(Decimal::ONE_THOUSAND)
                .filter(|_| field.kind == Kind::Money)
        };
        let value = Some(of_unit).filter(|value| is_near(*value));
        let value = value.or_else(|| in_thousands().filter(|value| is_near(*value)))?;
        Some(Number::new(value))
    }

    /// How many of the saved cases that the answers have told a message names.
    pub(in crate::offline) fn names_cases(&self, message: &str) -> usize {
        let names = shown::names_kept(self.before, self.fields).into_iter();
        names.filter(|name| shown::says_name(message, name)).count()
    }

    /// The case that is talked about.
    pub(in crate::offline) fn current_case(&self, message: &str) -> Option<Vec<FieldChange>> {
        self.talk(message).current_case()
    }

    pub(super) fn talk(&self, message: &str) -> Talk<'_> {
        Talk {
            before: self.before,
            is_refused: lead::begins_with_no(message),
            fields: self.fields,
        }
    }
}

/// Slots with the changes of a case and those of a message on top of it: of one line the message's, by so much from the case's value.
pub(in crate::offline) fn on_top(mut case: Vec<FieldChange>, own: Vec<FieldChange>, slots: Slots) -> Slots {
    for mut one in own {
        if let Some(at) = case.iter().position(|other| other.field == one.field) {
            one.change = from_value(case.remove(at).change, one.change);
        }
        case.push(one);
    }
    Slots {
        field: None,
        change: None,
        changes: case,
        ..slots
    }
}

/// "And 50,000 less" behind a loan of 200,000 is one of 150,000.
fn from_value(before: Change, change: Change) -> Change {
    let Change::To(value) = before else { return change };
    let value = value.decimal();
    let moved = match change {
        Change::To(_) => None,
        Change::By(by) => value.checked_add(by.decimal()),
        Change::Times(times) => value.checked_mul(times.decimal()),
    };
    moved.map_or(change, |moved| Change::To(Number::new(moved)))
}

/// Whether a case adds to the one before it: "and labor 30 %", "but with rent 5,000". "And what if …?", "also, if …" is a question of
/// its own where it does not say that it goes on.
fn adds(message: &str) -> bool {
    let lower = message.trim_start_matches('¿').to_lowercase();
    let said = without_joins(&lower);
    let is_joined = said.len() < lower.len();
    let is_fresh = ["w.supposes", "w.asks_first"]
        .iter()
        .any(|key| wording::says_first(said, key));
    let is_last = wording::plain(message).trim_end().ends_with(" too");
    // "And with that, would 230k help?", "y si ahí no cobro hasta el mes 13"
    let behind_if = ["if ", "si "].iter().find_map(|word| said.strip_prefix(word));
    let is_with = wording::says_first(behind_if.unwrap_or(said), "w.with_that");
    let goes_on = wording::says(said, "w.also") || wording::says(message, "w.of_case");
    let keeps = wording::says_first(said, "w.keep_but");
    is_joined && !is_fresh || keeps || is_last || is_with || goes_on || is_same(message)
}

/// What follows the words that join a message to the one before it.
pub(super) fn without_joins(message: &str) -> &str {
    let mut rest = message.trim_start();
    while let Some(join) = wording::phrases("w.adds")
        .filter(|join| {
            rest.strip_prefix(join)
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
        .max_by_key(|join| join.len())
    {
        rest = rest[join.len()..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '$');
    }
    rest
}

/// "And at 20?" behind two changes, of which it is one: the other stays.
fn varies(reading: &Reading<'_>, case: &[FieldChange]) -> bool {
    const SHORT: usize = 5;
    let own = reading.heard.slots.all_changes();
    let is_short = reading.texts.message.split_whitespace().count() <= SHORT && reading.understanding.named.is_empty();
    let is_of_case = |one: &FieldChange| case.iter().any(|other| other.field == one.field);
    is_short && case.len() > 1 && own.iter().all(is_of_case)
}

/// "Now the same with rent 4,500", "Okay. And same thing but with 50,000 instead".
pub(super) fn is_same(message: &str) -> bool {
    const BEFORE: [&str; 14] = [
        "now", "ok", "okay", "then", "and", "no", "i", "mean", "the", "ahora", "y", "bueno", "digo", "pero",
    ];
    let lower = message.to_lowercase();
    let mut rest = lower.trim_start();
    while let Some((word, behind)) = rest.split_once(' ')
        && BEFORE.contains(&word.trim_end_matches([',', '.', '!']))
    {
        rest = behind;
    }
    wording::says_first(rest, "w.same")
}
