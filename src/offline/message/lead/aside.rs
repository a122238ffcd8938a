//! Numbers that stand where a value could and are none: of another business, a limit, one month's, or one of two. The ear hears what they
//! are of; whether they are meant is said by the words of their clause.

use super::candidates::clause;
use crate::offline::message::product::WAGES;
use crate::wording;
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::inputs::SALES;
use plan_model::number::Number;
use plan_reader::{Candidate, IgnoredNumber, Mention, Source, Understanding, Unit};
use rust_decimal::Decimal;

/// Why a number is left alone; nothing to say of one that is of no line at all.
type Why = Option<IgnoredNumber>;

/// Takes the numbers that are no value from what is heard, each with why.
pub(in crate::offline) fn without_aside(understanding: &mut Understanding, message: &str, fields: &[Field]) {
    alternatives(understanding, message);
    let found: Vec<Left> = heard(understanding)
        .filter_map(|(mention, field)| {
            let why = why(message, mention, field, understanding, fields)?;
            Some(Left {
                number: mention.number,
                field: field.clone(),
                why,
            })
        })
        .collect();
    let own = own_instead(understanding, message, &found);
    for left in found {
        leave(understanding, left.number);
        left.why
            .into_iter()
            .for_each(|why| note(understanding, why, left.field.clone()));
    }
    if let Some(own) = own {
        leave(understanding, own.number);
        understanding.candidates.push(own);
    }
    // "My sister pays herself 3k" is of no line.
    let is_elsewhere = |one: &Mention| wording::says(&both(clause(message, one.number.0)), "w.elsewhere");
    let is_new = !understanding.has_heard() && understanding.plain.is_empty() && understanding.ignored.is_empty();
    if is_new && understanding.mentions.iter().any(is_elsewhere) {
        understanding.ignored.push(IgnoredNumber::Others);
    }
}

/// A number that is left alone, and the line that it was heard of.
struct Left {
    number: (usize, usize),
    field: FieldPath,
    why: Why,
}

/// Why a number is left alone, said of its line by name.
fn note(understanding: &mut Understanding, why: IgnoredNumber, field: FieldPath) {
    if !understanding.ignored.contains(&why) {
        understanding.ignored.push(why);
    }
    // Of a share the line is the one that is named.
    if !matches!(why, IgnoredNumber::Others | IgnoredNumber::Share) {
        understanding.named.retain(|named| *named != field);
        understanding.named.insert(0, field);
    }
}

fn both((before, behind): (&str, &str)) -> String {
    format!("{before}{behind}")
}

/// The numbers that something is heard of, with the line that is likeliest.
fn heard(understanding: &Understanding) -> impl Iterator<Item = (&Mention, &FieldPath)> {
    let candidates = understanding.candidates.iter();
    let candidates = candidates.filter_map(|one| Some((one.number, &one.choices.first()?.field)));
    let plain = understanding.plain.iter().map(|one| (one.number, &one.field));
    let shares = understanding.shares.iter().map(|one| (one.number, &one.field));
    candidates.chain(plain).chain(shares).filter_map(|(number, field)| {
        let mut mentions = understanding.mentions.iter();
        let mention = mentions.find(|one| one.number == number && one.source == Source::Message)?;
        Some((mention, field))
    })
}

fn leave(understanding: &mut Understanding, number: (usize, usize)) {
    understanding.candidates.retain(|one| one.number != number);
    understanding.plain.retain(|one| one.number != number);
    understanding.shares.retain(|one| one.number != number);
}

