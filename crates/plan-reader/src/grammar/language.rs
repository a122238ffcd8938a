//! The words of a language by class: its files, read once.

use super::class_set::Class;
use super::productions::GRAMMAR;
use crate::lex::{self, Kind, Period, Table, Token, Units};
use std::collections::HashSet;
use std::sync::LazyLock;

/// What a phrase brings along besides its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Payload {
    Nothing,
    Key(u16),
    Period(Period),
}

/// One meaning of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    pub class: Class,
    pub payload: Payload,
}

/// The fields that a name may mean; the amount chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub fields: Vec<KeyField>,
}

/// One of a name's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyField {
    pub path: String,
    /// Too seldom meant to be written: only asked about.
    pub is_guess: bool,
    /// Another meaning of the word: where it is talked about, the word is in doubt.
    pub is_related: bool,
}

impl Key {
    fn read(paths: &str) -> Self {
        let field = |path: &str| KeyField {
            path: path.trim_end_matches(['?', '~']).to_owned(),
            is_guess: path.ends_with(['?', '~']),
            is_related: path.ends_with('~'),
        };
        Self {
            fields: paths.split_whitespace().map(field).collect(),
        }
    }

    /// A growth rate; its year stands elsewhere.
    pub(crate) fn is_growth(&self) -> bool {
        self.fields.first().is_some_and(|field| field.path == "growth")
    }
}

/// Phrases by their words, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Phrases {
    words: Table<String, u32>,
    next: Table<(u32, u32), u32>,
    entries: Vec<Vec<Entry>>,
}

impl Phrases {
    pub(super) fn add(&mut self, words: &[&str], entry: Entry) {
        if self.entries.is_empty() {
            self.entries.push(Vec::new());
        }
        let mut node = 0;
        for word in words {
            let count = self.words.len() as u32;
            let word = *self.words.entry((*word).to_owned()).or_insert(count);
            let fresh = self.entries.len() as u32;
            node = *self.next.entry((node, word)).or_insert(fresh);
            if node == fresh {
                self.entries.push(Vec::new());
            }
        }
        let entries = &mut self.entries[node as usize];
        if !words.is_empty() && !entries.contains(&entry) {
            entries.push(entry);
        }
    }

    /// Each phrase that begins at `at`: its end and its meanings.
    pub(super) fn each(&self, texts: &[&str], at: usize, mut found: impl FnMut(usize, &[Entry])) {
        let mut node = 0;
        for (end, text) in texts.iter().enumerate().skip(at) {
            let step = self.words.get(*text).and_then(|word| self.next.get(&(node, *word)));
            let Some(next) = step else { return };
            node = *next;
            if !self.entries[node as usize].is_empty() {
                found(end + 1, &self.entries[node as usize]);
            }
        }
    }

    pub(super) fn has(&self, texts: &[&str]) -> bool {
        let mut known = false;
        self.each(texts, 0, |end, _| known |= end == texts.len());
        known
    }
}

/// One language's files.
#[derive(Debug)]
pub(crate) struct Language {
    pub units: &'static Units,
    spelling: Table<String, Vec<String>>,
    pub(super) phrases: Phrases,
    pub(super) keys: Vec<Key>,
    /// What the first key is counted as, behind those of the languages before.
    first_key: usize,
    /// What follows a loan without a name of its own.
    pub loan_terms: Key,
    pub rate: Key,
}

/// The languages that are understood. Only the first has plain statements; what is said in another is asked about.
pub(super) static LANGUAGES: LazyLock<[Language; 2]> = LazyLock::new(|| {
    let english = Language::read(
        Units::english(),
        include_str!("../vocabulary/en/spelling.txt"),
        &[
            include_str!("../vocabulary/en/words.txt"),
            include_str!("../vocabulary/en/names.txt"),
            include_str!("../vocabulary/en/doubt.txt"),
        ],
        0,
    );
    let spanish = Language::read(
        Units::spanish(),
        "",
        &[
            include_str!("../vocabulary/es/words.txt"),
            include_str!("../vocabulary/es/names.txt"),
        ],
        english.keys.len(),
    );
    [english, spanish]
});

/// The language of a text, by its common words; English where nothing says otherwise.
pub(super) fn language_of(text: &str) -> &'static Language {
    static SPANISH: LazyLock<HashSet<&str>> =
        LazyLock::new(|| lines(include_str!("../vocabulary/es/common.txt")).collect());
    static ENGLISH: LazyLock<HashSet<&str>> =
        LazyLock::new(|| lines(include_str!("../vocabulary/en/common.txt")).collect());
    let tokens = lex::tokens(text);
    let count = |words: &HashSet<&str>| tokens.iter().filter(|token| words.contains(token.word())).count();
    let is_spanish = tokens.iter().any(|token| token.is_mark('¿') || token.is_mark('¡'));
    let (spanish, english) = (count(&SPANISH) + 2 * usize::from(is_spanish), count(&ENGLISH));
    &LANGUAGES[usize::from(spanish > english)]
}

