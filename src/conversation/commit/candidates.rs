//! Applies a turn's extracted values to the plan at the commit, in memory.

use crate::conversation::tools::{EvidenceTexts, ExtractedCandidate, ToolContext};
use crate::plans::{PlanEdit, Provenance};
use crate::store::plans::plan_changes::Reason;
use plan_model::extracted::{DecidedBy, ExtractedValue, NoteCode, Status};
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::message::FinishReason;
use plan_reader::{Decision, Evidence, Outcome, Source as Said};

/// The longest answer to a question that is kept with a value, in characters.
const LONGEST_ANSWER: usize = 80;

/// Why a value waits that the turn would have written.
type Note = (NoteCode, &'static str);

const CUT: Note = (
    NoteCode::CutAnswer,
    "The answer was cut short, so this is only proposed.",
);
const CONFLICT: Note = (
    NoteCode::ChangedMeanwhile,
    "You changed this value while I was answering, so I left yours in place.",
);

/// A candidate as it is stored.
pub(super) struct ResolvedCandidate {
    pub value: ExtractedValue,
    /// Byte range of the evidence in the user's message.
    pub span: Option<(usize, usize)>,
}

/// Applies the candidates to the plan as it is now. A field that changed since `base`, while the turn ran, keeps its value;
/// `moved` has those that may have been changed back since. `found` is the plan as the commit found it, where that is not the stored one.
pub(super) fn resolve(
    edit: &mut PlanEdit<'_>,
    base: Option<&FinancialInputs>,
    moved: &[String],
    found: Option<&FinancialInputs>,
    ctx: &ToolContext,
    finish: FinishReason,
) -> Vec<ResolvedCandidate> {
    let mut resolved = Vec::with_capacity(ctx.candidates.len());
    for (candidate, decision) in ctx.candidates.iter().zip(ctx.decisions()) {
        let has_moved = moved.iter().any(|field| field == decision.field.as_str());
        let (status, note) = status(&decision, base, has_moved, found.or(edit.stored()), finish);
        let span = decision
            .evidence
            .as_ref()
            .map(|evidence| (evidence.start, evidence.end));
        let mut value = value(candidate, decision, &ctx.words, status, note);
        value.author.clone_from(&ctx.assistant);
        if value.applied {
            match edit.set(&value.field, value.value, provenance(&value)) {
                Ok(change) => value.change_id = Some(change.id),
                Err(_) => (value.status, value.applied, value.decided_by) = (Status::Invalid, false, None),
            }
        }
        if value.status == Status::Unchanged && value.decided_by == Some(DecidedBy::Plain) {
            edit.confirm(&value.field);
        }
        metrics::counter!("plan_advisor_extractions_total", "status" => value.status.as_str()).increment(1);
        resolved.push(ResolvedCandidate { value, span });
    }
    resolved
}

fn status(
    decision: &Decision,
    base: Option<&FinancialInputs>,
    has_moved: bool,
    current: Option<&FinancialInputs>,
    finish: FinishReason,
) -> (Status, Option<Note>) {
    let path = decision.field.as_str();
    let held = current.and_then(|inputs| inputs.get(path));
    let conflict = has_moved || base.and_then(|inputs| inputs.get(path)) != held;
    let holds = held.is_some_and(|held| held.current_value == decision.value && held.source != Source::BrandDefault);
    match decision.outcome {
        Outcome::Apply | Outcome::Unchanged if conflict && holds => (Status::Unchanged, None),
        Outcome::Unchanged if !conflict => (Status::Unchanged, None),
        // Only values of a cut answer still wait for their second look.
        Outcome::NeedsReview => (Status::Proposed, Some(CUT)),
        Outcome::Propose => (Status::Proposed, None),
        Outcome::Superseded => (Status::Dismissed, None),
        Outcome::Apply | Outcome::Unchanged if conflict => (Status::Proposed, Some(CONFLICT)),
        Outcome::Apply if finish != FinishReason::Stop => (Status::Proposed, Some(CUT)),
        Outcome::Apply | Outcome::Unchanged => (Status::Applied, None),
    }
}

fn value(
    candidate: &ExtractedCandidate,
    decision: Decision,
    words: &EvidenceTexts,
    status: Status,
    note: Option<Note>,
) -> ExtractedValue {
    let evidence = decision.evidence.clone().map(|evidence| said(evidence, words));
    let mut value = ExtractedValue {
        evidence,
        ..candidate.value(decision, status)
    };
    if let Some((code, text)) = note {
        (value.note_code, value.note) = (Some(code), Some(text.to_owned()));
    }
    value
}

/// The user's words. A yes to the advisor's question is kept as such: the question is not something the user said.
fn said(evidence: Evidence, words: &EvidenceTexts) -> String {
    match evidence.source {
        Said::Advisor => {
            let answer: String = words.message.trim().chars().take(LONGEST_ANSWER).collect();
            format!("{answer} (to “{}”)", evidence.quote)
        }
        Said::Message | Said::PreviousMessage => evidence.quote,
    }
}

fn provenance(value: &ExtractedValue) -> Provenance {
    Provenance {
        source: Source::AiPopulated,
        reason: Reason::Turn,
        decided_by: value.decided_by,
        confidence: Some(value.confidence),
        evidence: value.evidence.clone(),
        turn: None,
    }
}
