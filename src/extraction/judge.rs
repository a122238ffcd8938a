//! One call of `set_financial_field`, held against what the franchisee said.

use super::arguments::{Call, ExtractionError};
use super::convert;
use super::doubt::Doubts;
use super::evidence::{self, Match};
use super::range;
use super::words::{Origin, Words};
use crate::model::brand::Brand;
use crate::model::extracted::{Confidence, RangeCode};
use crate::model::field::{Field, FieldPath, Kind};
use crate::model::inputs::{FinancialInputs, Source};
use crate::model::number::Number;

/// What a call is judged by.
#[derive(Debug)]
pub struct Context<'a> {
    /// The fields of this plan's brand.
    pub fields: &'a [Field],
    /// What the plan holds; `None` for a plan without inputs.
    pub inputs: Option<&'a FinancialInputs>,
    pub brand: &'a Brand,
    pub words: &'a Words<'a>,
}

/// What is to become of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Written to the plan.
    Apply,
    /// Shown to the franchisee, who decides.
    Propose,
    /// The plan holds it already.
    Unchanged,
    /// Another value of this turn took its place; reported, never written.
    Superseded,
}

/// The franchisee's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    pub quote: String,
    /// Bytes of the quote in its text.
    pub start: usize,
    pub end: usize,
    pub source: Origin,
    /// Bytes of the number itself.
    pub number: (usize, usize),
}

/// A value with everything that is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub field: FieldPath,
    pub label: String,
    pub kind: Kind,
    /// In the field's unit: cents, decimals, whole numbers.
    pub value: Number,
    /// After the evidence.
    pub confidence: Confidence,
    pub outcome: Outcome,
    pub range_warning: Option<String>,
    pub range_code: Option<RangeCode>,
    pub evidence: Option<Evidence>,
    pub note: Option<String>,
    /// False outside the hard bound: only a corrected value can be accepted.
    pub acceptable: bool,
}

/// Judges one call. Never applies what the words that count do not hold.
///
/// # Errors
/// Arguments that name no field of this plan or no finite number within ±10^13 cents.
pub fn judge(arguments: &str, context: &Context<'_>) -> Result<Judgement, ExtractionError> {
    let call = Call::parse(arguments, context.fields)?;
    let heard = context.words.heard(context.fields);
    let found = evidence::find(&call, heard);
    let field = call.field;
    let said = found.as_ref().map_or_else(
        || call.readings().first().copied().unwrap_or_default(),
        |found| found.value,
    );
    let value = convert::storable(said, field);
    let (mut confidence, mut note) = weigh(&call, found.as_ref(), heard);
    if value != said {
        confidence = confidence.min(Confidence::Tentative);
        note = note.or_else(|| Some(format!("Rounded to {}.", field.kind.show(value))));
    }
    let refusal = field.refusal(value);
    if refusal.is_some() {
        note = Some(format!(
            "{} cannot stand in a plan; another value can.",
            field.kind.show(value)
        ));
    }
    let current = context.inputs.and_then(|inputs| inputs.get(field.path.as_str()));
    let outcome = match current {
        // A placeholder the franchisee states becomes their own value, even where the number stays the same.
        Some(current) if current.current_value == value && current.source != Source::BrandDefault => Outcome::Unchanged,
        _ if confidence == Confidence::High && refusal.is_none() => Outcome::Apply,
        _ => Outcome::Propose,
    };
    let own = current.filter(|current| outcome == Outcome::Apply && !matches!(current.source, Source::BrandDefault));
    if let Some(own) = own {
        note = note.or_else(|| Some(format!("Replaces {} from before.", field.kind.show(own.current_value))));
    }
    let item7 = current.map_or_else(|| context.brand.item7_range(&field.path), |current| current.item7_range);
    let (range_code, range_warning) = range::warning(field, item7, value).unzip();
    Ok(Judgement {
        field: field.path.clone(),
        label: field.label.to_string(),
        kind: field.kind,
        value,
        confidence,
        outcome,
        range_warning,
        range_code,
        evidence: found.map(|found| quote(&found, context.words)),
        note,
        acceptable: refusal.is_none(),
    })
}

/// The confidence that is left, and why some of it is gone.
fn weigh(call: &Call<'_>, found: Option<&Match>, heard: &super::words::Heard) -> (Confidence, Option<String>) {
    let lowered = |to: Confidence| call.confidence.min(to);
    let Some(found) = found else {
        let why = if evidence::has_other_unit(call, heard) {
            "This number was said in another unit, so it needs your word."
        } else {
            "This number is not in what you said, so it needs your word."
        };
        return (lowered(Confidence::Tentative), Some(why.to_owned()));
    };
    if let Some(why) = found.doubts.why() {
        let to = if found.doubts.is_grave() {
            Confidence::Uncertain
        } else {
            Confidence::Tentative
        };
        return (lowered(to), Some(format!("Needs your word: {why}.")));
    }
    if found.elsewhere {
        return (
            lowered(Confidence::Tentative),
            Some("This number was said of another line, so it needs your word.".to_owned()),
        );
    }
    (call.confidence, None)
}

/// The clause around the number, at most 200 bytes of it.
fn quote(found: &Match, words: &Words<'_>) -> Evidence {
    let text = words.text(found.origin);
    let (mut start, mut end) = found.quote;
    if end - start > 200 {
        start = start.max(found.number.0.saturating_sub(80));
        end = end
            .min(found.number.1.saturating_add(80))
            .min(start + 200)
            .max(found.number.1.min(start + 200));
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let quote = text.get(start..end).unwrap_or_default();
    Evidence {
        quote: quote.to_owned(),
        start,
        end,
        source: found.origin,
        number: found.number,
    }
}

/// Doubts that only a negation brings: the value is zero because something was said not to be there.
pub(super) const DENIED: Doubts = Doubts::NEGATED;
