//! Values as they may be named, and the words and numbers of a clause, as they are said.

use super::words::{Class, is};
use crate::wording;
use rust_decimal::Decimal;

/// A value that is open, as it may be named.
pub(in crate::conversation::acts) struct Entry {
    /// Its names, plain.
    pub names: Vec<String>,
    /// As people say it: dollars, points of a percentage.
    pub value: Decimal,
    /// `$` or `%`, where the value has one.
    pub sign: Option<char>,
    /// What the plan has, said the same way.
    pub stands: Option<Decimal>,
    /// Whether the last answer asks for it alone.
    pub is_asked: bool,
    /// Whether it asks for it with others.
    pub is_listed: bool,
    /// What it is of, where the values of that may be named together: "the loan ones", "los dos del retiro".
    pub kin: Option<Kin>,
}

/// Values that have one name together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::conversation::acts) enum Kin {
    Loan,
    OwnPay,
}

/// One blank between words, without articles, accents and plurals.
pub(in crate::conversation::acts) fn bare(text: &str) -> String {
    let plain = wording::plain(text);
    let words = plain
        .split(' ')
        .filter(|word| !word.is_empty() && !["los", "las"].contains(word));
    let singular = words.map(|word| match word.strip_suffix('s') {
        Some(stem) if word.len() > 3 && !stem.ends_with('s') => stem,
        _ => word,
    });
    singular.collect::<Vec<_>>().join(" ")
}

/// From here on dots part thousands.
const LARGE: i64 = 10_000;

/// A number as it is said.
#[derive(Clone, Copy)]
pub(super) struct Said {
    pub value: Decimal,
    /// `$` or `%`, where there is one.
    pub sign: Option<char>,
    /// "month 7"
    is_month: bool,
    /// "4.200" refuses 4,200, and agrees to nothing; "250.000" is nothing else.
    pub has_dots: bool,
}

impl Said {
    /// "4,200", "4.200", "$4,200.50", "3k", "42%"; `None` in any other notation.
    fn read(word: &str) -> Option<Self> {
        let word = word.trim_matches(|c: char| matches!(c, ',' | '.' | ':' | ')' | '('));
        let (word, dollars) = word.strip_prefix('$').map_or((word, false), |word| (word, true));
        let (word, percent) = word.strip_suffix('%').map_or((word, false), |word| (word, true));
        let (word, thousands) = word.strip_suffix('k').map_or((word, false), |word| (word, true));
        let has_dots = !percent && word.contains('.') && word.split('.').skip(1).all(|group| group.len() == 3);
        let word = if has_dots {
            word.replace('.', ",")
        } else {
            word.to_owned()
        };
        let (whole, _) = word.split_once('.').unwrap_or((&word, ""));
        let mut groups = whole.split(',');
        let first = groups.next()?;
        let groups: Vec<&str> = groups.collect();
        let is_grouped = groups.is_empty() || first.len() <= 3 && groups.iter().all(|group| group.len() == 3);
        if first.is_empty() || !is_grouped {
            return None;
        }
        let value: Decimal = word.replace(',', "").parse().ok()?;
        let value = value.checked_mul(if thousands { Decimal::ONE_THOUSAND } else { Decimal::ONE })?;
        let sign = match (dollars, percent) {
            (true, true) => return None,
            (true, false) => Some('$'),
            (false, true) => Some('%'),
            (false, false) => None,
        };
        let is_large = value >= Decimal::from(LARGE);
        Some(Self {
            value,
            sign,
            is_month: false,
            has_dots: has_dots && !is_large,
        })
    }

    /// "The 60", of 60,000.
    pub(super) fn in_thousands(self) -> Option<Self> {
        let value = self.value.checked_mul(Decimal::ONE_THOUSAND)?;
        (self.value.scale() == 0).then_some(Self { value, ..self })
    }

    pub(super) fn is_of(self, entry: &Entry) -> bool {
        self.is_as(entry, entry.value)
    }

    /// Whether it is what the plan has in the place of the entry.
    pub(super) fn is_kept(self, entry: &Entry) -> bool {
        let is_it = |said: Self| entry.stands.is_some_and(|stands| said.is_as(entry, stands));
        is_it(self) || entry.sign == Some('$') && self.in_thousands().is_some_and(is_it)
    }

    fn is_as(self, entry: &Entry, value: Decimal) -> bool {
        let is_signed = self.sign.is_none_or(|sign| entry.sign == Some(sign));
        self.value == value && is_signed && !(self.is_month && entry.sign.is_some())
    }
}

/// A word of a clause, or a number.
pub(super) enum Element {
    Word(String),
    Number(Said),
}

