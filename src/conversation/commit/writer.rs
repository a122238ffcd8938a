//! Commits a turn: a single statement where it extracted no value and asks for nothing, otherwise a transaction.

use crate::conversation::commit::candidates::ResolvedCandidate;
use crate::conversation::commit::records::TurnRecord;
use crate::conversation::commit::{CommitError, Committed, Finished, candidates};
use crate::conversation::snapshot::plan::PlanFigures;
use crate::conversation::stream::frame;
use crate::conversation::tools::{Intercepted, PlannedScenario};
use crate::conversation::{Engine, TurnRequest, confirmation};
use crate::plans::undo::{self, GroupRef, UndoError};
use crate::plans::{Actor, KnownPlan, PlanEdit, PlanRef, apply, scenarios};
use crate::store::completed_turn::CompletedTurn;
use crate::store::conversations::Conversation;
use crate::store::extractions::{Extraction, NewExtraction};
use crate::store::pending_actions::{NewPendingAction, PendingAction};
use crate::store::plan_changes::PlanChange;
use crate::store::plans::Revision;
use crate::store::prompts::{Ending, PromptState, TurnLease};
use crate::store::{Conn, StoreResult};
use plan_model::event::{PendingConfirmation, SavedScenario, StoredDone, StoredEnding};
use plan_model::ids::{PendingActionId, ScenarioId, TurnId};
use plan_model::inputs::FinancialInputs;
use plan_model::message::{FinishReason, Message};
use plan_model::outputs::MetricChange;
use plan_model::usage::Usage;
use std::sync::Arc;
use time::OffsetDateTime;

/// Writes one turn.
pub struct Writer<'a> {
    pub engine: &'a Engine,
    pub request: &'a TurnRequest,
    pub lease: TurnLease,
    pub actor: Actor,
    pub plan: PlanRef,
    pub now: OffsetDateTime,
}

