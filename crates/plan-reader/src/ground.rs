//! Where a call's number was said, and whether the words directly at it agree.

use super::arguments::Call;
use super::call_unit::CallUnit;
use super::convert;
use super::lex::{Period, Unit};
use super::mention::{Bound, Mention};
use super::texts::{Source, Texts};
use super::understanding::Understanding;
use plan_model::field::{FieldRole, Kind};
use plan_model::number::Number;

/// The longest quote that is kept, in bytes.
const LONGEST: usize = 200;

/// The words that hold the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The words.
    pub quote: String,
    /// Bytes of the quote in its text.
    pub start: usize,
    /// Behind the last byte of the quote.
    pub end: usize,
    /// Bytes of the number in its text.
    pub number: (usize, usize),
    /// The text that they are in.
    pub source: Source,
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub evidence: Evidence,
    /// Explicit words at the number say something else than the call.
    pub contradicted: bool,
}

/// Looks for the call's number in the words that count: in its quote, or without one anywhere in them.
pub(crate) fn ground(call: &Call<'_>, value: Number, texts: &Texts<'_>, understood: &Understanding) -> Option<Ground> {
    if let Some(found) = plain(call, value, texts, understood) {
        return Some(found);
    }
    let quoted = match &call.quote {
        Some(quote) => Some(sources(understood).find_map(|source| Some((source, find(quote, texts.text(source))?)))?),
        None => None,
    };
    // A yes is to the one field of the question.
    let counts = |source: Source| source != Source::Advisor || understood.agreed.as_ref() == Some(&call.field.path);
    let inside = |mention: &&Mention| {
        counts(mention.source)
            && quoted.is_none_or(|(source, (start, end))| {
                mention.source == source && mention.number.0 < end && start < mention.number.1
            })
    };
    let mentions: Vec<&Mention> = understood.mentions.iter().filter(inside).collect();
    let same = mentions.iter().filter(|mention| says(call, value, mention));
    let found = same
        .map(|mention| (contradicts(call, value, mention), *mention))
        .min_by_key(|(contradicted, _)| *contradicted);
    let span = |mention: &Mention| quoted.map_or(mention.sentence, |(_, span)| span);
    if let Some((contradicted, mention)) = found {
        return Some(Ground {
            evidence: evidence(texts, mention.source, span(mention), mention.number),
            contradicted,
        });
    }
    let parts = sum(call, value, &mentions).filter(|_| quoted.is_some())?;
    let (first, last) = (parts.first()?, parts.last()?);
    Some(Ground {
        evidence: evidence(texts, first.source, span(first), (first.number.0, last.number.1)),
        contradicted: parts.iter().any(|part| contradicts_words(call, part)),
    })
}

/// The texts that hold counted numbers, the message first.
fn sources(understood: &Understanding) -> impl Iterator<Item = Source> {
    let also = |source: Source| {
        understood
            .mentions
            .iter()
            .any(|mention| mention.source == source)
            .then_some(source)
    };
    [
        Some(Source::Message),
        also(Source::PreviousMessage),
        also(Source::Advisor),
    ]
    .into_iter()
    .flatten()
}

/// A statement that the grammar understood holds its own number.
fn plain(call: &Call<'_>, value: Number, texts: &Texts<'_>, understood: &Understanding) -> Option<Ground> {
    let stated = understood
        .plain
        .iter()
        .find(|one| one.field == call.field.path && one.value == value)?;
    Some(Ground {
        evidence: evidence(texts, stated.source, (stated.start, stated.end), stated.number),
        contradicted: false,
    })
}

fn unit_of(unit: Unit) -> Option<CallUnit> {
    Some(match unit {
        Unit::Money => CallUnit::Dollars,
        Unit::Percent => CallUnit::Percent,
        Unit::Multiple => CallUnit::Multiple,
        Unit::Days => CallUnit::Days,
        Unit::Weeks => CallUnit::Weeks,
        Unit::Months => CallUnit::Months,
        Unit::Years => CallUnit::Years,
        Unit::Bare | Unit::Fraction | Unit::Foreign => return None,
    })
}

/// The mention's number as the field counts, by its own unit where it has one, by a period.
fn as_field(call: &Call<'_>, mention: &Mention, period: Option<Period>) -> Option<Number> {
    if mention.count_only && call.field.kind != Kind::Count {
        return None;
    }
    let number = match mention.unit {
        Unit::Fraction => mention.value * rust_decimal::Decimal::ONE_HUNDRED,
        _ => mention.value,
    };
    let unit = match mention.unit {
        _ if call.field.kind == Kind::Money && mention.or_period.is_some() => call.unit,
        Unit::Fraction => Some(CallUnit::Percent),
        Unit::Bare if call.field.kind == Kind::Percent && number.abs() > rust_decimal::Decimal::ONE => {
            Some(CallUnit::Percent)
        }
        unit => unit_of(unit).or(call.unit),
    };
    convert::value(number, unit, period, call.field)
}

/// The period that the words at the number say.
fn period_of(call: &Call<'_>, mention: &Mention) -> Option<Period> {
    let or_period = mention.or_period.filter(|_| call.field.kind == Kind::Money);
    mention.period.or(or_period)
}

