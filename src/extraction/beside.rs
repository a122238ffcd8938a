//! Doubts that stand directly beside an amount: "about", "or so", "by", "more", "of the deposit".

use super::amount::{Amount, changes};
use super::doubt::Doubts;
use super::scan::Scan;
use super::unit::Unit;
use super::vocabulary::{is_determiner, is_share_base};
use std::ops::Range;

/// What the words directly before and behind an amount say of it.
#[must_use]
pub fn doubts(scan: &Scan, amount: &Amount) -> Doubts {
    let mut doubts = before(scan, amount).with(behind(scan, amount));
    if amount.unit == Unit::Percent && base(scan, amount.next).is_none() && scan.word(amount.next) == "of" {
        doubts.add(Doubts::RELATIVE);
    }
    doubts
}

fn before(scan: &Scan, amount: &Amount) -> Doubts {
    let mut doubts = Doubts::NONE;
    let first = amount.first;
    for back in 1..=3 {
        let Some(i) = first.checked_sub(back) else { break };
        let (word, mark) = (scan.word(i), scan.mark(i));
        let direct = back == 1 || (back == 2 && is_article(scan.word(i + 1))) || is_chain(scan, i, first);
        if !direct || scan.digits(i).is_some() {
            break;
        }
        match (word, mark) {
            (
                "about" | "around" | "like" | "abt" | "roughly" | "approximately" | "some" | "circa" | "maybe"
                | "nearly" | "almost" | "probably",
                _,
            )
            | (_, Some('~' | '≈')) => doubts.add(Doubts::ABOUT),
            ("over", _) if !matches!(amount.unit, Unit::Months | Unit::Years) => doubts.add(Doubts::BOUND),
            (
                "under" | "above" | "below" | "exceeding" | "within" | "beyond" | "minimum" | "maximum" | "max" | "min",
                _,
            )
            | (_, Some('<' | '>' | '≤' | '≥' | '±')) => {
                doubts.add(Doubts::BOUND);
            }
            ("by" | "another" | "additional" | "extra" | "minus" | "less", _) => doubts.add(Doubts::RELATIVE),
            ("plus", _) if back == 1 && i > 0 && scan.digits(i - 1).is_some() => doubts.add(Doubts::RELATIVE),
            ("up" | "down", _)
                if matches!(
                    scan.word_before(i),
                    "write" | "wrote" | "written" | "put" | "putting" | "note" | "noted" | "jot" | "mark"
                ) => {}
            ("up" | "down" | "add" | "adding" | "subtract" | "save" | "saved", _) => doubts.add(Doubts::RELATIVE),
            ("of", _) if scan.word_before(i) == "instead" => doubts.add(Doubts::REPLACED),
            ("than", _) if matches!(scan.word_before(i), "rather" | "other") => doubts.add(Doubts::REPLACED),
            ("from", _) if changes(scan, first) && to_follows(scan, amount.next) => doubts.add(Doubts::REPLACED),
            _ => {}
        }
    }
    doubts
}

fn is_article(word: &str) -> bool {
    matches!(
        word,
        "a" | "an" | "the" | "of" | "that" | "like" | "maybe" | "about" | "around"
    )
}

/// Only small words stand between `i` and the amount.
fn is_chain(scan: &Scan, i: usize, first: usize) -> bool {
    (i + 1..first).all(|at| is_article(scan.word(at)) || matches!(scan.mark(at), Some('~' | '-')))
}

/// "from 4,500 to 4,200": something follows that replaces it.
fn to_follows(scan: &Scan, next: usize) -> bool {
    (next..next + 5).any(|i| scan.word(i) == "to")
}

fn behind(scan: &Scan, amount: &Amount) -> Doubts {
    let mut at = amount.next;
    let mut doubts = Doubts::NONE;
    if let Some((_, next)) = super::unit::period_at(scan, at) {
        at = next;
    }
    let tied = usize::from(scan.is_tie(at));
    match (scan.word(at + tied), scan.word(at + tied + 1)) {
        ("ish" | "something" | "odd", _) | ("or", "so" | "thereabouts" | "something") | ("and", "change" | "some") => {
            doubts.add(Doubts::HEDGED);
        }
        ("or", "more" | "less" | "higher" | "lower" | "under" | "over" | "better")
        | ("max" | "tops" | "minimum" | "maximum" | "plus", "") => doubts.add(Doubts::BOUND),
        ("plus", _)
            if amount.unit != Unit::Months && scan.digits(at + 1).is_none() && scan.mark(at + 1) != Some('$') =>
        {
            doubts.add(Doubts::BOUND);
        }
        ("more", "or") => doubts.add(Doubts::HEDGED),
        (
            "more" | "less" | "higher" | "lower" | "extra" | "off" | "cheaper" | "discount" | "increase" | "decrease"
            | "raise" | "cut" | "below" | "above" | "under" | "over" | "short" | "bump" | "reduction" | "drop"
            | "markup" | "savings" | "cheaper," | "hike" | "jump" | "each" | "apiece",
            next,
        ) if !is_more_to_say(scan.word(at), next) => {
            doubts.add(Doubts::RELATIVE);
        }
        _ => {}
    }
    match scan.mark(at) {
        Some('+') if scan.is_joined(at) && !scan.is_joined(at + 1) => doubts.add(Doubts::BOUND),
        Some('±') => doubts.add(Doubts::HEDGED),
        Some('(') if scan.mark(at + 1) == Some('?') => doubts.add(Doubts::HEDGED),
        _ => {}
    }
    doubts
}

/// "over ten years", "each month": the word belongs to what follows.
fn is_more_to_say(word: &str, next: &str) -> bool {
    match word {
        "over" => !next.is_empty(),
        "each" => matches!(next, "month" | "year" | "week" | "quarter"),
        _ => false,
    }
}

/// The tokens of "of sales" behind a percentage: the bases that the plan's percentages have.
#[must_use]
pub fn base(scan: &Scan, next: usize) -> Option<Range<usize>> {
    if !matches!(scan.word(next), "of" | "on" | "to") {
        return None;
    }
    let mut at = next + 1;
    while is_determiner(scan.word(at)) {
        // "of gross" may end there.
        if scan.word(at) == "gross" && !is_share_base(scan.word(at + 1)) {
            return Some(next..at + 1);
        }
        at += 1;
    }
    is_share_base(scan.word(at)).then(|| {
        let also = matches!(scan.word(at), "project" | "startup" | "total")
            && matches!(scan.word(at + 1), "cost" | "costs" | "investment");
        next..at + 1 + usize::from(also)
    })
}