impl Language {
    fn read(units: &'static Units, spelling: &str, words: &[&str], first_key: usize) -> Self {
        let pairs = lines(spelling).filter_map(|line| line.split_once(' '));
        let mut out = Self {
            units,
            spelling: pairs
                .map(|(word, meant)| (word.to_owned(), meant.split(' ').map(str::to_owned).collect()))
                .collect(),
            phrases: Phrases::default(),
            keys: Vec::new(),
            first_key,
            loan_terms: Key::read("financing.loanTermMonths financing.interestRate"),
            rate: Key::read("financing.interestRate"),
        };
        for file in words {
            let mut entry = None;
            for line in lines(file) {
                if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                    entry = Some(out.section(section));
                } else if let Some(entry) = entry {
                    out.add(line, entry);
                }
            }
        }
        out
    }

    fn section(&mut self, section: &str) -> Entry {
        let (class, about) = section.split_once(' ').unwrap_or((section, ""));
        let payload = match (class, about) {
            (_, "") => Payload::Nothing,
            ("PERIOD" | "PERIODADJ" | "SPAN", period) => Payload::Period(period_named(period)),
            (_, paths) => {
                let key = Key::read(paths);
                let known = self.keys.iter().position(|other| *other == key);
                let at = known.unwrap_or_else(|| {
                    self.keys.push(key);
                    self.keys.len() - 1
                });
                Payload::Key((self.first_key + at) as u16)
            }
        };
        let class = GRAMMAR
            .known(class)
            .unwrap_or_else(|| panic!("{class} is no class of productions.txt"));
        Entry { class, payload }
    }

    fn add(&mut self, phrase: &str, entry: Entry) {
        // Files write "it 's" as the two words that it is; an ending needs a word before it.
        let joined = phrase.replace(" '", "'");
        let ending = joined.starts_with('\'');
        let tokens = if ending {
            self.tokens(&format!("x{joined}")).split_off(1)
        } else {
            self.tokens(&joined)
        };
        let texts: Vec<&str> = tokens.iter().map(text_of).collect();
        assert!(
            !texts.is_empty() && texts.iter().all(|text| !text.is_empty()),
            "{phrase} is not readable"
        );
        self.phrases.add(&texts, entry);
    }

    /// Whether statements can be plain in it.
    pub(crate) fn is_plain(&self) -> bool {
        self.first_key == 0
    }

    /// The tokens of a text, each word as the vocabulary spells it.
    pub(crate) fn tokens(&self, text: &str) -> Vec<Token> {
        let plain = lex::tokens(text);
        if !plain.iter().any(|token| self.spelling.contains_key(token.word())) {
            return plain;
        }
        let mut out = Vec::with_capacity(plain.len() + 4);
        for token in plain {
            match self.spelling.get(token.word()) {
                None => out.push(token),
                Some(words) => out.extend(words.iter().enumerate().map(|(nth, word)| Token {
                    kind: Kind::Word(word.clone()),
                    line: token.line && nth == 0,
                    ..token.clone()
                })),
            }
        }
        out
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn period_named(name: &str) -> Period {
    match name {
        "weekly" => Period::Weekly,
        "biweekly" => Period::Biweekly,
        "monthly" => Period::Monthly,
        "quarterly" => Period::Quarterly,
        "annual" => Period::Annual,
        other => panic!("{other} is no period"),
    }
}

/// A token as the phrases know it.
pub(crate) fn text_of(token: &Token) -> &str {
    const MARKS: &str = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    match &token.kind {
        Kind::Word(word) => word,
        Kind::Mark('…') => "…",
        Kind::Mark(mark) => MARKS.find(*mark).map_or("", |at| &MARKS[at..=at]),
        Kind::Figure(figure) => small(figure),
        Kind::Odd => "",
    }
}

/// Small numbers stand in a few phrases: "day 1", "additional funds, 3 months".
fn small(figure: &lex::Figure) -> &'static str {
    const DIGITS: [&str; 21] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
        "20",
    ];
    let whole = (!figure.marked).then(|| (0..21).find(|n| figure.value == rust_decimal::Decimal::from(*n)));
    whole.flatten().map_or("", |n| DIGITS[n as usize])
}
