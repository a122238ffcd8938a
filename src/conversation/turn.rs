//! One turn from message to commit. However it ends, readers get exactly one terminal event, and the row agrees with it.

mod answer;
mod calls;
pub(crate) mod claims;
mod failed_call;
pub(crate) mod progress;
pub(crate) mod second_look;
pub(crate) mod stop;
pub(crate) mod tool_loop;
mod traces;

use crate::conversation::commit::{CommitError, Committed, Ended, Finished};
use crate::conversation::estimate::Meter;
use crate::conversation::snapshot::reader::Prefetched;
use crate::conversation::stream::frame;
use crate::conversation::stream::turn_log::{TurnLog, TurnSender, failure};
use crate::conversation::{Engine, TurnRequest, commit, retry};
use crate::store::StoreError;
use crate::store::turns::prompts::{Ending, PromptState, TurnLease};
use futures_util::FutureExt;
use plan_model::error::ErrorCode;
use plan_model::event::{StoredEnding, TurnEvent, TurnFailure};
use plan_model::usage::Usage;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tracing::{Instrument, error, info, warn};

/// For the ending of a turn in a process that leaves.
const LAST_ATTEMPT: Duration = Duration::from_secs(1);

/// A claimed turn.
pub(crate) struct Turn {
    engine: Arc<Engine>,
    request: TurnRequest,
    lease: TurnLease,
    log: Arc<TurnLog>,
    sender: TurnSender,
    started: Instant,
    meter: Arc<Meter>,
}

/// Why a turn ended without an answer.
enum End {
    Failed(TurnFailure),
    Stopped,
    Restarting,
    /// Another instance has the turn; nothing may be written.
    Lost,
}

impl Turn {
    pub(crate) fn new(engine: Arc<Engine>, request: TurnRequest, lease: TurnLease, log: Arc<TurnLog>) -> Self {
        let sender = TurnSender::new(Arc::clone(&log), engine.live.clone());
        Self {
            engine,
            request,
            lease,
            log,
            sender,
            started: Instant::now(),
            meter: Arc::default(),
        }
    }

    /// Runs the turn to its end.
    pub(crate) async fn supervise(self, prefetched: Option<Prefetched>) {
        let outcome = {
            let span = traces::turn(self.lease.turn, self.request.plan);
            let work = AssertUnwindSafe(self.answer(prefetched))
                .catch_unwind()
                .instrument(span);
            tokio::select! {
                biased;
                end = self.interruption() => Err(end),
                result = work => result.unwrap_or_else(|_| Err(End::Failed(failure(ErrorCode::InternalError)))),
            }
        };
        // From here on nothing interrupts an attempt to write, only what is between two: what is written is written as a whole.
        let started = self.started;
        let state = match outcome {
            // On the heap, so that a running turn's future is not as large as its commit.
            Ok(finished) => Box::pin(self.commit_or_fail(finished)).await,
            Err(end) => Box::pin(self.end(end)).await,
        };
        metrics::counter!("plan_advisor_turns_total", "outcome" => state).increment(1);
        metrics::histogram!("plan_advisor_turn_seconds").record(started.elapsed().as_secs_f64());
    }

    /// Resolves when the turn must not go on.
    async fn interruption(&self) -> End {
        tokio::select! {
            biased;
            () = self.log.lost.cancelled() => End::Lost,
            () = self.log.stop.cancelled() => End::Stopped,
            () = self.engine.restart.cancelled() => End::Restarting,
            () = tokio::time::sleep(self.engine.settings.deadline) => End::Failed(failure(ErrorCode::LlmUnavailable)),
        }
    }

    /// How long the turn waits for a database that is away: what is left of its own time, and at least a failover.
    fn patience(&self) -> Duration {
        let left = self.engine.settings.deadline.saturating_sub(self.started.elapsed());
        left.max(retry::FAILOVER)
    }

    fn store_failed(&self, error: &StoreError) -> End {
        error!(turn.id = %self.lease.turn, error = %error.chain(), "Turn {} cannot read the database", self.lease.turn);
        End::Failed(failure(of_store(error)))
    }

