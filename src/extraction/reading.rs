//! Reading a text: what was said, where, of which field, and with what doubts.

use super::amount::{self, Amount};
use super::clause::{self, Clause};
use super::convert;
use super::doubt::Doubts;
use super::lexicon::{Lexicon, Mention};
use super::link::{Link, Linker};
use super::scan::Scan;
use super::unit::{self, Period, Unit};
use crate::model::field::Field;
use rust_decimal::Decimal;

/// How exactly an amount was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    Exact,
    Hedged,
    /// From one value to another, both in the span's unit.
    Range(Decimal, Decimal),
}

/// A number that somebody said.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Bytes in the text.
    pub start: usize,
    pub end: usize,
    /// Dollars, percent points, months: what `unit` says. The lower end of a range.
    pub value: Decimal,
    pub upper: Option<Decimal>,
    pub unit: Unit,
    /// How often, for money. `None` where nothing was said.
    pub period: Option<Period>,
    /// A period that no plan knows was said: per hour, per dog.
    pub odd_period: bool,
    pub doubts: Doubts,
    pub link: Link,
    /// The name it stands at, an index into the reading's mentions.
    pub mention: Option<usize>,
    /// The whole clause, for quoting.
    pub clause: (usize, usize),
    /// Said as a bare number without any sign of its size.
    pub bare: bool,
    /// The name it stands at is one that people use for yearly figures: AUV.
    pub yearly_name: bool,
}

impl Span {
    #[must_use]
    pub fn exactness(&self) -> Exactness {
        match self.upper {
            Some(upper) => Exactness::Range(self.value, upper),
            None if self.doubts.has(Doubts::HEDGED.with(Doubts::ABOUT).with(Doubts::BOUND)) => Exactness::Hedged,
            None => Exactness::Exact,
        }
    }

    /// The index of the field it stands at.
    #[must_use]
    pub fn field(&self) -> Option<usize> {
        match self.link {
            Link::Field(field) => Some(field),
            Link::Free | Link::Elsewhere => None,
        }
    }
}

/// "I don't pay rent": a field that was said to be nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    pub start: usize,
    pub end: usize,
    pub fields: Vec<usize>,
    pub doubts: Doubts,
}

/// Everything the grammar understood of one text.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub spans: Vec<Span>,
    /// Names of fields, also those without a number.
    pub mentions: Vec<Mention>,
    pub denials: Vec<Denial>,
    /// Periods that were said, in order.
    pub periods: Vec<Period>,
    /// Where words of correction stand.
    pub corrections: Vec<usize>,
    /// Something is asked.
    pub asks: bool,
}

/// Reads a text with the fields of a plan. Linear in the text, never fails.
#[must_use]
pub fn read(text: &str, fields: &[Field]) -> Reading {
    let scan = Scan::new(text);
    let mut mentions = Lexicon::new(fields).mentions(&scan);
    let amounts = amount::amounts(&scan, &mentions);
    drop_bases(&scan, &amounts, &mut mentions);
    let clauses = clause::clauses(&scan, &amounts, &mentions);
    super::growth::resolve(&scan, fields, &clauses, &mut mentions);
    let places = Linker::new(&scan, fields, &amounts, &mentions, &clauses).places();
    let periods = periods(&scan, &amounts);
    let quoted = quoted(&scan);
    let instructed = clauses.iter().any(|clause| clause.doubts.has(Doubts::INSTRUCTED));
    let mut spans = Vec::with_capacity(amounts.len());
    let mut at = 0;
    for (i, (amount, place)) in amounts.iter().zip(&places).enumerate() {
        while at + 1 < clauses.len() && clauses[at + 1].first <= amount.first {
            at += 1;
        }
        let clause = &clauses[at];
        let (period, odd_period) = period_of(amount, i, &amounts, clause, &periods);
        let mut doubts = amount
            .doubts
            .with(place.doubts)
            .with(clause.doubts)
            .with(super::beside::doubts(&scan, amount));
        for (doubt, holds) in [
            (Doubts::QUOTED, quoted[amount.first]),
            (Doubts::INSTRUCTED, instructed),
            (Doubts::SHORT, amount.spoken_short),
        ] {
            if holds {
                doubts.add(doubt);
            }
        }
        let yearly_name = place.mention.is_some_and(|m| is_yearly_name(&scan, &mentions[m]));
        let bytes = |first: usize, next: usize| (scan.tokens[first].start, scan.tokens[next - 1].end);
        let (start, end) = bytes(amount.first, amount.next);
        let quote = quote(&scan, clause, place.mention.map(|m| &mentions[m]), amount);
        let span = Span {
            start,
            end,
            value: amount.value,
            upper: amount.upper,
            unit: amount.unit,
            period,
            odd_period,
            doubts,
            link: place.link,
            mention: place.mention,
            clause: quote,
            bare: amount.bare,
            yearly_name,
        };
        spans.push(refine(span, fields));
    }
    let denials = denials(&scan, &clauses, &mentions);
    let corrections = super::cue::corrections(&scan);
    contest(&mut spans, &corrections, fields);
    Reading {
        spans,
        denials,
        periods: periods.iter().filter_map(|said| said.period.ok()).collect(),
        corrections,
        asks: clauses.iter().any(|clause| clause.doubts.has(Doubts::QUESTION)),
        mentions,
    }
}

