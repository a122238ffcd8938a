//! Lists of values and questions composed of names and forms (`tests/intents/composed.txt`): people write the same names in ever new
//! orders, and no writer is patient enough for all of them.

mod questions;

use super::labeled::{Label, Labeled};
use crate::ear::linear::hash;
use crate::grammar::Vocabulary;
use plan_model::field::{Bounds, Field, FieldRole, Kind};
use plan_model::number::Number;
use plan_model::period::Period;
use rust_decimal::Decimal;

/// Messages that are composed of one file.
const COMPOSED: u32 = 1_500;

/// Items of a message, at most.
const ITEMS: u32 = 6;

#[derive(Default)]
struct Parts<'t> {
    forms: Vec<&'t str>,
    begins: Vec<&'t str>,
    ends: Vec<&'t str>,
    names: Vec<(usize, Vec<&'t str>)>,
    questions: questions::Parts<'t>,
}

/// Chance that is the same on every machine.
struct Dice(u32);

impl Dice {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_add(1);
        (hash(self.0, 7, 11) >> 4) % most.max(1)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(u32::try_from(all.len()).unwrap_or(1)) as usize)
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        self.pick(all).copied().unwrap_or_default()
    }
}

/// The composed messages of a file; `None` where a line is none of its section.
pub(super) fn read(text: &str, vocabulary: &Vocabulary) -> Option<Vec<Labeled>> {
    let mut languages = [("en", Parts::default()), ("es", Parts::default())];
    let (mut at, mut kind) = (0, "");
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    for line in lines {
        if let Some(head) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let (lang, named) = head.split_once(' ')?;
            at = languages.iter().position(|(known, _)| *known == lang)?;
            kind = named;
            continue;
        }
        let parts = &mut languages[at].1;
        match kind {
            "form" => parts.forms.push(line),
            "begin" => parts.begins.push(line),
            "end" => parts.ends.push(line),
            "names" => {
                let (path, names) = line.split_once(": ")?;
                let field = vocabulary.position(path)?;
                parts.names.push((field, names.split("; ").collect()));
            }
            kind => parts.questions.add(kind, line)?,
        }
    }
    let mut dice = Dice(0);
    let mut out = Vec::new();
    for nth in 0..COMPOSED {
        let (lang, parts) = &languages[usize::from(nth % 3 == 0)];
        out.push(message(lang, parts, vocabulary, &mut dice)?);
    }
    for nth in 0..questions::COMPOSED {
        let (lang, parts) = &languages[usize::from(nth % 4 == 0)];
        out.push(questions::message(lang, parts, vocabulary, &mut dice)?);
    }
    for (lang, parts) in &languages {
        out.extend(questions::names(lang, parts, vocabulary));
    }
    Some(out)
}

fn message(lang: &str, parts: &Parts<'_>, vocabulary: &Vocabulary, dice: &mut Dice) -> Option<Labeled> {
    let form = dice.of(&parts.forms);
    let between = dice.of(&[", ", ", ", ". ", "; ", "\n", " "]);
    let (mut items, mut labels): (Vec<String>, Vec<Label>) = (Vec::new(), Vec::new());
    for _ in 0..=dice.below(ITEMS) {
        let (field, names) = dice.pick(&parts.names)?;
        let described = &vocabulary.fields()[*field];
        if labels.iter().any(|label| label.field == described.path) {
            continue;
        }
        let (value, said) = value(described, vocabulary.range(*field), lang, dice);
        items.push(form.replace("{n}", dice.of(names)).replace("{v}", &said));
        labels.push(Label::plain(described.path.clone(), value));
    }
    let mut text = items.join(between);
    if dice.below(3) == 0 {
        text.insert_str(0, &dice.of(&parts.begins).replace("\\n", "\n"));
    }
    if dice.below(2) == 0 {
        let other = (10 + dice.below(90)) * 10u32.pow(dice.below(3));
        text += &dice.of(&parts.ends).replace("{x}", &other.to_string());
    }
    Some(Labeled::composed(lang, text, labels))
}

