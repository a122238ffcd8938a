//! A turn's own copy of the plan, with what its calls have come to.

use crate::conversation::form::PromptForm;
use crate::conversation::tools::arguments::ToolError;
use crate::conversation::tools::figures::Figures;
use crate::plans::apply;
use crate::plans::proposals::Decided;
use crate::store::brands::BrandVersion;
use crate::store::plans::scenarios::Scenario;
use plan_model::access::Author;
use plan_model::event::HeardAs;
use plan_model::extracted::{ExtractedValue, Status};
use plan_model::field::{Field, FieldPath, lookup};
use plan_model::ids::{ChangeGroupId, ExtractionId};
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::language::Language;
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::scenario::Overrides;
use plan_model::tool_result::UndoResult;
use plan_reader::{Decision, Texts, Understanding, Vocabulary, resolve_turn};
use std::sync::{Arc, OnceLock};
use time::OffsetDateTime;

/// A value that a call named in this turn.
#[derive(Debug, Clone)]
pub struct ExtractedCandidate {
    pub id: ExtractionId,
    /// By itself and after the second look, without regard to other values of the turn.
    pub decision: Decision,
    pub previous: Option<Number>,
}

impl ExtractedCandidate {
    /// The value as it is stored and sent, when so much became of it.
    pub fn value(&self, decision: Decision, status: Status) -> ExtractedValue {
        let is_decided = matches!(status, Status::Applied | Status::Unchanged);
        ExtractedValue {
            id: self.id,
            field: decision.field,
            label: decision.label,
            kind: decision.kind,
            value: decision.value,
            previous_value: self.previous,
            confidence: decision.confidence,
            status,
            applied: status == Status::Applied,
            range_warning: decision.range_warning,
            range_code: decision.range_code,
            evidence: decision.evidence.map(|evidence| evidence.quote),
            author: None,
            note: decision.note,
            note_code: decision.note_code,
            decided_by: decision.decided_by.filter(|_| is_decided),
            change_id: None,
            undone_at: None,
        }
    }
}

/// The words that count as evidence in this turn.
#[derive(Debug, Clone, Default)]
pub struct EvidenceTexts {
    pub message: String,
    pub previous_message: Option<String>,
    /// All that the person has said in this part of the conversation, but what was erased.
    pub said: Vec<String>,
    pub advisor: Option<String>,
    /// The field whose value was written or asked about last.
    pub about: Option<FieldPath>,
}

impl EvidenceTexts {
    /// As the extraction layer takes them.
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            message: &self.message,
            previous_message: self.previous_message.as_deref(),
            advisor: self.advisor.as_deref(),
            // The grammar reads it from the advisor's text.
            asked: None,
            about: self.about.clone(),
        }
    }
}

/// A turn's own copy of the plan: tools read and write it, nothing is stored before the commit.
pub struct ToolContext {
    pub brand_version: Arc<BrandVersion>,
    pub vocabulary: Arc<Vocabulary>,
    /// The plan as the turn found it.
    pub(super) base: Option<Arc<FinancialInputs>>,
    /// With the values this turn has applied so far.
    pub inputs: Option<Arc<FinancialInputs>>,
    pub words: EvidenceTexts,
    pub candidates: Vec<ExtractedCandidate>,
    /// What is taken back when the turn is stored.
    pub undo: Option<PlannedUndo>,
    /// The plan's stored scenarios, once a call needs them.
    pub scenarios: Option<Vec<Scenario>>,
    /// What is saved when the turn is stored.
    pub planned_scenario: Option<PlannedScenario>,
    /// Open proposals that are settled when the turn is stored.
    pub settlement: Vec<(ExtractionId, Decided)>,
    /// The fields of those that are accepted.
    pub(super) accepted: Vec<FieldPath>,
    /// How much the model can be shown.
    pub form: PromptForm,
    /// How the figures of results are given.
    pub figures: Figures,
    /// The assistant that has passed the message on. Tools that change something refuse then.
    pub assistant: Option<Author>,
    /// Of the person's page.
    pub language: Language,
    pub now: OffsetDateTime,
    pub(super) understanding: OnceLock<Understanding>,
}

