//! Why a figure is another than in an earlier time, or than in the plan beside a case: the lines that made the difference.

use super::reason::number;
use crate::offline::intents::talk;
use crate::offline::situation::Situation;
use crate::wording::sentence;
use plan_model::tool_result::{FigurePart, LineFigure, Moved};
use plan_reader::Intent;

/// The years that a message compares, the earlier one first: "why is profit more in year 3 than in year 1", "compare year 1 and year 2".
pub(super) fn years(situation: &Situation<'_>) -> Option<(u8, u8)> {
    compared(
        situation.years(),
        is_why(situation) || talk::says(situation, "w.compares"),
    )
    .or_else(|| of_one(situation))
    .or_else(|| of_last(situation))
}

/// Two years that are compared, the earlier one first.
pub(super) fn compared(mut years: Vec<u8>, compares: bool) -> Option<(u8, u8)> {
    years.sort_unstable();
    match years[..] {
        [first, second] if compares => Some((first, second)),
        _ => None,
    }
}

/// "Why is it so much better in year 2?" is against the year before.
fn of_one(situation: &Situation<'_>) -> Option<(u8, u8)> {
    let is_compared = is_why(situation) && situation.slots().month.is_none() && talk::says(situation, "w.moved");
    let year = situation.slots().year.filter(|year| is_compared && *year > 1)?;
    Some((year.checked_sub(1)?, year))
}

/// "Why?" behind years that were compared.
fn of_last(situation: &Situation<'_>) -> Option<(u8, u8)> {
    let has_time = situation.slots().year.is_some() || situation.slots().month.is_some();
    let is_open = is_why(situation) && !has_time;
    compared(situation.years_before(), is_open)
}

fn is_why(situation: &Situation<'_>) -> bool {
    situation.heard.intent == Intent::Why
}

/// The figure of both times and what made the difference, instead of what makes the later one.
pub(super) fn over_time(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    let moved = figure.moved.as_ref().filter(|moved| moved.since.is_some())?;
    let label = sentence(&situation.label(&figure.line, &figure.label));
    let shown = |value: &Option<String>| {
        let none = || situation.say("not_reached", &[]);
        value.as_deref().map_or_else(none, |value| situation.figure(value))
    };
    let slots = [
        ("label", &*label),
        ("before", &*shown(&moved.from)),
        ("since", &*number(moved.since)),
        ("after", &*shown(&figure.value)),
        ("year", &*number(figure.year)),
        ("parts", &*parts(situation, moved)?),
    ];
    Some(situation.say("moved.years", &slots))
}

/// What makes the figure of a case another than the plan's.
pub(super) fn against_plan(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    let moved = figure.moved.as_ref().filter(|moved| moved.since.is_none())?;
    let Some(parts) = parts(situation, moved) else {
        return Some(situation.say("moved.none", &[]));
    };
    let (key, at) = match (figure.month, figure.year, moved.until_month) {
        (None, None, Some(month)) if figure.line == "breakEvenMonth" => ("moved.case.month", month),
        (_, _, Some(month)) => ("moved.case.until", month),
        (Some(month), _, None) => ("moved.case.month", month),
        (None, Some(year), None) => ("moved.case.year", year),
        (None, None, None) => ("moved.case.year", 1),
    };
    Some(situation.say(key, &[("at", &at.to_string()), ("parts", &parts)]))
}

/// "sales up $277,881 and rent down $1,200"; `None` where nothing changed.
fn parts(situation: &Situation<'_>, moved: &Moved) -> Option<String> {
    let part = |part: &FigurePart| {
        let (key, value) = match part.value.strip_prefix('−') {
            Some(value) => ("moved.down", value),
            None => ("moved.up", &*part.value),
        };
        situation.say(
            key,
            &[("name", &situation.label(&part.line, &part.label)), ("value", value)],
        )
    };
    let parts: Vec<String> = moved.by.iter().map(part).collect();
    (!parts.is_empty()).then(|| situation.list(&parts))
}
