//! The statements of one commit: one where nothing was heard, else a transaction.

use super::effects::{Effects, Settling};
use super::records::{new_change, pair};
use super::{CommitError, Committed, Finished};
use crate::conversation::Engine;
use crate::conversation::confirmation::{self, Decision};
use crate::conversation::frames;
use crate::conversation::tools::Intercepted;
use crate::model::access::UserRole;
use crate::model::event::{Done, FinishReason, PendingConfirmation, TurnEvent};
use crate::model::ids::PendingActionId;
use crate::model::inputs::FinancialInputs;
use crate::model::message::{Message, Usage};
use crate::plan;
use crate::store::conversations::{Appended, Conversation};
use crate::store::extractions::{Extraction, NewExtraction};
use crate::store::json::Json;
use crate::store::pending_actions::{NewPendingAction, PendingAction};
use crate::store::plain_end::PlainEnd;
use crate::store::plan_changes::{NewPlanChange, PlanChange, Reason};
use crate::store::plans::{LockedPlan, Plan};
use crate::store::prompts::{Ending, PromptState};
use crate::store::{Conn, StoreResult};
use serde_json::value::RawValue;

/// Writes one turn on an open transaction.
pub struct Writer<'a> {
    pub engine: &'a Engine,
    pub turn: Settling<'a>,
    /// What this turn has added.
    pub grown: Option<(Appended, Vec<Message>)>,
}

