//! Messages that want several things: "do I make a profit, and what is my coverage?", "Rent is 4,250. And how do I print this?" Each part
//! that is plain by itself is answered, in the order of the message.

use crate::offline::cuts;
use crate::offline::lead;
use crate::offline::pieces::{Piece, pieces};
use crate::offline::reading::{Reader, Reading, SURELY_STATED, given};
use crate::offline::sums;
use crate::wording;
use plan_model::field::FieldPath;
use plan_reader::{Heard, Intent, Line, Mention, ScenarioAct, Slots, Texts, Wish};
use rust_decimal::Decimal;

/// Parts that one answer bears.
const MOST: usize = 4;

/// The same, where parts are lists.
const MOST_OF_LISTS: usize = 6;

/// A longer message, in bytes, is no question or two: it is read as a whole.
const LONGEST: usize = 600;

/// Years whose figures are told one by one.
const TOLD_APART: usize = 2;

/// Words of a question that lists what it asks for.
const LIST: usize = 16;

/// How sure it must be that a piece takes something back.
const SURELY_UNDONE: f32 = 0.9;

/// How sure a question beside a value must be.
const SURE_BESIDE_A_VALUE: f32 = 0.75;

/// The parts of a message; the whole of it where it does not have several.
pub(super) fn of<'a>(reader: &Reader<'_, 'a>, whole: Reading<'a>) -> Vec<Reading<'a>> {
    let parts = separate(reader, whole);
    let each = |one: &Reading<'a>| {
        of_each_year(reader, one)
            .or_else(|| of_each_line(reader, one))
            .or_else(|| of_each_field(one))
            .unwrap_or_else(|| vec![one.clone()])
    };
    let all: Vec<Reading<'a>> = parts.iter().flat_map(each).collect();
    if all.len() > MOST_OF_LISTS { parts } else { all }
}

/// "What is left for me in year 1 and in year 3?": the figure of each.
fn of_each_year<'a>(reader: &Reader<'_, 'a>, one: &Reading<'a>) -> Option<Vec<Reading<'a>>> {
    if !is_figure(one) || !one.heard.is_answered() || one.heard.slots.month.is_some() || one.heard.slots.line.is_none()
    {
        return None;
    }
    let years = plan_reader::years(&one.texts, reader.vocabulary);
    let asked = one.heard.slots.year.or_else(|| years.first().copied())?;
    // Of more than two the answer lists all: a reason for each is no short answer.
    if years.len() > TOLD_APART {
        let mut reading = one.clone();
        reading.heard.slots.year = None;
        return Some(vec![reading]);
    }
    let of_year = |year: u8| {
        let mut reading = one.clone();
        reading.heard.slots.year = Some(year);
        reading.unanswered = one.unanswered.filter(|_| year == asked);
        reading
    };
    (years.len() > 1 && years.contains(&asked)).then(|| years.into_iter().map(of_year).collect())
}

/// "DSCR, payback and what is left for me in year 2": each figure of a list.
fn of_each_line<'a>(reader: &Reader<'_, 'a>, one: &Reading<'a>) -> Option<Vec<Reading<'a>>> {
    const JOINS: [&str; 6] = [", ", " and ", " y ", " e ", " & ", "; "];
    let message = one.texts.message;
    let is_list = one.heard.intent == Intent::Figure
        && one.heard.is_answered()
        && message.split_whitespace().count() <= LIST
        && one.understanding.mentions.len() <= times(&one.heard.slots);
    let mut segments = vec![message];
    for join in JOINS {
        segments = segments.iter().flat_map(|segment| segment.split(join)).collect();
    }
    let named = |segment: &&str| plan_reader::lines_named(segment, reader.vocabulary).into_iter().next();
    let mut lines: Vec<Line> = Vec::new();
    // Without a time of its own "cash" is what the others are about.
    let named = segments.iter().filter(|_| is_list).filter_map(named);
    for line in named.filter(|line| *line != Line::Cash) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    // What opening takes is said with the own cash in it.
    let has_opening = lines.contains(&Line::MoneyToOpen);
    lines.retain(|line| !has_opening || *line != Line::OwnCash);
    let is_among = one.heard.slots.line.as_ref().is_some_and(|line| lines.contains(line));
    let of_line = |line: Line| {
        let mut reading = one.clone();
        let has_unanswered = one.heard.slots.line.as_ref() == Some(&line);
        reading.heard.slots.line = Some(line);
        reading.unanswered = one.unanswered.filter(|_| has_unanswered);
        reading
    };
    (is_among && (2..=MOST).contains(&lines.len())).then(|| lines.into_iter().map(of_line).collect())
}

