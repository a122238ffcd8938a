//! A number that the last answers show is no new one: "what's the 140,000 for?", "I never said a 280k loan". It refers to the
//! line that it was shown for.

use crate::offline::answers;
use crate::wording;
use llm_client::ChatMessage;
use plan_model::extracted::NoteCode;
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::number::Number;
use plan_reader::{Candidate, Choice, Heard, Intent, Line, Mention, Slots, Source, Texts, Understanding, Unit};
use rust_decimal::Decimal;

mod case;
mod lines;

pub(in crate::offline) use case::{case, named, names_kept, says_name, sought};
use lines::{Shown, last_named};
pub(in crate::offline) use lines::{is_number_of, without_shown};

/// A longer message, in bytes, tells more than what it objects to.
const LONGEST: usize = 160;

/// So sure it must be that a message supposes something.
const SURELY: f32 = 0.85;

/// Words of a message that is about one thing, and of a number that is echoed: "18k marketing?"
const SHORT: usize = 9;
const ECHO: usize = 5;

/// What a message asks about a figure that it was shown, or objects to.
pub(in crate::offline) struct About {
    pub heard: Heard,
    /// The number that it should be instead, where the message says one.
    pub instead: Option<Candidate>,
}

/// What a message does with a number.
struct Manner {
    /// "I never said 280k"
    objects: bool,
    /// "Where do you get 280k?", "why so much"
    asks_origin: bool,
    /// "18k marketing?"
    is_echo: bool,
    /// "Let's say 25k for that"
    is_for_that: bool,
    /// "What's that?"
    is_that: bool,
    /// "What's the 140,000 for?", or any of the others that ask.
    asks: bool,
}

impl Manner {
    fn of(message: &str, heard: &Heard, own: &[&Mention]) -> Self {
        // So likely a message must ask of a figure.
        const ASKS: f32 = 0.5;
        let is_heard = |intents: &[Intent]| intents.contains(&heard.intent) && heard.alike >= ASKS;
        let asks_origin = is_heard(&[Intent::WhoSet, Intent::Why]);
        let first = message.split_inclusive('?').next().unwrap_or_default();
        let is_in_it = own.first().is_some_and(|one| one.number.0 < first.len());
        let words = first.split_whitespace().count();
        // "¿Para qué son los 140 mil?" is of that number, where it is nothing else for sure.
        // "At 240,000, what is the loan payment?" asks for another figure.
        let behind = own
            .first()
            .and_then(|one| message.get(one.number.1..))
            .unwrap_or_default();
        let goes_on = behind.split_whitespace().count() > 2;
        let asks_for_figure =
            goes_on && heard.intent == Intent::Figure && heard.slots.line.is_some() && heard.is_likely();
        let is_open = !heard.is_sure_of_figures() && !asks_for_figure;
        let is_short = words <= ECHO || words <= SHORT && is_open;
        let is_echo = first.ends_with('?') && is_short && is_in_it;
        let is_that = is_that(message);
        Self {
            objects: wording::says(message, "w.objects"),
            asks_origin,
            is_echo,
            is_for_that: wording::says(message, "w.for_that") && !message.contains('?'),
            asks: asks_origin
                || is_echo
                || is_that
                || asks_what_it_is(message, own)
                || is_heard(&[Intent::Define, Intent::IsHigh, Intent::Value]),
            is_that,
        }
    }
}

