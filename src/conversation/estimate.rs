//! Estimates token usage where the provider reports none, and sums up what a turn has used so far.

use llm_client::{ChatMessage, Completion, tokens};
use plan_model::usage::Usage;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// For providers that do not count: from the estimated tokens of the question, and the answer.
pub(crate) fn estimate(asked: usize, said: &str, completion: &Completion) -> Usage {
    let calls = completion.tool_calls.iter();
    let called: usize = calls.map(|call| tokens(&call.name) + tokens(&call.arguments)).sum();
    tokens_of(asked, tokens(said) + called)
}

/// An estimated usage.
pub(crate) fn tokens_of(asked: usize, answered: usize) -> Usage {
    let tokens = |count: usize| i64::try_from(count).unwrap_or(i64::MAX / 4);
    let (prompt_tokens, completion_tokens) = (tokens(asked), tokens(answered));
    Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        estimated: true,
        ..Usage::default()
    }
}

/// How the model counts the tokens of our requests: its own count per thousand of a count by bytes. Zero until its first
/// count. Shared by all turns.
#[derive(Debug, Default)]
pub(crate) struct Calibration(AtomicU32);

/// How large a request is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestSize {
    /// The estimated tokens of the prefix, and a quarter of the bytes behind it.
    by_bytes: usize,
    /// About how many tokens it has.
    pub tokens: usize,
}

impl Calibration {
    /// The size of a request with so many tokens in its prefix and these messages behind. Words are counted only until the
    /// model has counted once, because the messages hold all that a turn sends.
    pub(crate) fn size(&self, prefix: usize, messages: &[ChatMessage]) -> RequestSize {
        let by_bytes = prefix + messages.iter().map(ChatMessage::size).sum::<usize>() / 4;
        let tokens = match self.0.load(Ordering::Relaxed) {
            0 => prefix + messages.iter().map(ChatMessage::tokens).sum::<usize>(),
            per_thousand => by_bytes * per_thousand as usize / 1_000,
        };
        RequestSize { by_bytes, tokens }
    }

    /// Takes the model's count of a turn's first request; later ones have encrypted reasoning and results of tools.
    pub(crate) fn observe(&self, size: RequestSize, counted: i64) {
        let per_thousand = counted.max(0).saturating_mul(1_000) / size.by_bytes.max(1) as i64;
        // Tokenizers differ by less. A server that leaves out what it had cached says nothing about the whole.
        if let Ok(per_thousand) = u32::try_from(per_thousand)
            && (750..=1_500).contains(&per_thousand)
        {
            self.0.store(per_thousand, Ordering::Relaxed);
        }
    }
}

/// What a turn has cost so far, for one that ends in the middle of an answer.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    spent: Mutex<Spent>,
    requests: AtomicU32,
}

#[derive(Debug, Default)]
struct Spent {
    /// Of the answers that are whole.
    settled: Usage,
    /// Tokens of the question whose answer is not whole, and how much text had been shown before.
    open: Option<(usize, usize)>,
}

impl Meter {
    /// The model is asked; the turn has shown so many bytes of text.
    pub(crate) fn asks(&self, tokens: usize, shown: usize) {
        self.requested("answer");
        self.spent().open = Some((tokens, shown));
    }

    /// A second look is taken.
    pub(crate) fn looks_again(&self) {
        self.requested("second_look");
    }

    fn requested(&self, purpose: &'static str) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        metrics::counter!("plan_advisor_model_calls_total", "purpose" => purpose).increment(1);
    }

    /// How often a model was asked.
    pub(crate) fn requests(&self) -> u32 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The answer is whole; the turn has cost this much.
    pub(crate) fn settles(&self, usage: Usage) {
        *self.spent() = Spent {
            settled: usage,
            open: None,
        };
    }

    /// Whether the turn, which has shown so many bytes now, shows any of the answer that is not whole.
    pub(crate) fn has_shown(&self, shown: usize) -> bool {
        self.spent().open.is_some_and(|(_, before)| shown > before)
    }

    /// All of it, estimated where an answer is not whole. `shown` is the turn's text so far.
    pub(crate) fn total(&self, shown: &str) -> Usage {
        let spent = self.spent();
        let mut usage = spent.settled;
        if let Some((asked, before)) = spent.open {
            usage.add(tokens_of(asked, tokens(shown.get(before..).unwrap_or_default())));
        }
        usage
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_own_count_corrects_later_estimates() {
        let calibration = Calibration::default();
        let message = [ChatMessage::User("one two three four".into())];
        let first = calibration.size(1_000, &message);
        assert_eq!(first.tokens, 1_000 + message[0].tokens());
        calibration.observe(first, 1_200);
        assert!(calibration.size(1_000, &message).tokens.abs_diff(1_200) <= 2);
        assert_eq!(calibration.size(2_000, &message).tokens / 100, 23);
        for senseless in [0, -1, 12, 700, 1_700, i64::MAX] {
            calibration.observe(first, senseless);
            assert_eq!(calibration.size(1_000, &message).tokens / 100, 11, "{senseless}");
        }
    }

    #[test]
    fn a_turn_that_is_stopped_has_cost_what_was_asked_and_said() {
        let meter = Meter::default();
        assert_eq!(meter.total(""), Usage::default());
        meter.asks(1_000, 0);
        assert_eq!(meter.total("One two").total_tokens, 1_002);
        meter.settles(tokens_of(900, 50));
        assert_eq!(meter.total("One two").total_tokens, 950);
        meter.asks(1_100, "One two".len());
        assert_eq!(meter.total("One two three four").total_tokens, 950 + 1_102);
    }
}
