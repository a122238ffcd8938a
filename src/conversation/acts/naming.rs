//! Messages that say of open values, by their names, which are right and which are not: "only the rent", "rent yes, the sign no",
//! "all but the loan", "la renta de 3,000 no, lo demás sí", "the fee is right, the sign not yet". Pure: names and values go in, places
//! come out.
//!
//! A message is parted into clauses. A yes is one only where every word of its clause is understood; of a clause that says no or not yet
//! the rest is a reason. What asks or states something else is left to be answered, where it stands at the beginning or at the end.

mod beside;
mod clause;
mod element;
mod parts;
mod verdict;
mod words;

pub(super) use beside::{asks, asks_of_more, begins_with_order, doubts};
use clause::{Clause, Item};
pub(super) use element::{Entry, Kin, bare};
use parts::Part;
use verdict::{Group, Sign, Verdict};
use words::Class;

/// What a message says, by the places of the entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    pub accepted: Vec<usize>,
    pub dismissed: Vec<usize>,
    /// Named and left open.
    pub left: Vec<usize>,
    /// Whether it tells to write: "use the rent".
    pub is_order: bool,
}

impl Chosen {
    pub(super) fn has(&self, at: usize) -> bool {
        self.accepted.contains(&at) || self.dismissed.contains(&at)
    }
}

/// What a part of a message is for the values.
enum Role {
    Verdict(Verdict),
    /// Names values, and says nothing clear of them.
    Unclear,
    /// "Yes", "no", "wait": of nothing that it names.
    Alone,
    /// Words of something else, without a number.
    Aside,
    /// A question, or a number that no value has.
    More,
    /// A number in the place of what was just refused.
    Instead,
}

/// What a message says of the entries, with what is left of it to be answered: "yes to the rent, no to the sign. And how much is left
/// for me?"
pub(super) fn readings<'m>(message: &'m str, entries: &[Entry]) -> impl Iterator<Item = (Chosen, &'m str)> {
    let by_clauses =
        by_clauses(message, entries).filter(|(chosen, rest)| beside::is_meant(message, (chosen, rest), entries));
    by_clauses
        .into_iter()
        .chain(std::iter::once_with(|| beside::beside(message, entries)).flatten())
}

fn by_clauses<'m>(message: &'m str, entries: &[Entry]) -> Option<(Chosen, &'m str)> {
    let parts = parts::of(message, entries);
    let mut roles: Vec<Role> = parts.iter().map(role).collect();
    correct(&parts, &mut roles);
    let is_verdict = |role: &Role| matches!(role, Role::Verdict(_));
    let Some(first) = roles.iter().position(is_verdict) else {
        return agreed(message, &parts, &roles, entries);
    };
    let last = roles.iter().rposition(is_verdict)?;
    let is_more = |at: &usize| matches!(roles[*at], Role::More);
    let before = (0..first).rev().find(is_more).map(|at| at + 1);
    if (first..=last).any(|at| is_more(&at)) || before.is_some_and(|at| !parts[at].begins) && before != Some(first) {
        return None;
    }
    let mut said = Told::default();
    let mut behind = None;
    let mut instead: Option<&Part<'_>> = None;
    let mut touched: Vec<usize> = Vec::new();
    let excepted = excepted(&parts, &roles);
    // "The first yes, the second... hmm"
    let hesitates = hesitates(message);
    let is_bare = |verdict: &Verdict| verdict.groups.iter().any(|group| group.sign.is_none());
    for at in before.unwrap_or(0)..parts.len() {
        let part = &parts[at];
        if at > first && part.clause.turns && !matches!(roles[at], Role::More) {
            return None;
        }
        match &roles[at] {
            Role::Unclear | Role::Aside if at < first && part.clause.is_case => return None,
            Role::Verdict(verdict) if hesitates && is_bare(verdict) => said.leave(part),
            Role::Verdict(verdict) if is_vague(verdict, part) || said.is_bare_behind_no(verdict, part) => {
                said.leave(part);
            }
            Role::Unclear => said.leave(part),
            Role::Verdict(verdict) if excepted.is_some_and(|(one, _)| one == at) => {
                let (no, others) = verdict
                    .groups
                    .iter()
                    .cloned()
                    .partition(|group| group.sign == Some(Sign::No));
                touched.extend(Vec::into_iter(no).flat_map(|group: Group| group.named));
                said.take(
                    &Verdict {
                        groups: others,
                        ..verdict.clone()
                    },
                    &part.clause,
                );
            }
            Role::Verdict(verdict) => said.take(verdict, &part.clause),
            Role::Instead => instead = Some(part),
            Role::Alone => said.alone(part, at > first)?,
            // Why not, or what came before.
            Role::Aside if said.is_negative && is_reason(part) => said.because(&part.clause),
            Role::Aside if at < first => {
                let is_before = (at + 1..=first).any(|next| parts[next].begins);
                let is_open = part.clause.is_case || part.clause.turns;
                (is_before && !is_open).then_some(())?;
            }
            Role::Aside if !part.begins => return None,
            Role::Aside | Role::More => {
                let is_of_it = excepted.filter(|(one, _)| one + 1 == at);
                behind = Some(is_of_it.map_or(part.start, |(_, start)| start));
                break;
            }
        }
    }
    let rest = match (before, behind) {
        (Some(_), Some(_)) => return None,
        _ if instead.is_some() && (before.is_some() || behind.is_some()) => return None,
        // With its question mark.
        (Some(at), None) if parts[at].begins => message[..parts[at].start].trim(),
        (Some(at), None) => message[..parts[at - 1].end].trim(),
        (None, Some(start)) => message[start..].trim(),
        (None, None) => instead.map_or("", |part| part.text.trim()),
    };
    let more = parts.iter().zip(&roles).filter(|(_, role)| matches!(role, Role::More));
    more.filter(|(part, _)| !part.asks)
        .for_each(|(part, _)| touched.extend(part.clause.named()));
    let chosen = said.settled(entries, &touched)?;
    let is_again = touched.iter().any(|at| chosen.accepted.contains(at));
    let takes_back =
        behind.is_some() && touched.is_empty() && !chosen.accepted.is_empty() && plan_reader::takes_back(rest);
    // "All except the supplies, make that 350" to a list that was asked about.
    let is_all_but = said.is_all_but && excepted.is_some() && entries.iter().all(|one| one.is_listed);
    let is_said =
        rest.is_empty() || said.is_explicit || is_all_but || chosen.accepted.is_empty() || says_only(message, behind);
    let is_plain = rest.is_empty() || rest.contains(' ');
    (!is_again && !takes_back && is_said && is_plain).then_some((chosen, rest))
}

