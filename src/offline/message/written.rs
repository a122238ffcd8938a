//! Arithmetic that a message writes out with signs: "sales are 80 x 26 x 24.50", "46,213 / 24.50 / 26?"

use plan_model::number::Number;
use plan_reader::{Heard, Intent, Mention, Slots, Texts, Understanding};
use rust_decimal::Decimal;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Times,
    By,
}

/// The signs between a message's numbers; nothing where two of them have anything else between them.
fn signs(message: &str, mentions: &[Mention]) -> Option<Vec<Sign>> {
    // "80 x" may be read as a multiple, with its sign.
    let between = mentions
        .windows(2)
        .map(|pair| message.get(pair[0].number.0..pair[1].number.0));
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '$' | '.' | ',' | ' ');
    let sign = |text: Option<&str>| match text?.trim_matches(of_number) {
        "x" | "X" | "×" | "*" | "times" => Some(Sign::Times),
        "/" | "÷" | ":" => Some(Sign::By),
        _ => None,
    };
    between.map(sign).collect()
}

/// Numbers with signs between them are worked out, whatever else the message sounds like.
pub(in crate::offline) fn product(texts: &Texts<'_>, said: &Understanding) -> Option<Heard> {
    let signs = signs(texts.message, &said.mentions).filter(|signs| !signs.is_empty())?;
    let is_product = signs.iter().all(|sign| *sign == Sign::Times);
    let is_bare = || said.named.is_empty() && quotient(texts.message, &said.mentions).is_some();
    let slots = Slots {
        field: said.named.first().filter(|_| said.named.len() == 1).cloned(),
        product: said.mentions.iter().map(|one| Number::new(one.value)).collect(),
        ..Slots::default()
    };
    (is_product || is_bare()).then(|| Heard::known(Intent::Estimate, slots))
}

/// "46213 ÷ 24.5 ÷ 26 = 72.5": the value of numbers that are divided; nothing where they are only multiplied.
pub(in crate::offline) fn quotient(message: &str, mentions: &[Mention]) -> Option<String> {
    let signs = signs(message, mentions).filter(|signs| signs.contains(&Sign::By))?;
    let (first, rest) = mentions.split_first()?;
    let work = |value: Decimal, (sign, one): (&Sign, &Mention)| match sign {
        Sign::Times => value.checked_mul(one.value),
        Sign::By => value.checked_div(one.value),
    };
    // "24/7", "30/60 days"
    let first = Some(first).filter(|first| first.value >= Decimal::ONE_THOUSAND)?;
    let value = signs.iter().zip(rest).try_fold(first.value, work)?;
    let mut shown = first.value.normalize().to_string();
    for (sign, one) in signs.iter().zip(rest) {
        let sign = if *sign == Sign::Times { '×' } else { '÷' };
        shown.push_str(&format!(" {sign} {}", one.value.normalize()));
    }
    Some(format!("{shown} = {}", value.round_dp(2).normalize()))
}
