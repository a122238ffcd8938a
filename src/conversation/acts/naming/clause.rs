//! One clause of a message: its words in their order, each by what it says of the values.

use super::element::{Element, Entry, Kin, Said, bare, elements, plainer};
use super::words::{Class, is};

/// What a word or a few say in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// An entry, by its place.
    Named(usize),
    /// The values that are not named.
    Others,
    All,
    But,
    Yes,
    No,
    /// Neither yes nor no: not yet.
    Later,
    Count,
    Filler,
    Unknown,
}

/// What values of one thing are called together, as `bare` leaves it.
const TOGETHER: [(&str, Kin); 20] = [
    ("loan one", Kin::Loan),
    ("loan stuff", Kin::Loan),
    ("loan thing", Kin::Loan),
    ("loan number", Kin::Loan),
    ("loan part", Kin::Loan),
    ("lo del prestamo", Kin::Loan),
    ("dos del prestamo", Kin::Loan),
    ("tre del prestamo", Kin::Loan),
    ("2 del prestamo", Kin::Loan),
    ("3 del prestamo", Kin::Loan),
    ("lo del banco", Kin::Loan),
    ("pay one", Kin::OwnPay),
    ("pay stuff", Kin::OwnPay),
    ("pay number", Kin::OwnPay),
    ("draw one", Kin::OwnPay),
    ("draw stuff", Kin::OwnPay),
    ("draw number", Kin::OwnPay),
    ("lo del retiro", Kin::OwnPay),
    ("dos del retiro", Kin::OwnPay),
    ("2 del retiro", Kin::OwnPay),
];

/// One clause: its items, and whether it has a number that is of no entry.
#[derive(Debug, Default)]
pub(super) struct Clause {
    pub items: Vec<Item>,
    pub has_fact: bool,
    pub asks: bool,
    /// "Yes, and the power too".
    pub adds: bool,
    /// "No. Use the rent": what it tells to write was not asked about.
    pub uses: bool,
    /// Entries that are named by their place alone: "the first".
    by_place: Vec<usize>,
    pub has_number: bool,
    /// Whether a number is written as "4.200".
    pub has_dots: bool,
    /// "No", and not "don't": before a word that tells to write either may be meant.
    says_no: bool,
    /// The entry that was named last, whether by its number, and whether a list or a yes or no goes on behind it.
    last: Option<(usize, bool, bool)>,
    /// Where a word says that something is kept.
    kept: Option<usize>,
    /// It begins as a case does: "if the bank agrees".
    pub is_case: bool,
    /// It puts something else in the place of what was said.
    pub turns: bool,
}