/// "Just the rent. Am I making money?": the first sentence is of those alone.
fn says_only(message: &str, behind: Option<usize>) -> bool {
    const ONLY: [&str; 6] = ["just", "only", "solo", "sólo", "nomás", "nomas"];
    let first = behind.and_then(|behind| message.get(..behind));
    let Some(first) = first
        .map(str::trim_end)
        .filter(|first| first.ends_with(['.', '!', ';']))
    else {
        return false;
    };
    let mut words = first.split(|c: char| !c.is_alphanumeric());
    words.next().is_some_and(|word| ONLY.contains(&&*word.to_lowercase()))
}

/// "Yep, write that one down. And what is left?": a yes to the one that is asked about, in whatever words, and what follows it.
fn agreed<'m>(message: &'m str, parts: &[Part<'_>], roles: &[Role], entries: &[Entry]) -> Option<(Chosen, &'m str)> {
    // A plain yes is the grammar's to read.
    if plan_reader::says_yes(message) {
        return None;
    }
    let until = roles
        .iter()
        .position(|role| !matches!(role, Role::Alone))
        .unwrap_or(parts.len());
    let says = |item: Item| parts[..until].iter().any(|part| part.clause.has(item));
    let is_yes = says(Item::Yes) && !says(Item::No) && !says(Item::Later);
    let rest = match parts.get(until) {
        // "Yes, but the rate is 9.5": of another value.
        Some(part) if !part.begins && !part.asks && !states_another(part, entries) => return None,
        // "Yes, amazing right?" asks nothing.
        Some(part) if !part.begins && part.asks && !beside::asks_something(part.text) => return None,
        Some(part) => message[part.start..].trim(),
        None => "",
    };
    let words = &message[..message.len() - rest.len()];
    let is_meant = beside::is_strong(words) || !parts.get(until).is_some_and(|part| part.asks || !part.begins);
    let is_again = parts.get(until).is_some_and(|part| {
        part.clause
            .named()
            .iter()
            .any(|at| entries[*at].is_asked && !part.clause.asks)
    });
    let stands = rest.is_empty() || rest.contains(' ') && is_meant && !is_again && !plan_reader::takes_back(rest);
    let accepted: Vec<usize> = (0..entries.len()).filter(|at| entries[*at].is_asked).collect();
    let chosen = Chosen {
        accepted,
        ..Chosen::default()
    };
    (is_yes && stands && !chosen.accepted.is_empty()).then_some((chosen, rest))
}

