//! Which words name which field: longest match over word stems, one mistyped letter forgiven.

use super::scan::{Kind, Scan};
use super::vocabulary::{is_article, is_ordinary};
use crate::model::field::{Field, catalogue};
use std::collections::HashMap;
use std::sync::LazyLock;

mod words;

/// Where the words of a text name a field, or something that only sounds like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Bytes in the text.
    pub start: usize,
    pub end: usize,
    /// Tokens: first, and first behind.
    pub first: usize,
    pub next: usize,
    /// Indexes into the fields the text was read with; the first is meant where a number's unit does not decide. Empty: none of them.
    pub fields: Vec<usize>,
    /// A growth rate whose year stands elsewhere.
    pub growth: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// A list of catalogue positions.
    Fields(usize),
    Growth,
    Elsewhere,
}

#[derive(Default)]
struct Phrases {
    words: HashMap<String, u32>,
    edges: HashMap<(u32, u32), u32>,
    meanings: HashMap<u32, Meaning>,
    lists: Vec<Vec<usize>>,
    /// Hashes of a known word with one letter left out.
    near: HashMap<u64, u32>,
    spelled: Vec<String>,
    nodes: u32,
}

impl Phrases {
    fn add(&mut self, phrase: &str, meaning: Meaning) {
        let scan = Scan::new(phrase);
        let mut node = 0;
        for i in 0..scan.len() {
            let Some(stem) = stem_at(&scan, i) else { continue };
            let next = self.words.len() as u32;
            let word = *self.words.entry(stem.clone()).or_insert(next);
            if word == next {
                self.spelled.push(stem);
            }
            node = *self.edges.entry((node, word)).or_insert_with(|| {
                self.nodes += 1;
                self.nodes
            });
        }
        if node > 0 {
            self.meanings.insert(node, meaning);
        }
    }

    fn list(&mut self, fields: Vec<usize>) -> Meaning {
        self.lists.push(fields);
        Meaning::Fields(self.lists.len() - 1)
    }

    /// Prepares typo forgiveness for words of five letters and more.
    fn index_typos(&mut self) {
        for (id, word) in self
            .spelled
            .iter()
            .enumerate()
            .filter(|(_, word)| word.len() >= 5 && word.is_ascii())
        {
            self.near.entry(hash(word.bytes())).or_insert(id as u32);
            for skip in 0..word.len() {
                self.near.entry(hash(without(word, skip))).or_insert(id as u32);
            }
        }
    }

    fn word(&self, stem: &str) -> Option<u32> {
        self.words.get(stem).copied()
    }

    fn near_word(&self, stem: &str) -> Option<u32> {
        if !(5..=24).contains(&stem.len()) || !stem.is_ascii() || is_ordinary(stem) {
            return None;
        }
        let hit = |id: &u32| is_one_off(stem, &self.spelled[*id as usize]);
        let whole = self.near.get(&hash(stem.bytes())).copied().filter(hit);
        whole
            .or_else(|| (1..stem.len()).find_map(|skip| self.near.get(&hash(without(stem, skip))).copied().filter(hit)))
    }

    /// The longest phrase at token `i`: what it means and the token behind it.
    fn longest(&self, scan: &Scan, ids: &[Option<u32>], i: usize) -> Option<(Meaning, usize)> {
        let (mut node, mut best, mut at) = (0, None, i);
        while at < scan.len() && at < i + 12 {
            if skipped(scan, at) && at > i {
                at += 1;
                continue;
            }
            let Some(&next) = ids[at].and_then(|id| self.edges.get(&(node, id))) else {
                break;
            };
            node = next;
            at += 1;
            if let Some(&meaning) = self.meanings.get(&node) {
                best = Some((meaning, at));
            }
        }
        best
    }
}

/// Marks inside a phrase that do not part it.
fn skipped(scan: &Scan, i: usize) -> bool {
    let possessive = scan.mark(i) == Some('\'') && scan.is_joined(i);
    scan.is_tie(i)
        || possessive
        || (matches!(scan.mark(i), Some('&' | '/')) && scan.is_joined(i) && scan.is_joined(i + 1))
}

/// The word at `i` as phrases are compared; a number in digits by its value.
fn stem_at(scan: &Scan, i: usize) -> Option<String> {
    match scan.tokens[i].kind {
        Kind::Word => Some(stem(scan.word(i)).to_owned()),
        Kind::Digits(digits) if digits.scale == 0 && digits.whole <= 2 => Some(digits.value.to_string()),
        Kind::Mark('&') if !(scan.is_joined(i) && scan.is_joined(i + 1)) => Some("and".to_owned()),
        _ => None,
    }
}

