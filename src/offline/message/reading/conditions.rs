//! What a question supposes beside what it asks: "if the rent is 3,800, what must I sell for 1.25?"

use super::Reader;
use super::clauses::Clause;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_reader::{Heard, Intent, Line, Mention, Slots, Texts, Unit, understand, wants, wants_case};
use rust_decimal::Decimal;

/// So sure is a question with what is supposed beside it: it is answered as a guess, because it may be of the plan.
const ASKED_BESIDE: f32 = 0.92;

impl<'a> Reader<'_, 'a> {
    /// "If the rent is 3,800, what sales do I need for 1.25?", "what would year 2 coverage be with a manager at 24,000?": the goal or the
    /// figure, with what is supposed before it, in it or behind it.
    pub(super) fn conditioned(&self, texts: &Texts<'a>, whole: &Heard) -> Option<Heard> {
        let can_be = matches!(
            whole.intent,
            Intent::Goal | Intent::Figure | Intent::WhatIf | Intent::Other
        );
        let has_case = !whole.slots.all_changes().is_empty();
        if !can_be || whole.is_sure_of_figures() && has_case {
            return None;
        }
        conditions(texts.message)
            .into_iter()
            .find_map(|(condition, question)| self.asked_beside(condition, &question, whole))
    }

    /// What a goal or a figure supposes and is answered without: a value of a line that it is not about.
    pub(super) fn condition_left_out(&self, texts: &Texts<'a>, heard: &Heard) -> Option<&'a str> {
        let slots = &heard.slots;
        let may_suppose = matches!(heard.intent, Intent::Goal | Intent::Figure) && slots.all_changes().is_empty();
        if !may_suppose {
            return None;
        }
        let (condition, _) = conditions(texts.message).into_iter().next()?;
        let said = understand(&Texts::of(condition), self.vocabulary).with_ungrouped();
        let is_value = |one: &Mention| {
            !is_target(one, heard)
                && !one.count_only
                && !matches!(one.unit, Unit::Months | Unit::Years | Unit::Days | Unit::Weeks)
        };
        let is_asked = |path: &FieldPath| {
            slots.field.as_ref() == Some(path) || slots.line.as_ref().is_some_and(|line| line.as_str() == path.as_str())
        };
        let is_amount = |one: &Mention| one.unit != Unit::Bare || one.value >= Decimal::ONE_THOUSAND;
        let is_bare = |one: &Mention| heard.intent == Intent::Figure && is_amount(one);
        let values: Vec<&Mention> = said.mentions.iter().filter(|one| is_value(one)).collect();
        let supposes = match said.named.is_empty() {
            true => values.iter().any(|one| is_bare(one)),
            false => !values.is_empty() && !said.named.iter().all(is_asked),
        };
        supposes.then(|| condition.trim_end_matches(['?', '.', '!']))
    }

    /// Whether what may be supposed is what is to be reached: "how much can I draw and keep coverage at 1.1?"
    fn has_target(&self, condition: &str, whole: &Heard) -> bool {
        let said = understand(&Texts::of(condition), self.vocabulary).with_ungrouped();
        said.mentions.iter().any(|one| is_target(one, whole))
    }

    /// The question with one of its conditions, where both are understood.
    fn asked_beside(&self, condition: &str, question: &str, whole: &Heard) -> Option<Heard> {
        // What is surely a goal says its target so: "what draw keeps coverage at 1.15?"
        let is_supposed = condition.starts_with("if ") || condition.starts_with("si ");
        let has_number = condition.contains(|c: char| c.is_ascii_digit());
        let is_beside_target = whole.slots.target.is_some() && !self.has_target(condition, whole);
        let is_plain = has_number
            && match whole.intent {
                Intent::Figure => is_supposed,
                Intent::Goal => is_beside_target,
                _ => false,
            };
        let is_named = || !understand(&Texts::of(condition), self.vocabulary).named.is_empty();
        if whole.is_sure_of_figures() && !is_plain {
            return None;
        }
        let case = match self.clause(condition) {
            Clause::Change(case) if is_named() => case,
            // "What is the loan payment at 9.5 % and 7 years?"
            _ if has_number && whole.slots.line == Some(Line::LoanPayment) => Box::new(wants_case(
                &Texts::of(&format!("what if the loan is {condition}")),
                self.vocabulary,
            )),
            _ => return None,
        };
        let changes = case.slots.all_changes();
        let is_of_it = whole.intent == Intent::Goal && !self.has_target(condition, whole);
        let mut asked = wants(&Texts::of(question), self.vocabulary);
        if !asked.is_sure_of_figures() && is_of_it && whole.is_likely() {
            asked = whole.clone();
        }
        let is_asked = match asked.intent {
            Intent::Goal => asked.slots.target.is_some() || asked.slots.metric.is_some(),
            Intent::Figure => asked.slots.line.is_some(),
            _ => false,
        };
        let has = |field: &FieldPath| changes.iter().any(|one| one.field == *field);
        let is_sought = !is_of_it && asked.slots.field.as_ref().is_some_and(has);
        if !is_asked
            || changes.is_empty()
            || !case.is_sure_of_figures()
            || !(is_of_it || asked.is_sure_of_figures())
            || is_sought
            || whole.slots.all_changes().len() > changes.len()
        {
            return None;
        }
        let field = asked.slots.field.clone();
        let slots = Slots {
            field: field.filter(|field| asked.intent == Intent::Goal && !has(field)),
            changes,
            ..asked.slots
        };
        Some(Heard {
            figure_probability: ASKED_BESIDE,
            ..Heard::known(asked.intent, slots)
        })
    }
}