/// Whether it gives a number of a value that was not asked about.
fn states_another(part: &Part<'_>, entries: &[Entry]) -> bool {
    let named = part.clause.named();
    part.clause.has_fact && !named.is_empty() && named.iter().all(|at| !entries[*at].is_asked)
}

fn role(part: &Part<'_>) -> Role {
    let clause = &part.clause;
    if part.asks || clause.has_fact {
        return Role::More;
    }
    if clause.is_aside() {
        return match clause.has(Item::Unknown) {
            true => Role::Aside,
            false => Role::Alone,
        };
    }
    let refuses = |verdict: &Verdict| verdict.groups.iter().all(|group| group.sign == Some(Sign::No));
    match Verdict::of(clause) {
        Some(verdict) if clause.has_dots && !refuses(&verdict) => Role::More,
        Some(verdict) => Role::Verdict(verdict),
        None => Role::Unclear,
    }
}

/// "The 60 no, it is 72,000": the no is a part of the correction.
fn correct(parts: &[Part<'_>], roles: &mut [Role]) {
    let is_no = |role: &Role| matches!(role, Role::Verdict(verdict) if verdict.groups.iter().all(|group| group.sign == Some(Sign::No)));
    // "No, the 42 was what she said, mine is 38. The 18 months is right": the other number is left to be asked about.
    let is_denied = |role: &Role, clause: &Clause| {
        let is_later = |verdict: &Verdict| verdict.groups.iter().all(|group| group.sign == Some(Sign::Later));
        clause.has(Item::No) && matches!(role, Role::Verdict(verdict) if is_later(verdict))
    };
    for at in 1..parts.len() {
        // "Make it 38.5, not 39": the old number once more.
        let is_old = is_no(&roles[at]) && parts[at].clause.has_number && !parts[at].begins;
        if is_old && matches!(roles[at - 1], Role::More) && !parts[at - 1].asks {
            roles[at] = Role::More;
        }
        let states = matches!(roles[at], Role::More) && !parts[at].asks && !parts[at].begins;
        let is_instead = states && parts[at].clause.named().is_empty();
        if is_instead && is_no(&roles[at - 1]) {
            roles[at - 1] = Role::More;
        }
        let goes_on = (at + 1..parts.len()).any(|next| parts[next].begins && matches!(roles[next], Role::Verdict(_)));
        if is_instead && goes_on && is_denied(&roles[at - 1], &parts[at - 1].clause) {
            roles[at - 1] = Role::Verdict(Verdict::no_to(parts[at - 1].clause.named()));
            roles[at] = Role::Instead;
        }
    }
}

/// "All good except the term, it's 9 years": the value that is corrected, by its part, and where its name begins.
fn excepted(parts: &[Part<'_>], roles: &[Role]) -> Option<(usize, usize)> {
    // "Its 60, not 70" says the value that is left out once more.
    let states = |at: usize| {
        let part = &parts[at];
        let excepted = parts[at - 1].clause.named();
        let is_of_it = part.clause.named().iter().all(|one| excepted.contains(one));
        matches!(roles[at], Role::More) && part.clause.has_fact && !part.asks && is_of_it
    };
    let name_of = |at: usize| {
        let part = &parts[at];
        let is_but = part.clause.has(Item::But) && part.clause.named().len() == 1;
        let words = [" but ", " except ", " menos ", " excepto ", " salvo "].into_iter();
        let mut found = words.filter_map(|word| Some(part.text.find(word)? + word.len()));
        found.next().filter(|_| is_but).map(|name| (at, part.start + name))
    };
    let is_verdict = |at: &usize| matches!(roles[*at], Role::Verdict(_));
    (1..parts.len())
        .filter(|at| states(*at))
        .map(|at| at - 1)
        .filter(is_verdict)
        .find_map(name_of)
}

/// Whether a message breaks off, or thinks aloud.
fn hesitates(message: &str) -> bool {
    const THINKS: [&str; 9] = ["hmm", "hm", "hmmm", "mmm", "mm", "uh", "um", "eh", "umm"];
    let mut words = message.split(|c: char| !c.is_alphanumeric());
    message.contains("...") || message.contains('…') || words.any(|word| THINKS.contains(&&*word.to_lowercase()))
}

/// "The term later, I still talk with the bank": not yet, in words that say more.
fn is_vague(verdict: &Verdict, part: &Part<'_>) -> bool {
    part.clause.has(Item::Unknown) && verdict.groups.iter().all(|group| group.sign == Some(Sign::Later))
}

/// Whether what follows is only why some are left out: "all but the sign, that is still a guess".
fn is_reason(part: &Part<'_>) -> bool {
    !bare(&element::plainer(part.text))
        .split(' ')
        .any(|word| words::is(word, Class::More))
}

/// What the clauses of a message say together.
#[derive(Default)]
struct Told {
    chosen: Chosen,
    /// What is said of the values that nothing names.
    others: Option<Sign>,
    yes_alone: bool,
    no_alone: bool,
    holds_on: bool,
    uses: bool,
    /// A yes is said, and not only a name.
    is_explicit: bool,
    /// The last clause said no, or not yet.
    is_negative: bool,
    is_all_but: bool,
    /// What the last clause said no to.
    refused: Vec<usize>,
}

impl Told {
    /// Words that settle nothing: what they are about stays open. What they name beside it may be settled.
    fn leave(&mut self, part: &Part<'_>) {
        let named = part.clause.named();
        // "Scrap the loan, keep the rest"
        if part.clause.has(Item::Others) {
            self.others.get_or_insert(Sign::Later);
        }
        let is_reason = self.is_negative && !part.begins;
        let is_new = is_reason || named.first().is_some_and(|at| !self.chosen.has(*at));
        let named = named.into_iter().filter(|at| !(is_new && self.chosen.has(*at)));
        self.chosen.left.extend(named.collect::<Vec<_>>());
        self.is_negative = true;
    }

    /// "Not the rent, the fee": it may be as wrong.
    fn is_bare_behind_no(&self, verdict: &Verdict, part: &Part<'_>) -> bool {
        self.is_negative && !part.begins && verdict.groups.iter().all(|group| group.sign.is_none())
    }

    /// "All but the sign, I still wait for the bid": what is refused with such a reason stays open.
    fn because(&mut self, clause: &Clause) {
        if clause.has(Item::Later) {
            let refused = std::mem::take(&mut self.refused);
            self.chosen.dismissed.retain(|at| !refused.contains(at));
            self.chosen.left.extend(refused);
        }
    }

    fn take(&mut self, verdict: &Verdict, clause: &Clause) {
        self.is_all_but |= clause.has(Item::But) && clause.has(Item::All);
        self.yes_alone |= verdict.yes_alone;
        for Group { sign, named, others } in &verdict.groups {
            let side = match sign {
                Some(Sign::Yes) | None => &mut self.chosen.accepted,
                Some(Sign::No) => &mut self.chosen.dismissed,
                Some(Sign::Later) => &mut self.chosen.left,
            };
            side.extend(named);
            if *others {
                self.others = Some(sign.unwrap_or(Sign::Yes));
            }
            self.is_explicit |= *sign == Some(Sign::Yes);
            // "Yes, and the power too": what was asked about, and the power.
            self.yes_alone |= *sign == Some(Sign::Yes) && clause.adds && !clause.uses;
        }
        let no = verdict.groups.iter().filter(|group| group.sign == Some(Sign::No));
        self.refused = no.flat_map(|group| group.named.iter().copied()).collect();
        let mut signs = verdict.groups.iter().map(|group| group.sign);
        self.is_negative = signs.any(|sign| matches!(sign, Some(Sign::No | Sign::Later)));
        self.uses |= clause.uses;
    }

    /// Words that name nothing; `None` where a no may take back what was said before it.
    fn alone(&mut self, part: &Part<'_>, is_behind: bool) -> Option<()> {
        let clause = &part.clause;
        let (is_no, is_later) = (clause.has(Item::No), clause.has(Item::Later));
        if is_behind {
            let is_of_the_no = self.is_negative && (!self.is_all_but || clause.items.len() > 1) && is_reason(part);
            return (is_of_the_no || !is_no && !is_later).then_some(());
        }
        self.yes_alone |= clause.has(Item::Yes) && !is_no && !is_later;
        self.no_alone |= is_no;
        self.holds_on |= is_later && !is_no;
        Some(())
    }

    /// `None` where it may be meant otherwise, or nothing is said. Values that are stated anew are no others.
    fn settled(&self, entries: &[Entry], touched: &[usize]) -> Option<Chosen> {
        let mut accepted = self.chosen.accepted.clone();
        let mut dismissed = self.chosen.dismissed.clone();
        let mut left = self.chosen.left.clone();
        let has = |lists: &[&Vec<usize>], at: usize| lists.iter().any(|list| list.contains(&at));
        let all = || (0..entries.len()).filter(|at| !touched.contains(at));
        let mut no_alone = self.no_alone;
        // "No, but yes to the other two": the no is to the value that was asked about.
        let is_said = self.others == Some(Sign::Yes) && !self.is_all_but || self.is_explicit && self.others.is_none();
        if no_alone && is_said {
            let asked: Vec<usize> = all().filter(|at| entries[*at].is_asked).collect();
            no_alone = asked.iter().any(|at| accepted.contains(at)) || asked.is_empty() && self.others.is_some();
            dismissed.extend(asked.into_iter().filter(|at| !accepted.contains(at)));
        }
        // "Yes, but not the insurance": the yes is to what was asked about.
        if self.yes_alone && self.others.is_none() {
            let is_alone = accepted.is_empty();
            let asked = all().filter(|at| entries[*at].is_asked || is_alone && entries[*at].is_listed);
            let asked: Vec<usize> = asked.filter(|at| !has(&[&accepted, &dismissed, &left], *at)).collect();
            accepted.extend(asked);
        }
        let rest: Vec<usize> = all().filter(|at| !has(&[&accepted, &dismissed, &left], *at)).collect();
        match self.others {
            Some(Sign::Yes) => accepted.extend(rest),
            Some(Sign::No) => dismissed.extend(rest),
            Some(Sign::Later) => left.extend(rest),
            None => {}
        }
        left.retain(|at| !dismissed.contains(at));
        for list in [&mut accepted, &mut dismissed, &mut left] {
            list.sort_unstable();
            list.dedup();
        }
        // "No, the rent" may mean either.
        let is_no = no_alone && !self.uses && !self.is_explicit && self.chosen.dismissed.is_empty();
        let is_open = (is_no || self.holds_on && !self.is_explicit) && !accepted.is_empty();
        let is_both = accepted.iter().any(|at| has(&[&dismissed, &left], *at));
        let is_empty = accepted.is_empty() && dismissed.is_empty();
        (!is_open && !is_both && !is_empty).then_some(Chosen {
            accepted,
            dismissed,
            left,
            is_order: self.uses,
        })
    }
}

/// Whether a message says yes or no, in any of its words.
pub(super) fn says_yes_or_no(message: &str) -> bool {
    let classes = [Class::Yes, Class::Use, Class::No];
    bare(message)
        .split(' ')
        .any(|word| classes.iter().any(|class| words::is(word, *class)))
}

/// Whether a message only points to earlier messages and says no yes or no: "ya te dije todo lo que sé". "I said yes to the rent" is a yes.
pub(super) fn tells_again(message: &str) -> bool {
    const TOLD: [&str; 5] = ["ya te dije", "ya le dije", "te dije", "le dije", "i told you"];
    let message = bare(message);
    let told = TOLD.iter().find_map(|told| message.split_once(told));
    told.is_some_and(|(before, behind)| !says_yes_or_no(before) && !says_yes_or_no(behind))
}

/// Whether a message tells what somebody else said: "the landlord said yes to it".
pub(super) fn tells_of_others(message: &str) -> bool {
    const OTHERS: [&str; 8] = [
        "said yes",
        "says yes",
        "said no",
        "says no",
        "dijo que si",
        "dijo que no",
        "dice que si",
        "dice que no",
    ];
    const OWN: [&str; 2] = ["i said", "i says"];
    let message = bare(message);
    OTHERS.iter().any(|told| message.contains(told)) && !OWN.iter().any(|own| message.contains(own))
}

/// Whether a message says yes of something and no of something else: "salaries yes, the month no".
pub(super) fn says_yes_and_no(message: &str) -> bool {
    let message = bare(message);
    let says = |class: Class| message.split(' ').any(|word| words::is(word, class));
    says(Class::Yes) && says(Class::No)
}

/// Whether a message tells to write something.
pub(super) fn tells_to_write(message: &str) -> bool {
    bare(message).split(' ').any(|word| words::is(word, Class::Use))
}

/// Whether a message begins with a yes.
pub(super) fn begins_with_yes(message: &str) -> bool {
    bare(message)
        .split(' ')
        .next()
        .is_some_and(|word| words::is(word, Class::Yes))
}

/// Whether a message says yes to what it names, whatever was asked: "yes to the rent".
pub(super) fn says_yes_to(message: &str) -> bool {
    const BEGINNINGS: [&str; 8] = [
        "yes to ", "ok to ", "okay to ", "si a ", "si al ", "sí a ", "sí al ", "ok a ",
    ];
    let message = message.trim_start().to_lowercase();
    BEGINNINGS.iter().any(|words| message.starts_with(words))
}

#[cfg(test)]
mod tests;
