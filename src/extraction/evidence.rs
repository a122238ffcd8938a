//! Finding a call's number in the words that count.

use super::arguments::Call;
use super::convert;
use super::doubt::Doubts;
use super::link::Link;
use super::reading::{Reading, Span};
use super::unit::Unit;
use super::words::{Heard, Origin, Part};
use crate::model::number::Number;

/// A place where the number was said.
#[derive(Clone, Debug)]
pub struct Match {
    pub value: Number,
    pub doubts: Doubts,
    /// Said of another line, or of nothing this line can hold.
    pub elsewhere: bool,
    pub origin: Origin,
    pub number: (usize, usize),
    pub quote: (usize, usize),
    rank: Rank,
}

/// How well a place fits; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    at_own_name: bool,
    at_no_name: bool,
    origin: Origin,
    taken_back: bool,
    /// Fewer doubts are better, and the call's plain reading is.
    clear: bool,
    reading: std::cmp::Reverse<usize>,
    position: usize,
}

/// The best place that holds a reading of the call.
#[must_use]
pub fn find(call: &Call<'_>, heard: &Heard) -> Option<Match> {
    let readings = call.readings();
    let spans = heard.parts.iter().flat_map(|part| {
        part.reading
            .spans
            .iter()
            .filter_map(|span| at_span(call, &readings, span, part, heard))
    });
    let denials = heard.parts.iter().filter_map(|part| at_denials(call, &readings, part));
    spans.chain(denials).max_by_key(|found| found.rank)
}

fn at_span(call: &Call<'_>, readings: &[Number], span: &Span, part: &Part, heard: &Heard) -> Option<Match> {
    let values = convert::values(span, call.field);
    let mut doubts = span.doubts;
    let (order, value) = match (convert::bounds(span, call.field), values.as_slice()) {
        (Some((low, high)), _) => readings
            .iter()
            .enumerate()
            .find(|(_, value)| low <= **value && **value <= high)
            .map(|(i, value)| (i, *value))?,
        (None, values) => readings
            .iter()
            .enumerate()
            .find(|(_, value)| values.iter().any(|said| same(*said, **value)))
            .map(|(i, value)| (i, *value))?,
    };
    if values.len() > 1 {
        doubts.add(Doubts::ODD);
    }
    let own = is_own(span, &part.reading, call.index);
    let free = span.link == Link::Free;
    let expected = heard.asked.is_empty() || heard.asked.contains(&call.index) || heard.noted.contains(&call.index);
    let asked_other = free && part.origin == Origin::Message && !expected;
    // What nobody named may be anything but the advisor's own last question.
    let unnamed_by_advisor = free && part.origin == Origin::Advisor && !heard.asked.contains(&call.index);
    Some(Match {
        value,
        doubts,
        elsewhere: !(own || free) || asked_other || unnamed_by_advisor,
        origin: part.origin,
        number: (span.start, span.end),
        quote: span.clause,
        rank: Rank {
            at_own_name: own,
            at_no_name: free,
            origin: part.origin,
            taken_back: doubts.has(Doubts::NEGATED.with(Doubts::REPLACED)),
            clear: doubts.is_none(),
            reading: std::cmp::Reverse(order),
            position: span.start,
        },
    })
}

/// Equal after the one rounding that a conversion may need.
fn same(said: Number, called: Number) -> bool {
    said == called || (said.scale() > 6 && said.round(6) == called.round(6))
}

/// Whether the span stands at the field's own name, also at one that means several fields.
fn is_own(span: &Span, reading: &Reading, field: usize) -> bool {
    span.field() == Some(field)
        || (span.field().is_some()
            && span.mention.is_some_and(|m| {
                reading
                    .mentions
                    .get(m)
                    .is_some_and(|mention| mention.fields.len() > 1 && mention.fields.contains(&field))
            }))
}

/// "I don't pay rent" holds a zero.
fn at_denials(call: &Call<'_>, readings: &[Number], part: &Part) -> Option<Match> {
    let zero = readings.first() == Some(&Number::ZERO);
    let denial = part
        .reading
        .denials
        .iter()
        .rev()
        .find(|denial| zero && denial.fields.contains(&call.index))?;
    Some(Match {
        value: Number::ZERO,
        doubts: denial.doubts.with(super::judge::DENIED),
        elsewhere: false,
        origin: part.origin,
        number: (denial.start, denial.end),
        quote: (denial.start, denial.end),
        rank: Rank {
            at_own_name: true,
            at_no_name: false,
            origin: part.origin,
            taken_back: true,
            clear: false,
            reading: std::cmp::Reverse(0),
            position: denial.start,
        },
    })
}

/// Whether the call's bare number was said, but of dollars for a percentage or the reverse.
#[must_use]
pub fn has_other_unit(call: &Call<'_>, heard: &Heard) -> bool {
    heard
        .parts
        .iter()
        .flat_map(|part| &part.reading.spans)
        .any(|span| span.value == call.value && span.unit != Unit::Bare && convert::values(span, call.field).is_empty())
}
