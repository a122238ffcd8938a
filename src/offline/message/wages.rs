//! What people are paid by the hour: "3 groomers 32 hrs a week at 19 and one front desk 25 hrs at 15" is two groups, each of so many people,
//! hours and so much an hour. Read in order; a message with any other number is left to what is learned.

use crate::offline::content;
use crate::offline::message::product::{Per, Product, WAGES, is_at};
use crate::offline::message::reading::{Reader, Reading};
use crate::wording;
use llm_client::ChatMessage;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_reader::{Heard, Intent, Mention, Slots, Source, Texts, Unit, understand};
use rust_decimal::Decimal;

/// What a number of a group is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    People,
    Hours,
    Pay,
}

/// The message as wages of its groups of people, with those of the message before where it adds to them.
pub(in crate::offline) fn told<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>) -> Option<Reading<'a>> {
    let message = whole.texts.message;
    let supposes = wording::says(message, "w.supposes");
    let is_told = match whole.heard.intent {
        Intent::Estimate => true,
        _ if supposes => true,
        Intent::State | Intent::Correct | Intent::Other | Intent::Accept => !message.contains('?'),
        _ => false,
    };
    let own = groups(message, &whole.understanding.mentions).filter(|_| is_told)?;
    // "What if I pay 4 people 20 an hour, 35 hours?": what is supposed is no statement.
    if let ([only], true) = (&own[..], supposes) {
        let slots = Slots {
            field: Some(FieldPath::from_static(WAGES)),
            product: only.clone(),
            ..Slots::default()
        };
        let mut read = whole.clone();
        read.heard = Heard::known(Intent::Estimate, slots);
        read.understanding.candidates.clear();
        read.understanding.shares.clear();
        return Some(read);
    }
    let before = match wording::says(message, "w.adds_to") {
        true => groups_before(reader),
        false => Vec::new(),
    };
    // What is read as one product already.
    let is_read = wording::says(message, "w.an_hour")
        && whole.heard.intent == Intent::Estimate
        && own.first().map(Vec::len) == Some(whole.heard.slots.product.len());
    if before.is_empty() && own.len() == 1 && is_read {
        return None;
    }
    let per = match wording::says(message, "w.hours_a_month") {
        true => Per::Month,
        false => Per::Week,
    };
    let product = Product {
        groups: before.into_iter().chain(own).collect(),
        field: FieldPath::from_static(WAGES),
        per: Some(per),
    };
    let mut read = whole.stating(product);
    read.understanding.ignored.clear();
    Some(read)
}

/// Earlier messages that are looked at.
const LOOKED_AT: usize = 6;

/// The groups of the person's last message, and of those before it that it adds to.
fn groups_before(reader: &Reader<'_, '_>) -> Vec<Vec<Number>> {
    let users = reader.before.iter().rev();
    let users = users.filter(|one| matches!(one, ChatMessage::User(_))).map(content);
    let mut all: Vec<Vec<Number>> = Vec::new();
    for message in users.take(LOOKED_AT) {
        let said = understand(&Texts::of(message), reader.vocabulary);
        // "Yes" stands between the two.
        if said.mentions.is_empty() {
            continue;
        }
        let Some(own) = groups(message, &said.mentions) else {
            break;
        };
        all.splice(0..0, own);
        if !wording::says(message, "w.adds_to") {
            break;
        }
    }
    all
}

/// The factors of each group; `None` where a number is none of these, or hours, pay or people are missing.
fn groups(message: &str, mentions: &[Mention]) -> Option<Vec<Vec<Number>>> {
    let mut all: Vec<Vec<(Role, Number)>> = Vec::new();
    for mention in mentions.iter().filter(|one| one.source == Source::Message) {
        let role = role(message, mention)?;
        let value = Number::new(mention.value);
        match all
            .last_mut()
            .filter(|last| last.iter().all(|(known, _)| *known != role))
        {
            Some(last) => last.push((role, value)),
            None => all.push(vec![(role, value)]),
        }
    }
    let is_whole = |group: &Vec<(Role, Number)>| {
        let has = |role| group.iter().any(|(known, _)| *known == role);
        has(Role::Hours) && has(Role::Pay) && has(Role::People)
    };
    let factors = |group: &Vec<(Role, Number)>| group.iter().map(|(_, value)| *value).collect();
    (!all.is_empty() && all.iter().all(is_whole)).then(|| all.iter().map(factors).collect())
}

fn role(message: &str, mention: &Mention) -> Option<Role> {
    const MOST_PEOPLE: i64 = 50;
    const MOST_HOURS: i64 = 80;
    const MOST_PAID: i64 = 150;
    let behind = message.get(mention.number.1..)?.trim_start();
    let is_amount = matches!(mention.unit, Unit::Bare | Unit::Money);
    let at_most = |most: i64| mention.value > Decimal::ZERO && mention.value <= Decimal::from(most);
    match () {
        () if !is_amount => None,
        () if wording::says_first(behind, "w.hours") => Some(Role::Hours).filter(|_| at_most(MOST_HOURS)),
        () if wording::says_first(behind, "w.an_hour") || mention.unit == Unit::Money || is_at(message, mention) => {
            Some(Role::Pay).filter(|_| at_most(MOST_PAID))
        }
        () => Some(Role::People).filter(|_| at_most(MOST_PEOPLE) && mention.value.scale() == 0),
    }
}
