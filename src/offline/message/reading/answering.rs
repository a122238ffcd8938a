//! What messages want that say it in words of their own, by themselves or as an answer to what the advisor asked or told last.

use super::Reader;
use crate::offline::message::{ask, lead};
use crate::wording;
use plan_model::extracted::NoteCode;
use plan_model::field::{FieldPath, Kind};
use plan_model::inputs::EXTRA_CASH;
use plan_model::number::Number;
use plan_reader::{
    Candidate, Choice, FieldChange, Heard, Intent, Line, Mention, Slots, Source, Texts, Topic, Understanding, Unit,
    Vocabulary, wants_case,
};
use rust_decimal::Decimal;

impl Reader<'_, '_> {
    /// "How much more of my own money would I need with sales 15 % lower?": what keeps cash above zero in the case that it supposes.
    pub(super) fn extra_cash(&self, texts: &Texts<'_>) -> Option<Heard> {
        const EXTRA: FieldPath = FieldPath::from_static(EXTRA_CASH);
        let says = |key: &str| wording::says(texts.message, key);
        if !says("w.extra_cash") || !says("w.cash_holds") {
            return None;
        }
        let case = wants_case(texts, self.vocabulary);
        let changes = case.slots.all_changes();
        let is_own = |one: &FieldChange| one.field.section() == "financing";
        let slots = Slots {
            metric: Some(Line::LowestCash),
            target: Some(Number::ZERO),
            field: Some(EXTRA),
            changes,
            ..Slots::default()
        };
        let is_case = !slots.changes.is_empty() && !slots.changes.iter().any(is_own) && case.is_likely();
        is_case.then(|| Heard::known(Intent::Goal, slots))
    }
}

/// "And what if he bails and it's just my 70?", "no, 60 and 25" behind what opening takes of one's own money.
pub(super) fn of_own_money(texts: &Texts<'_>, understanding: &Understanding, heard: &Heard) -> Option<Heard> {
    const SHORT: usize = 4;
    let is_empty_case = heard.intent == Intent::WhatIf && heard.slots.all_changes().is_empty();
    let corrects = heard.intent == Intent::Correct && understanding.plain.is_empty();
    let is_amount = |one: &Mention| matches!(one.unit, Unit::Money | Unit::Bare) && one.period.is_none();
    let is_money = !understanding.mentions.is_empty() && understanding.mentions.iter().all(is_amount);
    let is_unnamed = is_money && understanding.named.is_empty();
    let slots = Slots {
        line: Some(Line::OwnCash),
        ..Slots::default()
    };
    let says = |key: &str| wording::says(texts.message, key);
    // "Yes, together we have 115,000" behind "Is it your own cash?", "like if I only got the 60".
    let has = ["w.has", "w.own_all", "w.puts"].iter().any(|key| says(key));
    let has = understanding.mentions.len() == 1 && has && !says("w.lends") && !says("w.loan");
    let is_had = has
        && texts.asked.is_none()
        && texts
            .advisor
            .is_some_and(|answer| ask::compares_own_cash(answer) || ask::asks_for(answer, &Line::OwnCash, &[]));
    // "So 60"
    let is_so_much = understanding.mentions.len() == 1
        && wording::says_first(texts.message, "w.so_much")
        && texts.message.split_whitespace().count() <= SHORT;
    let is_meant = is_unnamed
        && ((is_empty_case || corrects || is_so_much) && texts.advisor.is_some_and(ask::compares_own_cash) || is_had);
    is_meant.then(|| Heard::known(Intent::Figure, slots))
}

/// "I would pay her 3,800 a month, she is the groomer": wages are a share of sales, and no owner's draw.
pub(super) fn wages_of_one(texts: &Texts<'_>, understanding: &Understanding, heard: &Heard) -> Option<Heard> {
    const LABOR: FieldPath = FieldPath::from_static("operatingCosts.laborPct");
    let says = |key: &str| wording::says(texts.message, key);
    let is_unnamed = understanding.named.is_empty() && understanding.plain.is_empty();
    let is_amount = matches!(&understanding.mentions[..], [one] if one.unit != Unit::Percent);
    let slots = Slots {
        field: Some(LABOR),
        ..Slots::default()
    };
    let states = matches!(heard.intent, Intent::State | Intent::Correct) && !texts.message.contains('?');
    let is_paid = states && says("w.pays_staff") && !says("w.an_hour") && !says("w.own_pay");
    (is_unnamed && is_amount && is_paid && texts.asked.is_none()).then(|| Heard::known(Intent::Define, slots))
}

/// Whether a message is of months without sales: a shop that is closed, or opens late.
pub(in crate::offline) fn has_no_sales(message: &str) -> bool {
    wording::says(message, "w.closed") || opens_late(message)
}

/// Whether a message is of an opening that comes late: the words stand near each other, unlike in "my late husband … to open".
fn opens_late(message: &str) -> bool {
    const NEAR: usize = 5;
    let words: Vec<&str> = message.split_whitespace().collect();
    words
        .windows(NEAR)
        .chain([&words[..]].into_iter().filter(|all| all.len() < NEAR))
        .any(|near| {
            let near = near.join(" ");
            wording::says(&near, "w.opens") && wording::says(&near, "w.late")
        })
}

