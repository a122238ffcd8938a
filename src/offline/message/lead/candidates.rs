//! Numbers that the ear gave to lines which are not meant.

use crate::wording;
use plan_model::extracted::NoteCode;
use plan_model::field::{Bounds, Field, FieldPath, Kind};
use plan_model::inputs::{DRAW, EXTRA_CASH, LOAN};
use plan_model::number::Number;
use plan_reader::{Candidate, Change, Choice, FieldChange, Slots, Source, Texts, Understanding, Unit, Vocabulary};
use rust_decimal::Decimal;

/// "Sixty, no, like seventy two bucks a dog": the number that is taken back in the same breath is none.
pub(in crate::offline) fn without_corrected(understanding: &mut Understanding, message: &str) {
    let said = |from: usize, to: usize| wording::plain(message.get(from..to).unwrap_or_default());
    let is_turn = |between: &str| wording::phrases("w.corrects").any(|phrase| wording::plain(phrase) == between);
    let mut pairs = understanding.mentions.windows(2);
    let corrected: Vec<(usize, usize)> = pairs
        .by_ref()
        .filter(|pair| is_turn(&said(pair[0].number.1, pair[1].number.0)))
        .map(|pair| pair[0].number)
        .collect();
    let is_corrected = |number: (usize, usize)| corrected.contains(&number);
    understanding.mentions.retain(|one| !is_corrected(one.number));
    understanding.candidates.retain(|one| !is_corrected(one.number));
}

/// Takes from numbers the fields that their own sentence says they are not of: "the 4,000 is not rent".
pub(in crate::offline) fn without_denied(understanding: &mut Understanding, message: &str, fields: &[Field]) {
    const DENIALS: [&str; 8] = [
        "not",
        "not for",
        "not my",
        "isn t",
        "isn t for",
        "no es",
        "no es para",
        "no es de",
    ];
    let candidates = &mut understanding.candidates;
    let numbers = understanding.mentions.iter();
    let is_only = numbers.filter(|one| one.source == Source::Message).count() == 1;
    let is_denied = |said: &str, path: &FieldPath| {
        let field = fields.iter().find(|field| field.path == *path);
        let mut names = field.map(wording::names).unwrap_or_default().into_iter();
        names.any(|name| {
            DENIALS
                .iter()
                .any(|denial| said.contains(&format!(" {denial} {name} ")))
        })
    };
    for candidate in candidates.iter_mut().filter(|one| one.source == Source::Message) {
        let sentence = message.get(candidate.start..candidate.end).unwrap_or(message);
        let said = format!(" {} ", wording::plain(sentence));
        // "Our own money is 90,000", "plus I have 35k saved up" is no line of costs, and no loan.
        let is_own = is_own_money(message, candidate.number.0, is_only) && !wording::says(sentence, "w.loan");
        // Savings are what opening takes of them; cash on top of that is said to be so.
        let is_saved = wording::says(sentence, "w.saved");
        candidate.choices.retain(|choice| {
            let is_extra = !is_saved && choice.field.as_str() == EXTRA_CASH;
            let is_other_money = is_own && !is_extra;
            !is_other_money && !is_denied(&said, &choice.field)
        });
    }
    candidates.retain(|candidate| !candidate.choices.is_empty());
}

/// "Write down a salary of 3,500 a month for me" is no draw: the salary of a year.
pub(in crate::offline) fn as_salary(candidates: &mut [Candidate], message: &str, fields: &[Field]) {
    const SALARY: &str = "operatingCosts.ownerSalaryAnnual";
    let has_salary = fields.iter().any(|field| field.path.as_str() == SALARY);
    for candidate in candidates.iter_mut().filter(|one| one.source == Source::Message) {
        let sentence = message.get(candidate.start..candidate.end).unwrap_or(message);
        let is_salary = wording::says(sentence, "w.salary") && !wording::says(sentence, "w.draw");
        let first = candidate.choices.first_mut();
        let Some(first) = first.filter(|first| has_salary && is_salary && first.field.as_str() == DRAW) else {
            continue;
        };
        if let Some(yearly) = first.value.decimal().checked_mul(Decimal::from(12)) {
            (first.field, first.value) = (FieldPath::from_static(SALARY), Number::new(yearly));
        }
    }
}

