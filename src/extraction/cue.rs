//! The words that say how a number is meant: approximate, conditional, denied, asked, somebody else's, past, corrected.

use super::clause::Clause;
use super::doubt::Doubts;
use super::scan::{Kind, Scan};
use super::vocabulary::{
    is_command, is_cost_word, is_deed, is_denied_deed, is_first_person, is_greeting, is_harmless_after_no,
    is_other_person, is_own_subject, is_rule_word,
};

/// Marks one clause.
pub fn mark(scan: &Scan, clause: &mut Clause, named: &[bool]) {
    let (mut mine, mut opener, mut aside) = (false, false, false);
    for (i, named) in named.iter().enumerate().take(clause.next).skip(clause.first) {
        if scan.tokens[i].kind != Kind::Word {
            continue;
        }
        let word = scan.word(i);
        mine |= is_first_person(word);
        let at_start = i == clause.first
            || (i == clause.first + 1
                && matches!(scan.word(clause.first), "and" | "so" | "but" | "then" | "ok" | "also"));
        opener |= at_start && is_opener(scan, i);
        if let Some(doubt) = doubt(scan, i).filter(|_| !named) {
            clause.doubts.add(doubt);
            aside |= doubt.has(Doubts::HEDGED);
        }
        clause.corrects |= corrects(scan, i);
        clause.denies |= denies(scan, i);
        mine &= !clause.doubts.has(Doubts::OTHERS);
    }
    clause.set(mine, opener, aside);
}

/// The doubt that begins at word `i`.
fn doubt(scan: &Scan, i: usize) -> Option<Doubts> {
    let is = |words: &[&str]| scan.follows(i, words);
    hedge(scan, i, &is)
        .or_else(|| condition(scan, i, &is))
        .or_else(|| denial(scan, i, &is))
        .or_else(|| other_person(scan, i))
        .or_else(|| past(scan, i, &is))
        .or_else(|| later(scan, i, &is))
        .or_else(|| instruction(scan, i, &is))
}

/// For a part of the time only: "next year", "in a year", "for the first year".
fn later(scan: &Scan, i: usize, is: &dyn Fn(&[&str]) -> bool) -> Option<Doubts> {
    let found = match scan.word(i) {
        "next" => matches!(
            scan.word(i + 1),
            "year" | "month" | "quarter" | "spring" | "summer" | "fall" | "winter"
        ),
        "in" if is(&["in", "cents"]) => return Some(Doubts::ODD),
        "in" => {
            is(&["in", "a", "year"]) || is(&["in", "the", "future"]) || is(&["in", "a", "month"]) || is(&["in", "year"])
        }
        "each" | "apiece" => {
            return (!matches!(scan.word(i + 1), "month" | "year" | "week" | "quarter" | "and"))
                .then_some(Doubts::RELATIVE);
        }
        "eventually" | "someday" | "later" | "afterwards" | "afterward" => true,
        "first" | "second" | "third" | "fourth" | "fifth" => scan.word(i + 1) == "year",
        "year" => {
            matches!(scan.word(i + 1), "one" | "two" | "three" | "four" | "five")
                || scan.digits(i + 1).is_some_and(|digits| digits.whole == 1)
        }
        _ => false,
    };
    found.then_some(Doubts::LATER)
}

