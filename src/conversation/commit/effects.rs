//! What a turn's values do to the plan as it is at the commit. Pure.

use super::records::new_change;
use crate::conversation::Question;
use crate::conversation::tools::{Heard, Workbench};
use crate::extraction::{self, Outcome};
use crate::model::event::FinishReason;
use crate::model::extracted::{ExtractedValue, Status};
use crate::model::inputs::{FieldValue, FinancialInputs, Source};
use crate::plan;
use crate::store::brands::Edition;
use crate::store::plan_changes::{NewPlanChange, Reason};
use crate::store::prompts::Hold;
use time::OffsetDateTime;

const CUT_NOTE: &str = "The answer was cut short, so this is only proposed.";
const CONFLICT_NOTE: &str = "You changed this value while I was answering, so I left yours in place.";

/// The turn whose values are settled.
#[derive(Clone, Copy)]
pub struct Settling<'a> {
    pub question: &'a Question,
    pub hold: Hold,
    pub edition: &'a Edition,
    pub now: OffsetDateTime,
}

/// What becomes of the plan.
#[derive(Default)]
pub struct Effects {
    /// New inputs, where any value was applied.
    pub inputs: Option<FinancialInputs>,
    pub values: Vec<ExtractedValue>,
    /// Where each value's evidence stands in the user's words.
    pub spans: Vec<Option<(usize, usize)>>,
    pub changes: Vec<NewPlanChange>,
}

impl Effects {
    /// Puts what was heard onto the plan as it is now. A field its owner changed meanwhile keeps the owner's value.
    pub fn of(
        turn: &Settling<'_>,
        base: Option<&FinancialInputs>,
        current: Option<&FinancialInputs>,
        bench: &Workbench,
        finish: FinishReason,
    ) -> Self {
        let mut effects = Self::default();
        let mut judgements: Vec<_> = bench.heard.iter().map(|heard| heard.judgement.clone()).collect();
        extraction::resolve_turn(&mut judgements, &turn.edition.fields, &bench.words.words());
        for (Heard { id, previous, .. }, judgement) in bench.heard.iter().zip(judgements) {
            let path = judgement.field.as_str();
            let conflict = base.and_then(|inputs| inputs.get(path)) != current.and_then(|inputs| inputs.get(path));
            let held = current.and_then(|inputs| inputs.get(path));
            let holds =
                held.is_some_and(|held| held.current_value == judgement.value && held.source != Source::BrandDefault);
            let (status, note) = match judgement.outcome {
                Outcome::Apply | Outcome::Unchanged if conflict && holds => (Status::Unchanged, None),
                Outcome::Unchanged if !conflict => (Status::Unchanged, None),
                Outcome::Propose => (Status::Proposed, None),
                Outcome::Superseded => (Status::Dismissed, None),
                Outcome::Apply | Outcome::Unchanged if conflict => (Status::Proposed, Some(CONFLICT_NOTE)),
                Outcome::Apply if finish != FinishReason::Stop => (Status::Proposed, Some(CUT_NOTE)),
                Outcome::Apply | Outcome::Unchanged => (Status::Applied, None),
            };
            let value = ExtractedValue {
                id: *id,
                field: judgement.field.clone(),
                label: judgement.label.clone(),
                kind: judgement.kind,
                value: judgement.value,
                previous_value: *previous,
                confidence: judgement.confidence,
                status,
                applied: status == Status::Applied,
                range_warning: judgement.range_warning.clone(),
                range_code: judgement.range_code,
                evidence: judgement.evidence.as_ref().map(|evidence| evidence.quote.clone()),
                note: note.map(str::to_owned).or_else(|| judgement.note.clone()),
            };
            if value.applied {
                let inputs = effects.inputs.get_or_insert_with(|| {
                    current
                        .cloned()
                        .unwrap_or_else(|| FinancialInputs::from_brand(&turn.edition.brand))
                });
                let old = plan::apply::set(inputs, &value.field, value.value, Source::AiPopulated, turn.now);
                let new = inputs.get(path).cloned();
                effects.changes.extend(new.map(|new| turn.change(&value, old, new)));
            }
            metrics::counter!("plan_advisor_extractions_total", "status" => value.status.as_str()).increment(1);
            effects.spans.push(
                judgement
                    .evidence
                    .as_ref()
                    .map(|evidence| (evidence.start, evidence.end)),
            );
            effects.values.push(value);
        }
        effects
    }
}

impl Settling<'_> {
    fn change(&self, value: &ExtractedValue, old: Option<FieldValue>, new: FieldValue) -> NewPlanChange {
        NewPlanChange {
            confidence: Some(value.confidence.as_str()),
            evidence: value.evidence.clone(),
            turn_id: Some(self.hold.turn.0),
            ..new_change(self.question, value.field.to_string(), old, new, Reason::Turn)
        }
    }
}
