//! Messages that say of open values, by their names, which are right and which are not: "only the rent", "rent yes, the sign no",
//! "all but the loan", "la renta de 3,000 no, lo demás sí". Pure: names and values go in, places come out.

mod clause;

use clause::{ALL, BUT, COUNTS, Clause, FILLERS, HOLDS, LISTED, NEGATIVE, NEITHER, OTHERS, TOO, USES, YES, is_of};
pub(super) use clause::{Entry, bare};

/// What a message says, by the places of the entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    pub accepted: Vec<usize>,
    pub dismissed: Vec<usize>,
}

impl Chosen {
    pub(super) fn has(&self, at: usize) -> bool {
        self.accepted.contains(&at) || self.dismissed.contains(&at)
    }
}

/// Words of which one makes names a yes where something else follows them: "the rent. Why is it so high?" is none.
const AFFIRMATIVE: &str = "yes si ok okay right correct write put anota anote pon bien correcto";

/// What a message, or its first sentences, say of the entries, with what follows them: "yes to the rent, no to the sign. And how much is
/// left for me?"
pub(super) fn leading<'m>(message: &'m str, entries: &[Entry]) -> Option<(Chosen, &'m str)> {
    if !message.contains('?')
        && let Some(chosen) = read(message, entries)
    {
        return Some((chosen, ""));
    }
    cuts(message).into_iter().rev().find_map(|(at, behind)| {
        let (words, rest) = (&message[..at], message[behind..].trim());
        let plain = bare(words);
        let says = |known: &str| plain.split(' ').any(|word| is_of(known, word));
        if words.contains('?') || !rest.contains(' ') || !(says(AFFIRMATIVE) || says(NEGATIVE)) {
            return None;
        }
        let chosen = read(words, entries)?;
        if !chosen.dismissed.is_empty() && is_reason(rest, entries) {
            return Some((chosen, ""));
        }
        let (asks, has_number) = (rest.ends_with('?'), rest.contains(|c: char| c.is_ascii_digit()));
        let goes_on = message[at..].starts_with(ENDS) || asks || has_number;
        // A number may be of a value that is not said yes or no to.
        let mut named = (0..entries.len()).filter(|at| names(rest, &entries[*at]));
        let names_entry = named.any(|at| !has_number || chosen.has(at));
        let stands = chosen.accepted.is_empty() || !plan_reader::takes_back(rest);
        (goes_on && (asks || !names_entry) && stands).then_some((chosen, rest))
    })
}

/// Marks at which a sentence ends.
const ENDS: [char; 4] = ['.', ';', '!', '\n'];

/// Words that make what follows more than a reason.
const MORE: &str =
    "wait hold actually instead change sorry all everything yes espera mejor cambia cambie todo todos todas";

/// Whether what follows is only why some are left out: "all but the sign, that is still a guess".
fn is_reason(rest: &str, entries: &[Entry]) -> bool {
    let has_more = || bare(rest).split(' ').any(|word| is_of(MORE, word));
    !rest.contains(|c: char| c == '?' || c.is_ascii_digit())
        && !entries.iter().any(|entry| names(rest, entry))
        && !has_more()
}

/// Where what is said of values may end, each with where the rest begins.
fn cuts(message: &str) -> Vec<(usize, usize)> {
    let mut cuts: Vec<(usize, usize)> = message.match_indices(ENDS).map(|(at, _)| (at, at + 1)).collect();
    for join in [
        ", and ",
        " and ",
        ", y ",
        " y ",
        ", but ",
        " but ",
        ", pero ",
        " pero ",
        " because ",
        " porque ",
        ", ",
    ] {
        cuts.extend(message.match_indices(join).map(|(at, _)| (at, at + join.len())));
    }
    cuts.sort_unstable();
    cuts
}

/// Whether a message says yes or no, in any of its words.
pub(super) fn says_yes_or_no(message: &str) -> bool {
    bare(message)
        .split(' ')
        .any(|word| is_of(YES, word) || is_of("use usa", word) || is_of(NEGATIVE, word))
}

/// Whether a message begins with a yes.
pub(super) fn begins_with_yes(message: &str) -> bool {
    bare(message).split(' ').next().is_some_and(|word| is_of(YES, word))
}

/// Whether a message says yes to what it names, whatever was asked: "yes to the rent".
pub(super) fn says_yes_to(message: &str) -> bool {
    const BEGINNINGS: [&str; 8] = [
        "yes to ", "ok to ", "okay to ", "si a ", "si al ", "sí a ", "sí al ", "ok a ",
    ];
    let message = message.trim_start().to_lowercase();
    BEGINNINGS.iter().any(|words| message.starts_with(words))
}