impl Writer<'_> {
    /// Stores an answer without extracted values and questions, on a plan that is still as the turn found it. `None` for any
    /// other: that is for [`Writer::write`].
    pub async fn commit_without_edits(
        &self,
        conn: &mut Conn,
        text: &str,
        finished: &Finished,
    ) -> Result<Option<Committed>, CommitError> {
        let Finished::Answer {
            base,
            ctx,
            finish,
            usage,
            intercepted: None,
        } = finished
        else {
            return Ok(None);
        };
        if !ctx.candidates.is_empty()
            || ctx.undo.is_some()
            || ctx.planned_scenario.is_some()
            || self.request.replaces.is_some()
        {
            return Ok(None);
        }
        let record = TurnRecord {
            text,
            finish: *finish,
            usage: *usage,
            ..TurnRecord::default()
        };
        let (event, _) = self.ending(&record, &self.figures(base.revision, base.inputs.as_deref()), None);
        let json = frame::json(&event.clone().with_text(text));
        let messages = record.messages(self.request, self.lease, self.now);
        let ending = completed(text, *usage, &event);
        let commit = self.answer_commit(Some(base.revision.version), &ending, &messages);
        let Some(appended) = commit.store(conn).await? else {
            return Ok(None);
        };
        if let Err(error) = Conversation::archive_surplus(conn, self.plan.id, &appended).await {
            // The turn is stored. Only archiving failed; the next turn tries again.
            tracing::warn!(error = %error, "A long conversation was not archived");
        }
        Ok(Some(Committed {
            said: None,
            json,
            tokens: usage.total_tokens,
            added: Some((appended, messages)),
        }))
    }

    fn answer_commit<'b>(
        &'b self,
        version: Option<i64>,
        ending: &'b Ending<'b>,
        messages: &'b [Message],
    ) -> CompletedTurn<'b> {
        CompletedTurn {
            lease: self.lease,
            plan: self.plan.id,
            version,
            session: self.request.session.as_deref(),
            ending,
            messages,
        }
    }

    /// Stores any turn on an open transaction.
    pub async fn write(&self, conn: &mut Conn, text: &str, finished: &Finished) -> Result<Committed, CommitError> {
        let known = match finished {
            // The turn saw the plan without what the replaced one had written.
            Finished::Answer { .. } if self.request.replaces.is_some() => None,
            Finished::Answer { base, .. } => Some(KnownPlan {
                revision: base.revision,
                inputs: base.inputs.as_deref(),
            }),
            Finished::Confirmation { .. } => None,
        };
        let edit = PlanEdit::open_known(conn, &self.actor, &self.plan, self.now, known).await?;
        let mut edit = edit.in_turn(self.lease.turn);
        failpoint!("commit.locked");
        let found = match self.request.replaces {
            Some(replaced) => self.replace(conn, &mut edit, replaced).await?,
            None => None,
        };
        match finished {
            Finished::Answer {
                base,
                ctx,
                finish,
                usage,
                intercepted,
            } => {
                if let Some(planned) = ctx.undo.as_ref().filter(|_| *finish == FinishReason::Stop) {
                    take_back(
                        &mut edit,
                        undo::changes_of(conn, self.plan.id, GroupRef::Group(planned.group)).await?,
                    )?;
                }
                let moved = match edit.revision() == base.revision || ctx.candidates.is_empty() {
                    true => Vec::new(),
                    false => PlanChange::fields_since(conn, self.plan.id, base.revision.updated_at).await?,
                };
                let base = base.inputs.as_deref();
                let resolved = candidates::resolve(&mut edit, base, &moved, found.as_ref(), ctx, *finish);
                let pending = match intercepted {
                    Some(intercepted) => Some(self.ask(conn, intercepted).await?),
                    None => None,
                };
                let planned = ctx.planned_scenario.as_ref();
                let saved = match planned.filter(|_| *finish == FinishReason::Stop) {
                    Some(planned) => self.keep(conn, planned).await?,
                    None => None,
                };
                failpoint!("commit.asked");
                let record = TurnRecord {
                    text,
                    finish: *finish,
                    usage: *usage,
                    values: resolved.iter().map(|candidate| candidate.value.clone()).collect(),
                    pending,
                    saved,
                    ..TurnRecord::default()
                };
                self.store(conn, &edit, record, &resolved).await
            }
            Finished::Confirmation { pending, decision } => {
                let outcome = confirmation::resolve(conn, &self.actor, pending, *decision, &mut edit).await?;
                let record = TurnRecord {
                    text: &outcome.text,
                    ..TurnRecord::default()
                };
                let committed = self.store(conn, &edit, record, &[]).await?;
                Ok(Committed {
                    said: Some(outcome.text),
                    ..committed
                })
            }
        }
    }

    /// Removes a turn from the conversation, with its standing values, its open proposals and what it asked. Returns the
    /// plan without it.
    async fn replace(
        &self,
        conn: &mut Conn,
        edit: &mut PlanEdit<'_>,
        turn: TurnId,
    ) -> Result<Option<FinancialInputs>, CommitError> {
        let (plan, by) = (self.plan.id, self.actor.actor);
        let changes = PlanChange::list_turn(conn, plan, turn).await?;
        // Apart: undoing the new turn must not bring the old one back.
        edit.apart(|edit| take_back(edit, changes))?;
        Extraction::dismiss_turn(conn, plan, turn, by).await?;
        PendingAction::drop_all(conn, plan).await?;
        Conversation::remove_turn(conn, plan, turn).await?;
        Ok(edit.inputs().cloned())
    }

    async fn ask(&self, conn: &mut Conn, intercepted: &Intercepted) -> StoreResult<PendingConfirmation> {
        let action = NewPendingAction {
            id: PendingActionId::fresh(),
            plan: self.plan.id,
            user: self.actor.effective,
            turn: self.lease.turn,
            tool_name: intercepted.action.tool_name(),
            arguments: intercepted.action.arguments(),
            argument_hash: intercepted.action.hash(),
            prompt: intercepted.prompt.clone(),
        };
        let expires_at = action.put(conn).await?;
        Ok(PendingConfirmation {
            id: action.id,
            tool_name: action.tool_name.to_owned(),
            prompt: action.prompt,
            arguments: action.arguments,
            expires_at,
        })
    }

    async fn keep(&self, conn: &Conn, planned: &PlannedScenario) -> StoreResult<Option<SavedScenario>> {
        let PlannedScenario { name, overrides } = planned;
        let saved = scenarios::keep(conn, &self.actor, self.plan.id, name, overrides).await?;
        Ok(saved.map(|scenario| SavedScenario {
            id: ScenarioId(scenario.id),
            name: scenario.name,
        }))
    }

    fn figures(&self, revision: Revision, inputs: Option<&FinancialInputs>) -> Arc<PlanFigures> {
        self.engine
            .snapshots
            .cache
            .figures(self.plan.id, revision, inputs, &self.plan.brand_version)
    }

    /// What the `done` event says besides the text, and what moved in the results. `figures` are those of the plan before the edit.
    fn ending(
        &self,
        record: &TurnRecord<'_>,
        figures: &PlanFigures,
        edit: Option<&PlanEdit<'_>>,
    ) -> (StoredEnding, Vec<MetricChange>) {
        let (updated_outputs, missing_fields) = match edit.filter(|edit| edit.has_changes()) {
            None => (figures.outputs(self.now), figures.missing.clone()),
            Some(edit) => {
                let missing = apply::missing_core(edit.inputs(), &self.plan.brand_version.fields);
                (edit.outputs(), missing)
            }
        };
        let moved = updated_outputs
            .as_ref()
            .map(|outputs| outputs.changes.clone())
            .unwrap_or_default();
        let ending = StoredEnding::Done(Box::new(StoredDone {
            turn_id: self.lease.turn,
            extracted_values: record.values.clone(),
            updated_outputs,
            pending_confirmation: record.pending.clone(),
            finish_reason: record.finish,
            missing_fields,
            usage: record.usage,
            scenario_saved: record.saved.clone(),
        }));
        (ending, moved)
    }

    async fn store(
        &self,
        conn: &mut Conn,
        edit: &PlanEdit<'_>,
        mut record: TurnRecord<'_>,
        resolved: &[ResolvedCandidate],
    ) -> Result<Committed, CommitError> {
        let (plan, turn, usage) = (self.plan.id, self.lease.turn, record.usage);
        let (event, changes) = self.ending(&record, &self.figures(edit.revision(), edit.stored()), Some(edit));
        let json = frame::json(&event.clone().with_text(record.text));
        let ending = completed(record.text, usage, &event);
        let rows: Vec<_> = resolved
            .iter()
            .map(|candidate| NewExtraction::new(plan, turn, &candidate.value, candidate.span))
            .collect();
        record.changes = changes;
        let messages = record.messages(self.request, self.lease, self.now);
        // One round trip for all of them. The first that fails takes the transaction with it, and a turn that is no longer
        // ours, or whose people lost their rights, fails it here.
        let conn = &*conn;
        let (appended, ..) = futures_util::try_join!(
            async {
                let commit = self.answer_commit(None, &ending, &messages);
                let appended = commit.store(conn).await?.ok_or(CommitError::Lost)?;
                failpoint!("commit.ended");
                Conversation::archive_surplus(conn, plan, &appended).await?;
                failpoint!("commit.appended");
                Ok::<_, CommitError>(appended)
            },
            async { Ok(edit.write(conn).await?) },
            async {
                NewExtraction::insert_all(conn, &rows).await?;
                failpoint!("commit.extracted");
                Ok(())
            },
        )?;
        failpoint!("commit.before_commit");
        Ok(Committed {
            said: None,
            json,
            tokens: usage.total_tokens,
            added: Some((appended, messages)),
        })
    }
}

/// Takes back what still stands of the changes; what has moved while the turn ran stays.
fn take_back(edit: &mut PlanEdit<'_>, changes: Vec<PlanChange>) -> Result<(), CommitError> {
    match undo::take_back(edit, changes) {
        Ok(_) | Err(UndoError::NotFound | UndoError::NothingStands) => Ok(()),
        Err(UndoError::Edit(error)) => Err(error.into()),
    }
}

/// The ending of a whole answer.
fn completed<'a>(text: &'a str, usage: Usage, event: &'a StoredEnding) -> Ending<'a> {
    Ending {
        state: PromptState::Completed,
        output: Some(text),
        usage,
        error_code: None,
        event,
    }
}