fn why(
    message: &str,
    mention: &Mention,
    field: &FieldPath,
    understanding: &Understanding,
    fields: &[Field],
) -> Option<Why> {
    let (before, behind) = clause(message, mention.number.0);
    let all = both((before, behind));
    let says = |key: &str| wording::says(&all, key);
    // "You say month 6": a number of an answer.
    let since = understanding.mentions.iter().map(|one| one.number.1);
    let since = since.filter(|end| *end <= mention.number.0).max().unwrap_or(0);
    let own_words = message.get(since..mention.number.0).unwrap_or_default();
    if wording::says(own_words, "w.you_say") {
        return Some(None);
    }
    let is_time = matches!(mention.unit, Unit::Years | Unit::Months | Unit::Weeks);
    let is_sales = field.as_str() == SALES;
    // "Llevo 20 años de gerente", "I'm 45 years old"
    if is_time && says("w.experience") {
        return Some(None);
    }
    if mention.unit == Unit::Bare && !understanding.named.contains(field) && is_of_no_line(message, mention) {
        return Some(None);
    }
    // "My rent at home is 1,800", "friend of mine says 30 %"; "the franchisor says 55k, use that" is one's own by then.
    let is_told = says("w.they_say") && (is_sales || understanding.named.is_empty());
    if says("w.elsewhere") || is_told && !takes_it(message) {
        return Some(Some(IgnoredNumber::Others));
    }
    if says("w.last_year") {
        return Some(Some(IgnoredNumber::Past));
    }
    // "A bit under 4k" is about so much.
    if ends_with(before, "w.below") && !ends_with(before, "w.just_below") {
        return Some(Some(IgnoredNumber::Limit));
    }
    if says("w.one_case") || is_sales && says("w.one_month") {
        return Some(Some(IgnoredNumber::OneCase));
    }
    let is_share = wording::says(behind, "w.of_sales") && understanding.mentions.len() == 1;
    (is_share && is_share_of_dollars(mention, field, &understanding.named, fields))
        .then_some(Some(IgnoredNumber::Share))
}

/// "I am 45", "now what for 1.25": no answer to the question for a line, though a number.
fn is_of_no_line(message: &str, mention: &Mention) -> bool {
    let begins = message.split_whitespace().skip_while(|word| {
        let word = wording::plain(word);
        wording::phrases("w.joins").any(|join| join == word)
    });
    let begins = begins.collect::<Vec<_>>().join(" ");
    let asks = wording::says_first(&begins, "w.asks_for") && !wording::says_first(&begins, "w.how_about");
    let said = message.get(..mention.number.0).unwrap_or_default();
    asks || ends_with(said, "w.i_am")
}

/// Whether a message asks to take a number that somebody else said.
fn takes_it(message: &str) -> bool {
    ["w.uses", "w.orders", "w.put_it", "w.writes_down"]
        .iter()
        .any(|key| wording::says(message, key))
}

/// "Rent is ten percent of sales": a share, where the plan keeps what is named in dollars.
fn is_share_of_dollars(mention: &Mention, field: &FieldPath, named: &[FieldPath], fields: &[Field]) -> bool {
    let kind = |path: &FieldPath| fields.iter().find(|field| field.path == *path).map(|field| field.kind);
    let is_other = |path: &FieldPath| path.as_str() != SALES;
    let mut lines = named.iter().filter(|path| is_other(path)).peekable();
    let is_percent = mention.unit == Unit::Percent && kind(field) == Some(Kind::Percent);
    is_percent && lines.peek().is_some() && lines.all(|path| kind(path) == Some(Kind::Money))
}

fn ends_with(text: &str, key: &str) -> bool {
    let said = format!(" {}", wording::plain(text));
    wording::phrases(key).any(|phrase| said.ends_with(&format!(" {}", wording::plain(phrase))))
}

/// "They told me 42 thousand, but I'd say 38": one's own number for the line that somebody else's was heard of, of as many thousands.
fn own_instead(understanding: &Understanding, message: &str, found: &[Left]) -> Option<Candidate> {
    let others = found.iter().find(|one| one.why == Some(IgnoredNumber::Others))?.number;
    let theirs = understanding.candidates.iter().find(|one| one.number == others)?;
    let mention = understanding.mentions.iter().find(|one| one.number == others)?;
    let is_own = |one: &&Mention| {
        let is_said = one.number.0 > others.1 && ends_with(clause(message, one.number.0).0, "w.id_say");
        is_said && matches!(one.unit, Unit::Bare | Unit::Money | Unit::Percent)
    };
    let own = understanding.mentions.iter().find(is_own)?;
    in_place_of(theirs, mention, own)
}

/// A candidate for the line of another, with a number of its own: "38" behind "42 thousand" is of thousands, too.
fn in_place_of(first: &Candidate, mention: &Mention, own: &Mention) -> Option<Candidate> {
    let choice = first.choices.first()?;
    let is_small = mention.value >= Decimal::ONE_THOUSAND && own.value < Decimal::ONE_THOUSAND;
    let said = match is_small {
        true => own.value.checked_mul(Decimal::ONE_THOUSAND)?,
        false => own.value,
    };
    let value = choice.value.decimal().checked_mul(said)?.checked_div(mention.value)?;
    let mut choice = choice.clone();
    choice.value = Number::new(value);
    Some(Candidate {
        choices: vec![choice],
        number: own.number,
        end: first.end.max(own.number.1),
        ..first.clone()
    })
}