/// "Not before month 36" is no $36.
pub(in crate::offline) fn without_months(understanding: &mut Understanding, fields: &[Field]) {
    let Understanding {
        candidates, mentions, ..
    } = understanding;
    let is_month = |candidate: &Candidate| {
        let mut same = mentions.iter().filter(|one| one.number == candidate.number);
        same.any(|one| one.month_number)
    };
    let is_amount = |choice: &Choice| {
        let field = fields.iter().find(|field| field.path == choice.field);
        field.is_some_and(|field| matches!(field.kind, Kind::Money | Kind::Percent))
    };
    candidates.retain(|candidate| !(is_month(candidate) && candidate.choices.first().is_some_and(is_amount)));
}

/// "COGS looks too low. 8%? Should be 29." is of the one share that the message names.
pub(in crate::offline) fn as_named(understanding: &mut Understanding, fields: &[Field]) {
    let ([candidate], [named]) = (&mut understanding.candidates[..], &understanding.named[..]) else {
        return;
    };
    let is_share = |path: &FieldPath| {
        let field = fields.iter().find(|field| field.path == *path);
        field.is_some_and(|field| field.kind == Kind::Percent && field.path.section() == "operatingCosts")
    };
    let first = candidate.choices.first();
    let Some(first) = first.filter(|first| is_share(&first.field) && first.field != *named && is_share(named)) else {
        return;
    };
    candidate.choices = vec![Choice {
        field: named.clone(),
        ..first.clone()
    }];
}

/// The words of a number's clause before it, and those from it on.
pub(super) fn clause(message: &str, at: usize) -> (&str, &str) {
    const JOINS: [&str; 12] = [
        ", ", "; ", ". ", "! ", "? ", "\n", " and ", " plus ", " but ", " y ", " pero ", " más ",
    ];
    let before = message.get(..at).unwrap_or_default();
    let after = message.get(at..).unwrap_or_default();
    let begins = JOINS
        .iter()
        .filter_map(|join| Some(before.rfind(join)?.saturating_add(join.len())))
        .max();
    let ends = JOINS.iter().filter_map(|join| after.find(join)).min();
    (
        before.get(begins.unwrap_or(0)..).unwrap_or_default(),
        after.get(..ends.unwrap_or(after.len())).unwrap_or_default(),
    )
}

/// Whether the clause of a number says that it is a person's own money, or the message of an only one.
pub(in crate::offline) fn is_own_money(message: &str, at: usize, is_only: bool) -> bool {
    let (before, behind) = clause(message, at);
    let clause = format!("{before}{behind}");
    let says = |key: &str| wording::says(&clause, key);
    // "It's my own money that I put in, 35,000"
    let is_said = is_only && wording::says(message, "w.own_is") && !wording::says(message, "w.loan");
    is_said || says("w.own_is") || says("w.saved") && (says("w.has") || says("w.own"))
}