/// A word without its plural and possessive: "royalties" and "royalty" are one.
fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.len() <= 3 || !word.is_ascii() {
        return word;
    }
    let word = if word.ends_with("ss") {
        word
    } else {
        word.strip_suffix('s').unwrap_or(word)
    };
    word.strip_suffix('y')
        .or_else(|| word.strip_suffix("ie"))
        .filter(|rest| rest.len() >= 3)
        .unwrap_or(word)
}

fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn without(word: &str, skip: usize) -> impl Iterator<Item = u8> {
    word.bytes()
        .enumerate()
        .filter(move |(i, _)| *i != skip)
        .map(|(_, byte)| byte)
}

/// Whether one letter was left out, added, mistaken or swapped with its neighbour. The first letter must be right.
fn is_one_off(typed: &str, meant: &str) -> bool {
    let (a, b) = (typed.as_bytes(), meant.as_bytes());
    if a.first() != b.first() || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[head..], &b[head..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => a == &b[1..],
        std::cmp::Ordering::Greater => &a[1..] == b,
        std::cmp::Ordering::Equal => {
            a.is_empty() || a[1..] == b[1..] || (a.len() >= 2 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..])
        }
    }
}

static COMMON: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = Phrases::default();
    let position = |path: &str| catalogue().iter().position(|field| field.path.as_str() == path);
    for phrase in words::ELSEWHERE {
        phrases.add(phrase, Meaning::Elsewhere);
    }
    for (i, field) in catalogue().iter().enumerate() {
        let meaning = phrases.list(vec![i]);
        if !field.is_growth() {
            phrases.add(plain_label(&field.label), meaning);
        }
        for alias in field.aliases {
            phrases.add(alias, meaning);
        }
    }
    for (path, names) in words::NAMES {
        let Some(i) = position(path) else { continue };
        let meaning = phrases.list(vec![i]);
        for name in *names {
            phrases.add(name, meaning);
        }
    }
    for (name, paths) in words::SHARED {
        let meaning = phrases.list(paths.iter().filter_map(|path| position(path)).collect());
        phrases.add(name, meaning);
    }
    for name in words::GROWTH {
        phrases.add(name, Meaning::Growth);
    }
    phrases.index_typos();
    phrases
});

/// A label as people would say it: without what stands in brackets and the period.
fn plain_label(label: &str) -> &str {
    let label = label.split(['(', ',', '%']).next().unwrap_or_default().trim();
    ["per month", "per year"]
        .iter()
        .find_map(|period| label.strip_suffix(period))
        .unwrap_or(label)
        .trim()
}

/// The fields a text is read with, ready for matching.
pub struct Lexicon {
    /// From catalogue position to index in the fields.
    here: Vec<Option<usize>>,
    /// Rows and labels of this brand's own.
    own: Option<Phrases>,
}

impl Lexicon {
    #[must_use]
    pub fn new(fields: &[Field]) -> Self {
        let mut here = vec![None; catalogue().len()];
        let mut own = None;
        let mut at = 0;
        for (i, field) in fields.iter().enumerate() {
            // Fields come in the catalogue's order, so the search goes on where it stopped.
            let position = (at..catalogue().len())
                .chain(0..at)
                .find(|&k| catalogue()[k].path == field.path);
            let renamed = position.is_none_or(|k| catalogue()[k].label != field.label);
            if let Some(k) = position {
                here[k] = Some(i);
                at = k + 1;
            }
            if renamed {
                let own = own.get_or_insert_with(Phrases::default);
                let meaning = own.list(vec![i]);
                own.add(plain_label(&field.label), meaning);
            }
        }
        Self { here, own }
    }

    /// All mentions in reading order, longest first match, not overlapping.
    #[must_use]
    pub fn mentions(&self, scan: &Scan) -> Vec<Mention> {
        let common = &*COMMON;
        let ids = |phrases: &Phrases, typos: bool| {
            (0..scan.len())
                .map(|i| word_id(phrases, scan, i, typos))
                .collect::<Vec<_>>()
        };
        let (known, mine) = (ids(common, true), self.own.as_ref().map(|own| ids(own, false)));
        let (mut out, mut i) = (Vec::new(), 0);
        while i < scan.len() {
            let found = common
                .longest(scan, &known, i)
                .map(|(meaning, next)| (self.resolve(common, meaning), meaning == Meaning::Growth, next));
            let own = self
                .own
                .as_ref()
                .zip(mine.as_ref())
                .and_then(|(own, ids)| own.longest(scan, ids, i).map(|hit| (own, hit)));
            let own = own.map(|(own, (meaning, next))| (list_of(own, meaning), false, next));
            let best = match (found, own) {
                (Some(found), Some(own)) => Some(if own.2 >= found.2 { own } else { found }),
                (found, own) => found.or(own),
            };
            match best.filter(|best| !is_verb(scan, i, best.2)) {
                Some((fields, growth, next)) => {
                    let (start, end) = (scan.tokens[i].start, scan.tokens[next - 1].end);
                    out.push(Mention {
                        start,
                        end,
                        first: i,
                        next,
                        fields,
                        growth,
                    });
                    i = next;
                }
                None => i += 1,
            }
        }
        out
    }

