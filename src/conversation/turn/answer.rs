//! The part of a turn that works towards an answer. It may be dropped at any time: all it writes is that a question was not
//! answered, and which plan is the user's active one.

use crate::conversation::acts::{self, Acted};
use crate::conversation::commit::Finished;
use crate::conversation::confirmation::Decision;
use crate::conversation::form::{form, output_tokens};
use crate::conversation::retry::{self, Patience};
use crate::conversation::snapshot::brand::Prefix;
use crate::conversation::snapshot::builder::PromptBuilder;
use crate::conversation::snapshot::reader::{Prefetched, Snapshot};
use crate::conversation::stream::turn_log::failure;
use crate::conversation::tools::{EvidenceTexts, Hints, ToolContext};
use crate::conversation::turn::progress::Progress;
use crate::conversation::turn::second_look::{ModelReviewer, Reviewer};
use crate::conversation::turn::tool_loop::{Answer, LoopError, ToolLoop};
use crate::conversation::turn::{End, Turn, claims, traces};
use crate::store::StoreResult;
use crate::store::turns::pending_actions::PendingAction;
use futures_util::FutureExt;
use llm_client::Asker;
use plan_model::error::ErrorCode;
use plan_model::event::TurnFailure;
use plan_model::field::FieldPath;
use plan_model::message::{FinishReason, Message, Role};
use plan_model::usage::Usage;
use plan_reader::Act;
use std::sync::Arc;
use tokio::time::Instant;
use tracing::{Span, warn};

/// Earlier messages among which the last value is looked for.
const LOOKED_AT: usize = 6;

