//! Questions that list what they ask for: years, figures, values.

use super::{MOST, is_figure, times};
use crate::offline::message::reading::{Reader, Reading};
use crate::wording;
use plan_model::field::{FieldPath, FieldRole, Kind};
use plan_reader::{Heard, Intent, Line, Slots};

/// Years whose figures are told one by one.
const TOLD_APART: usize = 2;

/// Words of a question that lists what it asks for.
const LIST: usize = 24;

/// One reading for each of what a question lists; `None` where it lists nothing.
pub(super) fn each<'a>(reader: &Reader<'_, 'a>, one: &Reading<'a>) -> Option<Vec<Reading<'a>>> {
    of_each_year(reader, one)
        .or_else(|| of_each_line(reader, one))
        .or_else(|| of_each_field(one))
        .or_else(|| of_case_in_year(reader, one))
}

/// "Make rent 5,000, what does that do to year 2?": the case, and the profit of that year with it.
fn of_case_in_year<'a>(reader: &Reader<'_, 'a>, one: &Reading<'a>) -> Option<Vec<Reading<'a>>> {
    let changes = one.heard.slots.all_changes();
    // "What if I start to draw in year 2", "what if year 5 shrinks by 3 percent": the year is the case's own.
    let has_own_year = |path: &FieldPath| {
        let field = reader.field(path.as_str());
        field.is_none_or(|field| {
            matches!(field.role, FieldRole::Growth(_)) || !matches!(field.kind, Kind::Money | Kind::Percent)
        })
    };
    let is_case = one.heard.intent == Intent::WhatIf && one.heard.is_sure_of_figures() && !changes.is_empty();
    let is_sure = is_case && !changes.iter().any(|change| has_own_year(&change.field));
    let years = plan_reader::years(&one.texts, reader.vocabulary);
    let ([year], true, None) = (&years[..], is_sure, &one.heard.slots.line) else {
        return None;
    };
    let slots = Slots {
        line: Some(Line::NetProfit),
        year: Some(*year),
        changes,
        ..Slots::default()
    };
    let (case, mut profit) = (one.clone(), one.clone());
    profit.heard = Heard::known(Intent::Figure, slots);
    profit.unanswered = None;
    Some(vec![case, profit])
}

/// "What is left for me in year 1 and in year 3?": the figure of each.
fn of_each_year<'a>(reader: &Reader<'_, 'a>, one: &Reading<'a>) -> Option<Vec<Reading<'a>>> {
    if !is_figure(one) || !one.heard.is_answered() || one.heard.slots.month.is_some() || one.heard.slots.line.is_none()
    {
        return None;
    }
    let years = plan_reader::years(&one.texts, reader.vocabulary);
    let asked = one.heard.slots.year.or_else(|| years.first().copied())?;
    // "Why is profit more in year 3 than in year 1?", "year 1 versus year 2": what made the difference.
    let is_compared = one.heard.intent == Intent::Why || wording::says(one.texts.message, "w.compares");
    if years.len() == TOLD_APART && is_compared {
        return None;
    }
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
    const JOINS: [&str; 7] = [": ", ", ", " and ", " y ", " e ", " & ", "; "];
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