/// Whether a mention is the number of the call.
fn says(call: &Call<'_>, value: Number, mention: &Mention) -> bool {
    if mention.count_only && call.field.kind != Kind::Count {
        return false;
    }
    let ends = [Some(mention.value), mention.upper];
    ends.contains(&Some(call.number))
        || as_field(call, mention, call.period) == Some(value)
        || period_of(call, mention).is_some_and(|period| as_field(call, mention, Some(period)) == Some(value))
}

/// Whether explicit words directly at the number say another unit, another period, a bound, or one of many.
fn contradicts(call: &Call<'_>, value: Number, mention: &Mention) -> bool {
    let period = match (call.field.kind, period_of(call, mention)) {
        (Kind::Money, Some(period)) => Some(period),
        _ => call.period,
    };
    contradicts_words(call, mention) || as_field(call, mention, period) != Some(value)
}

fn contradicts_words(call: &Call<'_>, mention: &Mention) -> bool {
    // "over 7 years" is how long, not how much.
    let measures = matches!(call.field.kind, Kind::Money | Kind::Percent | Kind::Multiple);
    let bound = match mention.bound {
        Some(Bound::Most) => measures,
        Some(Bound::Least) => measures && call.field.role != FieldRole::Minimum,
        None => false,
    };
    let month = call.field.kind == Kind::Months && mention.month_number && call.field.role != FieldRole::StartMonth;
    bound || month || mention.unit == Unit::Foreign || mention.upper.is_some() || (mention.per_unit && measures)
}

/// Consecutive mentions of one unit and period whose sum is the call's value, two at least.
fn sum<'m>(call: &Call<'_>, value: Number, mentions: &[&'m Mention]) -> Option<Vec<&'m Mention>> {
    if call.field.kind != Kind::Money && call.field.kind != Kind::Percent && call.field.kind != Kind::Count {
        return None;
    }
    let parts: Vec<(Number, &Mention)> = mentions
        .iter()
        .filter_map(|mention| {
            Some((
                as_field(call, mention, period_of(call, mention).or(call.period))?,
                *mention,
            ))
        })
        .take(40)
        .collect();
    let period = |at: usize| period_of(call, parts[at].1).or(call.period);
    (0..parts.len()).find_map(|first| {
        let mut total = rust_decimal::Decimal::ZERO;
        let same = parts[first..]
            .iter()
            .zip(first..)
            .take_while(|(_, at)| period(*at) == period(first));
        for (count, ((part, _), _)) in same.enumerate() {
            total = total.checked_add(part.decimal())?;
            if count > 0 && Number::new(total) == value {
                return Some(
                    parts[first..=first + count]
                        .iter()
                        .map(|(_, mention)| *mention)
                        .collect(),
                );
            }
        }
        None
    })
}

/// At most [`LONGEST`] bytes around the number.
fn evidence(
    texts: &Texts<'_>,
    source: Source,
    (mut start, mut end): (usize, usize),
    number: (usize, usize),
) -> Evidence {
    let text = texts.text(source);
    if end - start > LONGEST {
        start = start.max(number.0.saturating_sub(80));
        end = end
            .min(number.1.saturating_add(80))
            .min(start + LONGEST)
            .max(number.1.min(start + LONGEST));
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Evidence {
        quote: text.get(start..end).unwrap_or_default().to_owned(),
        start,
        end,
        number,
        source,
    }
}

/// Where a quote stands in a text. Case, white space and the form of marks may differ; parts may be left out by an ellipsis.
fn find(quote: &str, text: &str) -> Option<(usize, usize)> {
    let (wanted, _) = even(quote);
    let (said, places) = even(text);
    let (mut from, mut span) = (0, None);
    for part in wanted
        .split("...")
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric() && c != '$' && c != '%'))
    {
        if part.is_empty() {
            continue;
        }
        let at = from + said[from..].find(part)?;
        from = at + part.len();
        let (start, end) = (places[at], places[from - 1]);
        span = Some((span.map_or(start, |(first, _)| first), end));
    }
    let (start, last) = span?;
    let end = last + text[last..].chars().next().map_or(0, char::len_utf8);
    Some((start, end))
}

/// Lower case, one blank between words, plain marks; and for each byte the byte it comes from.
fn even(text: &str) -> (String, Vec<usize>) {
    let (mut out, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for (at, c) in text.char_indices() {
        let plain = match c {
            c if c.is_whitespace() => " ",
            '’' | '‘' | '`' => "'",
            '“' | '”' => "\"",
            '–' | '—' | '−' => "-",
            '…' => "...",
            _ => "",
        };
        let start = out.len();
        if plain.is_empty() {
            out.extend(c.to_lowercase());
        } else if !(plain == " " && (out.is_empty() || out.ends_with(' '))) {
            out.push_str(plain);
        }
        places.extend(std::iter::repeat_n(at, out.len() - start));
    }
    (out, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_found_whatever_its_marks_and_spaces() {
        let text = "Hi,\n\nOur  Rent’s $4,200 a month — signed!";
        let found = |quote: &str| find(quote, text).map(|(start, end)| &text[start..end]);
        assert_eq!(found("our rent's $4,200"), Some("Our  Rent’s $4,200"));
        assert_eq!(
            found("“Our rent's … signed.”"),
            Some("Our  Rent’s $4,200 a month — signed")
        );
        assert_eq!(found("my rent is $4,200"), None);
        assert_eq!(found("..."), None);
    }
}
