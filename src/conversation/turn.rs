//! One turn from question to commit. Supervised: however it ends, readers get exactly one ending and the row tells the truth.

use super::briefing::Briefing;
use super::commit::{CommitError, Committed, Finished};
use super::confirmation::Decision;
use super::context::{Context, Early};
use super::frames;
use super::live::{TurnLog, TurnSender, failure};
use super::tool_loop::{Answer, LoopError, ToolLoop, tokens_of};
use super::tools::{SpokenWords, Workbench};
use super::{Engine, Question, claims, commit, traces};
use crate::model::error::ErrorCode;
use crate::model::event::{TurnEvent, TurnFailure};
use crate::model::message::{Role, Usage};
use crate::store::prompts::{Hold, PromptState};
use crate::store::{StoreError, StoreResult};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tracing::{Instrument, Span, error, info, warn};

/// Between two looks at a database that is away.
const PAUSE: Duration = Duration::from_millis(250);

/// A claimed turn.
pub struct Turn {
    engine: Arc<Engine>,
    question: Question,
    hold: Hold,
    log: Arc<TurnLog>,
    sender: TurnSender,
    started: Instant,
}

/// Why a turn ended without an answer.
enum End {
    Failed(TurnFailure, Usage),
    Stopped,
    Restarting,
    /// Another instance has the turn; nothing may be written.
    Lost,
}

impl Turn {
    #[must_use]
    pub fn new(engine: Arc<Engine>, question: Question, hold: Hold, log: Arc<TurnLog>) -> Self {
        let sender = TurnSender::new(Arc::clone(&log), engine.live.clone());
        Self {
            engine,
            question,
            hold,
            log,
            sender,
            started: Instant::now(),
        }
    }

    /// Runs the turn to its end.
    pub async fn supervise(self, early: Option<Early>) {
        let outcome = {
            let span = traces::turn(self.hold.turn, self.question.plan);
            let work = AssertUnwindSafe(self.answer(early)).catch_unwind().instrument(span);
            tokio::select! {
                biased;
                () = self.log.lost.cancelled() => Err(End::Lost),
                () = self.log.stop.cancelled() => Err(End::Stopped),
                () = self.engine.restart.cancelled() => Err(End::Restarting),
                () = tokio::time::sleep(self.engine.settings.deadline) => {
                    Err(End::Failed(failure(ErrorCode::LlmUnavailable), self.spent()))
                }
                result = work => result.unwrap_or_else(|_| Err(End::Failed(failure(ErrorCode::InternalError), Usage::default()))),
            }
        };
        // From here on nothing interrupts us: what is written is written as a whole.
        let started = self.started;
        let state = match outcome {
            // On the heap, so that a turn is not as large as its end while the model speaks.
            Ok(finished) => Box::pin(self.commit_or_fail(finished)).await,
            Err(end) => Box::pin(self.end(end)).await,
        };
        metrics::counter!("plan_advisor_turns_total", "outcome" => state).increment(1);
        metrics::histogram!("plan_advisor_turn_seconds").record(started.elapsed().as_secs_f64());
    }

    /// What the tokens so far may have cost, where nobody has counted.
    fn spent(&self) -> Usage {
        tokens_of(self.question.message.len(), self.log.len())
    }

    async fn answer(&self, early: Option<Early>) -> Result<Finished, End> {
        let context = self.context(early).await.map_err(|error| self.store_failed(&error))?;
        failpoint!(
            "turn.context",
            End::Failed(failure(ErrorCode::InternalError), Usage::default())
        );
        if let Some(pending) = &context.pending {
            if let Some(decision) = Decision::of_message(&self.question.message) {
                return Ok(Finished::Settlement {
                    pending: Box::new(pending.clone()),
                    decision,
                });
            }
            commit::drop_pending(&self.engine.db, self.question.plan)
                .await
                .map_err(|error| self.store_failed(&error))?;
        }
        let mut bench = self.bench(&context);
        let briefing = Briefing::new(&self.engine, &self.question, self.hold.turn, &context);
        let Context {
            base, edition, recent, ..
        } = context;
        let tools = ToolLoop {
            engine: &self.engine,
            messages: briefing.messages(&recent),
            briefing,
            sender: &self.sender,
            bench: &mut bench,
            exchange: Vec::new(),
            started: self.started,
        };
        // The model has it now; whoever needs it again finds it again.
        drop(recent);
        let Answer {
            finish,
            usage,
            intercepted,
        } = tools.run().await.map_err(|error| self.model_failed(error))?;
        traces::used(&Span::current(), usage);
        for code in claims::flags(&self.log.text(), edition.brand.item19.included) {
            warn!(turn.id = %self.hold.turn, claim.code = code, "The answer of turn {} speaks like a claim: {code}", self.hold.turn);
            metrics::counter!("plan_advisor_flagged_answers_total", "code" => code).increment(1);
        }
        Ok(Finished::Answer {
            base,
            bench: Box::new(bench),
            finish,
            usage,
            intercepted,
        })
    }