/// "The term, and the rate?": the value of each.
fn of_each_field<'a>(one: &Reading<'a>) -> Option<Vec<Reading<'a>>> {
    let fields = &one.understanding.named;
    let asks = one.heard.intent == Intent::Value && one.heard.is_answered() && one.understanding.mentions.is_empty();
    let is_short = one.texts.message.split_whitespace().count() <= LIST;
    let is_among = one
        .heard
        .slots
        .field
        .as_ref()
        .is_some_and(|field| fields.contains(field));
    let of_field = |field: &FieldPath| {
        let mut reading = one.clone();
        reading.heard.slots.field = Some(field.clone());
        reading.unanswered = one.unanswered.filter(|_| one.heard.slots.field.as_ref() == Some(field));
        reading
    };
    let is_list = asks && is_short && is_among && (2..=MOST).contains(&fields.len());
    is_list.then(|| fields.iter().map(of_field).collect())
}

fn separate<'a>(reader: &Reader<'_, 'a>, whole: Reading<'a>) -> Vec<Reading<'a>> {
    if whole.texts.message.len() > LONGEST || whole.is_about_shown {
        return vec![whole];
    }
    if let Some(sums) = sums::several(reader, &whole) {
        return vec![sums];
    }
    let pieces = cuts::refined(reader, &whole, pieces(whole.texts.message));
    if pieces.len() < 2 {
        return vec![whole];
    }
    let mut before: Option<&str> = None;
    let of_piece = |piece: &Piece<'a>| {
        let asked = before.replace(piece.text);
        let texts = asked
            .filter(|_| goes_on(piece))
            .map(|asked| behind(&whole.texts, asked));
        reader.piece(texts.as_ref().unwrap_or(&whole.texts), piece.text)
    };
    let read: Vec<Reading<'a>> = pieces.iter().map(of_piece).collect();
    let read: Vec<(&Piece<'_>, Reading<'a>)> = pieces.iter().zip(read).collect();
    let mut parts: Vec<Reading<'a>> = Vec::new();
    let statement = stated(reader, &whole, &read);
    let asks = |(piece, one): &&(&Piece<'_>, Reading<'_>)| piece.asks() && !one.has_values();
    let asking = read.iter().find(asks).map(|(piece, _)| piece.text);
    let mut unanswered = None;
    for (piece, mut one) in read {
        let Some(heard) = wanted(piece, &one) else {
            // What opening is made of is said with what it takes.
            let is_of_parts = wording::says(piece.text, "w.all_parts");
            // "And which month?" is said with the figure.
            let is_short = piece.text.split_whitespace().count() <= 3;
            // What the whole is taken for is answered.
            let about = |heard: &Heard| heard.slots.line.clone().or(heard.slots.field.clone().map(Line::Field));
            let is_of_whole = about(&one.heard).is_some() && about(&one.heard) == about(&whole.heard);
            let is_left = piece.is_added && piece.asks() && !one.has_values();
            let is_left = is_left && !is_of_parts && !is_short && !is_of_whole;
            unanswered = unanswered.or(Some(piece.text).filter(|_| is_left));
            continue;
        };
        one.heard = heard;
        if let Some(statement) = &statement
            && !stands_beside_a_value(&one)
        {
            return match answers_question(statement) {
                true => vec![Reading {
                    unanswered: Some(piece.text),
                    ..statement.clone()
                }],
                false => vec![whole],
            };
        }
        let refers = refer(&mut one, parts.last());
        if !repeats(&one.heard, piece.is_added || refers, &parts) {
            parts.push(one);
        }
    }
    if let Some(first) = kept_apart(statement.as_ref(), &parts) {
        return vec![first];
    }
    let count = parts.len() + usize::from(statement.is_some());
    // What opening takes is said with the own cash in it.
    if let [only] = &parts[..]
        && statement.is_none()
        && line_is(&only.heard, "moneyToOpen")
        && line_is(&whole.heard, "ownCash")
    {
        return parts;
    }
    if count == 1 && !whole.is_case() {
        // "Sales are 29,400 then. Do I make money with that?" is not lost where the question is not understood.
        let is_open = is_figure(&whole) && !whole.heard.is_sure_of_figures();
        // "Um whats my worst month and how much of my own money goes in": the guess, and what is surely asked behind it.
        if let (None, [only]) = (&statement, &parts[..])
            && is_guess(&whole, only)
        {
            let is_other =
                whole.heard.slots.line != only.heard.slots.line || whole.heard.slots.field != only.heard.slots.field;
            // "How much cash do I have in year 5 now, and what is my payment?": the payment is not of year 5.
            let asked = asking.filter(|asked| !is_other && *asked != only.texts.message);
            let unanswered = whole.unanswered.or(unanswered).or(asked);
            let only = Reading {
                unanswered,
                ..parts.remove(0)
            };
            return if is_other { vec![whole, only] } else { vec![only] };
        }
        let one = statement.filter(|one| is_open || answers_question(one));
        let unanswered = unanswered.or(asking.filter(|_| is_open && one.is_some()));
        let one = one.unwrap_or(whole);
        return vec![Reading { unanswered, ..one }];
    }
    if !(2..=MOST).contains(&count) || !covers(&parts, &whole, statement.is_some()) {
        // "I gotta be up at 4. Can I print this": what is plain stands for what is not understood.
        if let Some(place) = parts.iter().find(|one| one.heard.intent == Intent::Place)
            && !whole.heard.is_answered()
        {
            return vec![place.clone()];
        }
        // "Keep this as base. And if sales are 15 % higher?": an act that is not carried out is not passed over.
        let is_act = |one: &&Reading<'_>| {
            matches!(one.heard.intent, Intent::Scenario | Intent::Place | Intent::Undo)
                && one.heard.intent != whole.heard.intent
                && one.heard.probability >= SURELY_UNDONE
        };
        let act = parts.iter().find(is_act).map(|one| one.texts.message);
        return vec![Reading {
            unanswered: whole.unanswered.or(act),
            ..whole
        }];
    }
    if let Some(statement) = statement {
        parts.iter_mut().for_each(|part| part.is_beside_values = true);
        parts.insert(0, statement);
    }
    if let Some(last) = parts.last_mut() {
        last.unanswered = unanswered;
    }
    for (at, part) in parts.iter_mut().enumerate() {
        part.lead = whole.lead.filter(|_| at == 0);
    }
    parts
}