/// Doubts that depend on the field: a share needs no base for growth, costs once paid stay paid.
fn refine(mut span: Span, fields: &[Field]) -> Span {
    let Some(field) = span.field().map(|i| &fields[i]) else {
        return span;
    };
    let path = field.path.as_str();
    if span.unit == Unit::Percent
        && (field.is_growth() || path.ends_with("EscalationPct") || path == "financing.downPaymentPct")
    {
        span.doubts = span.doubts.without(Doubts::RELATIVE);
    }
    if field.is_growth() || path.starts_with("revenue.") || path.ends_with("StartMonth") {
        span.doubts = span.doubts.without(Doubts::LATER);
    }
    if path == "financing.additionalEquity" {
        span.doubts = span.doubts.without(Doubts::RELATIVE);
    }
    if path.contains("inimum") {
        span.doubts = span.doubts.without(Doubts::BOUND);
    }
    if convert::period_of(path) == Period::Once && (path.starts_with("startupCosts.") || path.starts_with("financing."))
    {
        span.doubts = span.doubts.without(Doubts::WAS);
    }
    span
}

/// "38% of sales": what follows the percentage is its base, not another name.
fn drop_bases(scan: &Scan, amounts: &[Amount], mentions: &mut Vec<Mention>) {
    let mut bases = amounts
        .iter()
        .filter(|amount| amount.unit == Unit::Percent)
        .filter_map(|amount| super::beside::base(scan, amount.next))
        .peekable();
    mentions.retain(|mention| {
        while bases.next_if(|base| base.end <= mention.first).is_some() {}
        !bases.peek().is_some_and(|base| base.contains(&mention.first))
    });
}

struct SaidPeriod {
    first: usize,
    period: Result<Period, unit::Other>,
}

fn periods(scan: &Scan, amounts: &[Amount]) -> Vec<SaidPeriod> {
    let (mut out, mut i) = (Vec::new(), 0);
    let mut amounts = amounts.iter().peekable();
    while i < scan.len() {
        while amounts.next_if(|amount| amount.next <= i).is_some() {}
        if let Some(amount) = amounts.peek().filter(|amount| amount.first <= i) {
            i = amount.next.max(i + 1);
            continue;
        }
        // "in a year" says when, not how often.
        let when = matches!(scan.word_before(i), "in" | "within" | "after") && scan.word(i) == "a";
        match unit::period_at(scan, i).filter(|_| !when) {
            Some((period, next)) => {
                out.push(SaidPeriod { first: i, period });
                i = next;
            }
            None => i += 1,
        }
    }
    out
}

/// The period that belongs to an amount: directly behind it, else elsewhere in its clause but not behind another amount.
fn period_of(
    amount: &Amount,
    index: usize,
    amounts: &[Amount],
    clause: &Clause,
    periods: &[SaidPeriod],
) -> (Option<Period>, bool) {
    if amount.period.is_some() {
        return (amount.period, false);
    }
    if !matches!(amount.unit, Unit::Money | Unit::Bare | Unit::Percent) {
        return (None, false);
    }
    let until = amounts
        .get(index + 1)
        .map_or(clause.next, |next| next.first.min(clause.next));
    let since = index
        .checked_sub(1)
        .map_or(clause.first, |i| amounts[i].next.max(clause.first));
    let from = periods.partition_point(|said| said.first < since);
    let near = periods[from..].iter().take_while(|said| said.first < until);
    if near
        .clone()
        .any(|said| said.first >= amount.next && said.period.is_err())
    {
        return (None, true);
    }
    let behind = near.clone().find(|said| said.first >= amount.next);
    let before = near.filter(|said| said.first < amount.first).last();
    // What stands between two amounts belongs to the first of them, unless that is in another clause.
    let before = before.filter(|said| {
        index == 0 || amounts[index - 1].next <= clause.first || said.first > amounts[index - 1].next + 2
    });
    match behind.or(before).map(|said| said.period) {
        Some(Ok(period)) => (Some(period), false),
        Some(Err(unit::Other)) => (None, true),
        None => (None, false),
    }
}

fn is_yearly_name(scan: &Scan, mention: &Mention) -> bool {
    (mention.first..mention.next).any(|i| matches!(scan.word(i), "auv" | "volume" | "auvs"))
}