/// Takes from amounts of money the lines that the message does not name and that no business of the brand pays so much or so little for:
/// "two techs" are no $2 of rent, 35,000 of savings no rent.
pub(in crate::offline) fn without_absurd(
    understanding: &mut Understanding,
    texts: &Texts<'_>,
    vocabulary: &Vocabulary,
) {
    let times = Number::whole(5);
    let named = &understanding.named;
    let is_money = |choice: &Choice| money(vocabulary, &choice.field).is_some();
    // "Two techs, 22 an hour" behind a question for rent.
    let has_digit = |one: &Candidate| {
        let said = texts.message.get(one.number.0..one.number.1);
        said.is_none_or(|said| said.contains(|c: char| c.is_ascii_digit()))
    };
    let is_absurd = |choice: &Choice, is_counted: bool| {
        let Some((_, Some(range))) = money(vocabulary, &choice.field) else {
            return false;
        };
        let is_above = |high: Number| choice.value.decimal() > high.decimal().saturating_mul(times.decimal());
        let is_below = |low: Number| choice.value.decimal().saturating_mul(times.decimal()) < low.decimal();
        let is_meant = named.contains(&choice.field) || is_counted && texts.asked.as_ref() == Some(&choice.field);
        !is_meant && (is_above(range.high) || is_below(range.low))
    };
    // "Why is year 1 lower?"
    let is_time = |one: &Candidate| {
        let before = wording::plain(texts.message.get(..one.number.0).unwrap_or_default());
        ["year", "yr", "ano", "month", "mes"]
            .iter()
            .any(|word| before.ends_with(&format!(" {word}")))
            && one.choices.iter().all(is_money)
    };
    // "Why is coverage only 0.85?" is no $850.
    let parts = understanding.mentions.iter();
    let parts: Vec<_> = parts
        .filter(|one| one.unit != Unit::Percent && one.value < Decimal::ONE && one.value > Decimal::ZERO)
        .map(|one| one.number)
        .collect();
    let is_part = |one: &Candidate| parts.contains(&one.number) && one.choices.first().is_some_and(is_money);
    let is_money_field = |field: &FieldPath| money(vocabulary, field).is_some();
    understanding
        .plain
        .retain(|one| !(parts.contains(&one.number) && is_money_field(&one.field)));
    let candidates = &mut understanding.candidates;
    candidates.retain(|one| one.source != Source::Message || !is_time(one) && !is_part(one));
    for one in candidates.iter_mut().filter(|one| one.source == Source::Message) {
        let is_counted = has_digit(one);
        one.choices.retain(|choice| !is_absurd(choice, is_counted));
    }
    candidates.retain(|one| !one.choices.is_empty());
}

/// A field of money with its reference range.
fn money<'v>(vocabulary: &'v Vocabulary, path: &FieldPath) -> Option<(&'v Field, Option<Bounds>)> {
    let mut fields = vocabulary.fields().iter().zip(vocabulary.ranges().iter());
    let (field, disclosed) = fields.find(|(field, _)| field.path == *path)?;
    Some((field, disclosed.or(field.soft))).filter(|_| field.kind == Kind::Money)
}

/// Whether a number is taken for one of the line that was talked about, where the message names other lines only: "rent maybe 4,800"
/// behind a question for labor.
pub(in crate::offline) fn is_of_another(understanding: &Understanding, texts: &Texts<'_>) -> bool {
    let named = &understanding.named;
    let talked_about = |field: &FieldPath| texts.asked.as_ref() == Some(field) || texts.about.as_ref() == Some(field);
    let is_other = |field: &FieldPath| !named.contains(field);
    let shares = understanding.shares.iter().any(|one| is_other(&one.field));
    let first = understanding.candidates.iter().filter_map(|one| one.choices.first());
    let is_taken = |choice: &Choice| is_other(&choice.field) && talked_about(&choice.field);
    texts.advisor.is_some() && !named.is_empty() && (shares || first.into_iter().any(is_taken))
}

/// "No, put 90" behind "I noted $90,000", "the loan is 250": a bare number is of thousands where the last answer shows it so, or where no
/// business of the brand has so little of its line, and so many thousands are usual. It is asked about, whatever it is.
pub(in crate::offline) fn in_thousands(understanding: &mut Understanding, texts: &Texts<'_>, vocabulary: &Vocabulary) {
    let bare = |number: (usize, usize)| {
        let mut mentions = understanding.mentions.iter();
        mentions.any(|one| one.number == number && one.unit == Unit::Bare)
    };
    let in_thousands = |choice: &Choice, number: (usize, usize)| {
        meant_in_thousands((&choice.field, choice.value), bare(number), texts, vocabulary)
    };
    let is_of_message = |source: &Source| *source == Source::Message;
    let plain = understanding.plain.iter().filter(|one| is_of_message(&one.source));
    let told: Vec<Candidate> = plain
        .filter_map(|one| {
            let choice = Choice {
                field: one.field.clone(),
                value: one.value,
                probability: 1.0,
            };
            let value = in_thousands(&choice, one.number)?;
            Some(Candidate {
                choices: vec![Choice { value, ..choice }],
                source: one.source,
                start: one.start,
                end: one.end,
                number: one.number,
                reason: NoteCode::Unclear,
            })
        })
        .collect();
    let mut candidates = std::mem::take(&mut understanding.candidates);
    for one in candidates.iter_mut().filter(|one| is_of_message(&one.source)) {
        let number = one.number;
        for choice in &mut one.choices {
            choice.value = in_thousands(choice, number).unwrap_or(choice.value);
        }
    }
    understanding
        .plain
        .retain(|one| !told.iter().any(|other| other.number == one.number));
    candidates.extend(told);
    understanding.candidates = candidates;
}