    fn resolve(&self, phrases: &Phrases, meaning: Meaning) -> Vec<usize> {
        list_of(phrases, meaning)
            .into_iter()
            .filter_map(|k| self.here[k])
            .collect()
    }
}

fn list_of(phrases: &Phrases, meaning: Meaning) -> Vec<usize> {
    match meaning {
        Meaning::Fields(list) => phrases.lists[list].clone(),
        Meaning::Growth | Meaning::Elsewhere => Vec::new(),
    }
}

fn word_id(phrases: &Phrases, scan: &Scan, i: usize, typos: bool) -> Option<u32> {
    match scan.tokens[i].kind {
        Kind::Word => {
            let stem = stem(scan.word(i));
            phrases
                .word(stem)
                .or_else(|| typos.then(|| phrases.near_word(stem)).flatten())
        }
        _ => stem_at(scan, i).and_then(|stem| phrases.word(&stem)),
    }
}

/// Words that are names only behind an article or before a number: "we sign", "the sign"; "write it down", "20% down".
fn is_verb(scan: &Scan, i: usize, next: usize) -> bool {
    if next != i + 1 {
        return false;
    }
    let before = scan.word_before(i);
    let article = is_article(before);
    let number_near =
        |i: usize| scan.digits(i).is_some() || scan.mark(i).is_some_and(|mark| matches!(mark, '$' | '%' | ':'));
    let counted = i > 0 && (number_near(i - 1) || matches!(before, "percent" | "grand" | "thousand" | "k"));
    match scan.word(i) {
        "sign" | "signs" => !(article || counted || number_near(next) || scan.word(next) == "is"),
        // "sales are down 10%" is no down payment.
        "down" => {
            !(counted || number_near(next) && matches!(before, "" | "put" | "putting" | "pay" | "paying" | "with"))
        }
        "note" | "gross" | "power" | "team" | "management" | "lender" | "landlord" => {
            !article && !counted && !number_near(next)
        }
        "people" => matches!(scan.word(next), "say" | "think" | "tell" | "pay" | "who"),
        "raise" | "rate" | "finance" => matches!(scan.word(next), "the" | "my" | "it" | "our" | "a") || before == "to",
        "gas" | "van" | "pos" | "ti" | "gm" | "gross'" => false,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<&'static str> {
        let found = Lexicon::new(catalogue()).mentions(&Scan::new(text));
        found
            .into_iter()
            .map(|hit| hit.fields.first().map_or("-", |&i| catalogue()[i].path.as_str()))
            .collect()
    }

    #[test]
    fn the_longest_name_wins() {
        assert_eq!(paths("the rent deposit"), ["startupCosts.rentDeposits"]);
        assert_eq!(paths("payroll taxes"), ["operatingCosts.payrollTaxPct"]);
        assert_eq!(paths("loan payment"), ["-"]);
        assert_eq!(
            paths("Minimum royalty and royalty"),
            ["operatingCosts.royaltyMinimumMonthly", "operatingCosts.royaltyPct"]
        );
    }

    #[test]
    fn plurals_hyphens_and_single_typos_are_forgiven() {
        for text in ["royalties", "royalty's", "Royality", "roaylty", "ROYALTYS"] {
            assert_eq!(paths(text), ["operatingCosts.royaltyPct"], "{text}");
        }
        for text in ["build-out", "buildout", "build out", "Construction"] {
            assert_eq!(paths(text), ["startupCosts.leaseholdImprovements"], "{text}");
        }
        for text in ["insurence", "insurance's", "insurnace"] {
            assert_eq!(paths(text), ["operatingCosts.insuranceMonthly"], "{text}");
        }
        assert_eq!(paths("FF&E"), ["startupCosts.furnitureFixturesEquipment"]);
    }

    #[test]
    fn ordinary_words_are_no_names() {
        assert_eq!(
            paths("we sign it later, write it down and I repaid him"),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn every_field_of_the_catalogue_has_a_name_that_finds_it() {
        for (path, names) in words::NAMES {
            assert!(catalogue().iter().any(|field| field.path.as_str() == *path), "{path}");
            assert!(!names.is_empty());
        }
    }
}
