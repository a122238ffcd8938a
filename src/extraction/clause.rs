//! Sentences and clauses, and the words in them that cast doubt on a number.

use super::amount::Amount;
use super::doubt::Doubts;
use super::lexicon::Mention;
use super::scan::{Kind, Scan};
use super::vocabulary::is_abbreviation;

/// A run of tokens that says one thing.
#[derive(Clone, Debug)]
pub struct Clause {
    pub first: usize,
    pub next: usize,
    pub sentence: usize,
    pub doubts: Doubts,
    /// "no wait", "I meant", "make that".
    pub corrects: bool,
    /// Says that something is not there: "don't pay", "no", "without".
    pub denies: bool,
    pub has_amount: bool,
    pub has_mention: bool,
    /// Speaks in the first person.
    mine: bool,
    opener: bool,
    /// Holds nothing but doubt: "I think", "give or take".
    aside: bool,
    /// Begins with "or" and has a number: the one before is in doubt.
    alternative: bool,
}

/// Cuts the text and marks every clause with its doubts.
#[must_use]
pub fn clauses(scan: &Scan, amounts: &[Amount], mentions: &[Mention]) -> Vec<Clause> {
    let mut clauses = cut(scan, amounts, mentions);
    // The words of a name say nothing of its number: "days until suppliers are paid".
    let mut named = vec![false; scan.len()];
    for mention in mentions.iter().filter(|mention| !mention.fields.is_empty()) {
        named[mention.first..mention.next].fill(true);
    }
    for clause in &mut clauses {
        super::cue::mark(scan, clause, &named);
        clause.alternative = clause.has_amount && !clause.has_mention && scan.word(clause.first) == "or";
    }
    spread_sentences(scan, &mut clauses);
    spread_neighbours(&mut clauses);
    clauses
}

fn cut(scan: &Scan, amounts: &[Amount], mentions: &[Mention]) -> Vec<Clause> {
    let mut held = vec![0u8; scan.len()];
    for amount in amounts {
        held[amount.first..amount.next].fill(1);
    }
    for mention in mentions {
        held[mention.first..mention.next].iter_mut().for_each(|held| *held |= 2);
    }
    let (mut out, mut sentence) = (Vec::new(), 0);
    let mut current = Clause::new(0, sentence);
    for (i, held) in held.into_iter().enumerate() {
        let end = (held == 0 || scan.tokens[i].kind == Kind::Break) && ends_sentence(scan, i);
        if (end || (held == 0 && ends_clause(scan, i, &current))) && i >= current.first {
            current.next = if end { i + 1 } else { i };
            sentence += usize::from(end);
            let next = if is_kept(scan, i) { i } else { i + 1 };
            current.next = current.next.max(next.min(i + 1));
            out.push(std::mem::replace(&mut current, Clause::new(next, sentence)));
        }
        current.has_amount |= held & 1 != 0;
        current.has_mention |= held & 2 != 0;
    }
    current.next = scan.len();
    out.push(current);
    out.retain(|clause| clause.next > clause.first);
    out
}

impl Clause {
    const fn new(first: usize, sentence: usize) -> Self {
        Self {
            first,
            next: first,
            sentence,
            doubts: Doubts::NONE,
            corrects: false,
            denies: false,
            has_amount: false,
            has_mention: false,
            mine: false,
            opener: false,
            aside: false,
            alternative: false,
        }
    }

    /// What [`super::cue`] found.
    pub fn set(&mut self, mine: bool, opener: bool, aside: bool) {
        (self.mine, self.opener, self.aside) = (mine, opener, aside);
    }
}

fn ends_sentence(scan: &Scan, i: usize) -> bool {
    match scan.tokens[i].kind {
        Kind::Break => true,
        Kind::Mark('!' | '?' | ';' | '…' | '•') => true,
        // Dots in a row part clauses, not sentences.
        Kind::Mark('.') if is_dot(scan, i + 1) || is_dot_before(scan, i) => false,
        Kind::Mark('.') => {
            let abbreviation = scan.is_joined(i) && is_abbreviation(scan.word_before(i));
            let inside = scan.is_joined(i) && scan.is_joined(i + 1) && !scan.word(i + 1).is_empty();
            let goes_on = !scan.word(i + 1).is_empty() || scan.digits(i + 1).is_some();
            !(inside || (abbreviation && goes_on))
        }
        _ => false,
    }
}

fn is_dot(scan: &Scan, i: usize) -> bool {
    scan.mark(i) == Some('.') && scan.is_joined(i)
}

