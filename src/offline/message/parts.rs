//! Messages that want several things: "do I make a profit, and what is my coverage?", "Rent is 4,250. And how do I print this?" Each part
//! that is plain by itself is answered, in the order of the message.

use crate::offline::message::pieces::{Piece, pieces};
use crate::offline::message::reading::{Reader, Reading, SURELY_STATED, given};
use crate::offline::message::{cuts, lead, sums, wages};
use crate::wording;
use plan_model::inputs::LOAN;
use plan_reader::{Heard, IgnoredNumber, Intent, Mention, ScenarioAct, Slots, Texts, Wish};
use rust_decimal::Decimal;

mod apart;
mod kept;
mod left_out;
mod lists;

use kept::{begins_before, carried_out, go_on_from_taken, is_remark_on_cases, keeps, kept_apart, takes_case};
use left_out::is_left_out;

/// Parts that one answer bears.
const MOST: usize = 4;

/// The same, where parts are lists.
const MOST_OF_LISTS: usize = 6;

/// A longer message, in bytes, is no question or two: it is read as a whole.
const LONGEST: usize = 600;

/// How sure it must be that a piece takes something back.
const SURELY_UNDONE: f32 = 0.9;

/// How sure a question beside a value must be.
const SURE_BESIDE_A_VALUE: f32 = 0.75;

/// The parts of a message; the whole of it where it does not have several.
pub(in crate::offline) fn of<'a>(reader: &Reader<'_, 'a>, whole: Reading<'a>) -> Vec<Reading<'a>> {
    let parts = separate(reader, whole);
    let each = |one: &Reading<'a>| lists::each(reader, one).unwrap_or_else(|| vec![one.clone()]);
    let all: Vec<Reading<'a>> = parts.iter().flat_map(each).collect();
    if all.len() > MOST_OF_LISTS { parts } else { all }
}

fn separate<'a>(reader: &Reader<'_, 'a>, whole: Reading<'a>) -> Vec<Reading<'a>> {
    if whole.texts.message.len() > LONGEST || whole.is_about_shown {
        return vec![whole];
    }
    // "What is the lowest cash in lean, and what is it in bold?" is one comparison.
    if reader.names_cases(whole.texts.message) > 1 {
        return vec![whole];
    }
    // "Sell 64k then, write that. Or like 65": which of the two is asked.
    if whole.understanding.ignored.contains(&IgnoredNumber::Either) && !whole.has_values() {
        return vec![whole];
    }
    if let Some(cases) = apart::of(reader, &whole) {
        return cases;
    }
    let sums = wages::told(reader, &whole).or_else(|| sums::of_each(reader, &whole));
    if let Some(sums) = sums.or_else(|| sums::several(reader, &whole)) {
        return vec![sums];
    }
    let pieces = cuts::refined(reader, &whole, pieces(whole.texts.message));
    if pieces.len() < 2 {
        return vec![whole];
    }
    let read = read_each(reader, &whole, &pieces);
    let mut parts = put_together(reader, whole, read.clone());
    let says_so = parts.iter().any(|part| part.unanswered.is_some());
    let left = read.iter().find(|(piece, one)| is_left_out(piece, one, &parts));
    if let (Some(last), Some((piece, _)), false) = (parts.last_mut(), left, says_so) {
        last.unanswered = Some(piece.text);
    }
    parts
}