    /// Commits. A panic on the way leaves a failed turn behind instead of one that holds its plan until its lease is over.
    async fn commit_or_fail(self, finished: Finished) -> &'static str {
        let (engine, request, lease, log, meter) = (
            Arc::clone(&self.engine),
            self.request.clone(),
            self.lease,
            Arc::clone(&self.log),
            Arc::clone(&self.meter),
        );
        if let Ok(state) = AssertUnwindSafe(self.commit(finished)).catch_unwind().await {
            return state;
        }
        // Unwinding has dropped the sender, which has ended the readers' streams.
        let (failure, text) = (failure(ErrorCode::InternalError), log.text());
        let spent = meter.total(&text);
        let end = TurnEnd {
            state: PromptState::Failed,
            failure,
            usage: spent,
            text: &text,
        };
        store_end(&engine, &request, lease, end).await;
        PromptState::Failed.as_str()
    }

    async fn commit(self, finished: Finished) -> &'static str {
        let (text, patience) = (self.log.text(), self.patience());
        match commit::commit(&self.engine, &self.request, &self.log, &text, finished, patience).await {
            Ok(committed) => self.complete(committed),
            // It was stopped or taken over between two attempts; what became of the last one is looked up.
            Err(CommitError::Store(cause)) if cause.is_transient() && self.log.lost.is_cancelled() => {
                self.end(End::Lost).await
            }
            Err(CommitError::Store(cause)) if cause.is_transient() && self.log.stop.is_cancelled() => {
                self.end(End::Stopped).await
            }
            Err(CommitError::Lost) => self.end(End::Lost).await,
            Err(CommitError::Forbidden) => self.end(End::Failed(failure(ErrorCode::Forbidden))).await,
            Err(CommitError::Store(_)) if self.engine.restart.is_cancelled() => self.end(End::Restarting).await,
            Err(CommitError::Store(cause)) => {
                error!(turn.id = %self.lease.turn, error = %cause.chain(), "Turn {} could not be stored", self.lease.turn);
                self.end(End::Failed(failure(of_store(&cause)))).await
            }
            Err(CommitError::Edit(cause)) => {
                error!(turn.id = %self.lease.turn, error = %cause, "Turn {} could not be stored", self.lease.turn);
                self.end(End::Failed(failure(ErrorCode::InternalError))).await
            }
        }
    }

    /// Sends `done`: the turn is stored.
    fn complete(self, Committed { said, json, tokens, .. }: Committed) -> &'static str {
        failpoint!(in "turn.before_done");
        if let Some(text) = said {
            self.sender.push(&text);
        }
        info!(turn.id = %self.lease.turn, turn.tokens = tokens, "Turn {} used {tokens} tokens", self.lease.turn);
        self.sender.finish(json.get());
        PromptState::Completed.as_str()
    }

    async fn end(self, end: End) -> &'static str {
        let (state, failure) = match end {
            End::Failed(failure) => (PromptState::Failed, failure),
            End::Stopped => (PromptState::Stopped, failure(ErrorCode::Stopped)),
            End::Restarting => (PromptState::Interrupted, failure(ErrorCode::ServerRestarting)),
            End::Lost => return self.lose(),
        };
        let text = self.log.text();
        let end = TurnEnd {
            state,
            failure: failure.clone(),
            usage: self.meter.total(&text),
            text: &text,
        };
        match store_end(&self.engine, &self.request, self.lease, end).await {
            Some(Ended::Completed(committed)) => self.complete(committed),
            Some(Ended::Lost) => self.lose(),
            Some(Ended::AsAsked) | None => {
                self.sender.finish(frame::json(&TurnEvent::Error(failure)).get());
                state.as_str()
            }
        }
    }

    fn lose(self) -> &'static str {
        warn!(turn.id = %self.lease.turn, "Turn {} was taken over", self.lease.turn);
        let json = frame::json(&TurnEvent::Error(failure(ErrorCode::ServerRestarting)));
        self.sender.finish(json.get());
        "lost"
    }
}

/// The error's code for the turn's readers.
fn of_store(error: &StoreError) -> ErrorCode {
    match error.is_transient() {
        true => ErrorCode::Unavailable,
        false => ErrorCode::InternalError,
    }
}

/// How a turn ends without an answer.
struct TurnEnd<'a> {
    state: PromptState,
    failure: TurnFailure,
    usage: Usage,
    text: &'a str,
}

/// Stores how a turn ended without an answer; `None` if it could not be stored. Where the database stays away the lease runs out
/// and the turn is marked as interrupted.
async fn store_end(engine: &Engine, request: &TurnRequest, lease: TurnLease, end: TurnEnd<'_>) -> Option<Ended> {
    let code = end.failure.code.as_str();
    let ending = Ending {
        state: end.state,
        output: Some(end.text),
        usage: end.usage,
        error_code: Some(code),
        event: &StoredEnding::Error(end.failure),
    };
    // A stop is kept as long as an answer would be.
    let patience = match end.state {
        PromptState::Stopped => retry::FAILOVER,
        _ => retry::ENDING,
    };
    let ended = commit::end_without_answer(engine, request, lease, &ending, patience);
    // A process that leaves has no time to wait: the readers' last event comes first, the lease runs out.
    let ended = match engine.restart.is_cancelled() {
        true => tokio::time::timeout(LAST_ATTEMPT, ended).await.ok()?,
        false => ended.await,
    };
    ended
        .inspect_err(|cause| error!(turn.id = %lease.turn, error = %cause.chain(), "The end of turn {} could not be stored", lease.turn))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_learn_whether_the_database_was_away_or_the_program_is_wrong() {
        assert_eq!(
            of_store(&StoreError::Unavailable("away".into())),
            ErrorCode::Unavailable
        );
        assert_eq!(of_store(&StoreError::NotFound), ErrorCode::InternalError);
    }
}