/// "Save this as grim. Then make labor 30 %": what follows would be in the case, so it is left for the next message. "250 again, but save
/// it": what would be kept is not what was said last.
fn kept_apart<'a>(statement: Option<&Reading<'a>>, parts: &[Reading<'a>]) -> Option<Reading<'a>> {
    let (statement, only) = (statement?, parts.first().filter(|only| keeps(&only.heard))?);
    let [first, then] = match begins_before(&only.texts, &statement.texts) {
        true => [only, statement],
        false => [statement, only],
    };
    let unanswered = Some(then.texts.message);
    Some(Reading {
        unanswered,
        ..first.clone()
    })
}

/// Whether a message is taken for a figure as a guess, where a part of it surely asks for one; neither has a number but its time.
fn is_guess(whole: &Reading<'_>, part: &Reading<'_>) -> bool {
    let is_guess = asks_for_a_figure(whole) && !whole.heard.is_sure_of_figures() && whole.heard.is_answered();
    let is_figure = asks_for_a_figure(part) && !part.is_case() && part.heard.is_sure_of_figures();
    is_guess && is_figure && !whole.is_case() && whole.understanding.mentions.len() <= times(&whole.heard.slots)
}

/// "And year 3?" behind a question is about what that asked.
fn goes_on(piece: &Piece<'_>) -> bool {
    const SHORT: usize = 4;
    piece.is_added && piece.asks() && piece.text.split_whitespace().count() <= SHORT
}

fn behind<'a>(texts: &Texts<'a>, asked: &'a str) -> Texts<'a> {
    Texts {
        message: texts.message,
        previous_message: Some(asked),
        ..Texts::default()
    }
}

/// Whether it keeps the plan as it stands, or takes it back.
fn keeps(heard: &Heard) -> bool {
    heard.intent == Intent::Undo || heard.slots.act == Some(ScenarioAct::Save)
}

/// Whether a part stands before another in their message.
fn begins_before(one: &Texts<'_>, other: &Texts<'_>) -> bool {
    one.message.as_ptr().addr() < other.message.as_ptr().addr()
}

fn line_is(heard: &Heard, name: &str) -> bool {
    heard.slots.line.as_ref().is_some_and(|line| line.as_str() == name)
}

/// What the message states, from the first piece with a value to the last.
fn stated<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>, read: &[(&Piece<'_>, Reading<'a>)]) -> Option<Reading<'a>> {
    let states = |one: &Reading<'_>| {
        let is_heard_so = matches!(one.heard.intent, Intent::State | Intent::Correct);
        one.has_values() && (is_heard_so || answers_question(one))
    };
    let first = read.iter().position(|(_, one)| states(one))?;
    let last = read.iter().rposition(|(_, one)| states(one))?;
    let message = whole.texts.message;
    let at = |piece: &str| piece.as_ptr().addr() - message.as_ptr().addr();
    let (begins, ends) = (read[first].1.texts.message, read[last].1.texts.message);
    let text = message.get(at(begins)..at(ends) + ends.len())?;
    let heard = Heard::known(Intent::State, Slots::default());
    let statement = reader.piece(&whole.texts, text);
    // Where the message as a whole asks for a figure, only what is plain by itself is a statement beside the question.
    let is_plain = !statement.understanding.plain.is_empty() || answers_question(&statement);
    // "Sales are 29,400 then. Do I make money with that?"
    let is_sure = is_figure(whole) && read[first].1.heard.probability >= SURELY_STATED && !read[last].0.asks();
    let records = is_plain || !asks_for_a_figure(whole) || is_sure;
    (records && statement.has_values()).then_some(Reading { heard, ..statement })
}

