//! The part of a turn that works towards an answer. It may be dropped at any time: all it writes is that a question was not
//! answered, and which plan is the user's active one.

use crate::conversation::commit::Finished;
use crate::conversation::confirmation::Decision;
use crate::conversation::form::{PromptForm, output_tokens};
use crate::conversation::retry::{self, Patience};
use crate::conversation::snapshot::brand::Prefix;
use crate::conversation::snapshot::builder::PromptBuilder;
use crate::conversation::snapshot::reader::{Prefetched, Snapshot};
use crate::conversation::stream::turn_log::failure;
use crate::conversation::tools::{EvidenceTexts, ToolContext};
use crate::conversation::turn::second_look::{ModelReviewer, Reviewer};
use crate::conversation::turn::tool_loop::{Answer, LoopError, Progress, ToolLoop};
use crate::conversation::turn::{End, Turn, claims, traces};
use crate::store::StoreResult;
use crate::store::turns::pending_actions::PendingAction;
use futures_util::FutureExt;
use plan_model::error::ErrorCode;
use plan_model::event::TurnFailure;
use plan_model::message::Role;
use std::sync::Arc;
use tokio::time::Instant;
use tracing::{Span, warn};

impl Turn {
    pub(super) async fn answer(&self, prefetched: Option<Prefetched>) -> Result<Finished, End> {
        let snapshot = self
            .snapshot(prefetched)
            .await
            .map_err(|error| self.store_failed(&error))?;
        // It was when the turn was claimed, but another one got in first.
        if snapshot.is_outdated {
            return Err(End::Failed(failure(ErrorCode::Conflict)));
        }
        failpoint!("turn.context", End::Failed(failure(ErrorCode::InternalError)));
        if let Some(pending) = &snapshot.pending {
            if let Some(decision) = Decision::of_message(&self.request.message) {
                return Ok(Finished::Confirmation {
                    pending: Box::new(pending.clone()),
                    decision,
                });
            }
            // Another message instead of a yes or no.
            let dropped = self.drop_pending(pending).await;
            if !dropped.map_err(|error| self.store_failed(&error))? {
                return Err(End::Lost);
            }
        }
        self.ask_model(snapshot).await
    }

    async fn drop_pending(&self, pending: &PendingAction) -> StoreResult<bool> {
        let conn = self.engine.db.conn().await?;
        pending.drop_in_turn(&conn, self.lease).await
    }

    async fn ask_model(&self, snapshot: Snapshot) -> Result<Finished, End> {
        let prompt = PromptBuilder::new(&self.engine.snapshots, &self.request, self.lease.turn, &snapshot);
        let mut ctx = self.ctx(&snapshot, &prompt.prefix);
        let settings = &self.engine.settings;
        let reviewer = settings.review.as_ref().map(|settings| ModelReviewer {
            llm: &*self.engine.llm,
            settings,
        });
        let Snapshot {
            base,
            brand_version,
            recent,
            ..
        } = snapshot;
        let form = self.form(&prompt.prefix);
        let tools = ToolLoop {
            llm: &*self.engine.llm,
            settings,
            prompts: &prompt,
            services: &prompt,
            reviewer: reviewer.as_ref().map(|reviewer| reviewer as &dyn Reviewer),
            prefix: Arc::clone(&prompt.prefix),
            forms: &self.engine.forms,
            calibration: &self.engine.calibration,
            messages: prompt.messages(form, &recent),
            form,
            sender: &self.sender,
            ctx: &mut ctx,
            meter: &self.meter,
            started: self.started,
            progress: Progress::default(),
        };
        // The request has a copy; a later round reads it again.
        drop(recent);
        let answer = tools.run().await.map_err(|error| self.model_failed(error))?;
        traces::used(&Span::current(), answer.usage);
        self.report_claims(brand_version.brand.item19.included);
        let Answer {
            finish,
            usage,
            intercepted,
        } = answer;
        Ok(Finished::Answer {
            base,
            ctx: Box::new(ctx),
            finish,
            usage,
            intercepted,
        })
    }

    fn report_claims(&self, has_item19: bool) {
        for code in claims::flags(&self.log.text(), has_item19) {
            warn!(turn.id = %self.lease.turn, claim.code = code, "The answer of turn {} makes a claim it must not: {code}", self.lease.turn);
            metrics::counter!("plan_advisor_flagged_answers_total", "code" => code).increment(1);
        }
    }

    fn form(&self, prefix: &Prefix) -> PromptForm {
        let (engine, context) = (&self.engine, self.engine.llm.context_tokens());
        let output = output_tokens(context, engine.settings.max_output_tokens);
        engine.forms.form(prefix.full.tokens, context, output)
    }

    /// Retries while the database is away, as the commit does: the turn is claimed, and no other instance can answer it.
    async fn snapshot(&self, mut prefetched: Option<Prefetched>) -> StoreResult<Snapshot> {
        let (engine, request, lease) = (&self.engine, &self.request, self.lease);
        let patience = Patience {
            turn: lease.turn,
            until: Instant::now() + self.patience(),
            leaving: &engine.restart,
            log: None,
            permits: None,
        };
        retry::while_away(patience, || {
            engine.snapshots.load(request, lease, prefetched.take()).boxed()
        })
        .await
    }

    fn ctx(&self, snapshot: &Snapshot, prefix: &Prefix) -> ToolContext {
        let words = EvidenceTexts {
            message: self.request.message.clone(),
            previous_message: snapshot.last(Role::User).map(str::to_owned),
            advisor: snapshot.last(Role::Assistant).map(str::to_owned),
        };
        ToolContext::new(
            Arc::clone(&snapshot.brand_version),
            Arc::clone(&prefix.vocabulary),
            snapshot.base.inputs.clone(),
            words,
            self.engine.clock.now(),
        )
    }

    fn model_failed(&self, error: LoopError) -> End {
        match error {
            LoopError::Llm(cause) => {
                let class = cause.class();
                warn!(turn.id = %self.lease.turn, llm.error = class, "Turn {} has no answer: {cause}", self.lease.turn);
                metrics::counter!("plan_advisor_llm_errors_total", "class" => class).increment(1);
                let retryable = cause.is_retryable_by_user();
                End::Failed(TurnFailure {
                    retryable,
                    ..failure(ErrorCode::LlmUnavailable)
                })
            }
            LoopError::Store(cause) => self.store_failed(&cause),
            LoopError::TooLong => {
                warn!(turn.id = %self.lease.turn, "Turn {} was cut: the answer is too long", self.lease.turn);
                End::Failed(failure(ErrorCode::LlmUnavailable))
            }
        }
    }
}
