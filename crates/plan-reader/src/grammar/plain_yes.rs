//! Answers that only make sense with what was said before: yes, a period, "I don't know".

use super::advisor::Advisor;
use super::chart::Chart;
use super::edges::EdgePayload;
use super::evaluate::Evaluator;
use super::meaning::Before;
use super::message::{Message, SentenceResult};
use super::names;
use super::productions::GRAMMAR;
use super::vocabulary::Vocabulary;
use crate::lex::{Amount, Period, Token};
use crate::texts::{Source, Texts};
use crate::understanding::{Statement, Wish};

/// Whether each sentence of a message is one of a rule's, or a greeting, or part of a signature; and one is the rule's.
fn is_only(message: &Message<'_>, rule: &str) -> bool {
    let mut found = false;
    for part in &message.parts {
        let Some(edges) = &part.edges else { return false };
        let reads = |rule: &str| !Chart::new(edges, GRAMMAR.named(rule), &[]).read().is_empty();
        let is_rule = !part.sentence.asks && !part.sentence.quoted && reads(rule);
        found |= is_rule;
        let is_silent = matches!(&part.result, SentenceResult::Understood(meaning) if meaning.stated.is_empty() && !meaning.correcting && meaning.topic.is_none());
        if !is_rule && !is_silent && !part.is_signature {
            return false;
        }
    }
    found
}

/// Whether a message is nothing but a yes. Thanks alone are none: "cheers".
fn is_assent(message: &Message<'_>) -> bool {
    const THANKS: [&str; 16] = [
        "thanks", "thank", "you", "thx", "ty", "cheers", "gracias", "saludos", "many", "so", "much", "very", "a",
        "lot", "again", "kindly",
    ];
    let mut words = message.tokens.iter().map(Token::word).filter(|word| !word.is_empty());
    is_only(message, "assent") && !words.all(|word| THANKS.contains(&word))
}

/// The advisor's text, where a message is a plain yes to the question at its end. What stands behind a question asks for
/// something else.
pub(crate) fn agreed_to<'v>(
    message: &Message<'_>,
    texts: &Texts<'_>,
    vocabulary: &'v Vocabulary,
) -> Option<Advisor<'v>> {
    let words = message.tokens.iter().map(Token::word);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_ironic = matches!(words[..], ["yeah" | "yea", "right"]);
    let text = texts.advisor.filter(|_| is_assent(message) && !is_ironic)?;
    let advisor = Advisor::of(text, vocabulary);
    let is_last = advisor.question()?.tokens.end + 2 >= advisor.tokens().len();
    is_last.then_some(advisor)
}

/// What a plain yes states: the question names one field and one number and plainly asks to record it.
pub(crate) fn stated(advisor: &Advisor<'_>, vocabulary: &Vocabulary) -> Option<Statement> {
    let question = advisor.question()?;
    let edges = advisor.edges(question);
    let readings = Chart::new(&edges, GRAMMAR.named("confirm"), names::marked()).read();
    let before = Before {
        sure: true,
        ..Before::default()
    };
    let evaluator = Evaluator {
        vocabulary,
        amounts: advisor.amounts(),
        before: &before,
        corrects: false,
    };
    let meaning = evaluator.meaning(&readings)?;
    let [stated] = meaning.stated.as_slice() else {
        return None;
    };
    let inside = |amount: &&Amount| question.tokens.contains(&amount.from);
    let amount = match stated.amount {
        Some(amount) => &advisor.amounts()[amount as usize],
        None => advisor
            .amounts()
            .iter()
            .filter(inside)
            .find(|amount| amount.value == stated.value.decimal())?,
    };
    let bytes = |from: &Token, to: &Token| (from.start, to.end);
    let tokens = advisor.tokens();
    let (start, end) = bytes(&tokens[question.tokens.start], &tokens[question.tokens.end - 1]);
    Some(Statement {
        field: vocabulary.fields()[stated.field].path.clone(),
        value: stated.value,
        source: Source::Advisor,
        start,
        end,
        number: bytes(&tokens[amount.from], &tokens[amount.to - 1]),
    })
}

/// The period that a message gives and nothing else: "a year", "yes, monthly", or a yes to "Is that per year?".
pub(crate) fn period(message: &Message<'_>, texts: &Texts<'_>, vocabulary: &Vocabulary) -> Option<Period> {
    let advisor = Advisor::of(texts.advisor?, vocabulary);
    let question = advisor.question()?;
    let only = |periods: Vec<Period>| match periods[..] {
        [first, ..] if periods.iter().all(|period| *period == first) => Some(first),
        _ => None,
    };
    let said = |edges: &super::edges::Edges| {
        let periods = edges.at.iter().flatten().filter_map(|edge| match edge.payload {
            EdgePayload::Period(period) => Some(period),
            _ => None,
        });
        only(periods.collect())
    };
    if is_only(message, "period") {
        return only(
            message
                .parts
                .iter()
                .filter_map(|part| said(part.edges.as_ref()?))
                .collect(),
        );
    }
    let has_number = advisor
        .amounts()
        .iter()
        .any(|amount| question.tokens.contains(&amount.from));
    if has_number || !is_assent(message) {
        return None;
    }
    said(&advisor.edges(question))
}

/// What a short message without numbers wants.
pub(crate) fn wish(message: &Message<'_>) -> Option<Wish> {
    let words = message.tokens.iter().filter(|token| !token.word().is_empty()).count();
    let has = |class: &str| {
        let class = GRAMMAR.known(class);
        let mut edges = message.parts.iter().filter_map(|part| part.edges.as_ref());
        edges.any(|edges| edges.has(class))
    };
    if words == 0 || words > 40 {
        return None;
    }
    if is_assent(message) {
        return Some(Wish::Yes);
    }
    if !message.amounts.is_empty() {
        return None;
    }
    let first = message.parts.first().and_then(|part| part.edges.as_ref());
    let begins = |class: &str| {
        let class = GRAMMAR.known(class);
        first.is_some_and(|edges| {
            edges
                .at
                .first()
                .is_some_and(|at| at.iter().any(|edge| Some(edge.class) == class))
        })
    };
    // "If you did, undo it" takes back what may not be there.
    let is_conditional = message.tokens.first().is_some_and(|token| token.word() == "if");
    if begins("UNDO") || (words <= 8 && has("UNDO") && !is_conditional) {
        Some(Wish::Undo)
    } else if has("SKIP") && words <= 25 {
        Some(Wish::Skip)
    } else if has("DONTKNOW") {
        Some(Wish::Unknown)
    } else if has("WHY") {
        Some(Wish::Why)
    } else {
        (begins("NOMORE") && words <= 12).then_some(Wish::No)
    }
}