impl Clause {
    pub(super) fn read(text: &str, entries: &[Entry]) -> Self {
        let (elements, has_odd) = elements(&plainer(text));
        let mut names: Vec<(Vec<String>, usize)> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let plain = entry.names.iter().map(|name| bare(name));
            let words = plain.map(|name| name.split(' ').map(str::to_owned).collect::<Vec<_>>());
            names.extend(
                words
                    .filter(|words| !words.iter().all(String::is_empty))
                    .map(|words| (words, at)),
            );
        }
        names.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        let mut clause = Self {
            has_fact: has_odd,
            ..Self::default()
        };
        let mut at = 0;
        while at < elements.len() {
            at += clause.take(&elements[at..], &names, entries);
        }
        // "I need to ask the bank first", "rent is a third of 4,200".
        let by_place = std::mem::take(&mut clause.by_place);
        let is_by_place = |item: &Item| matches!(item, Item::Named(at) if by_place.contains(at));
        let names_else = clause
            .items
            .iter()
            .any(|item| matches!(item, Item::Named(_)) && !is_by_place(item));
        if clause.has(Item::Unknown) || names_else || clause.has_number {
            let unclear = clause.items.iter_mut().filter(|item| is_by_place(item));
            unclear.for_each(|item| *item = Item::Unknown);
        }
        let leads = |element: &&Element| matches!(element, Element::Word(word) if is(word, Class::Lead));
        let first = elements.iter().find(|element| !leads(element));
        let first_is = |class: Class| matches!(first, Some(Element::Word(word)) if is(word, class));
        clause.asks = first_is(Class::Asks);
        clause.is_case = first_is(Class::Case);
        clause.turns = elements
            .iter()
            .any(|element| matches!(element, Element::Word(word) if is(word, Class::Back)));
        clause
    }

    /// Reads on, and gives how many elements were read.
    fn take(&mut self, rest: &[Element], names: &[(Vec<String>, usize)], entries: &[Entry]) -> usize {
        let word_at = |at: usize| match rest.get(at) {
            Some(Element::Word(word)) => word.as_str(),
            _ => "",
        };
        let begins = |name: &[String]| name.iter().enumerate().all(|(at, part)| is_same(part, word_at(at)));
        if let Some((of_group, read)) = together(entries, &word_at) {
            of_group.into_iter().for_each(|entry| self.name(entry, false, entries));
            return read;
        }
        if let Some((name, _)) = names.iter().find(|(name, _)| begins(name)) {
            // Of two values of one field the one that was named already, else the newest.
            let mut called = names.iter().filter(|(other, _)| other == name).map(|(_, entry)| *entry);
            let known = called.clone().find(|entry| self.has(Item::Named(*entry)));
            if let Some(entry) = known.or_else(|| called.next_back()) {
                self.name(entry, false, entries);
            }
            return name.len();
        }
        let word = match &rest[0] {
            Element::Number(said) => {
                let named = self.by_value(*said, entries);
                if named.is_none() && self.keeps(*said, entries) {
                    return 1;
                }
                self.has_number = true;
                self.has_fact |= named.is_none();
                self.has_dots |= said.has_dots;
                named.into_iter().for_each(|entry| self.name(entry, true, entries));
                return 1;
            }
            Element::Word(word) => word.as_str(),
        };
        if let Some((places, read)) = ordinal(word, word_at(1), entries.len()) {
            self.items.extend(places.iter().copied().map(Item::Named));
            self.by_place.extend(places);
            return read;
        }
        self.adds |= is(word, Class::Too);
        // "Yep, do the rent"
        if word == "do" && self.last_sign() == Some(Item::Yes) {
            let told = self.told();
            self.items.push(told);
            return 1;
        }
        // "Not the labor one just the food"
        if is(word, Class::Only) && self.has(Item::No) && self.last.is_some() && self.last_sign().is_none() {
            self.items.push(Item::Yes);
            return 1;
        }
        self.kept = self.kept.or_else(|| is(word, Class::Keep).then_some(self.items.len()));
        let item = self.item(word);
        let item = match item {
            Item::Unknown => by_part(word, names, &self.named(), entries).map_or(Item::Unknown, Item::Named),
            item => item,
        };
        match item {
            Item::Named(entry) => self.name(entry, false, entries),
            item => self.items.push(item),
        }
        if is(word, Class::Joins) || matches!(item, Item::Yes | Item::No | Item::Later | Item::Others) {
            self.last = self.last.map(|(entry, by_number, _)| (entry, by_number, true));
        }
        1
    }

    /// "Keep 4,000", "the rent stays 5,800", where the plan has that: a no to what was to replace it.
    fn keeps(&mut self, said: Said, entries: &[Entry]) -> bool {
        let Some(kept) = self.kept else {
            return false;
        };
        let named = self.named();
        let may_be = |at: &usize| named.is_empty() || named.contains(at);
        let of: Vec<usize> = (0..entries.len())
            .filter(|at| may_be(at) && said.is_kept(&entries[*at]))
            .collect();
        let Some(names) = of.first().map(|at| &entries[*at].names) else {
            return false;
        };
        // Of two lines that have the same value either may be meant.
        if of.iter().any(|at| entries[*at].names != *names) {
            return false;
        }
        self.items[kept] = Item::No;
        let unnamed = of.into_iter().filter(|at| !named.contains(at)).map(Item::Named);
        self.items.extend(unnamed);
        true
    }

    /// "28,000 for rent", where 28,000 is another value's, is neither; where it is another one of rent, it is that.
    fn name(&mut self, entry: usize, by_number: bool, entries: &[Entry]) {
        if let Some((last, was_number, is_parted)) = self.last {
            if by_number && last != entry && entries[last].names == entries[entry].names {
                self.items.retain(|item| *item != Item::Named(last));
                self.last = Some((entry, by_number, is_parted));
                self.items.push(Item::Named(entry));
                return;
            }
            self.has_fact |= last != entry && !is_parted && (by_number || was_number);
        }
        self.last = Some((entry, by_number, false));
        self.items.push(Item::Named(entry));
    }

    /// What a word says that is part of no name.
    fn item(&mut self, word: &str) -> Item {
        let is = |class: Class| is(word, class);
        if is(Class::Use) {
            return self.told();
        }
        if is(Class::Now) {
            let is_not = self.has(Item::No) || self.has(Item::Later);
            return if is_not { Item::Later } else { Item::Filler };
        }
        let known = [
            (Class::Others, Item::Others),
            (Class::All, Item::All),
            (Class::But, Item::But),
            (Class::Yes, Item::Yes),
            (Class::No, Item::No),
            (Class::Later, Item::Later),
            (Class::Count, Item::Count),
            (Class::Filler, Item::Filler),
        ];
        let found = known.into_iter().find(|(class, _)| is(*class));
        self.says_no |= is(Class::PlainNo);
        found.map_or(Item::Unknown, |(_, item)| item)
    }

    /// "Use", "don't use"; behind a plain no it may be either.
    fn told(&mut self) -> Item {
        self.uses = true;
        match self.last_sign() {
            Some(Item::No) if !self.says_no => Item::No,
            _ => Item::Yes,
        }
    }

    /// The last yes or no that no name stands behind.
    fn last_sign(&self) -> Option<Item> {
        let behind = self
            .items
            .iter()
            .rev()
            .take_while(|item| !matches!(item, Item::Named(_)));
        behind
            .copied()
            .find(|item| matches!(item, Item::Yes | Item::No | Item::Later))
    }

    /// The entries that it names.
    pub(super) fn named(&self) -> Vec<usize> {
        let mut named = Vec::new();
        for item in &self.items {
            match item {
                Item::Named(at) if !named.contains(at) => named.push(*at),
                _ => {}
            }
        }
        named
    }

    pub(super) fn has(&self, item: Item) -> bool {
        self.items.contains(&item)
    }

    /// Whether it says nothing of values: no name, no others.
    pub(super) fn is_aside(&self) -> bool {
        let speaks = |item: &Item| matches!(item, Item::Named(_) | Item::Others | Item::All);
        !self.items.iter().any(speaks)
    }

    /// The entry whose value a number is: of those that are named, else the only one; its thousands may be left out.
    fn by_value(&self, said: Said, entries: &[Entry]) -> Option<usize> {
        let named = self.named();
        let of = |said: Said| {
            let has = |at: &usize| said.is_of(&entries[*at]);
            let only = || {
                let mut all = (0..entries.len()).filter(has);
                all.next().filter(|_| all.next().is_none())
            };
            named.iter().copied().find(has).or_else(only)
        };
        let thousands = || {
            let found = of(said.in_thousands()?);
            found.filter(|at| entries[*at].sign == Some('$') && said.sign != Some('%'))
        };
        of(said).or_else(thousands)
    }
}