/// The parts of a message, from what its pieces say.
fn put_together<'a>(
    reader: &Reader<'_, 'a>,
    whole: Reading<'a>,
    read: Vec<(&Piece<'a>, Reading<'a>)>,
) -> Vec<Reading<'a>> {
    let mut parts: Vec<Reading<'a>> = Vec::new();
    let statement = stated(reader, &whole, &read);
    let closing = read.last().map(|(_, one)| one.clone()).filter(is_sure_case);
    // "Undo the last thing. Actually no, leave it."
    let is_taken_back = wording::says(whole.texts.message, "w.after_all_not");
    for (piece, mut one) in read {
        if is_taken_back && (one.heard.intent == Intent::Undo || one.understanding.wish == Some(Wish::Undo)) {
            continue;
        }
        let goes_on = one.changes_something() && parts.last().is_some_and(takes_case);
        // "Save that as high. Now the opposite: labor 40 % and sales 52,000."
        if whole.is_case() && parts.last().is_some_and(|before| keeps(&before.heard)) {
            reader.suppose(&mut one);
        }
        let goes_on = goes_on || is_sure_case(&one) && parts.last().is_some_and(|before| keeps(&before.heard));
        match wanted(piece, &one) {
            Some(heard) => one.heard = heard,
            None if goes_on => {}
            None => continue,
        }
        // "The landlord quoted 4,850. Put that in": of what was just said.
        if statement
            .as_ref()
            .is_some_and(|said| takes_case(&one) && begins_before(&said.texts, &one.texts))
        {
            continue;
        }
        if let Some(statement) = &statement
            && !stands_beside_a_value(&one)
        {
            return match answers_question(statement) {
                true => vec![statement.clone()],
                false => vec![whole],
            };
        }
        if is_remark_on_cases(&one)
            && lead::leaves_it(&one.texts).is_none()
            && (whole.is_case() || reader.shows_no_case())
        {
            continue;
        }
        let refers = refer(&mut one, parts.last());
        if !repeats(&one.heard, piece.is_added || refers, &parts) {
            parts.push(one);
        }
    }
    go_on_from_taken(reader, &mut parts);
    let is_cut_short = carried_out(&mut parts);
    if let Some(first) = kept_apart(statement.as_ref(), &parts) {
        return vec![first];
    }
    if let Some(case) = with_figure(&whole, &parts).filter(|_| statement.is_none()) {
        return vec![case];
    }
    let count = parts.len() + usize::from(statement.is_some());
    // What opening takes is said with the own cash in it.
    let says_own_cash = |only: &Reading<'_>| line_is(&only.heard, "moneyToOpen") && line_is(&whole.heard, "ownCash");
    // "Ok do it, and my draw at 3,500"
    let takes_more = |only: &Reading<'_>| takes_case(only) && !only.heard.slots.changes.is_empty();
    // "Save it as high and compare it with low": what is kept, and the comparison with it in the next message.
    let is_kept = |only: &Reading<'_>| {
        let slots = &only.heard.slots;
        let compares = whole.heard.slots.act == Some(ScenarioAct::Compare);
        slots.act == Some(ScenarioAct::Save) && slots.name.is_some() && compares
    };
    if let [only] = &parts[..]
        && statement.is_none()
        && (is_cut_short || says_own_cash(only) || takes_more(only) || is_kept(only))
    {
        return parts;
    }
    let is_goal = whole.heard.intent == Intent::Goal && statement.is_some();
    if count == 1 && (!whole.is_case() || is_goal) {
        return of_one(whole, statement, parts.pop());
    }
    if !(2..=MOST).contains(&count) || !covers(&parts, &whole, statement.is_some()) {
        return vec![match closing {
            // "No, I mean 8 % more than now, that would be about 41 %. Please try labor at 41 %."
            Some(case) if whole.is_case() && !whole.heard.is_sure_of_figures() && !whole.is_by_clauses => case,
            _ => unparted(whole, &parts),
        }];
    }
    if let Some(statement) = statement {
        parts.iter_mut().for_each(|part| part.is_beside_values = true);
        parts.insert(0, statement);
    }
    for (at, part) in parts.iter_mut().enumerate() {
        part.lead = whole.lead.filter(|_| at == 0);
    }
    parts
}

/// "What if I borrow 18,500 less, and how much is the monthly payment then?": the case, with the figure that is asked of it.
fn with_figure<'a>(whole: &Reading<'a>, parts: &[Reading<'a>]) -> Option<Reading<'a>> {
    let [case, figure] = parts else { return None };
    let is_figure = figure.heard.intent == Intent::Figure && figure.heard.slots.line.is_some();
    if !(whole.is_case() && is_sure_case(case) && is_figure) {
        return None;
    }
    let asked = &figure.heard.slots;
    let slots = Slots {
        line: asked.line.clone(),
        year: asked.year,
        month: asked.month,
        ..case.heard.slots.clone()
    };
    let heard = Heard {
        slots,
        ..case.heard.clone()
    };
    Some(Reading { heard, ..whole.clone() })
}

/// Whether it surely supposes a value of a line that it names.
fn is_sure_case(one: &Reading<'_>) -> bool {
    one.changes_something() && one.heard.is_sure_of_figures() && !one.understanding.named.is_empty()
}

/// The pieces as they are read, each that goes on from the one before it behind that.
fn read_each<'p, 'a>(
    reader: &Reader<'_, 'a>,
    whole: &Reading<'a>,
    pieces: &'p [Piece<'a>],
) -> Vec<(&'p Piece<'a>, Reading<'a>)> {
    let mut before: Option<&str> = None;
    let of_piece = |piece: &'p Piece<'a>| {
        let asked = before.replace(piece.text);
        let texts = asked
            .filter(|_| goes_on(piece))
            .map(|asked| behind(&whole.texts, asked));
        let texts = texts.as_ref().unwrap_or(&whole.texts);
        (piece, reader.piece(texts, piece.text))
    };
    pieces.iter().map(of_piece).collect()
}