impl Writer<'_> {
    /// Stores an answer in which nothing was heard and nothing is asked, on a plan that is still as the turn found it.
    /// `None` for any other: [`Writer::write`] takes it then.
    pub async fn write_plainly(
        &mut self,
        conn: &mut Conn,
        text: &str,
        finished: &Finished,
    ) -> Result<Option<Committed>, CommitError> {
        let Finished::Answer {
            base,
            bench,
            finish,
            usage,
            intercepted: None,
        } = finished
        else {
            return Ok(None);
        };
        if !bench.heard.is_empty() {
            return Ok(None);
        }
        let known = (base.version, base.inputs.as_deref());
        let json = self.done(text, known, &Effects::default(), None, *finish, *usage);
        let Settling {
            question, hold, now, ..
        } = self.turn;
        let messages = pair(question, hold, text, now, Vec::new(), false);
        let effective = &question.caller.effective;
        let plain = PlainEnd {
            hold,
            plan: question.plan,
            version: base.version,
            owner: (effective.role != UserRole::PlatformAdmin).then_some(effective.id),
            ending: &completed(text, *usage, &json),
            messages: &messages,
        };
        let Some(appended) = plain.store(conn).await? else {
            return Ok(None);
        };
        self.grown = Some((appended, messages));
        Ok(Some(Committed {
            said: None,
            json,
            tokens: usage.total_tokens,
        }))
    }

    pub async fn write(&mut self, conn: &mut Conn, text: &str, finished: &Finished) -> Result<Committed, CommitError> {
        let known = match finished {
            Finished::Answer { base, .. } => Some(base),
            Finished::Settlement { .. } => None,
        };
        let version = known.map_or(-1, |base| base.version);
        let plan = Plan::lock_since(conn, self.turn.question.plan, version).await?;
        failpoint!("commit.locked");
        self.check_right(&plan)?;
        let current = match known.filter(|base| base.version == plan.version) {
            Some(base) => base.inputs.as_deref(),
            None => plan.changed_inputs.as_ref().map(|Json(inputs)| inputs),
        };
        let (said, effects, usage, finish) = match finished {
            Finished::Answer {
                base,
                bench,
                finish,
                usage,
                ..
            } => (
                None,
                Effects::of(&self.turn, base.inputs.as_deref(), current, bench, *finish),
                *usage,
                *finish,
            ),
            Finished::Settlement { pending, decision } => {
                let (said, effects) = self.settle(conn, pending, *decision, current).await?;
                (Some(said), effects, Usage::default(), FinishReason::Stop)
            }
        };
        let text = said.as_deref().unwrap_or(text);
        let pending = match finished {
            Finished::Answer {
                intercepted: Some(intercepted),
                ..
            } => Some(self.ask(conn, intercepted).await?),
            _ => None,
        };
        failpoint!("commit.asked");
        let json = self.done(text, (plan.version, current), &effects, pending, finish, usage);
        let (appended, messages) = self.store(conn, text, current, effects, usage, &json).await?;
        self.grown = Some((appended, messages));
        Ok(Committed {
            said,
            json,
            tokens: usage.total_tokens,
        })
    }

    /// Access is checked again where it counts: the plan may have changed hands while the model spoke.
    fn check_right(&self, plan: &LockedPlan) -> Result<(), CommitError> {
        let effective = &self.turn.question.caller.effective;
        let may = effective.role == UserRole::PlatformAdmin || plan.user_id == effective.id.0;
        if may { Ok(()) } else { Err(CommitError::Forbidden) }
    }

    /// Carries out or drops a pending action, once.
    async fn settle(
        &self,
        conn: &mut Conn,
        pending: &PendingAction,
        decision: Decision,
        current: Option<&FinancialInputs>,
    ) -> Result<(String, Effects), CommitError> {
        let plan = self.turn.question.plan;
        let settled = confirmation::settle(conn, &self.turn.question.caller, plan, pending, decision, current).await?;
        let changes = settled
            .resets
            .into_iter()
            .map(|(field, old, new)| NewPlanChange {
                turn_id: Some(self.turn.hold.turn.0),
                ..new_change(self.turn.question, field.to_string(), Some(old), new, Reason::Reset)
            })
            .collect();
        Ok((
            settled.text,
            Effects {
                inputs: settled.inputs,
                changes,
                ..Effects::default()
            },
        ))
    }

    async fn ask(&self, conn: &mut Conn, intercepted: &Intercepted) -> StoreResult<PendingConfirmation> {
        let action = NewPendingAction {
            id: PendingActionId::fresh(),
            plan: self.turn.question.plan,
            user: self.turn.question.caller.effective.id,
            turn: self.turn.hold.turn,
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

    fn done(
        &self,
        text: &str,
        (version, current): (i64, Option<&FinancialInputs>),
        effects: &Effects,
        pending: Option<PendingConfirmation>,
        finish_reason: FinishReason,
        usage: Usage,
    ) -> Box<RawValue> {
        let Settling {
            question, edition, now, ..
        } = self.turn;
        let before = self.engine.view(question.plan, version, current, edition);
        let (updated_outputs, missing_fields) = match &effects.inputs {
            None => (before.outputs(now), before.missing.clone()),
            Some(inputs) => {
                let after = plan::project(inputs, &edition.brand);
                let missing = plan::apply::missing_core(Some(inputs), &edition.fields);
                (Some(plan::update(before.metrics(), &after, now)), missing)
            }
        };
        frames::json(&TurnEvent::Done(Box::new(Done {
            turn_id: self.turn.hold.turn,
            full_response: text.to_owned(),
            extracted_values: effects.values.clone(),
            updated_outputs,
            pending_confirmation: pending,
            finish_reason,
            missing_fields,
            usage,
        })))
    }

    async fn store(
        &self,
        conn: &mut Conn,
        text: &str,
        current: Option<&FinancialInputs>,
        effects: Effects,
        usage: Usage,
        json: &RawValue,
    ) -> Result<(Appended, Vec<Message>), CommitError> {
        let plan = self.turn.question.plan;
        let ending = completed(text, usage, json);
        let rows: Vec<_> = effects
            .values
            .iter()
            .zip(&effects.spans)
            .map(|(value, span)| NewExtraction::new(plan, self.turn.hold.turn, value, *span))
            .collect();
        let touched: Vec<String> = effects.changes.iter().map(|change| change.field.clone()).collect();
        let messages = pair(
            self.turn.question,
            self.turn.hold,
            text,
            self.turn.now,
            effects.values,
            false,
        );
        // One round trip for all of them. The first that fails takes the transaction with it, and a turn that is no longer
        // ours fails it here.
        let conn = &*conn;
        let ((), appended, ..) = futures_util::try_join!(
            async {
                if !self.turn.hold.end(conn, &ending).await? {
                    return Err(CommitError::Lost);
                }
                failpoint!("commit.ended");
                Ok(())
            },
            async {
                let appended = Conversation::append(conn, plan, &messages, usage.total_tokens).await?;
                failpoint!("commit.appended");
                Ok(appended)
            },
            async {
                Extraction::overtake(conn, plan, &touched, self.turn.question.caller.effective.id).await?;
                failpoint!("commit.overtaken");
                Ok(())
            },
            async {
                NewExtraction::insert_all(conn, &rows).await?;
                failpoint!("commit.extracted");
                Ok(())
            },
            async {
                PlanChange::append(conn, &effects.changes).await?;
                failpoint!("commit.audited");
                Ok(())
            },
            async {
                if let Some(inputs) = &effects.inputs {
                    Plan::save_inputs(conn, plan, current, inputs).await?;
                }
                Ok(())
            },
        )?;
        failpoint!("commit.before_commit");
        Ok((appended, messages))
    }
}

/// The ending of a whole answer.
fn completed<'a>(text: &'a str, usage: Usage, event: &'a RawValue) -> Ending<'a> {
    Ending {
        state: PromptState::Completed,
        output: Some(text),
        usage,
        error_code: None,
        event,
    }
}