/// What a message says of a shown figure. `None` for one that supposes something, states a value of a named line, or has more numbers.
/// `asked` gives what the person's message at a place asked for.
pub(in crate::offline) fn about(
    before: &[ChatMessage],
    texts: &Texts<'_>,
    (understanding, heard): (&Understanding, &Heard),
    fields: &[Field],
    asked: impl Fn(usize) -> Option<Line>,
) -> Option<About> {
    let message = texts.message;
    let own = understanding.mentions.iter();
    let own: Vec<&Mention> = own
        .filter(|one| one.source == Source::Message && !one.count_only)
        .collect();
    let manner = Manner::of(message, heard, &own);
    // "¿Para qué son los 140 mil?" sounds like a goal, too.
    let is_question = manner.asks && message.split_whitespace().count() <= SHORT;
    let is_case = match heard.intent {
        Intent::WhatIf | Intent::Estimate | Intent::Undo => true,
        Intent::Goal => !is_question,
        _ => false,
    };
    let is_set = manner.objects || manner.is_for_that && !wording::says_first(message, "w.supposes");
    let supposes = is_case && heard.probability >= SURELY && !is_set;
    let is_about = manner.objects || manner.asks || manner.is_for_that;
    // "I didn't say change it, I said save that", "I never said 1 %. When is cash lowest?"
    let is_act = heard.intent == Intent::Scenario && heard.probability >= SURELY;
    if is_act || manner.objects && asks_at_the_end(message) {
        return None;
    }
    if message.len() > LONGEST || !is_about || supposes || !understanding.plain.is_empty() {
        return None;
    }
    let shown = Shown { before, fields, asked };
    if manner.asks && own.iter().any(|one| shown.is_written_off(one)) {
        let slots = Slots {
            term: Some("depreciation".to_owned()),
            ..Slots::default()
        };
        let heard = Heard::known(Intent::Define, slots);
        return Some(About { heard, instead: None });
    }
    let last = answers(before).next().unwrap_or_default().trim_end();
    // "Ok let's say 25k for that"
    if let (true, [], [only]) = (manner.is_for_that, &understanding.named[..], &own[..])
        && shown.line(only).is_none()
    {
        let instead = Some(candidate(only, None, last_named(last, fields)?)?);
        let heard = Heard::known(Intent::State, Slots::default());
        return Some(About { heard, instead });
    }
    let first = own.iter().find_map(|one| Some((*one, shown.line(one)?)));
    let asked_last = || last_named(last, fields).filter(|_| manner.objects || manner.is_that && last.ends_with('?'));
    let (number, line) = meant(&manner, first, (&understanding.named, &own), asked_last)?;
    let field = match &line {
        Line::Field(path) => fields.iter().find(|field| field.path == *path),
        _ => None,
    };
    // "31 months? How come", surely of the payback, where that was "the return of your own cash".
    let is_of_figure = matches!(heard.intent, Intent::Why | Intent::Figure)
        && heard.slots.line.is_some()
        && !matches!(line, Line::Field(_));
    if is_of_figure && heard.is_sure_of_figures() && heard.slots.line.as_ref() != Some(&line) && !manner.objects {
        return None;
    }
    // A line that is likelier meant than the one whose figure this happens to be.
    if heard.slots.field.is_some() && !manner.objects {
        let is_it = field.map(|field| &field.path) == heard.slots.field.as_ref();
        let compares = matches!(heard.intent, Intent::IsHigh | Intent::Value);
        let is_surely_another = compares && heard.is_sure_of_figures() && !is_it;
        if is_surely_another || heard.intent == Intent::WhoSet && field.is_none() {
            return None;
        }
    }
    let asks_who = heard.intent == Intent::WhoSet && heard.probability >= SURELY;
    let is_other = |one: &&&Mention| number.is_none_or(|shown| shown.number != one.number);
    let others: Vec<&&Mention> = own.iter().filter(is_other).collect();
    let instead = match others[..] {
        [] => None,
        // "58,000 a month in a town of 4,000? Who came up with that?"
        _ if asks_who && !manner.objects => None,
        // "Keep the 2,500 but not before month 36"
        [only] if only.month_number => return None,
        [only] => Some(candidate(only, number, field?)?),
        _ => return None,
    };
    let heard = match instead {
        Some(_) => Heard::known(Intent::State, Slots::default()),
        None => question(heard, number, field, line, manner.objects || manner.asks_origin),
    };
    Some(About { heard, instead })
}

/// Whether its last sentence asks something of its own, in more than a few words.
fn asks_at_the_end(message: &str) -> bool {
    const FEW: usize = 3;
    let body = message.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = body.rfind(['.', '!', '?', '\n']).and_then(|at| body.get(at..));
    let last = last.map(|last| last.trim_start_matches(|c: char| !c.is_alphanumeric()));
    last.is_some_and(|last| wording::says_first(last, "w.asks") && last.split_whitespace().count() > FEW)
}