/// "The loan ones": the several entries of one thing, and how many words name them.
fn together<'w>(entries: &[Entry], word_at: &impl Fn(usize) -> &'w str) -> Option<(Vec<usize>, usize)> {
    let begins = |words: &str| words.split(' ').enumerate().all(|(at, part)| word_at(at) == part);
    let (words, kin) = TOGETHER.iter().find(|(words, _)| begins(words))?;
    let of_group: Vec<usize> = (0..entries.len()).filter(|at| entries[*at].kin == Some(*kin)).collect();
    (of_group.len() > 1).then(|| (of_group, words.split(' ').count()))
}

/// "The first two", "the last one": the entries as they are listed, and how many words say so.
fn ordinal(word: &str, next: &str, count: usize) -> Option<(Vec<usize>, usize)> {
    let of = |word: &str| match word {
        "2" | "two" | "dos" => Some(2),
        "3" | "three" | "tre" => Some(3),
        "4" | "four" | "cuatro" => Some(4),
        _ => None,
    };
    let several = of(next).filter(|_| is(word, Class::First));
    let turned = of(word).filter(|_| is(next, Class::First));
    if let Some(several) = several.or(turned).filter(|several| *several <= count) {
        return Some(((0..several).collect(), 2));
    }
    // "The last two".
    let from_end = of(next)
        .filter(|_| is(word, Class::Last))
        .or(of(word).filter(|_| is(next, Class::Last)));
    if let Some(several) = from_end.filter(|several| *several <= count) {
        return Some(((count - several..count).collect(), 2));
    }
    let at = match () {
        () if is(word, Class::First) => 0,
        () if is(word, Class::Second) => 1,
        () if is(word, Class::Third) => 2,
        () if is(word, Class::Last) => count.checked_sub(1)?,
        () => return None,
    };
    (at < count).then(|| (vec![at], 1))
}

/// The only entry that is not named yet and has the word in its name: "payroll", of "owner salary on payroll". Where none has, the one
/// that is named by another of its words: "franchise fee", of "initial franchise fee".
///
/// "The loan" is its amount, and not its term.
fn by_part(word: &str, names: &[(Vec<String>, usize)], named: &[usize], entries: &[Entry]) -> Option<usize> {
    if is(word, Class::Period) {
        return None;
    }
    let has = names
        .iter()
        .filter(|(name, _)| name.iter().any(|part| is_same(part, word)));
    let (named, other): (Vec<usize>, Vec<usize>) = has.map(|(_, at)| *at).partition(|at| named.contains(at));
    let only = |all: &[usize]| match all {
        [first, rest @ ..] => rest.iter().all(|at| at == first).then_some(*first),
        [] => None,
    };
    let amounts: Vec<usize> = other
        .iter()
        .copied()
        .filter(|at| entries[*at].sign == Some('$'))
        .collect();
    match other[..] {
        [] => named.first().copied(),
        _ => only(&other).or_else(|| only(&amounts)),
    }
}

/// Whether a word is that of a name; "goods" keeps its plural, because "good" is a yes.
fn is_same(part: &str, word: &str) -> bool {
    part == word || word.strip_suffix('s') == Some(part)
}