/// What a turn says besides its text.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    pub suggestions: Vec<String>,
    pub heard_as: Option<HeardAs>,
}

/// What a turn saves.
#[derive(Debug, Clone)]
pub struct PlannedScenario {
    pub name: String,
    pub overrides: Overrides,
}

/// What a turn takes back.
#[derive(Debug, Clone)]
pub struct PlannedUndo {
    pub group: ChangeGroupId,
    pub(super) result: UndoResult,
}

impl ToolContext {
    pub fn new(
        brand_version: Arc<BrandVersion>,
        vocabulary: Arc<Vocabulary>,
        inputs: Option<Arc<FinancialInputs>>,
        words: EvidenceTexts,
        now: OffsetDateTime,
    ) -> Self {
        Self {
            brand_version,
            vocabulary,
            base: inputs.clone(),
            inputs,
            words,
            candidates: Vec::new(),
            undo: None,
            scenarios: None,
            planned_scenario: None,
            settlement: Vec::new(),
            accepted: Vec::new(),
            form: PromptForm::Full,
            figures: Figures::default(),
            assistant: None,
            language: Language::default(),
            now,
            understanding: OnceLock::new(),
        }
    }

    /// The language that the person writes in, or reads: an "aja" is of the language of the answer before it.
    pub(in crate::conversation) fn spoken(&self) -> Language {
        let before = || self.words.advisor.as_deref().and_then(Language::of_message);
        let written = Language::of_message(&self.words.message).or_else(before);
        written.unwrap_or(self.language)
    }

    /// Settles open values before anything else of the turn: tools find the plan with those that were accepted.
    pub(in crate::conversation) fn settle_first(
        &mut self,
        settlement: Vec<(ExtractionId, Decided)>,
        accepted: &[ExtractedValue],
    ) {
        self.settlement = settlement;
        if accepted.is_empty() {
            return;
        }
        let mut inputs = FinancialInputs::clone(&self.inputs_or_defaults());
        for one in accepted {
            let (brand, source) = (&self.brand_version, Source::AiPopulated);
            // What does not fit has been left out of them.
            let _ = apply::set(&mut inputs, brand, &one.field, one.value, source, self.now);
        }
        self.accepted = accepted.iter().map(|one| one.field.clone()).collect();
        self.base = Some(Arc::new(inputs));
        self.rebuild();
    }

    /// The projection of the working copy.
    pub fn projection(&self) -> Option<Projection> {
        self.inputs
            .as_ref()
            .map(|inputs| plan_engine::project(inputs, &self.brand_version.brand))
    }

    /// The same of a plan without values, as it would start.
    pub(in crate::conversation) fn projection_or_default(&self) -> Projection {
        plan_engine::project(&self.inputs_or_defaults(), &self.brand_version.brand)
    }

    /// The working copy; a plan without values is looked at as it would start.
    pub(in crate::conversation) fn inputs_or_defaults(&self) -> Arc<FinancialInputs> {
        self.inputs
            .clone()
            .unwrap_or_else(|| Arc::new(FinancialInputs::from_brand(&self.brand_version.brand)))
    }

    /// The turn's values with the outcome that they have together.
    pub fn decisions(&self) -> Vec<Decision> {
        let mut decisions: Vec<_> = self.candidates.iter().map(|one| one.decision.clone()).collect();
        resolve_turn(&mut decisions);
        decisions
    }

    /// The field that a call means.
    pub(super) fn field(&self, said: &str) -> Result<&Field, ToolError> {
        lookup(&self.brand_version.fields, said).map_err(|near| {
            let near: Vec<_> = near.iter().map(|field| field.path.as_str()).collect();
            let hint = match near.as_slice() {
                [] => "Use a name or a label from the list of fields.".to_owned(),
                near => format!("Did you mean {}?", near.join(" or ")),
            };
            ToolError(format!("There is no field {said:?}. {hint}"))
        })
    }
}