/// What a message comes to where one of its pieces is understood: a statement, or something that is asked for.
fn of_one<'a>(whole: Reading<'a>, statement: Option<Reading<'a>>, part: Option<Reading<'a>>) -> Vec<Reading<'a>> {
    // "That is a relief. Then please put it into my plan."
    if let (None, Some(only)) = (&statement, part.as_ref().filter(|only| takes_case(only))) {
        return vec![only.clone()];
    }
    // "Um whats my worst month and how much of my own money goes in": the guess, and what is surely asked behind it.
    if let (None, Some(only)) = (&statement, part)
        && is_guess(&whole, &only)
    {
        let (guessed, sure) = (&whole.heard.slots, &only.heard.slots);
        let is_other = guessed.line != sure.line || guessed.field != sure.field;
        let lead = whole.lead.filter(|_| !is_other);
        let unanswered = whole.unanswered;
        let only = Reading {
            lead,
            unanswered,
            ..only
        };
        return if is_other { vec![whole, only] } else { vec![only] };
    }
    // "Sales are 29,400 then. Do I make money with that?", "the rent is 3,800, so how much do I have to borrow?": what is said is not
    // lost where the question is not understood.
    let has_number = |one: &Reading<'_>| one.understanding.mentions.len() < whole.understanding.mentions.len();
    let is_open = (is_figure(&whole) || whole.is_case()) && !whole.heard.is_sure_of_figures();
    let one = statement.filter(|one| is_open && !(whole.is_case() && has_number(one)) || answers_question(one));
    vec![one.unwrap_or(whole)]
}

/// A message whose parts are not all of it, as a whole.
fn unparted<'a>(whole: Reading<'a>, parts: &[Reading<'a>]) -> Reading<'a> {
    // "I gotta be up at 4. Can I print this": what is plain stands for what is not understood.
    if let Some(place) = parts.iter().find(|one| one.heard.intent == Intent::Place)
        && !whole.heard.is_answered()
    {
        return place.clone();
    }
    whole
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

fn line_is(heard: &Heard, name: &str) -> bool {
    heard.slots.line.as_ref().is_some_and(|line| line.as_str() == name)
}

/// What the message states, from the first piece with a value to the last.
fn stated<'a>(reader: &Reader<'_, 'a>, whole: &Reading<'a>, read: &[(&Piece<'_>, Reading<'a>)]) -> Option<Reading<'a>> {
    let states = |one: &Reading<'_>| {
        let is_heard_so = matches!(one.heard.intent, Intent::State | Intent::Correct);
        one.has_values() && (is_heard_so || orders(one) || answers_question(one))
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
    // "Sales are 29,400 then. Do I make money with that?", "put the loan at 246,600 then, and over how many years is it?"
    let is_beside = match whole.heard.intent {
        Intent::Figure | Intent::Why | Intent::Value => true,
        Intent::Goal => names_all(&statement),
        _ => !whole.is_case() && orders(&read[first].1),
    };
    let is_surely_stated = read[first].1.heard.probability >= SURELY_STATED || orders(&read[first].1);
    let records = is_plain || !asks_for_a_figure(whole) || is_beside && is_surely_stated && !read[last].0.asks();
    (records && statement.has_values()).then_some(Reading { heard, ..statement })
}

/// Whether it says of each value what it is of: "the rent there is 3,800", and not "they want 1.3 coverage".
fn names_all(one: &Reading<'_>) -> bool {
    given(&one.understanding).all(|field| one.understanding.named.contains(field))
}

