//! Messages that say of open values, by their names, which are right and which are not: "only the rent", "rent yes, the sign no",
//! "all but the loan", "la renta de 3,000 no, lo demás sí". Pure: names and values go in, places come out.

use crate::wording;
use rust_decimal::Decimal;

/// A value that is open, as it may be named.
pub(super) struct Entry {
    /// Its names, plain.
    pub names: Vec<String>,
    /// As people say it: dollars, points of a percentage.
    pub value: Decimal,
    /// `$` or `%`, where the value has one.
    pub sign: Option<char>,
    /// Whether the last answer asks for it alone.
    pub is_asked: bool,
}

/// What a message says, by the places of the entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    pub accepted: Vec<usize>,
    pub dismissed: Vec<usize>,
}

// As `bare` leaves them: "nomas" is "noma".
const FILLERS: &str = "only just solo noma yes si ok okay please por favor porfa and y to for both one number is are right correct write \
    down use put in of i said too also and then entonce tambien de del al lo le es esta estan bien correcto usa anota anote pon va";
const NEGATIVE: &str = "no not none ninguno ninguna tampoco neither nor ni drop skip forget ignore descarta quita borra olvida deja remove leave out wrong mal";
const OTHERS: &str = "other otro otra rest dema everything else resto";

/// Counts that stand beside these: "the other two".
const COUNTS: &str = "two three four dos tre cuatro";
const ALL: &str = "all everything todo toda";
const BUT: &str = "but except meno excepto salvo";

/// Words that say no beside these: "all but the rent, and the sign neither".
const NEITHER: &str = "tampoco neither nor ni";

/// Words that tell to write: "no. Use the rent and the sign."
const USES: &str = "use usa anota anote write put";

/// Words of a period: beside a number they may contradict the value's own, and they are no part of a name by themselves.
const PERIODS: &str =
    "per por day week month year dia semana me mes ano daily weekly monthly yearly annual anual mensual";

