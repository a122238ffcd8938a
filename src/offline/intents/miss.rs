//! What the advisor does not understand.

use crate::offline::message::ask;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use plan_reader::{Intent, Line};

/// Nothing that is known: near questions instead of a guess, from the second time on the guide.
pub(in crate::offline) fn other(situation: &Situation<'_>) -> Step {
    let has_number = !situation.understanding.mentions.is_empty();
    let key = if has_number { "other.number" } else { "other" };
    let near: &[&str] = match situation.understanding.named.first() {
        Some(path) if path.section() == "financing" => &["s.payment", "s.less_loan", "s.open"],
        Some(path) if path.section() == "revenue" => &["s.more_sales", "s.breakeven", "s.profit"],
        _ => &["s.open", "s.profit", "s.missing"],
    };
    let suggestions = nearest(situation, None, near);
    Step::say([situation.say(key, &[]), again(situation)], suggestions)
}

/// The figures that may be meant, each as a question that is understood, before what is always offered.
fn nearest(situation: &Situation<'_>, line: Option<&Line>, always: &[&str]) -> Vec<String> {
    const MOST: usize = 3;
    let near = situation.lines_near();
    let others = near.iter().filter(|other| Some(*other) != line);
    let asked = line.into_iter().chain(others).map(|line| show(situation, line));
    asked.chain(situation.suggest(always)).take(MOST).collect()
}

/// "Show me cash in month 6"
fn show(situation: &Situation<'_>, line: &Line) -> String {
    let label = situation.line_label(line);
    match (situation.slots().year, situation.slots().month) {
        (_, Some(month)) => situation.say("s.line.month", &[("label", &label), ("month", &month.to_string())]),
        (Some(year), None) => situation.say("s.line.year", &[("label", &label), ("year", &year.to_string())]),
        (None, None) => situation.say("s.line", &[("label", &label)]),
    }
}

/// The line that is most likely meant.
pub(in crate::offline) fn line(situation: &Situation<'_>) -> Option<Line> {
    let slots = situation.slots();
    let field = || {
        let of_field = matches!(
            situation.heard.intent,
            Intent::Value | Intent::IsHigh | Intent::WhoSet | Intent::Estimate
        );
        slots.field.clone().filter(|_| of_field).map(Line::Field)
    };
    slots.line.clone().or_else(|| slots.metric.clone()).or_else(field)
}

/// What an answer is taken to be about, with its time: a line, the plan as a whole, or what moves a result most.
pub(in crate::offline) fn about(situation: &Situation<'_>) -> Option<String> {
    let slots = situation.slots();
    let of_goal = || slots.field.as_ref().map(|path| situation.named(path.as_str()));
    match situation.heard.intent {
        Intent::Levers => Some(situation.say("unsure.levers", &[])),
        Intent::WhatIf => Some(situation.say("unsure.this_case", &[])),
        Intent::Figure if slots.line.is_none() => Some(situation.say("unsure.whole", &[])),
        Intent::Goal if slots.metric.is_none() => of_goal(),
        _ => Some(timed(situation, &line(situation)?)),
    }
}

/// Its name, with the time that is meant.
fn timed(situation: &Situation<'_>, line: &Line) -> String {
    let label = situation.line_label(line);
    match (situation.slots().year, situation.slots().month) {
        (_, Some(month)) => situation.say("in_month", &[("label", &label), ("month", &month.to_string())]),
        (Some(year), None) => situation.say("in_year", &[("label", &label), ("year", &year.to_string())]),
        (None, None) => label,
    }
}

/// A question for figures that may be another one: what was heard is asked back, in words that are understood.
pub(in crate::offline) fn unsure(situation: &Situation<'_>) -> Step {
    let line = line(situation);
    if situation.heard.intent == Intent::IsHigh && line.is_none() {
        return Step::say(
            [situation.say("unsure.is_high", &[])],
            situation.suggest(&["s.profit", "s.levers"]),
        );
    }
    let Some(line) = line.filter(|_| situation.heard.intent != Intent::WhatIf) else {
        let key = match situation.heard.intent {
            Intent::WhatIf | Intent::Goal | Intent::Estimate => "unsure",
            _ => "unsure.question",
        };
        let is_question = key == "unsure.question";
        let suggestions = match is_question {
            true => nearest(situation, None, &["s.profit", "s.less_loan", "s.goal"]),
            false => situation.suggest(&["s.profit", "s.less_loan", "s.goal"]),
        };
        return Step::say([situation.say(key, &[]), again(situation)], suggestions);
    };
    let label = situation.line_label(&line);
    let suggestions = nearest(situation, Some(&line), &["s.profit", "s.open"]);
    Step::say(
        [situation.say("unsure.line", &[("label", &label)]), again(situation)],
        suggestions,
    )
}

/// The guide, where the answer before was a miss, too.
pub(in crate::offline) fn again(situation: &Situation<'_>) -> String {
    let again = situation.advisor().filter(|text| ask::was_missed(text));
    again.map(|_| situation.say("other.again", &[])).unwrap_or_default()
}