/// Tokens within double quotes or in a line that begins with ">".
fn quoted(scan: &Scan) -> Vec<bool> {
    use super::scan::Kind;
    let (mut depth, mut open, mut line) = (0usize, false, false);
    let mut out = Vec::with_capacity(scan.len());
    let mut fresh = true;
    for (i, token) in scan.tokens.iter().enumerate() {
        match token.kind {
            Kind::Break => (depth, open, line) = (0, false, false),
            Kind::Mark('“') => depth += 1,
            Kind::Mark('”') => depth = depth.saturating_sub(1),
            Kind::Mark('"') if !open && token.joined && i > 0 && scan.digits(i - 1).is_some() => {}
            Kind::Mark('"') => open = !open,
            Kind::Mark('>') if fresh => line = true,
            _ => {}
        }
        fresh = token.kind == Kind::Break;
        out.push(open || depth > 0 || line);
    }
    out
}

/// The words to show as evidence: the clause, with the name where it stands in an earlier one.
fn quote(scan: &Scan, clause: &Clause, mention: Option<&Mention>, amount: &Amount) -> (usize, usize) {
    let first = mention
        .map_or(clause.first, |hit| hit.first.min(clause.first))
        .min(amount.first);
    let next = mention
        .map_or(clause.next, |hit| hit.next.max(clause.next))
        .max(amount.next);
    let (mut first, mut next) = (first, next.min(scan.len()));
    let dull = |i: usize| {
        scan.mark(i).is_some_and(|mark| !matches!(mark, '$' | '%' | '(' | ')'))
            || scan.tokens[i].kind == super::scan::Kind::Break
    };
    while next > amount.next && dull(next - 1) {
        next -= 1;
    }
    while first < amount.first && (dull(first) || matches!(scan.word(first), "and" | "but" | "plus" | "then" | "so")) {
        first += 1;
    }
    (scan.tokens[first].start, scan.tokens[next - 1].end)
}

fn denials(scan: &Scan, clauses: &[Clause], mentions: &[Mention]) -> Vec<Denial> {
    let mut out = Vec::new();
    let mut at = 0;
    for clause in clauses {
        while at < mentions.len() && mentions[at].first < clause.first {
            at += 1;
        }
        let first = at;
        while at < mentions.len() && mentions[at].first < clause.next {
            at += 1;
        }
        if !clause.denies || clause.has_amount {
            continue;
        }
        let bytes = (scan.tokens[clause.first].start, scan.tokens[clause.next - 1].end);
        let doubts = clause.doubts.with(Doubts::NEGATED);
        let denied = mentions[first..at]
            .iter()
            .filter(|mention| !mention.fields.is_empty())
            .take(1);
        out.extend(denied.map(|mention| Denial {
            start: bytes.0,
            end: bytes.1,
            fields: mention.fields.clone(),
            doubts,
        }));
    }
    out
}

/// Two different values for one field: with words of correction the last one counts, else neither does.
fn contest(spans: &mut [Span], corrections: &[usize], fields: &[Field]) {
    let plain = |span: &Span| {
        !span.doubts.has(
            Doubts::NEGATED
                .with(Doubts::PAST)
                .with(Doubts::OTHERS)
                .with(Doubts::REPLACED)
                .with(Doubts::QUESTION)
                .with(Doubts::CONDITIONAL),
        )
    };
    let mut last: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let corrected = |from: usize, to: usize| {
        let at = corrections.partition_point(|&at| at < from);
        corrections.get(at).is_some_and(|&at| at < to)
    };
    let mut latest: Option<usize> = None;
    for i in 0..spans.len() {
        if let (Link::Free, Some(before)) = (spans[i].link, latest) {
            // "rent is 4,200 for the shop. Sorry, 4,500": nobody said of what, but it takes something back.
            let field = spans[before].field().map(|field| &fields[field]);
            if corrected(spans[before].end, spans[i].start)
                && field.is_some_and(|field| !convert::values(&spans[i], field).is_empty())
            {
                spans[before].doubts.add(Doubts::CONTESTED);
            }
        }
        let Some(field) = spans[i].field().filter(|_| plain(&spans[i])) else {
            continue;
        };
        latest = Some(i);
        if let Some(before) = last.insert(field, i) {
            let (old, new) = (
                convert::values(&spans[before], &fields[field]),
                convert::values(&spans[i], &fields[field]),
            );
            if old.first() == new.first() && spans[before].upper == spans[i].upper {
                continue;
            }
            if corrected(spans[before].end, spans[i].end) {
                spans[before].doubts.add(Doubts::REPLACED);
            } else {
                spans[before].doubts.add(Doubts::CONTESTED);
                spans[i].doubts.add(Doubts::CONTESTED);
            }
        }
    }
}