/// "What if we open 3 months late?": no plan has months without sales.
pub(super) fn of_months_without_sales(texts: &Texts<'_>, heard: &Heard) -> Option<Heard> {
    let supposes = matches!(
        heard.intent,
        Intent::WhatIf | Intent::NotModeled | Intent::Other | Intent::Figure | Intent::Social
    );
    let slots = Slots {
        topic: Some(Topic::Opening),
        ..heard.slots.clone()
    };
    (supposes && has_no_sales(texts.message)).then(|| Heard::known(Intent::NotModeled, slots))
}

/// "No, 615" behind "Shall I write down $610 for insurance?": the value that was asked about, with that number.
pub(super) fn number_instead(
    texts: &Texts<'_>,
    understanding: &Understanding,
    vocabulary: &Vocabulary,
) -> Option<Candidate> {
    const SHORT: usize = 4;
    let [number] = &understanding.mentions[..] else {
        return None;
    };
    let is_short = texts.message.split_whitespace().count() <= SHORT && understanding.named.is_empty();
    let is_asked = texts
        .advisor
        .is_some_and(|answer| wording::asks_for_yes(answer) && answer.trim_end().ends_with('?'));
    // "No. Drop the 37" says what is wrong.
    let rest = lead::behind_no(texts.message);
    let is_number =
        rest.starts_with(|c: char| c.is_ascii_digit() || c == '$') || wording::says_first(rest, "w.corrects_to");
    let is_no = lead::begins_with_no(texts.message) && !texts.message.contains('?');
    let is_meant = is_short && is_asked && is_no && is_number;
    let about = texts
        .about
        .as_ref()
        .filter(|_| is_meant && !understanding.has_heard())?;
    let field = vocabulary.fields().iter().find(|field| field.path == *about)?;
    let is_of_kind = match field.kind {
        Kind::Money => matches!(number.unit, Unit::Money | Unit::Bare),
        Kind::Percent => matches!(number.unit, Unit::Percent | Unit::Bare),
        _ => number.unit == Unit::Bare,
    };
    let value = match field.kind {
        Kind::Money => number.value.checked_mul(Decimal::ONE_HUNDRED)?,
        Kind::Percent => number.value.checked_div(Decimal::ONE_HUNDRED)?,
        _ => number.value,
    };
    is_of_kind.then(|| Candidate {
        choices: vec![Choice {
            field: about.clone(),
            value: Number::new(value),
            probability: 1.0,
        }],
        source: Source::Message,
        start: number.number.0,
        end: number.number.1,
        number: number.number,
        reason: NoteCode::Unclear,
    })
}

/// "Take back the insurance", "put my pay back to what it was": a value that is open is dropped, one that was written taken back.
pub(super) fn takes_back(texts: &Texts<'_>, understanding: &Understanding) -> Option<Heard> {
    const BEFORE: [&str; 12] = [
        "ok", "okay", "please", "no", "and", "wait", "now", "y", "oye", "bueno", "ahora", "mejor",
    ];
    const SHORT: usize = 10;
    let [field] = &understanding.named[..] else {
        return None;
    };
    let message = texts.message;
    let is_short = message.split_whitespace().count() <= SHORT && !message.contains('?');
    // "And how much does the bank take each month" takes nothing back.
    let orders = |clause: &str| {
        let words = clause.split_whitespace();
        let begin = words.skip_while(|word| BEFORE.contains(&&*word.to_lowercase()));
        wording::says_first(&begin.collect::<Vec<_>>().join(" "), "w.takes_back")
    };
    let is_order = message.split(['.', ',', ';']).any(orders) && wording::says(message, "w.back");
    let slots = Slots {
        field: Some(field.clone()),
        ..Slots::default()
    };
    let is_meant = is_short && is_order && understanding.mentions.is_empty() && lead::tells_to_undo(message);
    is_meant.then(|| Heard::known(Intent::Undo, slots))
}

/// "What is still open?" and nothing else; "what did I not tell you yet".
pub(super) fn what_is_open(texts: &Texts<'_>, heard: &Heard) -> Option<Heard> {
    let said = wording::plain(texts.message);
    let is_it = wording::phrases("w.whats_open").any(|phrase| wording::plain(phrase) == said);
    let is_not_told = heard.intent == Intent::Said && wording::says(texts.message, "w.not_told");
    (is_it || is_not_told).then(|| Heard::known(Intent::Open, Slots::default()))
}

/// "Which of these numbers are mine?"
pub(super) fn whose_numbers(texts: &Texts<'_>) -> Option<Heard> {
    asks_whose(texts.message).then(|| Heard::known(Intent::WhoSet, Slots::default()))
}

/// Whether it is asked which numbers are one's own, and which are the brand's.
pub(in crate::offline) fn asks_whose(message: &str) -> bool {
    let says_all = ["w.mine", "w.of_brand", "w.numbers"]
        .iter()
        .all(|key| wording::says(message, key));
    says_all && !wording::says(message, "w.not_mine") && !message.contains(|c: char| c.is_ascii_digit())
}