/// "Con 90 mil queda la obra, ponle eso": an order is no case.
fn orders(one: &Reading<'_>) -> bool {
    let message = one.texts.message;
    let orders = wording::says(message, "w.orders") || wording::says_first(message, "w.moves_it");
    orders && !message.contains('?')
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
    let is_heard = one.heard.intent == Intent::Undo && one.heard.probability >= SURELY_UNDONE;
    let undoes = (is_heard || one.understanding.wish == Some(Wish::Undo)) && lead::tells_to_undo(one.texts.message);
    // "DSCR and cash at year end for each of 5 years." is a request without a question mark.
    let is_list = one.heard.intent == Intent::Figure && one.heard.is_sure_of_figures();
    let supposes = is_sure_case(one) && wording::says(one.texts.message, "w.supposes");
    let is_act = matches!(one.heard.intent, Intent::Scenario | Intent::Place);
    let is_request = is_act || piece.asks() || is_list || supposes;
    // To put something back is asked for in so many words.
    let is_plain = !is_act || one.heard.probability >= SURELY_STATED;
    let is_sure = is_plain && one.heard.is_sure_of_figures() || piece.asks() && one.heard.is_likely();
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
    // "Put sales at 45,000, and how many dogs a day is that?"
    let is_goal = one.heard.intent == Intent::Goal && one.understanding.mentions.is_empty();
    let is_about_it = one.is_case() && !is_goal || matches!(one.heard.intent, Intent::IsHigh | Intent::Why);
    // "And the 62,000 of furniture, where does it come from?"
    let has_own = one.heard.intent != Intent::WhoSet && one.understanding.mentions.len() > times(&one.heard.slots);
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
        // What opening takes is said with the own cash and the loan in it.
        let is_loan = heard
            .slots
            .field
            .as_ref()
            .is_some_and(|field| field.as_str() == LOAN[0]);
        let is_within =
            line_is(other, "moneyToOpen") && (line_is(heard, "ownCash") || is_loan && heard.intent == Intent::Value);
        let is_same_line = other.slots.line == heard.slots.line && other.slots.field == heard.slots.field || is_within;
        let is_same_time = (other.slots.year, other.slots.month) == (heard.slots.year, heard.slots.month);
        let is_same_act = (other.slots.act, &other.slots.name) == (heard.slots.act, &heard.slots.name);
        let is_same = other.intent == heard.intent && is_same_line && is_same_time && is_same_act;
        is_same || group(other) == group(heard) && !is_added
    })
}

/// Whether the parts are what the message says as a whole: no number is outside of them, and what it is surely taken for is among
/// them, unless that is a mixture of them. Behind a case it may be kept: a figure that is asked for behind it is one of the case.
fn covers(wanted: &[Reading<'_>], whole: &Reading<'_>, has_values: bool) -> bool {
    // "Three questions:" counts what is asked.
    let counts = |texts: &Texts<'_>, one: &Mention| one.value <= Decimal::TEN && !has_digit(texts, one);
    let is_number = |one: &Reading<'_>, number: &&Mention| !counts(&one.texts, number);
    let count = |one: &Reading<'_>| {
        one.understanding
            .mentions
            .iter()
            .filter(|number| is_number(one, number))
            .count()
    };
    let numbers: usize = wanted.iter().map(count).sum();
    let case = wanted.iter().position(Reading::is_case);
    // "Got 180k to put in. What does one cost all in, and what is the DSCR?": each is surely asked, and the whole is neither.
    let is_several = wanted.len() > 1
        && !whole.is_case()
        && !whole.heard.is_sure_of_figures()
        && wanted.iter().all(|one| one.heard.is_sure_of_figures());
    // "What is left after costs and loan payments in year 3": the time is of the whole.
    let slots = |one: &Reading<'_>| {
        let slots = &one.heard.slots;
        (slots.line.clone(), slots.year, slots.month)
    };
    let (line, year, month) = slots(whole);
    let is_of_line = |one: &&Reading<'_>| line.is_some() && one.heard.slots.line == line;
    let is_in_time = |one: &Reading<'_>| slots(one) == (line.clone(), year, month);
    let keeps_time = !whole.heard.is_sure_of_figures() || wanted.iter().find(is_of_line).is_none_or(is_in_time);
    let is_among = has_values || wanted.iter().any(|one| one.heard.intent == whole.heard.intent);
    (has_values || is_several || numbers == count(whole) && keeps_time)
        && case.is_none_or(|at| wanted[at + 1..].iter().all(|one| keeps(&one.heard)))
        && (is_among || !whole.is_heard() || !whole.heard.is_sure_of_figures())
}

fn has_digit(texts: &Texts<'_>, number: &Mention) -> bool {
    let said = texts.message.get(number.number.0..number.number.1);
    said.is_some_and(|said| said.contains(|c: char| c.is_ascii_digit()))
}
