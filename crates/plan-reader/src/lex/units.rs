//! Words of numbers and units, from a language's `units.txt`; periods.

use super::table::Table;
use std::sync::LazyLock;

/// What a number counts, as far as its own words say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// No unit.
    Bare,
    /// Dollars.
    Money,
    /// Points of a percentage.
    Percent,
    /// A share in words: "a third".
    Fraction,
    /// A factor: "2.5x".
    Multiple,
    /// Days.
    Days,
    /// Weeks.
    Weeks,
    /// Months.
    Months,
    /// Years.
    Years,
    /// Money of another country.
    Foreign,
}

/// What a word adds to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordNumber {
    /// Below a hundred.
    Small(i64),
    /// hundred, thousand, million
    Scale(i64),
    /// A third is one of three parts.
    Part(i64),
    /// A word for two or more hundreds: "doscientos".
    Hundreds(i64),
}

/// The number and unit words of one language.
#[derive(Debug, Default)]
pub(crate) struct Units {
    words: Table<String, Meanings>,
}

/// What a word can mean next to a number.
#[derive(Debug, Default)]
struct Meanings {
    number: Option<WordNumber>,
    unit: Option<Unit>,
    magnitude: Option<i64>,
    is_and: bool,
    is_article: bool,
    is_foreign: bool,
    is_cents: bool,
    joins_tens: bool,
    stands_alone: bool,
}

impl Units {
    /// The words of Spanish.
    pub(crate) fn spanish() -> &'static Self {
        static SPANISH: LazyLock<Units> = LazyLock::new(|| Units::read(include_str!("../vocabulary/es/units.txt")));
        &SPANISH
    }

    /// The words of English.
    pub(crate) fn english() -> &'static Self {
        static ENGLISH: LazyLock<Units> = LazyLock::new(|| Units::read(include_str!("../vocabulary/en/units.txt")));
        &ENGLISH
    }

    /// Reads sections of words; a number's word is followed by its value.
    ///
    /// # Panics
    /// On a section or a value that is none; a test reads every file.
    pub(crate) fn read(text: &str) -> Self {
        let mut out = Self::default();
        let mut section = "";
        for line in text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
                continue;
            }
            let (word, value) = line.split_once(' ').unwrap_or((line, "0"));
            let value = value.parse::<i64>().expect("a whole number");
            let word = out.words.entry(word.to_owned()).or_default();
            match section {
                "small" => word.number = Some(WordNumber::Small(value)),
                "scale" => word.number = Some(WordNumber::Scale(value)),
                "hundreds" => word.number = Some(WordNumber::Hundreds(value)),
                "tens-and" => word.joins_tens = true,
                "alone" => word.stands_alone = true,
                "part" => word.number = Some(WordNumber::Part(value)),
                "magnitude" => word.magnitude = Some(value),
                "and" => word.is_and = true,
                "article" => word.is_article = true,
                "foreign" => word.is_foreign = true,
                "cents" => word.is_cents = true,
                unit => word.unit = Some(unit_named(unit)),
            }
        }
        out
    }

    /// Whether a word can be the first of an amount: of a number in words, or a currency before digits.
    pub(crate) fn begins_amount(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| {
            known.number.is_some() || known.is_article || known.is_foreign || known.unit == Some(Unit::Money)
        })
    }

    pub(crate) fn number(&self, word: &str) -> Option<WordNumber> {
        self.words.get(word)?.number
    }

    pub(crate) fn unit(&self, word: &str) -> Option<Unit> {
        self.words.get(word)?.unit
    }

    /// What a word behind digits multiplies them by.
    pub(crate) fn magnitude(&self, word: &str) -> Option<i64> {
        self.words.get(word)?.magnitude
    }

    /// "y" in "treinta y cinco".
    pub(crate) fn joins_tens(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| known.joins_tens)
    }

    /// "mil" without a number before it is one thousand.
    pub(crate) fn stands_alone(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| known.stands_alone)
    }

    /// A unit of two words: "por ciento".
    pub(crate) fn unit_of_two(&self, word: &str, next: &str) -> Option<Unit> {
        (word == "por" && next == "ciento")
            .then(|| self.unit("por_ciento"))
            .flatten()
    }

    pub(crate) fn is_and(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| known.is_and)
    }

    pub(crate) fn is_article(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| known.is_article)
    }

    pub(crate) fn is_foreign(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| known.is_foreign)
    }

    pub(crate) fn is_cents(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|known| known.is_cents)
    }
}

fn unit_named(name: &str) -> Unit {
    match name {
        "dollars" => Unit::Money,
        "percent" => Unit::Percent,
        "times" => Unit::Multiple,
        "days" => Unit::Days,
        "weeks" => Unit::Weeks,
        "months" => Unit::Months,
        "years" => Unit::Years,
        other => panic!("{other} is no section of units.txt"),
    }
}
