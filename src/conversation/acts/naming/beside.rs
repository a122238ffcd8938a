//! A yes to what was asked about, with more before or behind it: "yes and what if it's only 45 dogs?", "insurance is 285 a month, and yes
//! on the rent". The yes is one only where each word of its clause says so; what stands beside it must not take it back.

use super::clause::{Clause, Item};
use super::element::{Entry, bare, plainer};
use super::words::{self, Class};
use super::{Chosen, parts};
use crate::wording;

/// A yes is no longer than this, in bytes.
const LONGEST: usize = 60;

/// Where a message may be parted: the end of what stands before, the start of what stands behind, and whether a sentence ends there.
struct Cut {
    end: usize,
    start: usize,
    ends_sentence: bool,
}

/// What is accepted, and what is left to be answered.
pub(super) fn beside<'m>(message: &'m str, entries: &[Entry]) -> Option<(Chosen, &'m str)> {
    let of = |is_meant: fn(&Entry) -> bool| {
        (0..entries.len())
            .filter(|at| is_meant(&entries[*at]))
            .collect::<Vec<_>>()
    };
    let alone = of(|one| one.is_asked);
    let (accepted, is_alone) = match alone.is_empty() {
        true => (of(|one| one.is_listed), false),
        false => (alone, true),
    };
    if accepted.is_empty() {
        return None;
    }
    let yes = Yes {
        entries,
        count: accepted.len(),
        is_alone,
    };
    let cuts = cuts(message);
    let leads = |cut: &Cut| {
        let (said, rest) = (&message[..cut.end], &message[cut.start..]);
        let stands = || (begins_with_order(rest) || stands_behind(rest)) && !yes.is_named_again(rest);
        // "Yes, amazing right?"
        let is_exclaimed = !cut.ends_sentence && rest.trim_end().ends_with('?') && !asks_something(rest);
        (!is_exclaimed && cut.end <= LONGEST && yes.is_said(said, cut.ends_sentence, rest) && stands()).then_some(rest)
    };
    let ends = |cut: &Cut| {
        let (rest, said) = (&message[..cut.end], behind_joins(&message[cut.start..]));
        (said.len() <= LONGEST && yes.is_said(said, true, "") && stands_before(rest)).then_some(rest)
    };
    let rest = cuts
        .iter()
        .rev()
        .find_map(leads)
        .or_else(|| cuts.iter().find_map(ends))?;
    let chosen = Chosen {
        accepted,
        ..Chosen::default()
    };
    Some((chosen, rest.trim()))
}

/// Whether a yes is more than a word that begins what follows: "ok so what is direct labor" is none, nor is "sure, what do you mean".
pub(super) fn is_strong(said: &str) -> bool {
    let said = bare(&plainer(said));
    said.split(' ')
        .any(|word| words::is(word, Class::Strong) || words::is(word, Class::Use))
}

/// Whether a message that accepts values, and says more, has a yes that is one by itself: not "sure 9.5, what a bargain. Let me shop
/// around", "ok, but that was with another bank".
pub(super) fn is_meant(message: &str, (chosen, rest): (&Chosen, &str), entries: &[Entry]) -> bool {
    let has_more = !rest.is_empty() || sentences(message).count() > 1;
    if chosen.accepted.is_empty() || !has_more || is_strong(message) {
        return true;
    }
    let says_others = |(sentence, _): (&str, bool)| {
        let clauses = sentence.split(", ").map(|text| Clause::read(text, entries));
        let says_yes = |clause: &Clause| clause.has(Item::Yes) || clause.has(Item::But);
        let mut plain = clauses.filter(|clause| says_yes(clause) && !clause.has(Item::Unknown));
        plain.any(|clause| clause.has(Item::Others) || clause.has(Item::All))
    };
    let named = Clause::read(message, entries).named();
    sentences(message).any(says_others) || chosen.accepted.iter().all(|at| named.contains(at)) && !doubts(message)
}

/// What a yes is to.
struct Yes<'e> {
    entries: &'e [Entry],
    count: usize,
    is_alone: bool,
}

