//! The decision on one call of `set_financial_field`: which values may be written without asking.
//!
//! The value is the call's own; nothing here puts another one in its place. Doubt is the default: a value is applied because the
//! grammar understood the statement or a second look confirmed it, never because nothing objected.

use super::arguments::{Call, ExtractionError};
use super::ground::{Evidence, ground};
use super::review::Verdict;
use super::texts::Texts;
use super::understanding::Understanding;
use super::{convert, range};
use plan_model::brand::Brand;
use plan_model::extracted::{Confidence, DecidedBy, NoteCode, RangeCode};
use plan_model::field::{Bounds, Field, FieldPath, Kind};
use plan_model::inputs::{FieldValue, FinancialInputs, Source};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// What a call is decided by.
#[derive(Debug)]
pub struct Context<'a> {
    /// The fields of this plan's brand.
    pub fields: &'a [Field],
    /// What the plan holds; `None` for a plan without inputs.
    pub inputs: Option<&'a FinancialInputs>,
    /// The brand.
    pub brand: &'a Brand,
    /// The words that count.
    pub texts: &'a Texts<'a>,
    /// The same texts, read once for the turn.
    pub understanding: &'a Understanding,
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
    /// Waits for the second look; without one it is proposed.
    NeedsReview,
    /// Another value of this turn took its place; reported, never written.
    Superseded,
}

/// A call's value with everything that is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The field.
    pub field: FieldPath,
    /// Its label.
    pub label: String,
    /// What it counts in.
    pub kind: Kind,
    /// The call's own, in the field's unit: cents, decimals, whole numbers. Rounded only where the code says so.
    pub value: Number,
    /// How certain the call says the speaker was.
    pub confidence: Confidence,
    /// What is to become of the value.
    pub outcome: Outcome,
    /// Why it waits, or what it replaces, as a sentence.
    pub note: Option<String>,
    /// The same as a code.
    pub note_code: Option<NoteCode>,
    /// What decided that it is written.
    pub decided_by: Option<DecidedBy>,
    /// Which reference range it leaves.
    pub range_code: Option<RangeCode>,
    /// The same as a sentence.
    pub range_warning: Option<String>,
    /// The words that hold the number.
    pub evidence: Option<Evidence>,
    /// False outside the hard bound: only a corrected value can be accepted.
    pub acceptable: bool,
    /// The franchisee's own value that this one would replace.
    replaces: Option<Number>,
}

/// Decides on one call.
///
/// # Errors
/// Arguments that name no field of this plan, no finite number within ±10^13 cents, or a unit that the field does not have.
pub fn decide(arguments: &str, context: &Context<'_>) -> Result<Decision, ExtractionError> {
    let call = Call::parse(arguments, context.fields)?;
    let said = call.value()?;
    let value = convert::storable(said, call.field);
    let field = call.field;
    let held = context.inputs.and_then(|inputs| inputs.get(field.path.as_str()));
    let item7 = held.map_or_else(|| context.brand.item7_range(&field.path), FieldValue::item7);
    let refusal = field.refusal(value);
    let found = ground(&call, said, context.texts, context.understanding);
    let (range_code, range_warning) = range::warning(field, item7, value).unzip();
    let mut decision = Decision {
        field: field.path.clone(),
        label: field.label.to_string(),
        kind: field.kind,
        value,
        confidence: call.confidence,
        outcome: Outcome::Propose,
        note: None,
        note_code: None,
        decided_by: None,
        range_code,
        range_warning,
        acceptable: refusal.is_none(),
        replaces: held
            .filter(|held| held.source != Source::BrandDefault)
            .map(|held| held.current_value),
        evidence: None,
    };
    let contradicted = found.as_ref().is_some_and(|found| found.contradicted);
    decision.evidence = found.map(|found| found.evidence);
    let is_plain = context
        .understanding
        .plain
        .iter()
        .any(|one| one.field == field.path && one.value == said);
    let doubt = if refusal.is_some() {
        Some(NoteCode::OutOfBounds)
    } else if value != said {
        Some(NoteCode::Rounded)
    } else if decision.evidence.is_none() {
        Some(NoteCode::NotSaid)
    } else if contradicted {
        Some(NoteCode::Contradicted)
    } else if call.confidence != Confidence::High {
        Some(NoteCode::ModelUnsure)
    } else {
        is_far_off(field, item7, value).then_some(NoteCode::FarOff)
    };
    // A placeholder the franchisee states becomes their own value, even where the number stays the same.
    let holds = decision.replaces == Some(value);
    match doubt {
        _ if holds => {
            decision.outcome = Outcome::Unchanged;
            decision.decided_by = (doubt.is_none() && is_plain).then_some(DecidedBy::Plain);
        }
        Some(code) => decision.wait(code),
        None if is_plain => decision.apply(DecidedBy::Plain),
        None => decision.outcome = Outcome::NeedsReview,
    }
    Ok(decision)
}

