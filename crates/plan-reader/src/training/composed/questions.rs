//! Questions for figures and what-ifs, composed of names and forms: a writer asks for each figure in few ways, and a new one
//! finds others.

use super::{Dice, Labeled, Vocabulary, value};
use crate::intent::{Change, FieldChange, Intent, Line, Slots};

/// Questions that are composed of one file.
pub(super) const COMPOSED: u32 = 1_500;

/// Sections of the file that belong to questions.
#[derive(Default)]
pub(super) struct Parts<'t> {
    figure: Vec<&'t str>,
    why: Vec<&'t str>,
    case: Vec<&'t str>,
    change: Vec<&'t str>,
    times: Vec<&'t str>,
    lines: Vec<(Line, Vec<&'t str>)>,
}

impl<'t> Parts<'t> {
    /// Adds a line of a section; `None` where it does not fit.
    pub(super) fn add(&mut self, section: &str, line: &'t str) -> Option<()> {
        let section = match section {
            "figure" => &mut self.figure,
            "why" => &mut self.why,
            "case" => &mut self.case,
            "change" => &mut self.change,
            "time" => &mut self.times,
            "lines" => {
                let (name, names) = line.split_once(": ")?;
                let known = Line::NAMED.iter().find(|(known, _)| *known == name)?;
                self.lines.push((known.1.clone(), names.split("; ").collect()));
                return Some(());
            }
            _ => return None,
        };
        section.push(line);
        Some(())
    }
}

pub(super) fn message(
    lang: &str,
    parts: &super::Parts<'_>,
    vocabulary: &Vocabulary,
    dice: &mut Dice,
) -> Option<Labeled> {
    match dice.below(20) {
        0..8 => figure(Intent::Figure, lang, parts, vocabulary, dice),
        8..14 => figure(Intent::Why, lang, parts, vocabulary, dice),
        _ => case(lang, parts, vocabulary, dice),
    }
}

fn figure(
    intent: Intent,
    lang: &str,
    parts: &super::Parts<'_>,
    vocabulary: &Vocabulary,
    dice: &mut Dice,
) -> Option<Labeled> {
    let forms = if intent == Intent::Why {
        &parts.questions.why
    } else {
        &parts.questions.figure
    };
    let form = dice.of(forms);
    // A line of a cost is asked for with its time, else its value in the plan is meant.
    let of_field = dice.below(5) == 0;
    let (line, name) = if of_field {
        let (field, names) = dice.pick(&parts.names)?;
        (Line::Field(vocabulary.fields()[*field].path.clone()), dice.of(names))
    } else {
        line(parts, dice)?
    };
    let times = &parts.questions.times;
    let time = if of_field || dice.below(3) > 0 {
        dice.of(times)
    } else {
        ""
    };
    let time = time
        .replace("{y}", &(1 + dice.below(5)).to_string())
        .replace("{m}", &(1 + dice.below(60)).to_string());
    let slots = Slots {
        line: Some(line),
        ..Slots::default()
    };
    let text = form.replace("{n}", name).replace("{t}", &time);
    Some(Labeled::composed(lang, text, Vec::new()).wanting(intent, slots))
}

fn line<'t>(parts: &super::Parts<'t>, dice: &mut Dice) -> Option<(Line, &'t str)> {
    let (line, names) = dice.pick(&parts.questions.lines)?;
    Some((line.clone(), dice.of(names)))
}

fn case(lang: &str, parts: &super::Parts<'_>, vocabulary: &Vocabulary, dice: &mut Dice) -> Option<Labeled> {
    let (mut items, mut slots) = (Vec::new(), Slots::default());
    for _ in 0..=dice.below(2) {
        let (field, names) = dice.pick(&parts.names)?;
        let described = &vocabulary.fields()[*field];
        let form = dice.of(&parts.questions.change);
        let (number, said) = value(described, vocabulary.range(*field), lang, dice);
        // Only what a field is set to teaches its value; of the others only which field it is.
        let change = if form.contains("{v}") {
            Change::To(number)
        } else {
            Change::By(number)
        };
        let share = format!("{}%", 5 * (1 + dice.below(8)));
        items.push(
            form.replace("{n}", dice.of(names))
                .replace("{v}", &said)
                .replace("{d}", &said)
                .replace("{p}", &share),
        );
        slots.changes.push(FieldChange {
            field: described.path.clone(),
            change,
        });
    }
    let and = if lang == "es" { " y " } else { " and " };
    let text = dice.of(&parts.questions.case).replace("{c}", &items.join(and));
    Some(Labeled::composed(lang, text, Vec::new()).wanting(Intent::WhatIf, slots))
}