impl Yes<'_> {
    /// Whether each word says yes; to a list, that all of it is meant.
    fn is_said(&self, said: &str, is_parted: bool, rest: &str) -> bool {
        let clause = Clause::read(&self.plain(said), self.entries);
        let is_known = |item: &Item| match item {
            Item::Yes | Item::Filler => true,
            Item::All => !self.is_alone,
            Item::Named(at) => self.is_alone && self.entries[*at].is_asked,
            _ => false,
        };
        let is_all = self.is_alone || clause.has(Item::All);
        let is_yes = clause.has(Item::Yes) && clause.items.iter().all(is_known) && is_all;
        let is_meant = || is_parted && !(begins_with(rest, Class::Asks) && rest.len() < LONGEST);
        // "Correct? Where does that number come from"
        let is_asked = said.trim_end().ends_with('?');
        is_yes && !is_asked && !clause.has_fact && !clause.asks && !clause.turns && (is_strong(said) || is_meant())
    }

    /// "Sure, add the insurance to what I still shop for", "yes, 32.8 of what?"
    fn is_named_again(&self, rest: &str) -> bool {
        let mut plain = sentences(rest)
            .map(|(text, _)| text)
            .filter(|text| !begins_with(text, Class::Asks));
        let is_meant = |at: &usize| self.entries[*at].is_asked || self.entries[*at].is_listed;
        plain.any(|text| Clause::read(text, self.entries).named().iter().any(is_meant))
    }

    /// With one word for what several say: "all 4", "los tres".
    fn plain(&self, said: &str) -> String {
        // More values than these are not said yes to with more beside it.
        const MOST: usize = 6;
        const SAME: [[&str; 2]; 14] = [
            ["como no", "nada"],
            ["yeah right", "nah"],
            ["do it", "ok"],
            ["do that", "ok"],
            ["go for it", "ok"],
            ["makes sense", "ok"],
            ["works", "ok"],
            ["all in", "ok"],
            ["asi mero", "correcto"],
            ["eso mismo", "correcto"],
            ["eso es", "correcto"],
            ["claro q si", "claro"],
            ["claro que si", "claro"],
            ["como dices", "ok"],
        ];
        let said = format!(" {} ", plainer(said));
        let both = ["both", "ambos", "ambas"].map(|word| format!(" {word} "));
        let said = SAME.iter().fold(said, |said, [words, word]| said.replace(words, word));
        let counts = plan_reader::words_of_count(self.count).filter(|_| self.count <= MOST);
        let counts = counts.into_iter().flatten();
        let counted = counts.flat_map(|count| ["all", "los", "las", "the"].map(|word| format!(" {word} {count} ")));
        let both = both.into_iter().filter(|_| self.count == 2);
        counted
            .chain(both)
            .fold(said, |said, words| said.replace(&words, " all "))
    }
}

const JOINS: [&str; 10] = ["and", "y", "but", "pero", "so", "then", "anyway", "oh", "ah", "oye"];

/// What follows the words that join it to what stands before.
fn behind_joins(text: &str) -> &str {
    let text = text.trim_start();
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match JOINS.contains(&&*word.to_lowercase()) {
        true => behind_joins(text[word.len()..].trim_start_matches(|c: char| !c.is_alphanumeric())),
        false => text,
    }
}

/// Marks, words that join, and words that ask.
fn cuts(message: &str) -> Vec<Cut> {
    let mut out: Vec<Cut> = Vec::new();
    let marks = message.match_indices(['.', '!', '?', ';', '\n', ',']);
    let is_parting =
        |(at, mark): &(usize, &str)| message[at + mark.len()..].starts_with(char::is_whitespace) || *mark == "\n";
    out.extend(marks.filter(is_parting).map(|(at, mark)| Cut {
        end: if mark == "?" { at + 1 } else { at },
        start: at + 1,
        ends_sentence: mark != ",",
    }));
    for (at, _) in message.match_indices(' ') {
        let rest = &message[at + 1..];
        let word = rest
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .to_lowercase();
        // "Yes what if it is 45?", and not "yes that's what he said".
        let before = message[..at]
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let is_yes = |word: &str| {
            [Class::Yes, Class::Use, Class::Count]
                .iter()
                .any(|class| words::is(word, *class))
        };
        let asks = || words::is(&bare(&word), Class::Asks) && is_yes(&bare(&before));
        if JOINS.contains(&&*word) || asks() {
            out.push(Cut {
                end: at,
                start: at + 1,
                ends_sentence: false,
            });
        }
    }
    out.retain(|cut| {
        message[..cut.end].contains(char::is_alphanumeric) && message[cut.start..].contains(char::is_alphanumeric)
    });
    out.sort_unstable_by_key(|cut| cut.start);
    out
}

/// The sentences of a text, and whether a question mark ends each.
fn sentences(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let all = parts::sentences(text).into_iter();
    all.map(|(start, end, is_question)| (&text[start..end], is_question))
}

/// Whether a word only leads to what follows: "and now what is left?"
fn leads_on(word: &str) -> bool {
    words::is(word, Class::Lead) || words::is(word, Class::Now)
}

/// The first word that is no joining one.
fn first_word(text: &str) -> String {
    let text = bare(&plainer(text));
    let mut words = text.split(' ').filter(|word| !leads_on(word));
    words.next().unwrap_or_default().to_owned()
}