/// The line that is meant, and its number: the first that was shown, what was just asked about, or the one that is named.
fn meant<'m, 'f>(
    manner: &Manner,
    first: Option<(&'m Mention, Line)>,
    (named, own): (&[FieldPath], &[&'m Mention]),
    asked_last: impl FnOnce() -> Option<&'f Field>,
) -> Option<(Option<&'m Mention>, Line)> {
    let of_field = |path: &FieldPath| Line::Field(path.clone());
    let may_name = manner.objects || manner.is_echo || manner.asks_origin;
    match (first, named, own) {
        (Some((number, line)), [], _) => Some((Some(number), line)),
        (Some((number, line)), named, _) if may_name && named.iter().any(|one| line == of_field(one)) => {
            Some((Some(number), line))
        }
        // "I never said that", "what's that?"
        (None, [], []) => Some((None, of_field(&asked_last()?.path))),
        (None, [named], [] | [_]) if manner.objects => Some((own.first().copied(), of_field(named))),
        _ => None,
    }
}

/// What is asked of a line that a number was shown for.
fn question(heard: &Heard, number: Option<&Mention>, field: Option<&Field>, line: Line, asks_origin: bool) -> Heard {
    let asks_origin = asks_origin || matches!(heard.intent, Intent::Why | Intent::WhoSet);
    // "148 thousand for labor? Who came up with that" is of the share.
    let is_origin = heard.intent == Intent::WhoSet && heard.is_sure_of_figures();
    let origin = field.filter(|field| is_origin && heard.slots.field.as_ref() == Some(&field.path));
    if let Some(field) = origin {
        let slots = Slots {
            field: Some(field.path.clone()),
            ..Slots::default()
        };
        return Heard::known(Intent::WhoSet, slots);
    }
    // Dollars of a share are worked out.
    let is_of_plan = |field: &&Field| field.kind != Kind::Percent || number.is_none_or(|one| one.unit == Unit::Percent);
    let Some(field) = field.filter(is_of_plan) else {
        let intent = if asks_origin { Intent::Why } else { Intent::Define };
        let slots = Slots {
            line: Some(line),
            ..Slots::default()
        };
        return Heard::known(intent, slots);
    };
    let intent = match heard.intent {
        _ if asks_origin => Intent::WhoSet,
        Intent::IsHigh => Intent::IsHigh,
        _ => Intent::Define,
    };
    let slots = Slots {
        field: Some(field.path.clone()),
        ..Slots::default()
    };
    Heard::known(intent, slots)
}

/// A message without the word that joins it to what was said: "and what's the 140,000?"
fn begun(message: &str) -> &str {
    let said = message.trim_start_matches(|c: char| !c.is_alphanumeric());
    let joined = wording::phrases("w.joins").find_map(|word| {
        let rest = said.get(..word.len()).filter(|first| first.eq_ignore_ascii_case(word));
        rest.and_then(|_| said.get(word.len()..))
            .filter(|rest| rest.starts_with([' ', ',']))
    });
    joined
        .unwrap_or(said)
        .trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// "What is the 45,000 I open with?": the number stands right behind the question word.
fn asks_what_it_is(message: &str, own: &[&Mention]) -> bool {
    let before = own.first().and_then(|one| message.get(..one.number.0));
    before.is_some_and(|before| {
        let said = wording::plain(begun(before));
        wording::phrases("w.what_is").any(|phrase| wording::plain(phrase) == said)
    })
}

/// Whether a message asks what something is, and nothing else: "and what is that?"
fn is_that(message: &str) -> bool {
    let said = wording::plain(begun(message));
    wording::phrases("w.what_that").any(|phrase| said == phrase)
}

/// A number for a field, in thousands where the shown one is: "why is it 280k? I only want 150".
fn candidate(number: &Mention, shown: Option<&Mention>, field: &Field) -> Option<Candidate> {
    let hundred = Decimal::ONE_HUNDRED;
    // "With the 6,000 rent, why is coverage only 0.85?"
    if field.kind == Kind::Money && number.value < Decimal::ONE && !number.value.is_zero() {
        return None;
    }
    let is_in_thousands = field.kind == Kind::Money
        && number.value < Decimal::ONE_THOUSAND
        && shown.is_some_and(|shown| {
            shown.value < Decimal::ONE_THOUSAND || shown.value >= number.value.saturating_mul(hundred)
        });
    let said = match is_in_thousands {
        true => number.value.checked_mul(Decimal::ONE_THOUSAND)?,
        false => number.value,
    };
    let value = match field.kind {
        Kind::Money => said.checked_mul(hundred)?,
        Kind::Percent => said.checked_div(hundred)?,
        _ => said,
    };
    let choice = Choice {
        field: field.path.clone(),
        value: Number::new(value),
        probability: 1.0,
    };
    Some(Candidate {
        choices: vec![choice],
        source: Source::Message,
        start: number.sentence.0,
        end: number.sentence.1,
        number: number.number,
        reason: NoteCode::Unclear,
    })
}
