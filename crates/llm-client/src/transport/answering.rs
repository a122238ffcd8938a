//! The second half of a call: from the first piece of the answer to its end.

use super::{breaker::Permit, opened::Opened};
use crate::{Completion, LlmError, LlmEvent};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long usage is waited for once the model has said that it is finished.
const AFTER_FINISH: Duration = Duration::from_secs(2);
/// How long the end of the body is waited for behind `[DONE]`, so that the connection can serve the next call.
const AFTER_DONE: Duration = Duration::from_millis(50);

/// An answer that is being read.
pub(crate) struct Answering {
    /// `None` once the last item has been made.
    opened: Option<Opened>,
    permit: Option<Permit>,
    completion: Option<Completion>,
    gap_timeout: Duration,
    thinking_timeout: Duration,
    seen: u64,
    last_progress: Instant,
}

impl Answering {
    /// `gaps`: the longest silence while the model writes, and while it thinks.
    pub(crate) fn new(mut opened: Opened, permit: Permit, gaps: (Duration, Duration)) -> Self {
        let (gap_timeout, thinking_timeout) = gaps;
        let seen = opened.reader().progress();
        let last_progress = Instant::now();
        Self {
            opened: Some(opened),
            permit: Some(permit),
            completion: None,
            gap_timeout,
            thinking_timeout,
            seen,
            last_progress,
        }
    }

    pub(crate) async fn next(&mut self) -> Option<Result<LlmEvent, LlmError>> {
        if let Some(completion) = self.completion.take() {
            return Some(Ok(LlmEvent::Completed(completion)));
        }
        // The provider's silence is measured, not the reader's.
        self.last_progress = Instant::now();
        loop {
            let opened = self.opened.as_mut()?;
            let text = opened.reader().take_text();
            if !text.is_empty() {
                return Some(Ok(LlmEvent::Text(text)));
            }
            if opened.is_over() {
                return self.finish();
            }
            let wait = match opened.reader() {
                reader if reader.is_done() => AFTER_DONE,
                reader if reader.is_finished() => AFTER_FINISH,
                reader if reader.may_be_silent() => self.thinking_timeout.max(self.gap_timeout),
                _ => self.gap_timeout,
            };
            let in_time = timeout_at(self.last_progress + wait, opened.read()).await.is_ok();
            let progress = opened.reader().progress();
            if std::mem::replace(&mut self.seen, progress) != progress {
                self.last_progress = Instant::now();
            } else if !in_time && opened.reader().is_finished() {
                opened.end();
            } else if !in_time {
                return self.fail(LlmError::Gap(wait));
            }
        }
    }

    /// The last item, or the text before it.
    fn finish(&mut self) -> Option<Result<LlmEvent, LlmError>> {
        let mut opened = self.opened.take()?;
        let usage = opened.reader().usage();
        let finished = match opened.take_failure() {
            Some(error) => Err(error),
            None => std::mem::take(opened.reader()).finish(),
        };
        let (text, completion) = match finished {
            Ok(finished) => finished,
            Err(error) => return self.fail(error.with_usage(usage)),
        };
        if let Some(permit) = self.permit.take() {
            permit.succeeded();
        }
        if text.is_empty() {
            return Some(Ok(LlmEvent::Completed(completion)));
        }
        self.completion = Some(completion);
        Some(Ok(LlmEvent::Text(text)))
    }

    fn fail(&mut self, error: LlmError) -> Option<Result<LlmEvent, LlmError>> {
        let usage = self.opened.take().and_then(|mut opened| opened.reader().usage());
        let error = error.with_usage(usage);
        if let Some(permit) = self.permit.take() {
            permit.failed(&error, Instant::now());
        }
        Some(Err(error))
    }
}
