//! What the words beside a number say it does to its line, where the ear took it otherwise: "4 months quicker", "two full years",
//! "get him down another 200". And the line that a pronoun means.

use super::{Reader, Reading};
use crate::offline::message::shown;
use crate::wording;
use plan_model::field::{Field, FieldPath, FieldRole, Kind};
use plan_model::inputs::DRAW_START;
use plan_model::number::Number;
use plan_reader::{Change, FieldChange, Intent, Mention, Slots, Unit};
use rust_decimal::Decimal;

const MANAGER_START: &str = "operatingCosts.managerStartMonth";
const INTEREST_ONLY: &str = "financing.interestOnlyMonths";
const A_YEAR: Decimal = Decimal::from_parts(12, 0, 0, false, 0);

/// A number of the message with the words around it.
struct Beside<'m> {
    number: &'m Mention,
    before: &'m str,
    behind: &'m str,
}

impl<'a> Reader<'_, 'a> {
    /// The clause of an amount that a case has no change for: "borrow 20k less n put in 20k more ourselves" is none of one loan.
    pub(super) fn amount_left_out(&self, reading: &Reading<'a>) -> Option<&'a str> {
        let changes = reading.heard.slots.all_changes();
        let message = reading.texts.message;
        let is_case = reading.heard.intent == Intent::WhatIf && reading.heard.is_sure_of_figures();
        if !is_case || changes.is_empty() || !reading.heard.slots.product.is_empty() || reading.is_whole_case {
            return None;
        }
        let is_amount = |one: &&Mention| match one.unit {
            Unit::Money | Unit::Percent => !one.month_number,
            Unit::Bare => !one.count_only && !one.month_number && one.value >= Decimal::ONE_HUNDRED,
            _ => false,
        };
        let told = reading.texts.advisor.unwrap_or_default();
        let mut left: Vec<&Mention> = reading.understanding.mentions.iter().filter(is_amount).collect();
        for one in &changes {
            let kind = self.field(one.field.as_str())?.kind;
            if let Some(at) = left
                .iter()
                .position(|number| is_of(number, one.change, kind) || scales(number, one.change))
            {
                left.remove(at);
            }
        }
        let is_other = |number: &&&Mention| {
            let before = message.get(..number.number.0).unwrap_or_default();
            !shown::is_number_of(told, number.value) && !is_old(before)
        };
        let (is_unused, count) = (left.iter().find(is_other), left.len());
        let number = is_unused.filter(|_| count < reading.understanding.mentions.len())?;
        Some(clause(message, number.number))
    }

    /// A case, with each change as the words beside its number have it.
    pub(super) fn by_neighbors(&self, reading: &mut Reading<'_>) {
        if reading.heard.intent != Intent::WhatIf {
            return;
        }
        let mut slots = std::mem::take(&mut reading.heard.slots);
        if let (Some(field), Some(change)) = (slots.field.clone(), slots.change) {
            let only = self.corrected(reading, FieldChange { field, change }, true);
            (slots.field, slots.change) = (Some(only.field), Some(only.change));
        }
        let is_only = slots.changes.len() == 1;
        let changes = std::mem::take(&mut slots.changes).into_iter();
        reading.heard.slots = Slots {
            changes: changes.map(|one| self.corrected(reading, one, is_only)).collect(),
            ..slots
        };
    }

    fn corrected(&self, reading: &Reading<'_>, one: FieldChange, is_only: bool) -> FieldChange {
        let one = match is_only {
            true => self.of_pronoun(reading, one),
            false => one,
        };
        let Some(field) = self.field(one.field.as_str()) else {
            return one;
        };
        let message = reading.texts.message;
        if is_whole_year(field, one.change, message) {
            return FieldChange {
                change: Change::To(Number::new(A_YEAR)),
                ..one
            };
        }
        let beside = reading.understanding.mentions.iter().find_map(|number| {
            let beside = Beside {
                number,
                before: message.get(..number.number.0)?,
                behind: message.get(number.number.1..)?,
            };
            is_of(number, one.change, field.kind).then_some(beside)
        });
        let change = beside.and_then(|beside| beside.change(one.change, field));
        FieldChange {
            change: change.unwrap_or(one.change),
            ..one
        }
    }

    /// "What if SHE starts in month 6" is of no draw; "what if it was 5,000" behind a value that is asked about is of that one.
    fn of_pronoun(&self, reading: &Reading<'_>, one: FieldChange) -> FieldChange {
        let message = reading.texts.message;
        let says = |key: &str| wording::says(message, key);
        if one.field.as_str() == DRAW_START && says("w.third_person") && !says("w.draws") {
            return FieldChange {
                field: FieldPath::from_static(MANAGER_START),
                ..one
            };
        }
        let asked = reading.texts.asked.as_ref();
        let is_it = reading.understanding.named.is_empty() && says("w.if_it");
        let of_kind = |path: &FieldPath| Some(self.field(path.as_str())?.kind);
        match asked.filter(|path| is_it && of_kind(path) == of_kind(&one.field)) {
            Some(asked) => FieldChange {
                field: asked.clone(),
                ..one
            },
            None => one,
        }
    }
}