    /// Waits for a database that is away, as the commit does: the turn is claimed, and nobody else can answer it.
    async fn context(&self, mut early: Option<Early>) -> StoreResult<Context> {
        let deadline = Instant::now() + commit::PATIENCE;
        loop {
            match Context::load(&self.engine, &self.question, self.hold.turn, early.take()).await {
                Err(error) if error.is_transient() && Instant::now() < deadline => sleep(PAUSE).await,
                result => return result,
            }
        }
    }

    fn bench(&self, context: &Context) -> Workbench {
        Workbench {
            inputs: context.base.inputs.clone(),
            edition: Arc::clone(&context.edition),
            words: SpokenWords {
                message: self.question.message.clone(),
                previous_message: context.last(Role::User).map(str::to_owned),
                advisor: context.last(Role::Assistant).map(str::to_owned),
            },
            heard: Vec::new(),
            now: self.engine.clock.now(),
        }
    }

    fn store_failed(&self, error: &StoreError) -> End {
        error!(turn.id = %self.hold.turn, error = %error, "Turn {} cannot read the database", self.hold.turn);
        End::Failed(failure(ErrorCode::InternalError), Usage::default())
    }

    fn model_failed(&self, error: LoopError) -> End {
        match error {
            LoopError::Llm(cause, usage) => {
                let class = cause.class();
                warn!(turn.id = %self.hold.turn, llm.error = class, "Turn {} has no answer: {cause}", self.hold.turn);
                metrics::counter!("plan_advisor_llm_errors_total", "class" => class).increment(1);
                let retryable = cause.is_retryable_by_user();
                End::Failed(
                    TurnFailure {
                        retryable,
                        ..failure(ErrorCode::LlmUnavailable)
                    },
                    usage,
                )
            }
            LoopError::Store(cause) => self.store_failed(&cause),
            LoopError::TooLong(usage) => {
                warn!(turn.id = %self.hold.turn, "Turn {} was cut: the answer is too long", self.hold.turn);
                End::Failed(failure(ErrorCode::LlmUnavailable), usage)
            }
        }
    }

    /// Commits. A panic on the way leaves a failed turn behind instead of one that holds its plan until its lease is over.
    async fn commit_or_fail(self, finished: Finished) -> &'static str {
        let (engine, question, hold, log) = (
            Arc::clone(&self.engine),
            self.question.clone(),
            self.hold,
            Arc::clone(&self.log),
        );
        let spent = self.spent();
        if let Ok(state) = AssertUnwindSafe(self.commit(finished)).catch_unwind().await {
            return state;
        }
        // Unwinding has dropped the sender, which has told the readers.
        let failure = failure(ErrorCode::InternalError);
        let json = frames::json(&TurnEvent::Error(failure.clone()));
        let (state, text) = (PromptState::Failed, log.text());
        if let Err(cause) = commit::end_badly(&engine, &question, hold, state, &failure, spent, &text, &json).await {
            error!(turn.id = %hold.turn, error = %cause, "The end of turn {} could not be stored", hold.turn);
        }
        state.as_str()
    }

    async fn commit(self, finished: Finished) -> &'static str {
        match commit::commit(&self.engine, &self.question, self.hold, &self.log.text(), finished).await {
            Ok(Committed { said, json, tokens }) => {
                failpoint!(in "turn.before_done");
                metrics::counter!("plan_advisor_tokens_total").increment(tokens.max(0).unsigned_abs());
                if let Some(text) = said {
                    self.sender.push(&text);
                }
                info!(turn.id = %self.hold.turn, turn.tokens = tokens, "Turn {} used {tokens} tokens", self.hold.turn);
                self.sender.finish(json.get());
                "completed"
            }
            Err(CommitError::Lost) => self.end(End::Lost).await,
            Err(CommitError::Forbidden) => {
                let spent = self.spent();
                self.end(End::Failed(failure(ErrorCode::InternalError), spent)).await
            }
            Err(CommitError::Store(cause)) => {
                error!(turn.id = %self.hold.turn, error = %cause, "Turn {} could not be stored", self.hold.turn);
                let spent = self.spent();
                self.end(End::Failed(failure(ErrorCode::InternalError), spent)).await
            }
        }
    }

    async fn end(self, end: End) -> &'static str {
        let (state, failure, usage) = match end {
            End::Failed(failure, usage) => (PromptState::Failed, failure, usage),
            End::Stopped => (PromptState::Stopped, failure(ErrorCode::Stopped), self.spent()),
            End::Restarting => (
                PromptState::Interrupted,
                failure(ErrorCode::ServerRestarting),
                self.spent(),
            ),
            End::Lost => {
                warn!(turn.id = %self.hold.turn, "Turn {} was taken over", self.hold.turn);
                let json = frames::json(&TurnEvent::Error(failure(ErrorCode::ServerRestarting)));
                self.sender.finish(json.get());
                return "lost";
            }
        };
        let json = frames::json(&TurnEvent::Error(failure.clone()));
        let text = self.log.text();
        if let Err(cause) = commit::end_badly(
            &self.engine,
            &self.question,
            self.hold,
            state,
            &failure,
            usage,
            &text,
            &json,
        )
        .await
        {
            // The lease runs out and the reaper marks the turn; the reader still gets its ending now.
            error!(turn.id = %self.hold.turn, error = %cause, "The end of turn {} could not be stored", self.hold.turn);
        }
        self.sender.finish(json.get());
        state.as_str()
    }
}