fn is_dot_before(scan: &Scan, i: usize) -> bool {
    i > 0 && is_dot(scan, i) && scan.mark(i - 1) == Some('.')
}

/// A word that parts clauses and begins the next one.
fn is_kept(scan: &Scan, i: usize) -> bool {
    scan.tokens[i].kind == Kind::Word
}

fn ends_clause(scan: &Scan, i: usize, current: &Clause) -> bool {
    match scan.tokens[i].kind {
        Kind::Mark(',' | '(' | ')' | '—' | '|' | '[' | ']' | '+') => true,
        Kind::Mark('-' | '–') => !scan.is_joined(i) && !scan.is_joined(i + 1),
        Kind::Mark('.') => is_dot_before(scan, i) && !is_dot(scan, i + 1),
        Kind::Mark('&') => !scan.is_joined(i),
        Kind::Word if i > current.first => match scan.word(i) {
            "and" | "but" | "while" | "plus" | "whereas" | "though" | "although" | "then" | "so" | "yet"
            | "however" | "except" | "because" => !is_joining(scan, i),
            "it's" | "its" | "that's" | "actually" | "wait" | "sorry" | "now" => current.has_amount,
            _ => false,
        },
        _ => false,
    }
}

/// "or so", "and change": part of the amount before it.
fn is_joining(scan: &Scan, i: usize) -> bool {
    matches!(
        (scan.word(i), scan.word(i + 1)),
        ("and", "change" | "some") | ("so", "far" | ".")
    ) || (scan.word(i) == "so" && matches!(scan.word_before(i), "or" | "and"))
        || (scan.word(i) == "then" && scan.word_before(i) == "if")
}

/// Conditions and questions reach beyond their clause.
fn spread_sentences(scan: &Scan, clauses: &mut [Clause]) {
    let mut from = 0;
    let mut imagined = false;
    while from < clauses.len() {
        let sentence = clauses[from].sentence;
        let to = clauses[from..]
            .iter()
            .position(|clause| clause.sentence != sentence)
            .map_or(clauses.len(), |n| from + n);
        let part = &mut clauses[from..to];
        let (first, next) = (part[0].first, part[part.len() - 1].next);
        if part.iter().any(|clause| clause.doubts.has(Doubts::CONDITIONAL)) || imagined {
            part.iter_mut()
                .for_each(|clause| clause.doubts.add(Doubts::CONDITIONAL));
        }
        imagined |= (first..next).any(|i| {
            matches!(
                scan.word(i),
                "suppose" | "imagine" | "pretend" | "hypothetically" | "supposing"
            )
        });
        // "can you set rent to 4,200?" is an order, however polite.
        let asked = (first..next).any(|i| scan.mark(i) == Some('?')) && !super::cue::is_order(scan, first);
        let opener = part.iter().position(|clause| clause.opener);
        let opens = part[0].opener && super::cue::asks_without_mark(scan, part[0].first);
        if let Some(start) = if asked {
            Some(opener.unwrap_or(0))
        } else {
            opens.then_some(0)
        } {
            part[start..]
                .iter_mut()
                .for_each(|clause| clause.doubts.add(Doubts::QUESTION));
        }
        from = to;
    }
}

/// Somebody else's figures go on until the speaker returns; an aside doubts what stands beside it.
fn spread_neighbours(clauses: &mut [Clause]) {
    let mut others = false;
    for i in 0..clauses.len() {
        let new_sentence = i > 0 && clauses[i].sentence != clauses[i - 1].sentence;
        let theirs = clauses[i].doubts.has(Doubts::OTHERS);
        others = theirs || (others && !new_sentence && !clauses[i].mine);
        if others {
            clauses[i].doubts.add(Doubts::OTHERS);
        }
        if clauses[i].alternative && i > 0 && !new_sentence {
            clauses[i - 1].doubts.add(Doubts::HEDGED);
            clauses[i].doubts.add(Doubts::HEDGED);
        }
        if clauses[i].aside && !clauses[i].has_amount && !clauses[i].has_mention {
            let doubt = if clauses[i].doubts.is_none() {
                Doubts::HEDGED
            } else {
                clauses[i].doubts
            };
            let doubt = doubt.without(Doubts::QUESTION.with(Doubts::CONDITIONAL).with(Doubts::NEGATED));
            if i > 0 {
                clauses[i - 1].doubts.add(doubt);
            }
            if let Some(next) = clauses.get_mut(i + 1).filter(|_| !new_sentence || i == 0) {
                next.doubts.add(doubt);
            }
        }
    }
}