fn hedge(scan: &Scan, i: usize, is: &dyn Fn(&[&str]) -> bool) -> Option<Doubts> {
    let hedged = match scan.word(i) {
        "maybe" | "probably" | "perhaps" | "roughly" | "approximately" | "approx" | "possibly" | "guess"
        | "guessing" | "guesstimate" | "ballpark" | "hopefully" | "hoping" | "hope" | "estimate" | "estimated"
        | "estimating" | "estimates" | "expect" | "expecting" | "supposedly" | "apparently" | "presumably"
        | "potentially" | "tentatively" | "tentative" | "unsure" | "somewhere" | "thereabouts" | "ish" | "circa"
        | "ca" | "reckon" | "figure" | "seems" | "might" | "heard" | "supposed" | "according" | "listing"
        | "listed" | "advertised" | "reportedly" | "allegedly" | "rumor" | "thinks" | "believes" | "guesses"
        | "figures" | "reckons" | "hopes" | "likely" | "almost" | "nearly" | "practically" | "basically" | "say"
        | "tbd" | "dunno" | "idk" | "doubt" | "believe" | "negotiating" | "offered" | "asking" | "wants" | "want"
        | "considering" | "thinking" | "wondering" | "aiming" | "target" | "ideally" | "should" => !is_polite(scan, i),
        "think" => scan.word_before(i) != "don't",
        "give" => is(&["give", "or", "take"]),
        "more" => is(&["more", "or", "less"]),
        "or" => {
            is(&["or", "so"])
                || is(&["or", "something"])
                || is(&["or", "thereabouts"])
                || is(&["or", "around"])
                || is(&["or", "about"])
        }
        "not" => {
            is(&["not", "sure"])
                || is(&["not", "certain"])
                || is(&["not", "positive"])
                || is(&["not", "exactly"])
                || is(&["not", "quite"])
        }
        "don't" | "dont" => {
            is(&[scan.word(i), "know"]) || is(&[scan.word(i), "remember"]) || is(&[scan.word(i), "quote"])
        }
        "kind" | "sort" => scan.word(i + 1) == "of",
        "close" => scan.word(i + 1) == "to",
        "looking" => scan.word(i + 1) == "at",
        "in" => {
            is(&["in", "the", "neighborhood"])
                || is(&["in", "the", "area"])
                || is(&["in", "the", "range"])
                || is(&["in", "the", "vicinity"])
        }
        "and" => is(&["and", "change"]) || is(&["and", "some"]),
        "plus" => is(&["plus", "or", "minus"]),
        "rule" => is(&["rule", "of", "thumb"]),
        "let's" | "lets" => scan.word(i + 1) == "say",
        _ => false,
    };
    if hedged {
        return Some(Doubts::HEDGED);
    }
    let bound = match scan.word(i) {
        "up" => scan.word(i + 1) == "to",
        "at" => matches!(scan.word(i + 1), "least" | "most"),
        "less" | "more" | "fewer" | "greater" | "higher" | "lower" => scan.word(i + 1) == "than",
        "maximum" | "max" | "tops" | "capped" | "cap" | "upwards" | "minimal" | "exceeding" | "north" | "south" => true,
        "no" => scan.word(i + 1) == "more" && scan.word(i + 2) == "than",
        "just" | "little" | "bit" | "slightly" | "well" => {
            matches!(scan.word(i + 1), "under" | "over" | "above" | "below" | "shy")
        }
        "shy" => scan.word(i + 1) == "of",
        _ => false,
    };
    bound.then_some(Doubts::BOUND)
}

/// "I want to set", "I'd like to put": a wish that is an instruction to the advisor.
fn is_polite(scan: &Scan, i: usize) -> bool {
    let to = i + 1 + usize::from(matches!(scan.word(i + 1), "you" | "it" | "that"));
    let says = scan.word(i) == "say" && matches!(scan.word_before(i), "to" | "they" | "people" | "you");
    let figure = scan.word(i) == "figure"
        && matches!(
            scan.word_before(i),
            "the" | "that" | "my" | "this" | "a" | "real" | "exact"
        );
    let estimate = scan.word(i) == "say" && i > 0 && scan.word_before(i) == "i'd";
    let should = scan.word(i) == "should"
        && matches!(scan.word_before(i), "you" | "it")
        && matches!(scan.word(i + 1), "set" | "put" | "record" | "be" | "say");
    let target = scan.word(i) == "target" && !matches!(scan.word(i + 1), "is" | "of" | "for");
    let wish = matches!(scan.word(i), "want" | "wants") && scan.word(to) == "to" && is_command(scan.word(to + 1));
    (says && !estimate) || figure || should || (target && scan.word_before(i) != "my") || wish
}