fn asks_for_a_figure(one: &Reading<'_>) -> bool {
    let is_question = matches!(
        one.heard.intent,
        Intent::Figure | Intent::Why | Intent::Value | Intent::IsHigh | Intent::WhoSet
    );
    one.is_case() || is_question
}

/// Whether the plan's results are asked for: a value beside that question is the plan's, and not one to compare.
fn is_figure(one: &Reading<'_>) -> bool {
    matches!(one.heard.intent, Intent::Figure | Intent::Why)
}

/// What a piece wants, where it is plain by itself.
fn wanted(piece: &Piece<'_>, one: &Reading<'_>) -> Option<Heard> {
    let undoes = one.understanding.wish == Some(Wish::Undo)
        || one.heard.intent == Intent::Undo && one.heard.probability >= SURELY_UNDONE;
    // "DSCR and cash at year end for each of 5 years." is a request without a question mark.
    let is_list = one.heard.intent == Intent::Figure && one.heard.is_sure_of_figures();
    let is_request = matches!(one.heard.intent, Intent::Scenario | Intent::Place) || piece.asks() || is_list;
    let is_sure = one.heard.is_sure_of_figures() || piece.asks() && one.heard.is_likely();
    let asks = is_request && lead::goes_on(&one.heard) && is_sure;
    let heard = if undoes {
        Heard::known(Intent::Undo, Slots::default())
    } else {
        one.heard.clone()
    };
    // "What is my cash after one year?": a time is no value.
    let has_values = one.has_values() && one.understanding.mentions.len() > times(&one.heard.slots);
    ((asks || undoes) && !has_values).then_some(heard)
}