/// Whether a text has a name of an entry.
pub(super) fn names(text: &str, entry: &Entry) -> bool {
    let text = format!(" {} ", bare(text));
    let mut names = entry.names.iter().map(|name| bare(name));
    names.any(|name| !name.is_empty() && text.contains(&format!(" {name} ")))
}

/// Which entries a message accepts and which it drops. `None` where it says anything else, or nothing of them.
fn read(message: &str, entries: &[Entry]) -> Option<Chosen> {
    // "Is the rent right", without its mark.
    let first = bare(message);
    if first
        .split(' ')
        .next()
        .is_some_and(|word| is_of("is are es esta estan", word))
    {
        return None;
    }
    if let Some(whole) = Clause::read(message, entries)
        && whole.has(ALL)
        && whole.has(BUT)
        && !whole.named.is_empty()
    {
        let is_plain = whole.is_whole(&[FILLERS, ALL, BUT, NEITHER, LISTED]);
        let accepted = (0..entries.len()).filter(|at| !whole.named.contains(at));
        return is_plain.then(|| Chosen {
            accepted: accepted.collect(),
            dismissed: whole.named.clone(),
        });
    }
    let mut chosen = Chosen::default();
    let (mut others, mut says_no_alone, mut says_yes_alone) = (None, false, false);
    let (mut uses, mut holds_on) = (false, false);
    for clause in clauses(message).map(|text| Clause::read(text, entries)) {
        let clause = clause?;
        let (is_no, has_others) = (clause.has(NEGATIVE), clause.has(OTHERS));
        let counts = if has_others { COUNTS } else { "" };
        // "Wait, the rent" is no yes.
        let is_hold = clause.named.is_empty() && clause.has(HOLDS);
        holds_on |= is_hold && !is_no;
        let holds = if is_no || is_hold { HOLDS } else { "" };
        if !clause.is_whole(&[FILLERS, NEGATIVE, OTHERS, counts, holds]) {
            return None;
        }
        let is_alone = clause.named.is_empty() && !has_others;
        says_no_alone |= is_no && is_alone;
        says_yes_alone |= !is_no && is_alone && clause.has(YES);
        // "Yes, and the power too": what was asked about, and the power.
        says_yes_alone |= !is_no && clause.has(YES) && clause.has(TOO);
        uses |= !is_no && clause.has(USES);
        if has_others {
            others = Some(is_no);
        }
        let side = if is_no {
            &mut chosen.dismissed
        } else {
            &mut chosen.accepted
        };
        side.extend(clause.named);
    }
    // "No, but yes to the other two": the no is to the value that was asked about.
    if says_no_alone && others == Some(false) {
        let asked = (0..entries.len()).filter(|at| entries[*at].is_asked);
        chosen.dismissed.extend(asked);
        says_no_alone = chosen.dismissed.is_empty();
    }
    // "Yes, but not the insurance": the yes is to what was asked about.
    let names_any = !chosen.accepted.is_empty() || !chosen.dismissed.is_empty();
    if says_yes_alone && names_any && others.is_none() {
        let is_alone = chosen.accepted.is_empty();
        let asked = (0..entries.len()).filter(|at| entries[*at].is_asked || is_alone && entries[*at].is_listed);
        let asked: Vec<usize> = asked.filter(|at| !chosen.has(*at)).collect();
        chosen.accepted.extend(asked);
    }
    let rest: Vec<usize> = (0..entries.len()).filter(|at| !chosen.has(*at)).collect();
    match others {
        Some(true) => chosen.dismissed.extend(rest),
        Some(false) => chosen.accepted.extend(rest),
        None => {}
    }
    chosen.accepted.sort_unstable();
    chosen.dismissed.sort_unstable();
    // "No, the rent" may mean either.
    let is_open = (says_no_alone && !uses || holds_on) && !chosen.accepted.is_empty();
    let is_both = chosen.accepted.iter().any(|at| chosen.dismissed.contains(at));
    let is_empty = chosen.accepted.is_empty() && chosen.dismissed.is_empty();
    (!is_open && !is_both && !is_empty).then_some(chosen)
}

/// Parted at marks that stand in no number, and before "but".
fn clauses(message: &str) -> impl Iterator<Item = &str> {
    let sentences = message.split(['.', ';', '!', '\n']).flat_map(|part| part.split(", "));
    let clauses = sentences
        .flat_map(|part| part.split(" pero "))
        .flat_map(|part| part.split(" but "));
    let without_but = clauses.map(|part| {
        let part = part.trim();
        let rest = ["but ", "pero "].iter().find_map(|word| part.strip_prefix(word));
        rest.unwrap_or(part)
    });
    without_but.filter(|part| part.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests;