/// Two words that say what one says.
pub(super) fn plainer(text: &str) -> String {
    const SAME: [[&str; 2]; 30] = [
        // No yes, and no no.
        ["yeah right", "maybe"],
        ["yea right", "maybe"],
        ["no problem", "maybe"],
        ["no worries", "maybe"],
        ["no rush", "maybe"],
        ["no hay problema", "quizas"],
        ["don't drop", "later"],
        ["dont drop", "later"],
        ["don't forget", "later"],
        ["dont forget", "later"],
        ["not sure", "later"],
        ["no sé", "luego"],
        ["no se", "luego"],
        ["no creo", "luego"],
        ["why keep", "maybe"],
        ["why leave", "maybe"],
        // No yes, as "bet" is.
        ["i bet", "maybe"],
        ["te digo", "luego"],
        ["no just", "just"],
        // "Wait, I said to put month 7 in, yes!"
        ["wait i said", "i said"],
        // Closes what was said.
        ["that's all", ""],
        ["thats all", ""],
        ["that is all", ""],
        ["eso es todo", ""],
        ["es todo", ""],
        // Neither a no nor a yes.
        ["not only", "besides"],
        ["no solo", "ademas"],
        ["nada más", "solo"],
        ["nada mas", "solo"],
        ["hold off", "later"],
    ];
    let text = plan_reader::in_digits(&text.to_lowercase());
    SAME.iter().fold(text, |text, [words, word]| text.replace(words, word))
}

/// The words and numbers of a text; and whether it has a number that is not written as numbers are: "$42,00".
pub(super) fn elements(text: &str) -> (Vec<Element>, bool) {
    let (mut out, mut has_odd) = (Vec::new(), false);
    let all: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in all.iter().copied().enumerate() {
        // "The other 2", "los primeros 2".
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let mut beside = beside.filter_map(|at| all.get(at)).map(|word| bare(word));
        let counts = is(word, Class::Count)
            && beside.any(|word| {
                let classes = [Class::Others, Class::First, Class::All];
                // "Los 3 del préstamo", "the 3 loan ones".
                classes.iter().any(|class| is(&word, *class)) || ["del", "loan"].contains(&&*word)
            });
        if counts || !word.contains(char::is_numeric) || is(word, Class::First) || is(word, Class::Second) {
            let plain = bare(word);
            let words = plain.split(' ').filter(|word| !word.is_empty());
            let is_plural = word.ends_with("goods");
            out.extend(words.map(|word| Element::Word(if is_plural { "goods" } else { word }.to_owned())));
            continue;
        }
        let Some(said) = Said::read(word) else {
            has_odd = true;
            continue;
        };
        // The month itself is no name: "month 10", "el mes 1".
        let is_month = out
            .pop_if(|last| matches!(last, Element::Word(before) if is(before, Class::Month)))
            .is_some();
        out.push(Element::Number(Said { is_month, ..said }));
    }
    (with_order(with_units(out)), has_odd)
}

/// "Do the first one", "do both" are orders; "do I have to" asks.
fn with_order(mut elements: Vec<Element>) -> Vec<Element> {
    const OBJECTS: [Class; 6] = [
        Class::All,
        Class::Count,
        Class::First,
        Class::Second,
        Class::Third,
        Class::Last,
    ];
    let is_object =
        |word: &str| ["it", "that", "this", "both"].contains(&word) || OBJECTS.iter().any(|class| is(word, *class));
    if let [Element::Word(first), Element::Word(second), ..] = &mut elements[..]
        && first == "do"
        && is_object(second)
    {
        "use".clone_into(first);
    }
    elements
}

/// The words behind numbers are parts of them: "90 mil", "10 years", "84 months", "6 percent".
fn with_units(elements: Vec<Element>) -> Vec<Element> {
    let mut out: Vec<Element> = Vec::new();
    for element in elements {
        let (Some(Element::Number(said)), Element::Word(word)) = (out.last_mut(), &element) else {
            out.push(element);
            continue;
        };
        let times = |factor: i64| said.value.checked_mul(Decimal::from(factor)).unwrap_or(said.value);
        if is(word, Class::Thousand) {
            said.value = times(1_000);
        } else if is(word, Class::Year) && said.sign.is_none() {
            (said.value, said.is_month) = (times(12), true);
        } else if is(word, Class::Percent) && said.sign != Some('$') {
            said.sign = Some('%');
        } else if is(word, Class::Month) && said.sign.is_none() {
            said.is_month = true;
        } else {
            out.push(element);
        }
    }
    out
}
