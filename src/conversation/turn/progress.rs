//! The results of a turn's calls so far, and when the model is not asked again.

use crate::conversation::tools::Called;
use llm_client::{ChatMessage, LlmError};
use plan_model::field::FieldPath;
use plan_model::message::ToolCall;
use plan_model::number::Number;
use plan_reader::review::Verdict;
use plan_reader::{Decision, Outcome};
use serde_json::Value;
use std::collections::HashSet;

/// Calls of one answer that are run; the rest are refused.
pub(super) const MAX_CALLS_PER_ROUND: usize = 50;

/// What the model reads where its server could not read a call of its.
const LOST_CALL: &str = "The call that belongs to these words could not be read. Make it again.";

/// The results of a turn's calls so far.
#[derive(Default)]
pub(crate) struct Progress {
    /// What model and tools have said to each other in this turn.
    pub(super) exchange: Vec<ChatMessage>,
    /// What the calls of earlier rounds did.
    seen: HashSet<Deed>,
    /// What second looks of this turn have found.
    verdicts: Vec<(FieldPath, Number, Verdict)>,
    /// Why the model is not asked again.
    pub(super) halt: Option<Halt>,
    /// The model has called a tool.
    pub(super) has_called: bool,
    /// The prompt was made smaller in this turn; once has to do.
    pub(super) has_shrunk: bool,
    /// The limit of the answer was raised in this turn.
    pub(super) has_raised: bool,
    /// Whether a call that came to nothing behind words was asked for again.
    lost_call: LostCall,
}

/// A call that the model's server could not read, behind words that the franchisee has seen. It is asked for once more.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum LostCall {
    #[default]
    No,
    Lost,
    AskedFor,
}

/// Why the model is not asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// It has said something to the values that it named, and all of them are written.
    Answered,
    /// It only did what it had done before, and nothing else came of it.
    Repeats,
    /// It made a call again that had failed, so it does not find out of it.
    Fails,
}

/// A call and what came of it.
#[derive(PartialEq, Eq, Hash)]
enum Deed {
    Recorded(FieldPath, Number),
    Read {
        name: String,
        arguments: String,
        result: String,
    },
    Failed {
        name: String,
        arguments: String,
    },
}

impl Progress {
    /// Notes a round. `decisions` are those of all values of the turn, `said` is the text of the answer that made the calls,
    /// unless more of it is to follow.
    pub(super) fn note(
        &mut self,
        calls: &[ToolCall],
        results: &[Option<Called>],
        decisions: &[Decision],
        said: Option<&str>,
    ) {
        self.has_called = true;
        let done = calls.iter().zip(results).take(MAX_CALLS_PER_ROUND);
        let deeds: Vec<Deed> = done
            .filter_map(|(call, called)| Deed::new(call, called.as_ref()?, decisions))
            .collect();
        let is_known = |deed: &Deed| self.seen.contains(deed);
        let is_failed = |deed: &&Deed| matches!(deed, Deed::Failed { .. });
        self.halt = match () {
            () if deeds.iter().filter(is_failed).any(is_known) => Some(Halt::Fails),
            () if !deeds.is_empty() && deeds.iter().all(is_known) => Some(Halt::Repeats),
            () if is_answered(said, results, decisions) => Some(Halt::Answered),
            () => None,
        };
        self.seen.extend(deeds);
    }

    /// A call of the model came to nothing behind what it `said`.
    pub(super) fn lost_call(&mut self, error: &LlmError, said: String) {
        // Where nothing was said the client has asked again itself.
        if !error.is_malformed_call() || said.is_empty() || self.lost_call != LostCall::No {
            return;
        }
        self.lost_call = LostCall::Lost;
        self.exchange.push(ChatMessage::Assistant {
            content: said.into(),
            tool_calls: Vec::new(),
        });
        self.exchange.push(ChatMessage::User(LOST_CALL.into()));
    }

    /// Whether the model is to be asked once more for a call that was lost.
    pub(super) fn asks_for_lost_call(&mut self) -> bool {
        let is_lost = self.lost_call == LostCall::Lost;
        if is_lost {
            self.lost_call = LostCall::AskedFor;
        }
        is_lost
    }

    /// What a second look of this turn has found out about a value.
    pub(super) fn verdict(&self, decision: &Decision) -> Option<Verdict> {
        let known = self.verdicts.iter();
        let mut same = known.filter(|(field, value, _)| *field == decision.field && *value == decision.value);
        same.next().map(|(.., verdict)| *verdict)
    }

