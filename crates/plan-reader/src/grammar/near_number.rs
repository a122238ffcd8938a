//! What stands right at a number: a code's word, what a share is a share of, growth years; and how much it sounds decided.

use super::class_set::ClassSet;
use super::edges::{EdgePayload, Edges};
use super::mentions::Place;
use super::productions::GRAMMAR;
use crate::lex::{Amount, Unit};
use plan_model::field::Base;

/// Of two numbers for one field the more decided is asked about first: "they quoted 5,100, we are signing at 4,350".
pub fn decidedness(edges: &Edges, from: usize, to: usize) -> i32 {
    let between = edges.at.iter().take(to).skip(from).flatten();
    let inside: ClassSet = between.filter(|edge| edge.end <= to).map(|edge| edge.class).collect();
    let ours = ["SETTLED", "AFFIRMS", "ISAFFIRMED", "OURS", "WE", "NOWAND"];
    let theirs = [
        "OTHERS", "AHEAD", "LANDLORD", "LENDER", "NOT", "PASTBE", "MOST", "LEAST",
    ];
    let count = |classes: &[&str]| {
        let known = classes.iter().filter_map(|class| GRAMMAR.known(class));
        known.filter(|class| inside.contains(*class)).count() as i32
    };
    count(&ours) - 2 * count(&theirs)
}

/// "Suite 410", "item 7", "section 14": a number that only names something.
pub fn is_code(place: &Place<'_>) -> bool {
    let before = place.amount.from.checked_sub(1).filter(|at| *at >= place.range.start);
    before.is_some_and(|at| {
        matches!(
            place.tokens[at].word(),
            "suite"
                | "unit"
                | "ste"
                | "apt"
                | "item"
                | "section"
                | "page"
                | "article"
                | "chapter"
                | "ext"
                | "extension"
                | "zip"
                | "lot"
                | "pg"
                | "clause"
                | "exhibit"
                | "room"
                | "building"
                | "bay"
                | "no"
                | "number"
                | "po"
                | "invoice"
                | "account"
                | "acct"
        ) && place.amount.unit == Unit::Bare
    })
}

pub fn base(edges: &Edges, at: usize) -> Option<Base> {
    let here: ClassSet = edges.at.get(at)?.iter().map(|edge| edge.class).collect();
    let has = |class: &str| GRAMMAR.known(class).is_some_and(|class| here.contains(class));
    if has("WAGES") {
        Some(Base::Wages)
    } else if has("PROJECT") {
        Some(Base::Project)
    } else {
        has("SALES").then_some(Base::Sales)
    }
}

/// The growth years named next to an amount: before it, else behind it.
pub fn years(edges: &Edges, amount: &Amount, start: usize) -> u8 {
    let all = edges
        .at
        .iter()
        .enumerate()
        .flat_map(|(at, here)| here.iter().map(move |edge| (at, edge)));
    let named = all.filter_map(|(at, edge)| match edge.payload {
        EdgePayload::Years(years) => Some((at, edge.end, years)),
        _ => None,
    });
    let (from, to) = (amount.from - start, amount.to - start);
    let distance = |at: usize, end: usize| {
        if end <= from {
            from - end
        } else {
            at.saturating_sub(to) + 1
        }
    };
    named
        .min_by_key(|(at, end, _)| (distance(*at, *end), std::cmp::Reverse(*end)))
        .map_or(0, |(.., years)| years)
}