/// The same of the values of a case: "what if we ask the bank for 250 instead of 280?"
pub(in crate::offline) fn case_in_thousands(
    mut slots: Slots,
    understanding: &Understanding,
    texts: &Texts<'_>,
    vocabulary: &Vocabulary,
) -> Slots {
    let is_bare = |value: Number| {
        let dollars = value.decimal().checked_div(Decimal::ONE_HUNDRED);
        let mut mentions = understanding.mentions.iter();
        mentions.any(|one| Some(one.value) == dollars && one.unit == Unit::Bare)
    };
    let told = |field: &FieldPath, change: &mut Change| {
        if let Change::To(value) = *change {
            *change =
                Change::To(meant_in_thousands((field, value), is_bare(value), texts, vocabulary).unwrap_or(value));
        }
    };
    if let (Some(field), Some(change)) = (&slots.field, &mut slots.change) {
        *change = as_whole(field, *change, texts.message);
        told(field, change);
    }
    // "0.54, how bad is it?" is no $540.
    let least = Decimal::from(100_000);
    let of_part = |one: &FieldChange| {
        let Change::To(value) = one.change else { return false };
        let mut parts = understanding
            .mentions
            .iter()
            .filter(|one| one.value < Decimal::ONE && !one.value.is_zero());
        money(vocabulary, &one.field).is_some()
            && parts.any(|part| part.value.checked_mul(least) == Some(value.decimal()))
    };
    if slots.all_changes().iter().any(of_part) {
        (slots.field, slots.change) = (None, None);
        slots.changes.clear();
    }
    slots
        .changes
        .iter_mut()
        .for_each(|one| told(&one.field, &mut one.change));
    slots
}

/// "Qué pasa si pido 240 prestados" is the whole loan: so much is added to it only by a word that says so.
fn as_whole(path: &FieldPath, change: Change, message: &str) -> Change {
    const LEAST_CENTS: i64 = 10_000_000;
    match change {
        Change::By(value)
            if path.as_str() == LOAN[0]
                && value >= Number::whole(LEAST_CENTS)
                && !wording::says(message, "w.changes_by") =>
        {
            Change::To(value)
        }
        change => change,
    }
}

/// A value of thousands, where it is meant so.
fn meant_in_thousands(
    (path, said): (&FieldPath, Number),
    is_bare: bool,
    texts: &Texts<'_>,
    vocabulary: &Vocabulary,
) -> Option<Number> {
    let least = Number::whole(100_000);
    let (field, usual) = money(vocabulary, path)?;
    let value = Number::new(said.decimal().checked_mul(Decimal::ONE_THOUSAND)?);
    let is_shown = texts
        .advisor
        .is_some_and(|shown| wording::contains(shown, &field.kind.show(value)));
    let is_usual = usual.is_some_and(|range| {
        let [low, high] = [range.low, range.high].map(Number::decimal);
        let hundredfold = said.decimal().saturating_mul(Decimal::ONE_HUNDRED);
        let is_little = hundredfold < low || low.is_zero() && hundredfold.saturating_mul(Decimal::TEN) < high;
        is_little && range.low <= value && value <= range.high && is_bare
    });
    (said < least && (is_shown || is_usual)).then_some(value)
}