/// The one field that was written or asked about last; none where the last values were of several.
fn about(messages: &[Message]) -> Option<FieldPath> {
    let mut newest = messages.iter().rev().take(LOOKED_AT);
    let values = newest.find_map(|message| message.extracted_values.as_ref().filter(|values| !values.is_empty()))?;
    let (first, rest) = values.split_first()?;
    rest.iter()
        .all(|value| value.field == first.field)
        .then(|| first.field.clone())
}

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
        // An assistant neither says yes to what waits nor makes an end of it.
        let is_relayed = self.request.assistant.is_some();
        if let Some(pending) = snapshot.pending.as_ref().filter(|_| !is_relayed) {
            if let Some(decision) = Decision::of_message(&self.request.message, &pending.tool_name) {
                return Ok(Finished::Confirmation {
                    pending: pending.clone(),
                    decision,
                });
            }
            // Another message instead of a yes or no.
            let dropped = self.drop_pending(pending).await;
            if !dropped.map_err(|error| self.store_failed(&error))? {
                return Err(End::Lost);
            }
        }
        let acted = match is_relayed {
            true => None,
            false => self.act(&snapshot).await?,
        };
        match acted {
            None => self.ask_model(snapshot, None).await,
            Some((acted, "")) => Ok(self.acted(&snapshot, acted)),
            Some((acted, rest)) => self.ask_model(snapshot, Some((acted, rest))).await,
        }
    }

    async fn drop_pending(&self, pending: &PendingAction) -> StoreResult<bool> {
        let conn = self.engine.db.conn().await?;
        pending.drop_in_turn(&conn, self.lease).await
    }

    /// Has the message answered; of one that begins with an act what follows it, as if the act had been carried out before.
    async fn ask_model(&self, snapshot: Snapshot, acted: Option<(Acted, &str)>) -> Result<Finished, End> {
        let mut prompt = PromptBuilder::new(&self.engine.snapshots, &self.request, self.lease.turn, &snapshot);
        let mut ctx = self.ctx(&snapshot, &prompt.prefix);
        if let Some((acted, rest)) = acted {
            ctx.settle_first(acted.settlement, &acted.accepted);
            rest.clone_into(&mut ctx.words.message);
            prompt.goes_on(rest, &acted.text, ctx.inputs.clone());
            ctx.words.advisor = Some(acted.text);
        }
        let settings = &self.engine.settings;
        // What is refused for one person's words says nothing about another's.
        let asker = Asker::person(self.request.caller.actor.id.0.as_u128());
        let review = settings.review.as_ref().filter(|_| self.engine.review.is_on());
        let reviewer = review.map(|settings| ModelReviewer {
            llm: &*self.engine.llm,
            settings,
            asker: asker.clone(),
        });
        let Snapshot {
            base,
            brand_version,
            recent,
            ..
        } = snapshot;
        let context = self.engine.llm.context_tokens();
        let output = output_tokens(context, settings.max_output_tokens);
        let form = form(prompt.prefix.full.tokens, context, output);
        let tools = ToolLoop {
            llm: &*self.engine.llm,
            settings,
            prompts: &prompt,
            services: &prompt,
            reviewer: reviewer.as_ref().map(|reviewer| reviewer as &dyn Reviewer),
            prefix: Arc::clone(&prompt.prefix),
            calibration: &self.engine.calibration,
            messages: prompt.messages(form, context, &recent),
            form,
            context,
            asker,
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
            hints,
        } = answer;
        Ok(Finished::Answer {
            base,
            ctx: Box::new(ctx),
            finish,
            usage,
            intercepted,
            hints,
        })
    }

    /// What the message plainly says of open proposals, with what follows it; the words are said, nothing is settled yet.
    async fn act(&self, snapshot: &Snapshot) -> Result<Option<(Acted, &str)>, End> {
        let message = self.request.message.as_str();
        let act = plan_reader::said_act(message);
        if act.is_none() && !acts::may_name(message, snapshot.last(Role::Assistant)) {
            return Ok(None);
        }
        let prompt = PromptBuilder::new(&self.engine.snapshots, &self.request, self.lease.turn, snapshot);
        let open = retry::while_away(self.while_answering(), || prompt.open().boxed());
        let open = open.await.map_err(|error| self.store_failed(&error))?;
        let ctx = self.ctx(snapshot, &prompt.prefix);
        let Some((acted, rest)) = acts::settled(message, act, &open, &ctx) else {
            return Ok(None);
        };
        let acted = match rest {
            "" => {
                let is_plain_yes = act.is_some_and(|said| said.act == Act::Yes);
                acts::follow_up(acted, (&open, is_plain_yes), &ctx, self.ctx(snapshot, &prompt.prefix))
            }
            _ => acted,
        };
        if !self.sender.push(&acted.text) {
            return Err(End::Failed(failure(ErrorCode::LlmUnavailable)));
        }
        Ok(Some((acted, rest)))
    }

    /// The end of a message that only settles open proposals; the model is not asked.
    fn acted(&self, snapshot: &Snapshot, acted: Acted) -> Finished {
        let prefix = self.engine.snapshots.prefixes.of(&snapshot.brand_version);
        let mut ctx = self.ctx(snapshot, &prefix);
        ctx.settlement = acted.settlement;
        let hints = Hints {
            suggestions: acted.suggestions,
            heard_as: None,
        };
        Finished::Answer {
            base: snapshot.base.clone(),
            ctx: Box::new(ctx),
            finish: FinishReason::Stop,
            usage: Usage::default(),
            intercepted: None,
            hints,
        }
    }

    fn report_claims(&self, has_item19: bool) {
        for code in claims::flags(&self.log.text(), has_item19) {
            warn!(turn.id = %self.lease.turn, claim.code = code, "The answer of turn {} makes a claim it must not: {code}", self.lease.turn);
            metrics::counter!("plan_advisor_flagged_answers_total", "code" => code).increment(1);
        }
    }

    /// How long what is read is tried again while the database is away.
    fn while_answering(&self) -> Patience<'_> {
        Patience {
            turn: self.lease.turn,
            until: Instant::now() + self.patience(),
            leaving: &self.engine.restart,
            log: None,
            permits: None,
        }
    }

    /// Retries while the database is away, as the commit does: the turn is claimed, and no other instance can answer it.
    async fn snapshot(&self, mut prefetched: Option<Prefetched>) -> StoreResult<Snapshot> {
        let (engine, request, lease) = (&self.engine, &self.request, self.lease);
        retry::while_away(self.while_answering(), || {
            engine.snapshots.load(request, lease, prefetched.take()).boxed()
        })
        .await
    }

    fn ctx(&self, snapshot: &Snapshot, prefix: &Prefix) -> ToolContext {
        let words = match self.request.assistant {
            // What an assistant passes on is evidence of nothing.
            Some(_) => EvidenceTexts::default(),
            None => EvidenceTexts {
                message: self.request.message.clone(),
                previous_message: snapshot.last(Role::User).map(str::to_owned),
                said: snapshot.said().map(str::to_owned).collect(),
                advisor: snapshot.last(Role::Assistant).map(str::to_owned),
                about: about(&snapshot.recent.messages),
            },
        };
        let mut ctx = ToolContext::new(
            Arc::clone(&snapshot.brand_version),
            Arc::clone(&prefix.vocabulary),
            snapshot.base.inputs.clone(),
            words,
            self.engine.clock.now(),
        );
        ctx.language = self.request.language;
        ctx.assistant.clone_from(&self.request.assistant);
        ctx
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