fn condition(scan: &Scan, i: usize, is: &dyn Fn(&[&str]) -> bool) -> Option<Doubts> {
    let found = match scan.word(i) {
        "if" => !matches!(scan.word_before(i), "me" | "know" | "see"),
        "unless" | "assuming" | "assume" | "suppose" | "supposing" | "imagine" | "pretend" | "hypothetically"
        | "whether" | "otherwise" | "wish" | "provided" | "depending" | "depends" | "would've" | "until"
        | "hypothetical" | "scenario" => true,
        "would" | "i'd" | "we'd" | "it'd" | "that'd" | "they'd" | "wouldn't" => !is_wish(scan, i),
        "could" | "couldn't" => !(scan.word(i + 1) == "you" || scan.word(i + 1) == "we"),
        "when" | "once" => {
            i == 0 || matches!(scan.mark(i - 1), Some('.' | ',')) || scan.word(i + 1) == "we" || scan.word(i + 1) == "i"
        }
        "in" => is(&["in", "case"]),
        "as" => is(&["as", "long", "as"]),
        "what" => is(&["what", "if"]) || is(&["what", "happens"]) || is(&["what", "would"]),
        _ => false,
    };
    found.then_some(Doubts::CONDITIONAL)
}

/// "I would like to set", "I'd like rent at".
fn is_wish(scan: &Scan, i: usize) -> bool {
    let at = i + 1 + usize::from(matches!(scan.word(i + 1), "i" | "we" | "you"));
    matches!(scan.word(at), "like" | "love" | "say" | "guess" | "estimate" | "put")
        || scan.follows(i, &["would", "you"])
}

fn denial(scan: &Scan, i: usize, is: &dyn Fn(&[&str]) -> bool) -> Option<Doubts> {
    let word = scan.word(i);
    let found = match word {
        "not" => {
            !(is(&["not", "including"])
                || is(&["not", "counting"])
                || is(&["not", "only"])
                || is(&["not", "bad"])
                || scan.word_before(i) == "why")
        }
        "never" => scan.word(i + 1) != "mind",
        "no" => is(&["no", "longer"]) || is(&["no", "way"]),
        "nowhere" | "hardly" | "barely" | "scarcely" => true,
        "far" => scan.word(i + 1) == "from",
        "cannot" | "neither" | "nor" | "ain't" => true,
        "don't" | "dont" => !matches!(scan.word(i + 1), "forget" | "worry" | "know" | "remember" | "quote"),
        "instead" | "rather" => false,
        _ => {
            word.len() > 3
                && (word.ends_with("n't")
                    || matches!(word, "isnt" | "doesnt" | "wont" | "arent" | "didnt" | "wasnt" | "cant"))
        }
    };
    found.then_some(Doubts::NEGATED)
}

/// Somebody else pays it, says it, or it is what people pay on average.
fn other_person(scan: &Scan, i: usize) -> Option<Doubts> {
    let word = scan.word(i);
    let person = is_other_person(word);
    let person = person
        && !(word == "average" && scan.word(i + 1) == "unit")
        && !(matches!(word, "guys") && scan.word_before(i) == "you");
    let phrase = scan.follows(i, &["other", "owners"])
        || scan.follows(i, &["other", "owner"])
        || scan.follows(i, &["other", "people"])
        || scan.follows(i, &["most", "people"])
        || scan.follows(i, &["next", "door"])
        || scan.follows(i, &["previous", "owner"])
        || scan.follows(i, &["other", "franchises"])
        || scan.follows(i, &["other", "stores"])
        || scan.follows(i, &["other", "salons"])
        || scan.follows(i, &["another", "owner"])
        || scan.follows(i, &["you", "said"])
        || scan.follows(i, &["you", "told"])
        || scan.follows(i, &["you", "suggested"])
        || scan.follows(i, &["you", "mentioned"]);
    let home = scan.follows(i, &["at", "home"])
        || scan.follows(i, &["my", "apartment"])
        || scan.follows(i, &["my", "house"])
        || word == "personally";
    (person || phrase || home || third_person(scan, i) || possessive(scan, i)).then_some(Doubts::OTHERS)
}