/// "Just the interest that whole first year" is no one month.
fn is_whole_year(field: &Field, change: Change, message: &str) -> bool {
    let is_one = matches!(change, Change::To(value) if value == Number::whole(1));
    let has_digit = message.contains(|c: char| c.is_ascii_digit());
    field.path.as_str() == INTEREST_ONLY && is_one && !has_digit && wording::says(message, "w.first_year")
}

/// Whether a change is of a number, in the unit of its line.
fn is_of(number: &Mention, change: Change, kind: Kind) -> bool {
    let said = match change {
        Change::To(value) | Change::By(value) => value.decimal().abs(),
        Change::Times(_) => return false,
    };
    let factors: &[Decimal] = match kind {
        Kind::Money => &[Decimal::ONE_HUNDRED, Decimal::from_parts(100_000, 0, 0, false, 0)],
        Kind::Percent => &[Decimal::from_parts(1, 0, 0, false, 2)],
        _ => &[Decimal::ONE],
    };
    factors
        .iter()
        .any(|factor| number.value.checked_mul(*factor) == Some(said))
}

/// Whether a change makes so many percent more or less of its line.
fn scales(number: &Mention, change: Change) -> bool {
    let Change::Times(times) = change else { return false };
    let part = number.value.checked_div(Decimal::ONE_HUNDRED);
    let by = times.decimal().checked_sub(Decimal::ONE);
    number.unit == Unit::Multiple || part == by.map(|by| by.abs()) || Some(number.value) == Some(times.decimal())
}

/// "4,200 instead of 4,500"
fn is_old(before: &str) -> bool {
    let before = before.trim_end().trim_end_matches('$').trim_end().to_lowercase();
    let words = [
        "of", "than", "not", "from", "over", "now", "vs", "versus", "de", "que", "no", "was",
    ];
    words.iter().any(|word| {
        before
            .strip_suffix(word)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
    })
}

/// The words around a number, to the next comma, stop or "and".
fn clause(message: &str, (start, end): (usize, usize)) -> &str {
    const JOINS: [&str; 9] = [", ", ". ", "; ", "? ", "\n", " and ", " n ", " y ", " plus "];
    let before = message.get(..start).unwrap_or_default();
    let behind = message.get(end..).unwrap_or_default();
    let begins = JOINS
        .iter()
        .filter_map(|join| Some(before.rfind(join)?.saturating_add(join.len())));
    let ends = JOINS
        .iter()
        .filter_map(|join| Some(behind.find(join)?.saturating_add(end)));
    let (from, to) = (begins.max().unwrap_or(0), ends.min().unwrap_or(message.len()));
    message
        .get(from..to)
        .unwrap_or(message)
        .trim_end_matches(['?', '.', '!'])
}

/// Which way a word moves a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    More,
    Less,
}