/// More than ten times above the reference range, or less than a tenth of its lower end. Never zero, never growth.
fn is_far_off(field: &Field, item7: Option<Bounds>, value: Number) -> bool {
    let Some(range) = item7
        .or(field.soft)
        .filter(|_| !field.is_growth() && value != Number::ZERO)
    else {
        return false;
    };
    let (value, low, high) = (value.decimal(), range.low.decimal(), range.high.decimal());
    // The value is a model's: any decimal.
    (high > Decimal::ZERO && value > high * Decimal::TEN)
        || (low > Decimal::ZERO && value.saturating_mul(Decimal::TEN) < low)
}

impl Decision {
    /// The decision after a second look. `Stated` applies what waited for it; anything else leaves the value proposed, also one
    /// that was plain (`LLM_REVIEW=always`). What was refused or is unchanged stays as it is.
    #[must_use]
    pub fn reviewed(mut self, verdict: Verdict) -> Self {
        match (self.outcome, verdict) {
            (Outcome::NeedsReview, Verdict::Stated) => self.apply(DecidedBy::Review),
            (Outcome::NeedsReview | Outcome::Apply, Verdict::Unsure | Verdict::Wrong) => self.wait(NoteCode::Unclear),
            _ => {}
        }
        self
    }

    fn apply(&mut self, by: DecidedBy) {
        self.outcome = Outcome::Apply;
        self.decided_by = Some(by);
        self.note_code = self.replaces.map(|_| NoteCode::Replaces);
        self.note = self
            .replaces
            .map(|old| format!("Replaces {} from before.", self.kind.show(old)));
    }

    fn wait(&mut self, code: NoteCode) {
        self.outcome = Outcome::Propose;
        self.decided_by = None;
        self.confidence = self.confidence.min(Confidence::Tentative);
        self.note_code = Some(code);
        self.note = Some(self.note_of(code));
    }

    fn note_of(&self, code: NoteCode) -> String {
        let shown = self.kind.show(self.value);
        match code {
            NoteCode::NotSaid => "This number is not in what you said, so it needs your word.".to_owned(),
            NoteCode::Contradicted => "Your words at this number say something else, so it needs your word.".to_owned(),
            NoteCode::FarOff => "This is far outside the reference range, so it needs your word.".to_owned(),
            NoteCode::TwoValues => "Two values were given, so it needs your word.".to_owned(),
            NoteCode::Rounded => format!("Rounded to {shown}, so it needs your word."),
            NoteCode::OutOfBounds => format!("{shown} cannot stand in a plan; another value can."),
            NoteCode::ModelUnsure => "The advisor was not sure of this, so it needs your word.".to_owned(),
            _ => "This was not plainly stated, so it needs your word.".to_owned(),
        }
    }
}

/// Settles values that meet at one field. Call it once, when the turn's last value is decided and reviewed, before anything is
/// written.
///
/// - The same value again: the first one counts, the later ones are `Unchanged`.
/// - Two applied values from one text: both are proposed.
/// - Two applied values from different texts: the latest text counts, its note names the earlier value.
pub fn resolve_turn(decisions: &mut [Decision]) {
    for later in 1..decisions.len() {
        for earlier in 0..later {
            if decisions[earlier].field == decisions[later].field {
                meet(decisions, earlier, later);
            }
        }
    }
}

fn meet(decisions: &mut [Decision], earlier: usize, later: usize) {
    let (a, b) = (&decisions[earlier], &decisions[later]);
    if a.outcome == Outcome::Superseded || b.outcome == Outcome::Superseded {
        return;
    }
    if a.value == b.value {
        match (a.outcome, b.outcome) {
            (Outcome::Propose | Outcome::NeedsReview, Outcome::Apply) => {
                decisions[earlier].outcome = Outcome::Superseded;
            }
            (_, Outcome::Unchanged) => {}
            _ => decisions[later].outcome = Outcome::Unchanged,
        }
        return;
    }
    let written = |one: &Decision| matches!(one.outcome, Outcome::Apply | Outcome::Unchanged);
    if !(written(a) && written(b)) {
        return;
    }
    let said = |one: &Decision| one.evidence.as_ref().map(|evidence| evidence.source);
    let (old, new) = match said(a).cmp(&said(b)) {
        std::cmp::Ordering::Less => (earlier, later),
        std::cmp::Ordering::Greater => (later, earlier),
        std::cmp::Ordering::Equal => {
            decisions[earlier].wait(NoteCode::TwoValues);
            decisions[later].wait(NoteCode::TwoValues);
            return;
        }
    };
    let text = decisions[old].kind.show(decisions[old].value);
    decisions[old].outcome = Outcome::Superseded;
    decisions[old].note = Some("You gave another value later.".to_owned());
    decisions[new].note_code = Some(NoteCode::Replaces);
    decisions[new].note = Some(format!("Replaces {text} from before."));
}