/// "they pay", "she has", "Bob pays"; but not "the business pays".
fn third_person(scan: &Scan, i: usize) -> bool {
    let word = scan.word(i);
    if matches!(word, "he" | "she" | "they" | "he's" | "she's" | "they're") {
        let acts = |word: &str| is_deed(word);
        return (i + 1..i + 3).any(|at| acts(scan.word(at)));
    }
    let subject = scan.word_before(i);
    matches!(word, "pays" | "spends" | "borrowed" | "pulls") && !subject.is_empty() && !is_own_subject(subject)
}

/// "Bob's rent", "Starbucks' lease".
fn possessive(scan: &Scan, i: usize) -> bool {
    let word = scan.word(i);
    let plural =
        word.ends_with('s') && scan.mark(i + 1) == Some('\'') && scan.is_joined(i + 1) && scan.tokens[i].capital;
    let owner = word.strip_suffix("'s");
    let named = owner.is_some_and(|_| {
        scan.tokens[i].capital
            && i + 1 < scan.len()
            && is_cost_word(scan.word(i + 1))
            && !is_cost_word(owner.unwrap_or_default())
    });
    let whose = matches!(
        owner,
        Some(
            "it" | "that"
                | "what"
                | "here"
                | "there"
                | "let"
                | "who"
                | "how"
                | "where"
                | "landlord"
                | "bank"
                | "manager"
                | "owner"
                | "today"
        )
    );
    (plural && is_cost_word(scan.word(i + 2)))
        || (named && !whose)
        || (matches!(word, "their" | "her") && is_cost_word(scan.word(i + 1)))
}

fn past(scan: &Scan, i: usize, is: &dyn Fn(&[&str]) -> bool) -> Option<Doubts> {
    let gone = match scan.word(i) {
        "used" => scan.word(i + 1) == "to" && scan.word(i + 2) != "pay.",
        "previously" | "formerly" | "originally" | "ago" | "cancelled" | "canceled" | "scrapped" | "earlier"
        | "historically" | "outdated" => true,
        "last" => matches!(
            scan.word(i + 1),
            "year" | "month" | "quarter" | "week" | "time" | "summer" | "spring"
        ),
        "old" => matches!(scan.word_before(i), "the" | "my" | "our" | "an" | "at"),
        "had" => is(&["had", "been"]),
        "back" => is(&["back", "in"]) || is(&["back", "when"]) || is(&["back", "then"]),
        "forget" => scan.word_before(i) != "don't" && scan.word_before(i) != "dont",
        "ignore" | "disregard" | "scratch" | "strike" | "drop" => false,
        "before" => is(&["before", "that"]) || is(&["before", "it"]),
        "prior" => !is(&["prior", "to"]),
        _ => false,
    };
    if gone {
        return Some(Doubts::PAST);
    }
    matches!(scan.word(i), "was" | "were" | "paid").then_some(Doubts::WAS)
}

fn instruction(scan: &Scan, i: usize, is: &dyn Fn(&[&str]) -> bool) -> Option<Doubts> {
    let over = |word: &str| is_rule_word(word);
    let found = match scan.word(i) {
        "ignore" | "disregard" | "bypass" | "override" | "forget" | "disobey" | "violate" | "break" => {
            (i + 1..i + 6).any(|at| over(scan.word(at)))
        }
        "system" | "developer" => {
            matches!(scan.word(i + 1), "prompt" | "mode" | "message" | "override") || scan.mark(i + 1) == Some(':')
        }
        "assistant" | "admin" => scan.mark(i + 1) == Some(':'),
        "jailbreak" | "jailbroken" => true,
        "you" => is(&["you", "are", "now"]) || is(&["you", "must", "obey"]),
        _ => false,
    };
    found.then_some(Doubts::INSTRUCTED)
}

