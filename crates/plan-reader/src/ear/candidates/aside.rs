//! Numbers that are left alone: of others, of the past, in another currency, or how much another value differs.

use crate::ear::spots::{Spot, Spots};
use crate::grammar::{GRAMMAR, Message, Place, SentenceResult};
use crate::lex::{Token, Unit, is_of};
use crate::understanding::IgnoredNumber;

/// Whether the sentence itself says that a number is not the value.
pub(super) fn is_denied(message: &Message<'_>, spot: &Spot) -> bool {
    let range = &message.parts[spot.part].sentence.tokens;
    let mut amounts = message.amounts_of(range);
    let number = amounts
        .find(|(_, amount)| amount.from == spot.amount.from)
        .map(|(number, _)| number);
    matches!(&message.parts[spot.part].result, SentenceResult::Understood(meaning) if number.is_some_and(|number| meaning.denied.contains(&number)))
}

/// "300 less", "$200 a month more", "2 years longer": how much another value would differ, and no value; "300 more or less" is one, and
/// so is "600 more for marketing".
fn says_how_much_other(message: &Message<'_>, spot: &Spot) -> bool {
    const OTHER: &str = "less lower cheaper fewer more longer shorter higher pricier fatter heavier costlier dearer steeper greater leaner menos barato \
        barata mas";
    const NO_CHANGE: &str = "or o for on of para";
    let word = |at: usize| message.tokens.get(at).map_or("", |token| token.word());
    let behind = message.behind_period(spot.amount.to);
    // "3,200 más como 450 del agua": two amounts.
    let next = behind + 1 + usize::from(matches!(word(behind + 1), "como" | "unos" | "otros"));
    let is_sum = word(behind) == "mas" && message.amounts.iter().any(|amount| amount.from == next);
    // "400 más de seguro", but "400 más de lo que pensaba".
    let is_of_line = word(behind + 1) == "de" && word(behind + 2) != "lo";
    is_of(OTHER, word(behind)) && !is_sum && !is_of_line && !is_of(NO_CHANGE, word(behind + 1))
}

/// "Rent +500", "put it fifty percent up": what it changes by; "2,500 + 500" is a sum.
fn is_signed(message: &Message<'_>, spot: &Spot) -> bool {
    let token = |at: usize| message.tokens.get(at);
    let before = |by: usize| spot.amount.from.checked_sub(by).and_then(token);
    // A currency sign may stand between them.
    let at = (1..=2).find(|by| before(*by).is_some_and(|sign| sign.is_mark('+')));
    let is_glued = at.is_some_and(|by| before(by.saturating_sub(1)).is_some_and(|next| next.glued));
    let is_word = at
        .and_then(|by| before(by.saturating_add(1)))
        .is_some_and(|word| !word.word().is_empty());
    let is_up = || token(spot.amount.to).is_some_and(|behind| behind.word() == "up");
    is_glued && is_word || spot.amount.unit == Unit::Percent && is_up()
}

/// "Raise us 400", "jumps thirty percent", "me quiere subir 700"; "put up 20,000" is an amount.
fn says_it_moves(message: &Message<'_>, spot: &Spot) -> bool {
    const MOVES: &str = "up jump jumps jumped rise rises rose bump bumps bumped raise raises raised raising subir sube suben suba subio subieron \
        aumenta aumentan aumentar aumentaron";
    const WHOM: &str = "us me it them the by nos la el";
    const PAYS: &str = "put puts putting come comes came coming comin front fronts fronting";
    let words = message.tokens[..spot.amount.from].iter().rev().map(Token::word);
    let mut words = words.skip_while(|word| is_of(WHOM, word)).take(3);
    words.next().is_some_and(|word| is_of(MOVES, word)) && !words.any(|word| is_of(PAYS, word))
}

/// Who says these speaks of what will be paid, whatever the verb: "the quote came in at 3,100".
const OFFERED: &str = "quote quoted estimate estimated bid cotizacion cotizaron presupuesto";

/// Why a number beside a field's name is left alone, where its sentence says so.
pub(super) fn aside(spots: &Spots<'_>, message: &Message<'_>, spot: &Spot) -> Option<IgnoredNumber> {
    let part = &message.parts[spot.part];
    let edges = part.edges.as_ref()?;
    let has = |class: &str| edges.has(GRAMMAR.known(class));
    let names = &spots.names[spot.part];
    if spot.amount.unit == Unit::Foreign {
        return Some(IgnoredNumber::Foreign);
    }
    if spot.is_word {
        return None;
    }
    if says_how_much_other(message, spot) || is_signed(message, spot) {
        return Some(IgnoredNumber::Change);
    }
    if names.is_empty() {
        return None;
    }
    let tokens = &message.tokens[part.sentence.tokens.clone()];
    let is_with_others = |two: &[Token]| {
        matches!(
            (two[0].word(), two[1].word()),
            ("me" | "i", "and") | ("and", "me" | "i") | ("y", "yo") | ("yo", "y")
        )
    };
    // "Me and my cousin have 20,000 saved."
    let is_ours = has("OURS") || tokens.windows(2).any(is_with_others);
    if has("OTHERS") && !is_ours {
        return Some(IgnoredNumber::Others);
    }
    let place = Place {
        tokens: &message.tokens,
        edges: Some(edges),
        range: &part.sentence.tokens,
        amount: &spot.amount,
    };
    let is_money = matches!(spot.amount.unit, Unit::Money | Unit::Bare);
    if is_money && (says_it_moves(message, spot) || place.ends_at("CHANGEBY", spot.amount.from)) {
        return Some(IgnoredNumber::Change);
    }
    let recurring = names
        .iter()
        .any(|name| message.vocabulary.fields()[name.fields[0].0].is_paid_regularly());
    // "What if rent were 5,000?" is not about the past, nor is "the quote came in at 3,100".
    let is_offered = tokens.iter().any(|token| is_of(OFFERED, token.word()));
    let supposes = part.sentence.asks || has("ALLDOUBT") || is_offered;
    if !supposes && recurring && place.ends_at("PASTBE", spot.amount.from) {
        return Some(IgnoredNumber::Past);
    }
    let before = names.iter().filter(|name| name.range.end <= spot.amount.from);
    let [.., first, second] = before.collect::<Vec<_>>()[..] else {
        return None;
    };
    let joined = second.range.start == first.range.end + 1 && place.word_at("AND", first.range.end);
    let alone = message.amounts_of(&part.sentence.tokens).count() == 1;
    let different = first.fields[0].0 != second.fields[0].0;
    (joined && alone && different && spot.amount.from - second.range.end <= 2).then_some(IgnoredNumber::Shared)
}