/// A value within the usual range, rounded as people round, and how it is written.
fn value(field: &Field, range: Option<Bounds>, lang: &str, dice: &mut Dice) -> (Number, String) {
    let part = Decimal::from(2 + dice.below(70)) / Decimal::ONE_HUNDRED;
    let between = |low: i64, high: i64| {
        let (low, high) = range.map_or((Decimal::from(low), Decimal::from(high)), |range| {
            (range.low.decimal(), range.high.decimal())
        });
        low + (high - low) * part * part
    };
    let is_spanish = lang == "es";
    let with = |value: Decimal, (one, other): (&str, &str)| {
        let unit = if is_spanish { other } else { one };
        format!("{} {unit}", value.normalize())
    };
    match field.kind {
        Kind::Money => {
            let dollars = between(50_000, 5_000_000) / Decimal::ONE_HUNDRED;
            let step = if dollars > Decimal::from(20_000) { 1_000 } else { 5 };
            let whole = (dollars / Decimal::from(step)).round() * Decimal::from(step);
            let whole = whole.max(Decimal::from(step));
            (
                Number::new(whole * Decimal::ONE_HUNDRED),
                money(field, whole, is_spanish, dice),
            )
        }
        Kind::Percent => {
            let half = Decimal::from(200);
            let share = (between(10_000, 300_000).max(Decimal::new(1, 2)) * half).round() / half;
            let said = (share * Decimal::ONE_HUNDRED).normalize();
            let written = match dice.below(4) {
                0 => with(said, ("percent", "por ciento")),
                1 => said.to_string(),
                _ => format!("{said}%"),
            };
            (Number::new(share), written)
        }
        Kind::Months => {
            let months = between(1, 12).round().max(Decimal::ONE);
            let is_start = matches!(field.role, FieldRole::StartMonth);
            let is_term = matches!(field.role, FieldRole::LoanTerm);
            let years = (months / Decimal::from(12)).round().max(Decimal::from(2));
            match (is_start, is_term && dice.below(3) > 0) {
                (true, _) => {
                    let month = if is_spanish { "mes" } else { "month" };
                    (Number::new(months), format!("{month} {months}"))
                }
                (_, true) => (Number::new(years * Decimal::from(12)), with(years, ("years", "años"))),
                _ => (Number::new(months), with(months, ("months", "meses"))),
            }
        }
        Kind::Days => {
            let days = between(0, 60).round();
            (Number::new(days), with(days, ("days", "días")))
        }
        Kind::Years => {
            let years = between(3, 15).round();
            (Number::new(years), with(years, ("years", "años")))
        }
        Kind::Multiple => {
            let times = (between(1, 6) * Decimal::TWO).round() / Decimal::TWO;
            (Number::new(times), times.normalize().to_string())
        }
        Kind::Count => {
            let count = Decimal::from(1 + dice.below(20));
            (Number::new(count), count.to_string())
        }
    }
}

fn money(field: &Field, whole: Decimal, is_spanish: bool, dice: &mut Dice) -> String {
    let plain = whole.to_string();
    let grouped = match plain.len() {
        length @ 4.. => format!("{},{}", &plain[..length - 3], &plain[length - 3..]),
        _ => plain.clone(),
    };
    let thousands = whole / Decimal::ONE_THOUSAND;
    let text = match dice.below(6) {
        0 | 1 => format!("${grouped}"),
        2 => plain,
        3 if plain.len() > 4 && plain.ends_with("000") && is_spanish => format!("{} mil", thousands.normalize()),
        3 if plain.len() > 3 && !is_spanish => format!("{}k", thousands.normalize()),
        _ => grouped,
    };
    let unit = match (field.period, dice.below(3)) {
        (Some(Period::Monthly), 0) => [" a month", " al mes"],
        (Some(Period::Monthly), 1) => ["/mo", " mensuales"],
        (Some(Period::Annual), 0 | 1) => [" a year", " al año"],
        _ => ["", ""],
    };
    format!("{text}{}", unit[usize::from(is_spanish)])
}