/// "0.54, how bad is it?" behind a coverage of 0.54×.
pub(super) fn whether_coverage_is_good(
    texts: &Texts<'_>,
    understanding: &Understanding,
    heard: &Heard,
) -> Option<Heard> {
    const SHORT: usize = 8;
    let is_short = texts.message.split_whitespace().count() <= SHORT;
    let is_shown = |one: &Mention| {
        texts
            .advisor
            .is_some_and(|answer| answer.contains(&format!(" {}×", one.value)))
    };
    let is_of_it = matches!(&understanding.mentions[..], [only] if is_shown(only));
    let slots = Slots {
        line: Some(Line::Dscr),
        ..Slots::default()
    };
    let is_asked = is_short && is_of_it && wording::says(texts.message, "w.is_good");
    (is_asked && heard.intent == Intent::WhatIf).then(|| Heard::known(Intent::Define, slots))
}

/// "Do we meet 1.25 in all years?": the coverage of each.
pub(super) fn coverage_of_every_year(texts: &Texts<'_>, understanding: &Understanding) -> Option<Heard> {
    let says = |key: &str| wording::says(texts.message, key);
    let [only] = &understanding.mentions[..] else {
        return None;
    };
    let is_multiple = only.value > Decimal::ONE && only.value < Decimal::TWO && only.value.scale() > 0;
    let is_bare = matches!(only.unit, Unit::Bare | Unit::Multiple) && understanding.named.is_empty();
    let asks = texts.message.contains('?') && says("w.every_year") && !says("w.supposes") && !says("w.reach_how");
    let slots = Slots {
        line: Some(Line::Dscr),
        ..Slots::default()
    };
    (is_multiple && is_bare && asks).then(|| Heard::known(Intent::Figure, slots))
}

/// "Is 500 a month for repairs skimpy", "he says 4,800. Is that steep for a groomer or is he stuck in 1985?": a question, and no value.
pub(super) fn whether_much(texts: &Texts<'_>, understanding: &Understanding, heard: &Heard) -> Option<Heard> {
    const ASKS: [&str; 9] = [
        "is ", "isn't ", "isnt ", "are ", "does ", "¿es ", "es ", "¿está ", "¿son ",
    ];
    const THAT: [&str; 5] = ["that", "this", "it", "eso", "esto"];
    let states = matches!(heard.intent, Intent::State | Intent::Correct);
    let [number] = &understanding.mentions[..] else {
        return None;
    };
    let asks = |sentence: &str| {
        let sentence = sentence.trim().to_lowercase();
        let begins = ASKS.iter().any(|word| sentence.starts_with(word));
        let second = sentence.split_whitespace().nth(1).unwrap_or_default();
        let has_number = sentence.contains(|c: char| c.is_ascii_digit());
        begins && (has_number || THAT.contains(&second)) && wording::says(&sentence, "w.judges")
    };
    let field = super::given(understanding)
        .next()
        .filter(|_| states && number.source == Source::Message)?;
    let slots = Slots {
        field: Some(field.clone()),
        ..Slots::default()
    };
    lead::sentences(texts.message)
        .any(asks)
        .then(|| Heard::known(Intent::IsHigh, slots))
}

/// What a yes to "Is it break-even?" wants: what was guessed, but where it goes on to something that is plain by itself. "What does it
/// mean?" is about what was guessed.
pub(super) fn agreed(guessed: &Heard, heard: Heard) -> Heard {
    match heard.intent {
        Intent::Define if heard.slots.line.is_none() => {
            let line = guessed.slots.line.clone().or_else(|| guessed.slots.metric.clone());
            Heard::known(Intent::Define, Slots { line, ..heard.slots })
        }
        // "Yes, and where does that number come from?"
        Intent::WhoSet | Intent::IsHigh | Intent::Value if heard.slots.field.is_none() => {
            let line = guessed.slots.line.as_ref();
            let of_line = line.and_then(|line| match line {
                Line::Field(path) => Some(path.clone()),
                _ => None,
            });
            let field = guessed.slots.field.clone().or(of_line);
            Heard::known(heard.intent, Slots { field, ..heard.slots })
        }
        // "Yes. And the payback of my own cash?", "yes. And the year after that?"
        _ if heard.is_sure_of_figures()
            && (heard.intent != guessed.intent
                || is_of_another_line(&heard, guessed)
                || is_of_another_time(&heard, guessed)) =>
        {
            heard
        }
        _ => guessed.clone(),
    }
}

fn is_of_another_time(heard: &Heard, guessed: &Heard) -> bool {
    let time = |heard: &Heard| (heard.slots.year, heard.slots.month);
    heard.slots.line.is_some() && time(heard) != (None, None) && time(heard) != time(guessed)
}

fn is_of_another_line(heard: &Heard, guessed: &Heard) -> bool {
    let line = heard.slots.line.as_ref();
    line.is_some_and(|line| guessed.slots.line.as_ref() != Some(line))
}
