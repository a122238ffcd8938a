//! A message in clauses: parted where sentences end, at commas, before "but", and where a clause goes on with something else.

use super::Entry;
use super::clause::{Clause, Item};
use super::verdict::{Sign, Verdict};

/// A clause, where it stands, and whether it begins a sentence.
pub(super) struct Part<'m> {
    pub text: &'m str,
    pub start: usize,
    pub end: usize,
    pub begins: bool,
    pub asks: bool,
    pub clause: Clause,
}

/// Marks at which a sentence ends.
const ENDS: [char; 5] = ['.', ';', '!', '?', '\n'];

/// Words at which a clause may go on with something else.
const JOINS: [&str; 18] = [
    " and ",
    " y ",
    " because ",
    " porque ",
    " porq ",
    " xq ",
    " cuz ",
    " cause ",
    " since ",
    " until ",
    " till ",
    " hasta ",
    " i ",
    " we ",
    " its ",
    " it's ",
    " thats ",
    " that's ",
];

pub(super) fn of<'m>(message: &'m str, entries: &[Entry]) -> Vec<Part<'m>> {
    let mut out = Vec::new();
    for (start, end, is_question) in sentences(message) {
        let first = out.len();
        for (start, end) in clauses(message, (start, end), entries) {
            let text = &message[start..end];
            let part = Part {
                text,
                start,
                end,
                begins: out.len() == first,
                asks: false,
                clause: Clause::read(text, entries),
            };
            out.push(part);
        }
        ask(&mut out[first..], is_question);
    }
    out
}

/// A question begins where its words say so, else it is the whole sentence, and lasts until the sentence's end.
fn ask(sentence: &mut [Part<'_>], is_question: bool) {
    let found = sentence
        .iter()
        .position(|part| part.clause.asks || part.text.contains('¿'));
    let from = found.or(is_question.then_some(0)).unwrap_or(sentence.len());
    sentence[from..].iter_mut().for_each(|part| part.asks = true);
}

/// Sentences with a letter or a digit, each with its first byte, the one behind its last, and whether a question mark ends it.
pub(super) fn sentences(message: &str) -> Vec<(usize, usize, bool)> {
    let (mut out, mut start) = (Vec::new(), 0);
    let is_end = |(at, mark): &(usize, &str)| {
        let is_decimal = *mark == "." && message[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        !is_decimal
    };
    let ends = message
        .match_indices(ENDS)
        .filter(is_end)
        .map(|(at, mark)| (at, at + mark.len(), mark == "?"));
    for (end, next, asks) in ends.chain([(message.len(), message.len(), false)]) {
        if message[start..end].contains(char::is_alphanumeric) {
            out.push((start, end, asks));
        } else if asks {
            // "?!", "??"
            out.iter_mut()
                .next_back()
                .into_iter()
                .for_each(|last: &mut (usize, usize, bool)| last.2 = true);
        }
        start = next;
    }
    out
}

/// The clauses of a sentence, by their bytes.
fn clauses(message: &str, (start, end): (usize, usize), entries: &[Entry]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut from = start;
    let cuts = message[start..end]
        .match_indices(", ")
        .map(|(at, mark)| (start + at, start + at + mark.len()));
    for (until, next) in cuts.chain([(end, end)]) {
        before_but(message, (from, until), entries, &mut out);
        from = next;
    }
    let parts: Vec<_> = out
        .into_iter()
        .flat_map(|range| joined(message, range, entries))
        .collect();
    let has_words = |(start, end): &(usize, usize)| message[*start..*end].contains(char::is_alphanumeric);
    parts.into_iter().filter(has_words).collect()
}

/// Parted before "but", where it does not belong to "all but the rent".
fn before_but(message: &str, (start, end): (usize, usize), entries: &[Entry], out: &mut Vec<(usize, usize)>) {
    let text = &message[start..end];
    let first = |words: &[&str]| {
        words
            .iter()
            .filter_map(|word| Some((text.find(word)?, word.len())))
            .min()
    };
    // "All except the rate, which is 11.5": another value behind it.
    let states = |(at, length): &(usize, usize)| {
        let (before, behind) = (&text[..*at], Clause::read(&text[at + length..], entries));
        behind.has_fact && Clause::read(before, entries).has(Item::All)
    };
    let except = || first(&[" except ", " menos ", " excepto ", " salvo "]).filter(states);
    match first(&[" but ", " pero "]).or_else(except) {
        Some((at, length)) if !is_of_all(&text[..at], &text[at + length..], entries) => {
            out.push((start, start + at));
            before_but(message, (start + at + length, end), entries, out);
        }
        _ => out.push((start, end)),
    }
}

/// "All but the rent"; "all of it, but not the rent" says no by itself, and "all but the rent should be 4,300" another value.
fn is_of_all(before: &str, behind: &str, entries: &[Entry]) -> bool {
    let behind = Clause::read(behind, entries);
    // "Yes to all, but what does the term mean" is another one.
    let says_no = behind.has(Item::No) || behind.has(Item::Later) || behind.asks || behind.has_fact;
    Clause::read(before, entries).has(Item::All) && !says_no
}

/// A clause, or where it is not understood but its first words are, these and what follows them.
fn joined(message: &str, (start, end): (usize, usize), entries: &[Entry]) -> Vec<(usize, usize)> {
    let text = &message[start..end];
    let is_plain = |text: &str| {
        let clause = Clause::read(text, entries);
        let says = !clause.is_aside() && !clause.has_fact && !clause.asks;
        let verdict = Verdict::of(&clause).filter(|_| says && !clause.has(Item::Unknown));
        verdict.is_some_and(|verdict| verdict.groups.iter().all(|group| group.sign.is_some()))
    };
    // "Leave the build-out and the equipment for later, I'm waiting on a quote": of a no the rest is a reason.
    let whole = Clause::read(text, entries);
    let is_negative = |verdict: Verdict| {
        let mut signs = verdict.groups.iter().map(|group| group.sign);
        signs.all(|sign| matches!(sign, Some(Sign::No | Sign::Later)))
    };
    let is_no =
        !whole.is_aside() && !whole.has_fact && whole.has(Item::Later) && Verdict::of(&whole).is_some_and(is_negative);
    if is_no || is_plain(text) {
        return vec![(start, end)];
    }
    let mut cuts: Vec<(usize, usize)> = JOINS
        .iter()
        .flat_map(|join| text.match_indices(join).map(|(at, join)| (at, at + join.len())))
        .collect();
    cuts.sort_unstable_by(|one, other| other.cmp(one));
    let cut = cuts.into_iter().find(|(at, _)| is_plain(&text[..*at]));
    match cut {
        // "I", "it's" are words of what follows.
        Some((at, behind)) => {
            let is_subject = !matches!(
                text[at..behind].trim(),
                "and"
                    | "y"
                    | "because"
                    | "porque"
                    | "porq"
                    | "xq"
                    | "cuz"
                    | "cause"
                    | "since"
                    | "until"
                    | "till"
                    | "hasta"
            );
            let next = if is_subject { at + 1 } else { behind };
            vec![(start, start + at), (start + next, end)]
        }
        None => vec![(start, end)],
    }
}