impl Beside<'_> {
    /// The change as these words have it; `None` where they say nothing of it.
    fn change(&self, change: Change, field: &Field) -> Option<Change> {
        let is_duration = field.kind == Kind::Months && field.role != FieldRole::StartMonth;
        match change {
            Change::To(value) if is_duration && self.is_in_years() => {
                let months = value.decimal().checked_mul(A_YEAR)?;
                Some(Change::To(Number::new(months)))
            }
            Change::To(value) if is_duration => moved(value, self.comparative()?),
            Change::To(value) if field.kind == Kind::Percent && self.number.unit == Unit::Percent => {
                scaled(value, self.verb()?)
            }
            Change::By(value) if field.kind == Kind::Money && value > Number::ZERO && self.is_taken_off() => {
                moved(value, Way::Less)
            }
            Change::By(value) if field.kind == Kind::Money && self.is_set() => Some(Change::To(value)),
            _ => None,
        }
    }

    fn word_before(&self) -> String {
        let words = self.before.split_whitespace();
        words.last().unwrap_or_default().trim_matches('$').to_lowercase()
    }

    fn words_behind(&self) -> impl Iterator<Item = String> {
        let words = self.behind.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_lowercase)
    }

    /// "Two full years"
    fn is_in_years(&self) -> bool {
        const WHOLE: [&str; 6] = ["full", "whole", "entire", "more", "enteros", "completos"];
        const YEARS: [&str; 6] = ["year", "years", "yr", "yrs", "año", "años"];
        let mut words = self.words_behind().skip_while(|word| WHOLE.contains(&word.as_str()));
        self.number.unit != Unit::Years && words.next().is_some_and(|word| YEARS.contains(&word.as_str()))
    }

    /// "4 months quicker"
    fn comparative(&self) -> Option<Way> {
        const UNITS: [&str; 5] = ["month", "months", "mo", "mes", "meses"];
        const LESS: [&str; 9] = [
            "quicker", "faster", "sooner", "earlier", "shorter", "less", "fewer", "antes", "menos",
        ];
        const MORE: [&str; 7] = ["longer", "later", "slower", "more", "después", "despues", "más"];
        let word = self.words_behind().find(|word| !UNITS.contains(&word.as_str()))?;
        match word.as_str() {
            word if LESS.contains(&word) => Some(Way::Less),
            word if MORE.contains(&word) => Some(Way::More),
            _ => None,
        }
    }

    /// "Suppliers drop prices 10 percent"; "drop it to 10 percent" says what it is then.
    fn verb(&self) -> Option<Way> {
        const NEAR: usize = 4;
        const SET: [&str; 9] = ["to", "at", "of", "is", "be", "a", "al", "en", "than"];
        const LESS: [&str; 12] = [
            "drop", "drops", "cut", "cuts", "lower", "lowers", "reduce", "reduces", "slash", "bajan", "baja", "rebajan",
        ];
        const MORE: [&str; 10] = [
            "raise",
            "raises",
            "increase",
            "increases",
            "hike",
            "hikes",
            "bump",
            "bumps",
            "suben",
            "sube",
        ];
        let is_set = SET.contains(&self.word_before().as_str());
        let words = self.before.split_whitespace().rev().take(NEAR).map(str::to_lowercase);
        let way = |word: String| match word.as_str() {
            word if LESS.contains(&word) => Some(Way::Less),
            word if MORE.contains(&word) => Some(Way::More),
            _ => None,
        };
        words.into_iter().find_map(way).filter(|_| !is_set)
    }

    /// "Get him down another two hundred"
    fn is_taken_off(&self) -> bool {
        let before = self.before.trim_end().to_lowercase();
        ["down another", "down by another", "bajarle otros", "bajar otros"]
            .iter()
            .any(|end| before.ends_with(end))
    }

    /// "Dejando el arriendo en 4.200"
    fn is_set(&self) -> bool {
        let is_at = matches!(self.word_before().as_str(), "at" | "to" | "en");
        is_at && wording::says(self.before, "w.leaves_at")
    }
}

fn moved(value: Number, way: Way) -> Option<Change> {
    let by = match way {
        Way::More => value.decimal(),
        Way::Less => Decimal::ZERO.checked_sub(value.decimal())?,
    };
    Some(Change::By(Number::new(by)))
}

fn scaled(part: Number, way: Way) -> Option<Change> {
    let times = match way {
        Way::More => Decimal::ONE.checked_add(part.decimal())?,
        Way::Less => Decimal::ONE.checked_sub(part.decimal())?,
    };
    Some(Change::Times(Number::new(times)))
}