/// Whether what follows a yes tells to do something: "but change the rent to 4,100". It leaves the yes as it is where it is of another line.
pub(in crate::conversation::acts) fn begins_with_order(rest: &str) -> bool {
    begins_with(rest, Class::Order)
}

/// Whether it begins as a question does, or goes on from what was said: "and the loan?"
pub(super) fn asks_something(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    let joins = first.is_some_and(|first| JOINS.contains(&&*first.to_lowercase()));
    joins || begins_with(text, Class::Asks) || begins_with(text, Class::Case)
}

/// Whether a text is a question.
pub(in crate::conversation::acts) fn asks(text: &str) -> bool {
    begins_with(text, Class::Asks) || text.trim_end().ends_with('?')
}

fn begins_with(text: &str, class: Class) -> bool {
    words::is(&first_word(text), class)
}

fn says(text: &str, class: Class) -> bool {
    bare(&plainer(text)).split(' ').any(|word| words::is(word, class))
}

/// Whether the sentence at a place asks for something else than whether its number is the right one: "what if it is 5,000?", and not
/// "is it 5,000?"
pub(in crate::conversation::acts) fn asks_of_more(text: &str, at: usize) -> bool {
    let mut sentences = parts::sentences(text).into_iter();
    let found = sentences.find(|(start, end, _)| (*start..*end).contains(&at));
    let Some((start, end, _)) = found else { return false };
    let sentence = &text[start..end];
    let said = bare(&plainer(sentence));
    let mut words = said.split(' ').skip_while(|word| leads_on(word));
    let is_right = [
        "is it", "isnt it", "isn t", "is that", "wasnt", "wasn t", "should", "shouldn", "no es", "no son", "no sera",
    ];
    let first: Vec<&str> = words.by_ref().take(2).collect();
    let asks = begins_with(sentence, Class::Asks) || begins_with(sentence, Class::Case);
    let has_number = first
        .last()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    asks && first.len() == 2 && !has_number && !is_right.iter().any(|known| first.join(" ").starts_with(known))
}

/// Whether a sentence that asks nothing doubts, or puts something else in the place of what was said.
pub(in crate::conversation::acts) fn doubts(text: &str) -> bool {
    // "You say I am short, why is that, nobody told me" asks, "what a bargain" does not.
    let asks = |part: &str| begins_with(part, Class::Asks) && !wording::plain(part).starts_with("what a ");
    let is_asked = |text: &str| text.split(", ").any(asks);
    sentences(text).any(|(text, is_question)| !is_question && !is_asked(text) && is_doubtful(text))
}

/// "Maybe 70k" is of its number.
fn is_doubtful(text: &str) -> bool {
    let is_amount = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        digits > 1 || digits == 1 && word.contains(['%', '$'])
    };
    says(text, Class::Turns) || says(text, Class::Doubt) && !text.split_whitespace().any(is_amount)
}

/// Whether what follows a yes leaves it as it is: a question, or something that doubts nothing.
fn stands_behind(rest: &str) -> bool {
    // "Sí, cómo no" is ironic.
    if wording::plain(rest).trim_start().starts_with("como no") {
        return false;
    }
    let is_turned = ["but ", "pero "]
        .iter()
        .any(|word| rest.trim_start().to_lowercase().starts_with(word));
    let mut all = sentences(rest);
    let Some((first, is_question)) = all.next() else {
        return false;
    };
    let is_case = begins_with(first, Class::Case);
    let is_asked = is_question || begins_with(first, Class::Asks) || is_case && says(first, Class::Asks);
    // "Yes if he signs"; "yes. If sales are half, can I pay it?" asks.
    let is_condition = is_case && !is_asked;
    let is_plain = |text: &str| !is_doubtful(text) && !says(text, Class::Later);
    let others = all.all(|(text, is_question)| is_question || begins_with(text, Class::Asks) || is_plain(text));
    // "Correct. He is a jerk but it is a good corner" turns nothing round.
    let said = [" but ", " pero "]
        .iter()
        .fold(first.to_lowercase(), |said, word| said.replace(word, " "));
    let is_doubted =
        !is_asked && (is_turned || says(first, Class::No) || is_doubtful(first) || plan_reader::takes_back(&said));
    !is_condition && !is_doubted && !says(first, Class::Turns) && others && rest.trim().contains(' ')
}

/// Whether what stands before a yes leaves it one: no condition, no other value in its place.
fn stands_before(rest: &str) -> bool {
    let is_condition = |(text, _): (&str, bool)| begins_with(text, Class::Case);
    let doubts = |(text, is_question): (&str, bool)| {
        !is_question && (says(text, Class::No) || says(text, Class::Later) || is_doubtful(text))
    };
    !sentences(rest).last().is_none_or(is_condition) && !sentences(rest).any(doubts) && !says(rest, Class::Turns)
}
