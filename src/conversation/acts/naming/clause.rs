//! One clause of a message: which entries it names, and what is left of it.

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
    /// Whether the last answer asks for it alone.
    pub is_asked: bool,
    /// Whether it asks for it with others.
    pub is_listed: bool,
}

// As `bare` leaves them: "nomas" is "noma".
pub(super) const FILLERS: &str = "only just solo noma yes si ok okay please por favor porfa and y to for both one number is are right correct write \
    down use put in of i said too also and then entonce tambien de del al lo le es esta estan bien correcto usa anota anote pon va";
pub(super) const NEGATIVE: &str = "no not none ninguno ninguna tampoco neither nor ni drop skip forget ignore descarta quita borra olvida deja remove leave out wrong mal";
pub(super) const OTHERS: &str = "other otro otra rest dema everything else resto";

/// Counts that stand beside these: "the other two".
pub(super) const COUNTS: &str = "two three four dos tre cuatro";
pub(super) const ALL: &str = "all everything todo toda";
pub(super) const BUT: &str = "but except meno excepto salvo";

/// Words for what was listed: "yes to all of it except the rent".
pub(super) const LISTED: &str = "it them those these that ello eso";

/// Words that say yes by themselves.
pub(super) const YES: &str = "yes si ok okay";

/// Words by which a yes is to one more: "yes, and the power too".
pub(super) const TOO: &str = "too also tambien";

/// Words that stand beside a no: "wait, not the 60 dollars".
pub(super) const HOLDS: &str = "wait hold on espera espere dolar dollar quitalo quitala borralo borrala";

/// Words that say no beside these: "all but the rent, and the sign neither".
pub(super) const NEITHER: &str = "tampoco neither nor ni";

/// Words that tell to write: "no. Use the rent and the sign."
pub(super) const USES: &str = "use usa anota anote write put";

/// Words behind a number that count in thousands.
const THOUSAND: &str = "mil thousand grand";

/// Words of a period: beside a number they may contradict the value's own, and they are no part of a name by themselves.
const PERIODS: &str =
    "per por day week month year dia semana me mes ano daily weekly monthly yearly annual anual mensual";

pub(super) fn is_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
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

/// A number as it is said.
#[derive(Clone, Copy)]
struct Said {
    value: Decimal,
    /// `$` or `%`, where there is one.
    sign: Option<char>,
    /// "month 7"
    is_month: bool,
}

impl Said {
    /// "4,200", "$4,200.50", "3k", "42%"; `None` in any other notation.
    fn read(word: &str) -> Option<Self> {
        let word = word.trim_matches(|c: char| matches!(c, ',' | '.' | ':' | ')' | '('));
        let (word, dollars) = word.strip_prefix('$').map_or((word, false), |word| (word, true));
        let (word, percent) = word.strip_suffix('%').map_or((word, false), |word| (word, true));
        let (word, thousands) = word.strip_suffix('k').map_or((word, false), |word| (word, true));
        let (whole, _) = word.split_once('.').unwrap_or((word, ""));
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
        Some(Self {
            value,
            sign,
            is_month: false,
        })
    }

    fn is_of(self, entry: &Entry) -> bool {
        let is_signed = self.sign.is_none_or(|sign| entry.sign == Some(sign));
        self.value == entry.value && is_signed && !(self.is_month && entry.sign.is_some())
    }
}

/// One clause: which entries it names, and what is left of it.
pub(super) struct Clause {
    pub named: Vec<usize>,
    left: Vec<String>,
}

impl Clause {
    /// `None` where it has a number that is not written as numbers are, or of no entry: "$42,00".
    pub(super) fn read(text: &str, entries: &[Entry]) -> Option<Self> {
        let (mut kept, mut numbers): (Vec<&str>, Vec<Said>) = (Vec::new(), Vec::new());
        let mut follows_number = false;
        for word in text.split_whitespace() {
            let is_thousand = std::mem::take(&mut follows_number) && is_of(THOUSAND, word.trim_end_matches(','));
            if let Some(said) = numbers.last_mut().filter(|_| is_thousand) {
                said.value = said.value.checked_mul(Decimal::ONE_THOUSAND)?;
                continue;
            }
            if !word.contains(char::is_numeric) {
                kept.push(word);
                continue;
            }
            let is_month = kept.pop_if(|before| is_of("month mes", before)).is_some();
            numbers.push(Said {
                is_month,
                ..Said::read(word)?
            });
            follows_number = true;
        }
        let mut left = format!(" {} ", bare(&kept.join(" ")));
        let mut names: Vec<(String, usize)> = entries
            .iter()
            .enumerate()
            .flat_map(|(at, entry)| entry.names.iter().map(move |name| (bare(name), at)))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut named = Vec::new();
        for (name, at) in &names {
            let name = format!(" {name} ");
            if left.contains(&name) && !named.contains(at) {
                left = left.replacen(&name, " ", 1);
                named.push(*at);
            }
        }
        let mut clause = Self {
            named,
            left: Vec::new(),
        };
        for number in numbers {
            let at = clause.by_value(number, entries)?;
            clause.add(at);
        }
        for word in left.split_whitespace() {
            match clause.by_part(word, &names) {
                Some(at) => clause.add(at),
                None => clause.left.push(word.to_owned()),
            }
        }
        Some(clause)
    }

    fn add(&mut self, at: usize) {
        if !self.named.contains(&at) {
            self.named.push(at);
        }
    }

    /// The entry whose value a number is: of those that are named, else the only one.
    fn by_value(&self, said: Said, entries: &[Entry]) -> Option<usize> {
        let has = |at: &usize| said.is_of(&entries[*at]);
        let only = || {
            let mut all = (0..entries.len()).filter(has);
            all.next().filter(|_| all.next().is_none())
        };
        self.named.iter().copied().find(has).or_else(only)
    }

    /// The only entry that is not named yet and has the word in its name: "payroll", of "owner salary on payroll". Where none has, the one
    /// that is named by another of its words: "franchise fee", of "initial franchise fee".
    fn by_part(&self, word: &str, names: &[(String, usize)]) -> Option<usize> {
        if [FILLERS, NEGATIVE, OTHERS, ALL, BUT, PERIODS]
            .iter()
            .any(|known| is_of(known, word))
        {
            return None;
        }
        let has = |(name, _): &&(String, usize)| is_of(name, word);
        let (named, other): (Vec<usize>, Vec<usize>) = names
            .iter()
            .filter(has)
            .map(|(_, at)| *at)
            .partition(|at| self.named.contains(at));
        match &other[..] {
            [] => named.first().copied(),
            [first, rest @ ..] => rest.iter().all(|at| at == first).then_some(*first),
        }
    }

    pub(super) fn has(&self, words: &str) -> bool {
        self.left.iter().any(|word| is_of(words, word))
    }

    /// Whether all of it is understood.
    pub(super) fn is_whole(&self, words: &[&str]) -> bool {
        self.left
            .iter()
            .all(|word| words.iter().any(|known| is_of(known, word)))
    }
}