/// "55k or 65k" is asked about, "30 %, maybe 32. Yeah 32" is settled, and the second number is of no other line.
fn alternatives(understanding: &mut Understanding, message: &str) {
    let mentions: Vec<Mention> = understanding
        .mentions
        .iter()
        .filter(|one| one.source == Source::Message && !one.count_only)
        .cloned()
        .collect();
    for (at, pair) in mentions.windows(2).enumerate() {
        let [first, second] = pair else { continue };
        if !is_other_of(message, first, second) {
            continue;
        }
        let of_number = |number| {
            understanding
                .candidates
                .iter()
                .find(|one| one.number == number)
                .cloned()
        };
        let plain = understanding.plain.iter().find(|one| one.number == first.number);
        let plain = plain.map(|one| one.field.clone());
        let supposed = || {
            understanding
                .supposed
                .iter()
                .find(|one| one.number == first.number)
                .cloned()
        };
        let one = of_number(first.number).or_else(supposed);
        // The next number only: a list of hundreds is read as fast as any.
        let settled = mentions.get(at.saturating_add(2)).filter(|third| {
            let said = message.get(second.number.1..third.number.0).unwrap_or_default();
            let is_agreed = wording::phrases("w.settles").any(|phrase| wording::plain(phrase) == wording::plain(said));
            is_agreed && [first.value, second.value].contains(&third.value)
        });
        let chosen = settled.and_then(|third| in_place_of(one.as_ref()?, first, third));
        let is_asked = message.contains('?') && settled.is_none();
        leave(understanding, first.number);
        leave(understanding, second.number);
        if let Some(third) = settled {
            leave(understanding, third.number);
            let is_dropped = |one: &Mention| [first.number, second.number].contains(&one.number);
            understanding.mentions.retain(|one| !is_dropped(one));
        }
        let behind = message.get(first.number.1..).unwrap_or_default().trim_start();
        let wages = wording::says_first(behind, "w.an_hour").then(|| FieldPath::from_static(WAGES));
        let field = wages.or(plain).or_else(|| Some(one?.choices.first()?.field.clone()));
        match (chosen, field) {
            (Some(chosen), _) => understanding.candidates.push(chosen),
            (None, _) if is_asked => {}
            (None, Some(field)) => note(understanding, IgnoredNumber::Either, field),
            (None, None) => understanding.ignored.push(IgnoredNumber::Either),
        }
    }
}

/// Whether the second of two numbers is another choice for the same: nothing but "or" stands between them, and it counts nothing itself.
fn is_other_of(message: &str, first: &Mention, second: &Mention) -> bool {
    let between = message.get(first.number.1..second.number.0).unwrap_or_default();
    let last = between.rsplit(['.', ',', ';', '?', '!']).next().unwrap_or(between);
    let last = wording::plain(last);
    let is_or = wording::phrases("w.or_else").any(|phrase| wording::plain(phrase) == last);
    let behind = message.get(second.number.1..).unwrap_or_default().trim_start();
    let ends = !behind.starts_with(char::is_alphanumeric) || wording::says_first(behind, "w.behind_choice");
    let is_alike = first.unit == second.unit || [first.unit, second.unit].contains(&Unit::Bare);
    is_or && ends && is_alike && is_near(first.value, second.value)
}

/// Whether two numbers are of one size, if not the same: "a loan of 200k, maybe 10 years" has no two of one.
fn is_near(one: Decimal, other: Decimal) -> bool {
    const TIMES: Decimal = Decimal::from_parts(3, 0, 0, false, 0);
    let thousands = Decimal::ONE_THOUSAND;
    let other = match one >= thousands && other < thousands {
        true => other.saturating_mul(thousands),
        false => other,
    };
    let (low, high) = (one.min(other), one.max(other));
    low != high && high <= low.saturating_mul(TIMES)
}

/// What a number hangs on, in the words of its clause: "until 2027", "if my house appraises".
pub(in crate::offline) fn condition(message: &str, number: (usize, usize)) -> Option<&str> {
    const LEAST: usize = 2;
    let (_, clause) = clause(message, number.0);
    let behind = clause.get(number.1.checked_sub(number.0)?..)?;
    let starts = behind
        .match_indices(' ')
        .map(|(at, space)| &behind[at..][space.len()..]);
    let mut conditions = starts.filter(|rest| wording::says_first(rest, "w.conditions"));
    let words = conditions.next()?.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_polite = wording::says_first(words, "w.polite_if");
    (words.split_whitespace().count() >= LEAST && !is_polite).then_some(words)
}