fn is_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// One blank between words, without articles, accents and plurals.
pub(super) fn bare(text: &str) -> String {
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
struct Clause {
    named: Vec<usize>,
    left: Vec<String>,
}

impl Clause {
    /// `None` where it has a number that is not written as numbers are, or of no entry: "$42,00".
    fn read(text: &str, entries: &[Entry]) -> Option<Self> {
        let (mut kept, mut numbers) = (Vec::new(), Vec::new());
        for word in text.split_whitespace() {
            let is_thousand = is_of("mil thousand grand", word.trim_end_matches(',')) && kept.last() == Some(&"");
            if let Some(said) = numbers.last_mut().filter(|_| is_thousand) {
                let said: &mut Said = said;
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
            // Where it stood.
            kept.push("");
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

    fn has(&self, words: &str) -> bool {
        self.left.iter().any(|word| is_of(words, word))
    }

    /// Whether all of it is understood.
    fn is_whole(&self, words: &[&str]) -> bool {
        self.left
            .iter()
            .all(|word| words.iter().any(|known| is_of(known, word)))
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
        let is_sentence = message[at..].starts_with(ENDS);
        let goes_on = is_sentence || rest.ends_with('?') || rest.contains(|c: char| c.is_ascii_digit());
        let is_of_chosen = || {
            let chosen = chosen.accepted.iter().chain(&chosen.dismissed);
            chosen
                .map(|at| &entries[*at])
                .any(|entry| names_any(rest, std::slice::from_ref(entry)))
        };
        let has_number = rest.contains(|c: char| c.is_ascii_digit());
        let may_follow = rest.ends_with('?')
            || if has_number {
                !is_of_chosen()
            } else {
                !names_any(rest, entries)
            };
        let stands = chosen.accepted.is_empty() || !plan_reader::takes_back(rest);
        (goes_on && may_follow && stands).then_some((chosen, rest))
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
    !rest.contains(|c: char| c == '?' || c.is_ascii_digit()) && !names_any(rest, entries) && !has_more()
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
        .any(|word| is_of("yes si ok okay use usa", word) || is_of(NEGATIVE, word))
}

/// Whether a message says yes to what it names, whatever was asked: "yes to the rent".
pub(super) fn says_yes_to(message: &str) -> bool {
    const BEGINNINGS: [&str; 8] = [
        "yes to ", "ok to ", "okay to ", "si a ", "si al ", "sí a ", "sí al ", "ok a ",
    ];
    let message = message.trim_start().to_lowercase();
    BEGINNINGS.iter().any(|words| message.starts_with(words))
}

/// Whether a text has a name of one of the entries.
pub(super) fn names_any(text: &str, entries: &[Entry]) -> bool {
    let text = format!(" {} ", bare(text));
    let mut names = entries.iter().flat_map(|entry| &entry.names).map(|name| bare(name));
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
        let is_plain = whole.is_whole(&[FILLERS, ALL, BUT, NEITHER]);
        let accepted = (0..entries.len()).filter(|at| !whole.named.contains(at));
        return is_plain.then(|| Chosen {
            accepted: accepted.collect(),
            dismissed: whole.named.clone(),
        });
    }
    let mut chosen = Chosen::default();
    let (mut others, mut says_no_alone, mut uses) = (None, false, false);
    for clause in clauses(message).map(|text| Clause::read(text, entries)) {
        let clause = clause?;
        let (is_no, has_others) = (clause.has(NEGATIVE), clause.has(OTHERS));
        let counts = if has_others { COUNTS } else { "" };
        if !clause.is_whole(&[FILLERS, NEGATIVE, OTHERS, counts]) {
            return None;
        }
        says_no_alone |= is_no && clause.named.is_empty() && !has_others;
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
    let is_named = |at: &usize| chosen.accepted.contains(at) || chosen.dismissed.contains(at);
    let rest: Vec<usize> = (0..entries.len()).filter(|at| !is_named(at)).collect();
    match others {
        Some(true) => chosen.dismissed.extend(rest),
        Some(false) => chosen.accepted.extend(rest),
        None => {}
    }
    chosen.accepted.sort_unstable();
    chosen.dismissed.sort_unstable();
    // "No, the rent" may mean either.
    let is_open = says_no_alone && !uses && !chosen.accepted.is_empty();
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
mod tests {
    use super::*;

    fn chosen(message: &str) -> Option<(Vec<usize>, Vec<usize>)> {
        let entry = |names: &[&str], value: i64| Entry {
            names: names.iter().map(ToString::to_string).collect(),
            value: value.into(),
            sign: Some(if value == 0 { '%' } else { '$' }),
            is_asked: names.contains(&"insurance"),
        };
        let entries = [
            entry(&["rent per month", "rent", "la renta por mes", "la renta"], 3_000),
            entry(&["insurance", "los seguros"], 280),
            entry(&["annual raise", "el aumento anual de salarios", "el aumento"], 0),
        ];
        read(message, &entries).map(|chosen| (chosen.accepted, chosen.dismissed))
    }

    #[test]
    fn names_alone_are_a_yes() {
        assert_eq!(chosen("only the rent"), Some((vec![0], vec![])));
        assert_eq!(chosen("la renta y el seguro"), Some((vec![0, 1], vec![])));
        assert_eq!(chosen("yes, the rent and insurance please"), Some((vec![0, 1], vec![])));
        assert_eq!(chosen("rent 3,000"), Some((vec![0], vec![])));
        assert_eq!(chosen("the 280"), Some((vec![1], vec![])));
        assert_eq!(
            chosen("yes to the raise and 3k"),
            Some((vec![0, 2], vec![])),
            "a part of a name"
        );
    }

    #[test]
    fn each_clause_says_yes_or_no_of_what_it_names() {
        assert_eq!(chosen("rent yes, insurance no"), Some((vec![0], vec![1])));
        assert_eq!(chosen("no, but yes to the other two"), Some((vec![0, 2], vec![1])));
        assert_eq!(chosen("only the rent, none of the others"), Some((vec![0], vec![1, 2])));
        assert_eq!(
            chosen("yes to the rent and the salarios aumento"),
            Some((vec![0, 2], vec![]))
        );
        assert_eq!(
            chosen("Si a la renta y al seguro. Al aumento de 0% no"),
            Some((vec![0, 1], vec![2]))
        );
        assert_eq!(
            chosen("Nomas el seguro, lo de la renta y lo otro no"),
            Some((vec![1], vec![0, 2]))
        );
        assert_eq!(
            chosen("la renta de 3000 no y el aumento 0 tampoco, borra eso"),
            None,
            "\"eso\" is no name"
        );
        assert_eq!(
            chosen("la renta de 3000 no y el aumento 0 tampoco"),
            Some((vec![], vec![0, 2]))
        );
        assert_eq!(chosen("yes to all except the rent"), Some((vec![1, 2], vec![0])));
        assert_eq!(chosen("todo menos la renta"), Some((vec![1, 2], vec![0])));
        assert_eq!(chosen("todos menos los 3 mil"), Some((vec![1, 2], vec![0])));
        assert_eq!(
            chosen("si a todo menos la renta, y los 280 tampoco"),
            Some((vec![2], vec![0, 1]))
        );
        assert_eq!(chosen("no. usa la renta y el seguro"), Some((vec![0, 1], vec![])));
        assert_eq!(chosen("la renta no, lo demás sí"), Some((vec![1, 2], vec![0])));
        assert_eq!(
            chosen("the rent is right but not the others"),
            Some((vec![0], vec![1, 2]))
        );
    }

    #[test]
    fn a_yes_to_something_says_so_in_its_first_words() {
        for message in ["Yes to the rent", "sí a la renta", "Si al seguro, lo otro no"] {
            assert!(says_yes_to(message), "{message}");
        }
        for message in ["yes, the rent", "si la renta sube", "rent yes", ""] {
            assert!(!says_yes_to(message), "{message}");
        }
    }

    #[test]
    fn what_follows_an_answer_by_name_is_left() {
        let entry = |name: &str, value: i64| Entry {
            names: vec![name.to_owned()],
            value: value.into(),
            sign: Some('$'),
            is_asked: false,
        };
        let entries = [entry("rent", 3_000), entry("insurance", 280)];
        let led = |message| leading(message, &entries).map(|(chosen, rest)| (chosen.accepted, chosen.dismissed, rest));
        assert_eq!(
            led("Yes to rent, no to the insurance. And how much is left?"),
            Some((vec![0], vec![1], "And how much is left?"))
        );
        assert_eq!(
            led("rent yes. print it please"),
            Some((vec![0], vec![], "print it please"))
        );
        assert_eq!(
            led("not the insurance. why is rent so high?"),
            Some((vec![], vec![1], "why is rent so high?"))
        );
        assert_eq!(
            led("yes to the rent and set managers to 0"),
            Some((vec![0], vec![], "set managers to 0"))
        );
        assert_eq!(
            led("yes to all but the insurance, thats still a guess"),
            Some((vec![0], vec![1], ""))
        );
        assert_eq!(
            led("yes to all but the insurance because its not final"),
            Some((vec![0], vec![1], ""))
        );
        assert_eq!(
            led("yes to the rent but make the insurance 300"),
            Some((vec![0], vec![], "make the insurance 300"))
        );
        for message in [
            "the rent. why is it so high?",
            "yes to the rent, not sure yet",
            "yes to the rent and the other stuff is fine",
            "yes to the rent, if 2 of us agree",
            "yes to all but the insurance, wait no",
            "yes to the rent but make the rent 3,100",
            "yes the rent? and what is left?",
            "yes to rent. but the insurance may be wrong",
            "yes to rent. the insurance I know nothing of",
            "yes to the rent. wait, what is it?",
        ] {
            assert_eq!(led(message), None, "{message}");
        }
    }

    #[test]
    fn whatever_says_more_is_no_naming() {
        for message in [
            "no, the rent",
            "is the rent right",
            "rent too much",
            "rent 3,100",
            "Rent is $30,00.",
            "rent is 3.000",
            "rent 3,000%",
            "rent is 3,000 a year",
            "rent is 3000k",
            "the rent is 3,000 per week",
            "insurance is 280 a year",
            "insurance, 280 per year",
            "month 280",
            "rent went up",
            "yes",
            "all but one",
            "the rent is not 3,000, it is 2,900",
            "",
        ] {
            assert_eq!(chosen(message), None, "{message}");
        }
    }
}