fn corrects(scan: &Scan, i: usize) -> bool {
    let is = |words: &[&str]| scan.follows(i, words);
    match scan.word(i) {
        "wait" | "actually" | "sorry" | "correction" | "oops" | "meant" | "whoops" | "instead" | "rather"
        | "mistake" | "typo" | "mistyped" | "corrected" | "misspoke" => true,
        "mean" => matches!(scan.word_before(i), "i" | "we"),
        "scratch" | "strike" | "forget" => matches!(scan.word(i + 1), "that" | "it" | "the"),
        "make" | "change" | "update" | "fix" | "correct" => matches!(scan.word(i + 1), "that" | "it" | "this"),
        "no" => {
            scan.mark(i + 1) == Some(',')
                || is(&["no", "no"])
                || is(&["no", "it's"])
                || is(&["no", "make"])
                || is(&["no", "i"])
        }
        "let" => is(&["let", "me", "correct"]) || is(&["let", "me", "fix"]),
        "on" => is(&["on", "second", "thought"]),
        "now" => true,
        "but" => matches!(scan.word(i + 1), "now" | "it's"),
        _ => false,
    }
}

/// Says there is none of something.
fn denies(scan: &Scan, i: usize) -> bool {
    let word = scan.word(i);
    let ahead = |word: &str| is_denied_deed(word);
    match word {
        "no" => !(scan.word(i + 1).is_empty() || is_harmless_after_no(scan.word(i + 1))),
        "without" | "zero" => true,
        "never" | "not" | "don't" | "dont" | "doesn't" | "won't" | "wont" | "aren't" | "isn't" | "didn't"
        | "haven't" | "cannot" => {
            (i + 1..i + 4).any(|at| ahead(scan.word(at)))
                && !(i + 1..i + 6)
                    .any(|at| matches!(scan.word(at), "yet" | "know" | "sure" | "idea" | "figured" | "decided"))
        }
        _ => false,
    }
}

/// A word that begins a question.
fn is_opener(scan: &Scan, i: usize) -> bool {
    match scan.word(i) {
        "what" | "how" | "why" | "when" | "where" | "which" | "who" | "whose" | "what's" | "how's" | "is" | "are"
        | "does" | "did" | "should" | "would" | "am" | "was" | "were" | "isn't" | "aren't" | "doesn't"
        | "shouldn't" | "wouldn't" | "right" | "correct" | "ok" | "okay" | "might" => {
            !(scan.word(i) == "would" && is_request(scan, i))
        }
        "do" => !scan.digits(i + 1).is_some_and(|_| true) && scan.mark(i + 1).is_none(),
        "can" | "could" | "will" => !is_request(scan, i),
        _ => false,
    }
}

/// "can you set", "could you please change".
fn is_request(scan: &Scan, i: usize) -> bool {
    let at = i + 1 + usize::from(matches!(scan.word(i + 1), "you" | "we" | "u"));
    let at = at + usize::from(matches!(scan.word(at), "please" | "just" | "also" | "go"));
    let at = at + usize::from(matches!(scan.word(at), "ahead"));
    let at = at + usize::from(matches!(scan.word(at), "and"));
    at > i + 1 && is_command(scan.word(at))
}

/// Whether a sentence begins with a polite order.
#[must_use]
pub fn is_order(scan: &Scan, first: usize) -> bool {
    let greeting = |word: &str| is_greeting(word);
    let first = (first..first + 4)
        .find(|&i| !(greeting(scan.word(i)) || scan.mark(i) == Some(',')))
        .unwrap_or(first);
    matches!(scan.word(first), "can" | "could" | "would" | "will") && is_request(scan, first)
}

/// Whether a sentence that begins like this is a question although its mark is missing.
#[must_use]
pub fn asks_without_mark(scan: &Scan, first: usize) -> bool {
    !matches!(
        scan.word(first),
        "right" | "correct" | "ok" | "okay" | "and" | "so" | "but" | "also" | "then"
    ) && is_opener(scan, first)
}

/// Where words of correction begin, in bytes.
#[must_use]
pub fn corrections(scan: &Scan) -> Vec<usize> {
    (0..scan.len())
        .filter(|&i| scan.tokens[i].kind == Kind::Word && corrects(scan, i))
        .map(|i| scan.tokens[i].start)
        .collect()
}