/// How many numbers of a question say its time.
fn times(slots: &Slots) -> usize {
    usize::from(slots.year.is_some()) + usize::from(slots.month.is_some())
}

/// Whether it gives the value that the advisor asked for: a question about it does not take it back.
fn answers_question(statement: &Reading<'_>) -> bool {
    given(&statement.understanding).any(|field| Some(field) == statement.texts.asked.as_ref())
}

/// A question beside a value is not about the value, and has no number of its own but its time: "Rent is 4,000. Is that high?" states
/// nothing.
fn stands_beside_a_value(one: &Reading<'_>) -> bool {
    let is_about_it = one.is_case() || matches!(one.heard.intent, Intent::IsHigh | Intent::Why);
    let has_own = one.understanding.mentions.len() > times(&one.heard.slots);
    !is_about_it && one.heard.probability >= SURE_BESIDE_A_VALUE && !has_own
}

/// "And what does it mean?", "and where does the number come from?" are about the part before them; whether they are.
fn refer(one: &mut Reading<'_>, before: Option<&Reading<'_>>) -> bool {
    let named = before.and_then(|before| before.understanding.named.first().cloned());
    let is_unnamed = one.understanding.named.is_empty();
    let heard = &mut one.heard;
    let names_nothing = heard.slots.line.is_none() && heard.slots.field.is_none();
    if let Some(field) = named.filter(|_| heard.intent == Intent::WhoSet && is_unnamed) {
        let slots = Slots {
            field: Some(field),
            ..Slots::default()
        };
        *heard = Heard::known(Intent::WhoSet, slots);
        return true;
    }
    match before.and_then(|before| before.heard.slots.line.clone()) {
        Some(line) if heard.intent == Intent::Define && names_nothing => {
            let slots = Slots {
                line: Some(line),
                ..Slots::default()
            };
            *heard = Heard::known(Intent::Define, slots);
            true
        }
        _ => false,
    }
}

/// Whether a part wants what another one does: the reason of a figure is said with it, and a second question for something of the plan
/// is the first in other words where nothing adds it.
fn repeats(heard: &Heard, is_added: bool, parts: &[Reading<'_>]) -> bool {
    let group = |one: &Heard| match one.intent {
        Intent::Figure | Intent::Why | Intent::Value | Intent::IsHigh | Intent::Define | Intent::WhatIf => {
            Intent::Figure
        }
        other => other,
    };
    parts.iter().map(|one| &one.heard).any(|other| {
        // What opening takes is said with the own cash in it.
        let is_within = line_is(other, "moneyToOpen") && line_is(heard, "ownCash");
        let is_same_line = other.slots.line == heard.slots.line && other.slots.field == heard.slots.field || is_within;
        let is_same_time = (other.slots.year, other.slots.month) == (heard.slots.year, heard.slots.month);
        let is_same = other.intent == heard.intent && is_same_line && is_same_time;
        is_same || group(other) == group(heard) && !is_added
    })
}

/// Whether the parts are what the message says as a whole: no number is outside of them, and what it is surely taken for is among
/// them, unless that is a mixture of them. A case stands at the end: a figure that is asked for behind it is one of the case.
fn covers(wanted: &[Reading<'_>], whole: &Reading<'_>, has_values: bool) -> bool {
    // "Three questions:" counts what is asked.
    let counts = |one: &Mention| one.value <= Decimal::TEN && !has_digit(&whole.texts, one);
    let count = |one: &Reading<'_>| one.understanding.mentions.iter().filter(|one| !counts(one)).count();
    let numbers: usize = wanted.iter().map(count).sum();
    let case = wanted.iter().position(Reading::is_case);
    let is_among = has_values || wanted.iter().any(|one| one.heard.intent == whole.heard.intent);
    (has_values || numbers == count(whole))
        && case.is_none_or(|at| at + 1 == wanted.len())
        && (is_among || !whole.is_heard() || !whole.heard.is_sure_of_figures())
}

fn has_digit(texts: &Texts<'_>, number: &Mention) -> bool {
    let said = texts.message.get(number.number.0..number.number.1);
    said.is_some_and(|said| said.contains(|c: char| c.is_ascii_digit()))
}
