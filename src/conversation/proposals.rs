//! Values that wait for the franchisee: accepted with or without a correction, or dismissed, once.

use super::commit::new_change;
use super::{Conversations, Question};
use crate::extraction;
use crate::model::extracted::{ExtractedValue, Status};
use crate::model::ids::ExtractionId;
use crate::model::inputs::{FinancialInputs, Source};
use crate::model::number::Number;
use crate::model::outputs::UpdatedOutputs;
use crate::plan;
use crate::store::extractions::Extraction;
use crate::store::plan_changes::{NewPlanChange, PlanChange, Reason};
use crate::store::plans::Plan;
use crate::store::{StoreError, StoreResult};
use diesel_async::AsyncConnection;

/// A settled proposal.
#[derive(Debug)]
pub struct SettledValue {
    pub extracted_value: ExtractedValue,
    pub updated_outputs: Option<UpdatedOutputs>,
}

/// Why a proposal was not settled.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    #[error("the plan has no such value")]
    NotFound,
    #[error("the value is settled already")]
    AlreadySettled,
    /// The value, proposed or corrected, cannot stand in a plan; says why.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for ProposalError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

impl Conversations {
    /// Puts a proposed value, or `correction` instead of it, into the plan.
    ///
    /// # Errors
    /// See [`ProposalError`]; nothing has changed then.
    pub async fn accept(
        &self,
        question: &Question,
        id: ExtractionId,
        correction: Option<Number>,
    ) -> Result<SettledValue, ProposalError> {
        let engine = self.engine();
        let edition = engine.db.edition(question.edition).await?;
        let mut conn = engine.db.conn().await?;
        conn.transaction::<_, ProposalError, _>(async |conn| {
            let row = Plan::lock(conn, question.plan).await?;
            let found = Extraction::find(conn, question.plan, id)
                .await?
                .ok_or(ProposalError::NotFound)?;
            let mut value = found.current();
            if value.status != Status::Proposed {
                return Err(ProposalError::AlreadySettled);
            }
            let field = edition.field(value.field.as_str()).ok_or(ProposalError::NotFound)?;
            let wanted = correction.unwrap_or(value.value);
            if let Some(refusal) = field.refusal(wanted) {
                return Err(ProposalError::Refused(refusal));
            }
            let corrected = wanted != value.value;
            let source = if corrected {
                question.caller.entry_source()
            } else {
                Source::AiPopulated
            };
            let before = row.inputs().map(|inputs| plan::project(inputs, &edition.brand).metrics);
            let now = engine.clock.now();
            let mut inputs = row
                .inputs()
                .cloned()
                .unwrap_or_else(|| FinancialInputs::from_brand(&edition.brand));
            let old =
                plan::apply::set(&mut inputs, &value.field, wanted, source, now).ok_or(ProposalError::NotFound)?;
            let new = inputs
                .get(value.field.as_str())
                .cloned()
                .ok_or(ProposalError::NotFound)?;
            value.previous_value = Some(old.current_value);
            let change = NewPlanChange {
                confidence: Some(value.confidence.as_str()),
                evidence: value.evidence.clone(),
                turn_id: Some(found.turn_id),
                ..new_change(
                    question,
                    value.field.to_string(),
                    Some(old),
                    new.clone(),
                    Reason::Accept,
                )
            };
            (value.value, value.status, value.applied) = (wanted, Status::Accepted, true);
            let warning = extraction::warning(field, new.item7_range, wanted);
            (value.range_code, value.range_warning) =
                warning.map_or((None, None), |(code, text)| (Some(code), Some(text)));
            if !Extraction::settle(conn, question.plan, &value, question.caller.effective.id).await? {
                return Err(ProposalError::AlreadySettled);
            }
            let after = plan::project(&inputs, &edition.brand);
            PlanChange::append(conn, &[change]).await?;
            Extraction::overtake(
                conn,
                question.plan,
                &[value.field.to_string()],
                question.caller.effective.id,
            )
            .await?;
            Plan::save_inputs(conn, question.plan, row.inputs(), &inputs).await?;
            Ok(SettledValue {
                extracted_value: value,
                updated_outputs: Some(plan::update(before.as_ref(), &after, now)),
            })
        })
        .await
    }

    /// Takes a proposed value off the table; the plan stays as it is.
    ///
    /// # Errors
    /// See [`ProposalError`].
    pub async fn dismiss(&self, question: &Question, id: ExtractionId) -> Result<SettledValue, ProposalError> {
        let engine = self.engine();
        let edition = engine.db.edition(question.edition).await?;
        let mut conn = engine.db.conn().await?;
        let found = Extraction::find(&conn, question.plan, id)
            .await?
            .ok_or(ProposalError::NotFound)?;
        let mut value = found.current();
        if value.status != Status::Proposed {
            return Err(ProposalError::AlreadySettled);
        }
        value.status = Status::Dismissed;
        let settled: StoreResult<bool> =
            Extraction::settle(&mut conn, question.plan, &value, question.caller.effective.id).await;
        if !settled? {
            return Err(ProposalError::AlreadySettled);
        }
        let plan = Plan::load(&conn, question.plan).await?;
        let current = plan.inputs().map(|inputs| plan::project(inputs, &edition.brand));
        let updated_outputs = current.map(|current| plan::update(None, &current, engine.clock.now()));
        Ok(SettledValue {
            extracted_value: value,
            updated_outputs,
        })
    }
}
