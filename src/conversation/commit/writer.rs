//! Commits a turn: a single statement where it extracted no value and asks for nothing, otherwise a transaction.

use crate::conversation::commit::candidates::ResolvedCandidate;
use crate::conversation::commit::records::TurnRecord;
use crate::conversation::commit::{CommitError, Committed, Finished, candidates};
use crate::conversation::snapshot::plan::PlanFigures;
use crate::conversation::stream::frame;
use crate::conversation::{Engine, TurnRequest, confirmation};
use crate::plans::{Actor, KnownPlan, PlanEdit, PlanRef, apply};
use crate::store::Conn;
use crate::store::plans::Revision;
use crate::store::plans::conversations::Conversation;
use crate::store::plans::extractions::NewExtraction;
use crate::store::plans::plan_changes::PlanChange;
use crate::store::turns::prompts::{Ending, PromptState, TurnLease};
use crate::store::turns::stored_turn::{StoredTurn, limit_lock_waits};
use plan_model::event::{StoredDone, StoredEnding};
use plan_model::inputs::FinancialInputs;
use plan_model::message::{FinishReason, Message};
use plan_model::outputs::MetricChange;
use plan_model::usage::Usage;
use std::sync::Arc;
use time::OffsetDateTime;

/// Writes one turn.
pub(super) struct Writer<'a> {
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
    pub(super) async fn commit_without_edits(
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
            hints,
        } = finished
        else {
            return Ok(None);
        };
        if !ctx.candidates.is_empty()
            || ctx.undo.is_some()
            || !ctx.settlement.is_empty()
            || ctx.planned_scenario.is_some()
            || self.request.replaces.is_some()
        {
            return Ok(None);
        }
        let record = TurnRecord {
            text,
            finish: *finish,
            usage: *usage,
            hints: hints.clone(),
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
    ) -> StoredTurn<'b> {
        StoredTurn {
            lease: self.lease,
            plan: self.plan.id,
            version,
            session: self.request.session.as_deref(),
            ending,
            messages,
        }
    }

    /// The plan as the turn saw it, which need not be read again.
    fn known<'f>(&self, finished: &'f Finished) -> Option<KnownPlan<'f>> {
        match finished {
            // The turn saw the plan without what the replaced one had written.
            Finished::Answer { .. } if self.request.replaces.is_some() => None,
            Finished::Answer { base, .. } => Some(KnownPlan {
                revision: base.revision,
                inputs: base.inputs.as_deref(),
            }),
            Finished::Confirmation { .. } => None,
        }
    }

    /// Stores any turn on an open transaction.
    pub(super) async fn write(
        &self,
        conn: &mut Conn,
        text: &str,
        finished: &Finished,
    ) -> Result<Committed, CommitError> {
        let known = self.known(finished);
        limit_lock_waits(conn).await?;
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
                hints,
            } => {
                let is_whole = *finish == FinishReason::Stop;
                if let Some(planned) = ctx.undo.as_ref().filter(|_| is_whole) {
                    self.undo(conn, &mut edit, planned).await?;
                }
                let moved = match edit.revision() == base.revision || ctx.candidates.is_empty() {
                    true => Vec::new(),
                    false => PlanChange::fields_since(conn, self.plan.id, base.revision.updated_at).await?,
                };
                let base = base.inputs.as_deref();
                let resolved = candidates::resolve(&mut edit, base, &moved, found.as_ref(), ctx, *finish);
                let settled = self.settle(conn, &mut edit, &ctx.settlement).await?;
                let pending = self.ask(conn, intercepted.as_ref()).await?;
                let planned = ctx.planned_scenario.as_ref().filter(|_| is_whole);
                let saved = self.save_scenario(conn, planned).await?;
                failpoint!("commit.asked");
                let record = TurnRecord {
                    text,
                    finish: *finish,
                    usage: *usage,
                    values: resolved
                        .iter()
                        .map(|candidate| candidate.value.clone())
                        .chain(settled)
                        .collect(),
                    pending,
                    saved,
                    hints: hints.clone(),
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
            suggestions: record.hints.suggestions.clone(),
            heard_as: record.hints.heard_as.clone(),
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
            .map(|candidate| NewExtraction::new(plan, Some(turn), &candidate.value, candidate.span))
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
