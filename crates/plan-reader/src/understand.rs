//! A turn's words: the message, and what it agrees to or completes.

use crate::ear::Hearing;
use crate::ear::candidates::{LOOKED_AT, Stance, candidates, corrected, read};
use crate::ear::names::named;
use crate::ear::spots::Spots;
use crate::grammar::{self, Advisor, Message, Vocabulary, mentions, ungrouped};
use crate::intent;
use crate::texts::{Source, Texts};
use crate::understanding::{Statement, Understanding, Wish};
use plan_model::field::FieldPath;
use plan_model::inputs::LOAN;

/// Reads the texts of a turn. Work is linear in their length.
pub fn understand(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Understanding {
    understand_by(Hearing::chosen(), texts, vocabulary)
}

/// As [`understand`], with weights and a threshold of one's own.
pub(crate) fn understand_by(hearing: Hearing<'_>, texts: &Texts<'_>, vocabulary: &Vocabulary) -> Understanding {
    let message = read(hearing, texts, vocabulary);
    let spots = Spots::of(&message, LOOKED_AT);
    let mut out = Understanding {
        wish: grammar::wish(&message),
        work: message.work,
        mentions: mentions(&message, Source::Message),
        ungrouped: ungrouped(&message, Source::Message),
        named: named(&spots.names, vocabulary),
        counts_customers: spots.all.iter().any(|spot| spots.counts_customers(spot)),
        ..Understanding::default()
    };
    out.plain = message.plain();
    let held = times_of_rates(&message);
    // A sentence that was read so is asked about.
    let misread = out.plain.iter().filter(|one| is_term_of(&one.field, one.number, &held));
    let misread: Vec<usize> = misread.map(|one| one.start).collect();
    out.plain.retain(|one| !misread.contains(&one.start));
    let stance = intent::stance(hearing.ear, &message, &spots, out.wish, !out.plain.is_empty());
    if stance == Stance::Asks {
        out.plain.clear();
    }
    let is_named = spots.names.iter().any(|names| !names.is_empty());
    let corrects = stance == Stance::Corrects || out.plain.is_empty() && spots.has_correction();
    let correcting = message.before.noted.filter(|_| corrects && !is_named);
    let found = match correcting {
        // Never another field: a correction without a name is of what was noted.
        Some(noted) => corrected(&spots, &message, noted),
        None => candidates(hearing, &spots, &message, &out.plain, (Source::Message, stance)),
    };
    (out.candidates, out.supposed, out.ignored) = (found.candidates, found.supposed, found.ignored);
    out.shares = found.shares;
    for all in [&mut out.candidates, &mut out.supposed] {
        for one in all.iter_mut() {
            let number = one.number;
            one.choices.retain(|choice| !is_term_of(&choice.field, number, &held));
        }
        all.retain(|one| !one.choices.is_empty());
    }
    if message.amounts.is_empty() && out.plain.is_empty() {
        recall(hearing, &message, texts, vocabulary, &mut out);
    }
    out
}

/// Where the numbers stand that say how long a rate is held: none of them is a loan's term.
fn times_of_rates(message: &Message<'_>) -> Vec<(usize, usize)> {
    let held = message
        .amounts
        .iter()
        .filter(|amount| grammar::holds_a_rate(message, amount));
    held.map(|amount| message.bytes(amount)).collect()
}

fn is_term_of(field: &FieldPath, number: (usize, usize), held: &[(usize, usize)]) -> bool {
    field.as_str() == LOAN[1] && held.contains(&number)
}

/// A yes in other words is about the numbers of the question that it answers, not about those of the rest of the advisor's text, such as
/// the month in which a case breaks even.
fn asked_about(hearing: Hearing<'_>, text: &str, vocabulary: &Vocabulary, out: &mut Understanding) {
    let advisor = Advisor::of(text, vocabulary);
    let Some(question) = advisor.question() else { return };
    let tokens = &advisor.tokens()[question.tokens.clone()];
    let [first, .., last] = tokens else { return };
    let asked = first.start..last.end;
    let offered = Message::read(&Texts::of(text), vocabulary);
    let spots = Spots::of(&offered, LOOKED_AT);
    out.candidates = candidates(hearing, &spots, &offered, &[], (Source::Advisor, Stance::States)).candidates;
    out.candidates.retain(|one| asked.contains(&one.number.0));
    out.work += offered.work;
}

/// A message without a number may agree to the advisor's, or complete the one before.
fn recall(
    hearing: Hearing<'_>,
    message: &Message<'_>,
    texts: &Texts<'_>,
    vocabulary: &Vocabulary,
    out: &mut Understanding,
) {
    let advisor = grammar::agreed_to(message, texts, vocabulary);
    let stated = advisor
        .as_ref()
        .and_then(|advisor| grammar::stated(advisor, vocabulary));
    let offered = match &stated {
        Some(one) => Some((one.field.clone(), one.number)),
        None => advisor.as_ref().and_then(Advisor::offered),
    };
    if let Some((field, number)) = offered {
        let text = Texts::of(texts.advisor.unwrap_or_default());
        let said = mentions(&Message::read(&text, vocabulary), Source::Advisor);
        let said = said.into_iter().filter(|mention| mention.number == number);
        out.mentions.extend(said);
        out.agreed = Some(field);
    }
    if let Some(stated) = stated {
        out.plain.push(stated);
        return;
    }
    let period = grammar::period(message, texts, vocabulary);
    if let (Some(period), Some(previous)) = (period, texts.previous_message) {
        let mut before = Message::start(&Texts::of(previous), vocabulary);
        before.before.period = Some(period);
        before.read_all(previous);
        out.mentions.extend(mentions(&before, Source::PreviousMessage));
        for mention in &mut out.mentions {
            mention.period = mention.period.or(Some(period));
        }
        let plain = before.plain().into_iter();
        out.plain.extend(plain.map(|one| Statement {
            source: Source::PreviousMessage,
            ..one
        }));
        out.work += before.work;
    } else if out.wish == Some(Wish::Yes) {
        asked_about(hearing, texts.advisor.unwrap_or_default(), vocabulary, out);
    }
}