    pub(super) fn found(&mut self, decision: &Decision, verdict: Verdict) {
        self.verdicts.push((decision.field.clone(), decision.value, verdict));
    }
}

impl Deed {
    /// `None` for a call that has not been answered.
    fn new(call: &ToolCall, called: &Called, decisions: &[Decision]) -> Option<Self> {
        // Blanks and the order of members make no other call.
        let arguments = || match serde_json::from_str::<Value>(&call.arguments) {
            Ok(arguments) => arguments.to_string(),
            Err(_) => call.arguments.trim().to_owned(),
        };
        let name = || call.name.clone();
        Some(match called {
            // The first is applied and the second unchanged; it is the same value all the same.
            Called::Recorded(index) => {
                let decision = decisions.get(*index)?;
                Self::Recorded(decision.field.clone(), decision.value)
            }
            Called::Result(result) => Self::Read {
                name: name(),
                arguments: arguments(),
                result: result.clone(),
            },
            Called::Refused(_) => Self::Failed {
                name: name(),
                arguments: arguments(),
            },
            Called::Intercepted(_) => return None,
        })
    }
}

/// Whether the model has said all it has to: it spoke with its calls, these name values, and all of them are written. A text
/// that ends in a colon leads over to something else.
fn is_answered(said: Option<&str>, results: &[Option<Called>], decisions: &[Decision]) -> bool {
    let is_written = |called: &Option<Called>| match called {
        Some(Called::Recorded(index)) => decisions
            .get(*index)
            .is_some_and(|decision| decision.outcome == Outcome::Apply),
        _ => false,
    };
    said.is_some_and(is_whole) && results.iter().all(is_written)
}

fn is_whole(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(['*', '_', '"', '\'', ')', '”', '’']);
    !text.is_empty() && !text.ends_with([':', ';', ',', '…', '-', '–', '—']) && !text.ends_with("...")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &str) -> ToolCall {
        ToolCall {
            id: "c".into(),
            name: name.into(),
            arguments: arguments.into(),
        }
    }

    fn halts(rounds: &[(&str, &str, Called)]) -> Vec<Option<Halt>> {
        let mut progress = Progress::default();
        let rounds = rounds.iter().map(|(name, arguments, called)| {
            let called = match called {
                Called::Refused(text) => Called::Refused(text.clone()),
                _ => Called::Result(format!("{called:?}")),
            };
            progress.note(&[call(name, arguments)], &[Some(called)], &[], None);
            progress.halt
        });
        rounds.collect()
    }

    #[test]
    fn what_is_done_again_with_the_same_result_is_no_progress() {
        let read = |result: &str| Called::Result(result.into());
        let same = [
            ("a", r#"{"x":1,"y":2}"#, read("r")),
            ("a", r#"{ "y": 2, "x": 1 }"#, read("r")),
        ];
        assert_eq!(halts(&same), [None, Some(Halt::Repeats)]);
        let other = [
            ("a", "{}", read("r")),
            ("a", "{}", read("s")),
            ("b", "{}", read("r")),
            ("b", "{}", read("r")),
        ];
        assert_eq!(halts(&other), [None, None, None, Some(Halt::Repeats)]);
        let failing = [("a", "{", Called::refused("no")), ("a", "{ ", Called::refused("no"))];
        assert_eq!(halts(&failing), [None, Some(Halt::Fails)]);
    }

    #[test]
    fn a_round_that_also_does_something_else_is_progress() {
        let mut progress = Progress::default();
        let result = || Some(Called::Result("r".into()));
        progress.note(&[call("a", "{}")], &[result()], &[], None);
        progress.note(&[call("a", "{}"), call("b", "{}")], &[result(), result()], &[], None);
        assert_eq!(progress.halt, None);
    }

    #[test]
    fn a_text_that_leads_over_to_something_is_not_the_whole_answer() {
        for text in [
            "Noted.",
            "Is that right?",
            "Rent: **$4,200**",
            "Listo 👍",
            "記録しました。",
        ] {
            assert!(is_whole(text), "{text}");
        }
        for text in ["", " \n", "Let me note that:", "One moment…", "Now...", "**Recorded:**"] {
            assert!(!is_whole(text), "{text}");
        }
    }
}