/// Whether a number is a goal's target, in whichever unit: 1.25, dollars, thousands of them.
fn is_target(one: &Mention, whole: &Heard) -> bool {
    const SCALES: [i64; 4] = [1, 100, 1_000, 100_000];
    let target = whole.slots.target.map(Number::decimal);
    let mut scaled = SCALES.iter().map(|scale| one.value.checked_mul(Decimal::from(*scale)));
    target.is_some() && scaled.any(|value| value == target)
}

/// What a question may suppose, and the question without it: the last first.
fn conditions(message: &str) -> Vec<(&str, String)> {
    const LED: [&str; 8] = [
        "if ",
        "with ",
        "assuming ",
        "say ",
        "si ",
        "con ",
        "and with ",
        "and if ",
    ];
    const BEHIND: [&str; 8] = [
        " if ",
        " with ",
        " assuming ",
        " at ",
        " si ",
        " con ",
        " when ",
        " once ",
    ];
    /// Where one in the middle ends: "how much must I sell if the rent is 7,000 to lose nothing?"
    const ENDS: [&str; 4] = [" to ", " for ", " para ", ", "];
    /// Where the question begins behind one that is not parted from it: "with labor at 30 % what is my coverage?"
    const ASKS: [&str; 8] = [
        " what", " how ", " which ", " do i ", " qué ", " que ", " cuánt", " cuál",
    ];
    // What is said in another sentence is no condition of a question.
    let mut ends = message
        .trim_end_matches(['?', '.', '!'])
        .match_indices(['?', '.', '!', '\n']);
    if ends.any(|(at, _)| message[at + 1..].starts_with([' ', '\n'])) {
        return Vec::new();
    }
    let lower = message.trim_start_matches('¿').to_lowercase();
    if LED.iter().any(|led| lower.starts_with(led)) {
        let asks = || ASKS.iter().filter_map(|word| message.find(word)).min();
        let cuts = [message.split_once(", "), message.rsplit_once(", ")];
        let cuts = cuts
            .into_iter()
            .chain([asks().map(|at| message.split_at(at))])
            .flatten();
        return cuts
            .map(|(condition, question)| (condition, question.to_owned()))
            .collect();
    }
    let Some(at) = BEHIND.iter().filter_map(|word| message.rfind(word)).max() else {
        return Vec::new();
    };
    let (question, behind) = message.split_at(at);
    let mut all = vec![(behind.trim(), question.trim().to_owned())];
    for end in ENDS {
        let cut = behind.split_once(end);
        all.extend(cut.map(|(condition, rest)| (condition.trim(), format!("{question}{end}{rest}"))));
    }
    all
}
