//! Records one number: decided by the extraction layer, then put on the turn's working copy.

use crate::conversation::tools::arguments::ToolError;
use crate::conversation::tools::context::{ExtractedCandidate, ToolContext};
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::apply;
use plan_model::field::{self, Field, Kind};
use plan_model::ids::ExtractionId;
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::number::Number;
use plan_model::period::Period;
use plan_model::tool_result::{FieldResult, FieldStatus};
use plan_reader::review::{Claim, Verdict};
use plan_reader::{self, Context, Decision, Outcome, Understanding};
use serde_json::json;
use std::sync::Arc;

pub(super) static TOOL: Tool = Tool::new(
    "set_financial_field",
    "Record one number that the franchisee stated for one field. Call it once for each number, in the order of their words. The result says whether it was applied, proposed or refused, and why: let your answer agree with that.",
    Run::Record(record),
)
.in_compact()
.schema(plan_reader::tool_schema)
.example(r#"{"path":"rentMonthly","value":4200,"unit":"dollars","confidence":"high","quote":"rent is $4,200"}"#)
.known_by(&[&["path", "value"], &["field", "value"]]);

/// Values of one turn; a model that calls more is broken or hostile.
const MAX_VALUES: usize = 100;

/// Which values a second look is taken at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NeedsReview {
    /// Those that the grammar does not understand.
    #[default]
    Unclear,
    /// Also those that are plain.
    Any,
}

/// Decides on one call. The value joins the turn's; its index is returned.
pub(super) fn record(ctx: &mut ToolContext, arguments: &str) -> Result<usize, ToolError> {
    if ctx.candidates.len() >= MAX_VALUES {
        return Err(ToolError(
            "Too many values for one message. Ask the franchisee to send the rest in another one.".into(),
        ));
    }
    let texts = ctx.words.texts();
    let context = Context {
        fields: &ctx.brand_version.fields,
        inputs: ctx.inputs.as_deref(),
        brand: &ctx.brand_version.brand,
        texts: &texts,
        understanding: ctx.understanding(),
    };
    let decision = plan_reader::decide(arguments, &context).map_err(|error| ToolError(error.to_string()))?;
    let previous = ctx
        .inputs
        .as_ref()
        .and_then(|inputs| apply::value(inputs, &ctx.brand_version, &decision.field))
        .map(|value| value.current_value);
    ctx.candidates.push(ExtractedCandidate {
        id: ExtractionId::fresh(),
        decision,
        previous,
    });
    ctx.rebuild();
    Ok(ctx.candidates.len() - 1)
}

/// Proposes a value that was worked out of the franchisee's numbers; `how` is its sum. Nothing is written.
///
/// # Errors
/// As [`record`].
pub(super) fn propose(ctx: &mut ToolContext, field: &Field, value: Number, how: &str) -> Result<(), ToolError> {
    let (value, unit) = field.kind.in_words(value);
    let words: String = ctx.words.message.chars().take(200).collect();
    // Tentative, so that it is proposed.
    let call = json!({
        "path": field.path, "value": value, "unit": unit, "confidence": "tentative", "quote": words,
    });
    let at = record(ctx, &call.to_string())?;
    ctx.candidates[at].decision.note = Some(format!("Worked out from your numbers: {how}."));
    Ok(())
}

impl ToolContext {
    /// What the grammar makes of the turn's words; read once, when the first value is named.
    pub(super) fn understanding(&self) -> &Understanding {
        self.understanding
            .get_or_init(|| plan_reader::understand(&self.words.texts(), &self.vocabulary))
    }

    /// Those of the values at `indexes` that a second look may still decide.
    pub fn to_review(&self, indexes: &[usize], which: NeedsReview) -> Vec<usize> {
        let wanted = |index: &&usize| match self.candidates[**index].decision.outcome {
            Outcome::NeedsReview => true,
            Outcome::Apply => which == NeedsReview::Any,
            _ => false,
        };
        indexes.iter().filter(wanted).copied().collect()
    }

    /// What was decided on the value at `index`, without regard to others.
    pub fn decision(&self, index: usize) -> &Decision {
        &self.candidates[index].decision
    }

    /// A value as the reviewer is asked about it.
    pub fn claim(&self, index: usize) -> Claim {
        let decision = &self.candidates[index].decision;
        let known = field::find(decision.field.as_str()).filter(|_| decision.kind == Kind::Money);
        let period = match known.and_then(|field| field.period) {
            Some(Period::Monthly) => " per month",
            Some(Period::Annual) => " per year",
            _ => "",
        };
        Claim {
            label: decision.label.clone(),
            value: format!("{}{period}", decision.kind.show(decision.value)),
        }
    }

    /// Takes a verdict of the second look.
    pub fn review(&mut self, index: usize, verdict: Verdict) {
        let decision = &mut self.candidates[index].decision;
        *decision = decision.clone().reviewed(verdict);
        self.rebuild();
    }

    /// The results of the values at `indexes`, as the model gets them.
    pub fn field_results(&self, indexes: &[usize]) -> Vec<FieldResult> {
        let decisions = self.decisions();
        let result = |index: &usize| self.field_result(&self.candidates[*index], &decisions[*index]);
        indexes.iter().map(result).collect()
    }

    fn field_result(&self, candidate: &ExtractedCandidate, decision: &Decision) -> FieldResult {
        let show = |value| decision.kind.show(value);
        let field = self.brand_version.field(decision.field.as_str());
        FieldResult {
            status: match decision.outcome {
                Outcome::Apply => FieldStatus::Applied,
                Outcome::Unchanged => FieldStatus::Unchanged,
                Outcome::Superseded => FieldStatus::Superseded,
                Outcome::Propose | Outcome::NeedsReview => FieldStatus::Proposed,
            },
            field: decision.field.clone(),
            label: decision.label.clone(),
            value: show(decision.value),
            previous: candidate.previous.map(show),
            range_code: decision.range_code,
            range: field.and_then(|field| plan_engine::describe::reference_range(&self.brand_version.brand, field)),
            note_code: decision.note_code,
            note: decision.note.clone(),
        }
    }

    /// Makes the working copy anew from the plan as the turn found it.
    pub(super) fn rebuild(&mut self) {
        self.inputs.clone_from(&self.base);
        for decision in self.decisions() {
            if decision.outcome != Outcome::Apply {
                continue;
            }
            let inputs = self
                .inputs
                .get_or_insert_with(|| Arc::new(FinancialInputs::from_brand(&self.brand_version.brand)));
            // The decision knows only fields of this brand version.
            let _ = apply::set(
                Arc::make_mut(inputs),
                &self.brand_version,
                &decision.field,
                decision.value,
                Source::AiPopulated,
                self.now,
            );
        }
    }
}
