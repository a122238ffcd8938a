//! Questions for figures and what-ifs, composed of names and forms: a writer asks for each figure in few ways, and a new one
//! finds others.

use super::{Dice, Labeled, Vocabulary, value};
use crate::intent::{Change, FieldChange, Intent, Line, Slots};
use plan_model::field::{Kind, spanish};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// Questions that are composed of one file.
pub(super) const COMPOSED: u32 = 2_000;

/// Shares in words, English and Spanish, in ten thousandths.
const FRACTIONS: [[(&str, i64); 5]; 2] = [
    [
        ("half", 5_000),
        ("a third", 3_333),
        ("two thirds", 6_667),
        ("a quarter", 2_500),
        ("three quarters", 7_500),
    ],
    [
        ("la mitad", 5_000),
        ("un tercio", 3_333),
        ("dos tercios", 6_667),
        ("un cuarto", 2_500),
        ("tres cuartos", 7_500),
    ],
];

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
        0..6 => figure(Intent::Figure, lang, parts, vocabulary, dice),
        6..10 => figure(Intent::Why, lang, parts, vocabulary, dice),
        _ => case(lang, parts, vocabulary, dice),
    }
}

/// Each name by itself: whatever is asked, that field is meant.
pub(super) fn names<'p>(
    lang: &'p str,
    parts: &'p super::Parts<'_>,
    vocabulary: &'p Vocabulary,
) -> impl Iterator<Item = Labeled> + 'p {
    const ASKED: [Intent; 4] = [Intent::Value, Intent::IsHigh, Intent::WhatIf, Intent::WhoSet];
    let fields = parts.names.iter();
    let names = fields.flat_map(|(field, names)| names.iter().map(move |name| (field, name)));
    // What the catalogue says of each field describes it in other words.
    let described = vocabulary.fields().iter().enumerate().flat_map(move |(at, field)| {
        let words = spanish(field.path.as_str()).filter(|_| lang == "es");
        let own = words.map_or([field.label.as_ref(), field.help.as_ref()], |words| {
            [words.label, words.help]
        });
        own.map(|text| (at, text))
    });
    let names = names.map(|(field, name)| (*field, *name)).chain(described);
    names.zip(ASKED.iter().cycle()).map(move |((field, name), intent)| {
        let slots = Slots {
            field: Some(vocabulary.fields()[field].path.clone()),
            ..Slots::default()
        };
        Labeled::composed(lang, (name).to_owned(), Vec::new()).naming(*intent, slots)
    })
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
    let (year, month) = (1 + dice.below(5) as u8, 1 + dice.below(60) as u8);
    let slots = match (time.contains("{m}"), time.contains("{y}")) {
        (true, _) => Slots {
            month: Some(month),
            ..Slots::default()
        },
        // Those without a number are of the first year.
        (_, numbered) => Slots {
            year: Some(if numbered { year } else { 1 }).filter(|_| !time.is_empty()),
            ..Slots::default()
        },
    };
    let slots = Slots {
        line: Some(line),
        ..slots
    };
    let time = time
        .replace("{y}", &year.to_string())
        .replace("{m}", &month.to_string());
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
        let (form, sign) = match (form.contains('-'), form.contains('+')) {
            (true, _) => (form.replace("{-", "{"), -Decimal::ONE),
            (_, is_more) => (
                form.replace("{+", "{"),
                if is_more { Decimal::ONE } else { Decimal::ZERO },
            ),
        };
        let points = 5 * (1 + dice.below(8));
        let share = sign * Decimal::from(points) / Decimal::ONE_HUNDRED;
        // "Royalty up 5 %" is of its points, "up 20 %" of itself.
        let is_of_points = described.kind == Kind::Percent && points < 10;
        let (share_of, part) = dice.pick(&FRACTIONS[usize::from(lang == "es")]).copied()?;
        let change = match (form.contains("{v}"), form.contains("{d}")) {
            _ if form.contains("{f}") => Change::Times(Number::new(Decimal::new(part, 4))),
            (true, _) => Change::To(number),
            (_, true) => Change::By(Number::new(sign * number.decimal())),
            _ if is_of_points => Change::By(Number::new(share)),
            _ => Change::Times(Number::new(Decimal::ONE + share)),
        };
        items.push(
            form.replace("{n}", dice.of(names))
                .replace("{v}", &said)
                .replace("{d}", &said)
                .replace("{f}", share_of)
                .replace("{p}", &format!("{points}%")),
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
