//! The built-in advisor: what newcomers talk to before a model is configured, and tests and benchmarks after.
//!
//! It sees what any model sees, the request, and answers in rounds: tool calls, then words about their results. What a message
//! states is read by the closed grammar, what it wants by the learned reader of `plan_reader`; `table` has one row for each
//! intent, `wording` the texts. It suggests no value, promises no result and says what it is.

use crate::wording;
use futures_util::{StreamExt, stream};
use llm_client::{ChatMessage, Completion, FinishReason, Llm, LlmError, LlmEvent, LlmRequest, LlmStream};
use plan_model::event::HeardAs;
use plan_model::language::Language;
use plan_model::message::ToolCall;
use plan_reader::Heard;
use std::sync::Arc;
use std::time::Duration;

mod intents;
mod message;
mod results;
mod situation;
mod step;
mod table;

use intents::{own_cash, own_loan, settle, side_by_side};
use message::shown;
use situation::Situation;
use step::{Answer, Step};
use table::Row;

/// An advisor without a model behind it.
#[derive(Debug, Clone, Default)]
pub struct OfflineAdvisor {
    pace: Duration,
    /// What every message is taken for; read from it where there is none.
    heard: Option<Heard>,
    /// Whether what is supposed goes on from the case that was computed before.
    goes_on: bool,
}

impl OfflineAdvisor {
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers every message as if this had been heard: what an answer would be if a message were read without fault.
    pub fn hearing(heard: Heard) -> Self {
        Self {
            heard: Some(heard),
            ..Self::default()
        }
    }

    /// The same, with the changes of the case before below those of the message: "and what if the rent were 5,000, too?"
    #[must_use]
    pub fn going_on(self) -> Self {
        Self { goes_on: true, ..self }
    }

    /// Waits before each word, so that people can watch it being written.
    #[must_use]
    pub fn with_pace(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }
}

#[async_trait::async_trait]
impl Llm for OfflineAdvisor {
    fn model_name(&self) -> Arc<str> {
        "offline-advisor".into()
    }

    fn can_review(&self) -> bool {
        false
    }

    async fn stream(&self, request: LlmRequest) -> Result<LlmStream, LlmError> {
        let reply = reply(&request, self);
        let pace = self.pace;
        let words: Vec<String> = reply.text.split_inclusive(' ').map(str::to_owned).collect();
        let spoken = stream::iter(words).then(move |word| async move {
            if !pace.is_zero() {
                tokio::time::sleep(pace).await;
            }
            Ok(LlmEvent::Text(word))
        });
        let finish = if reply.calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        let completion = Completion {
            tool_calls: reply.calls,
            finish,
            suggestions: reply.suggestions,
            heard_as: Some(reply.heard_as),
            ..Completion::default()
        };
        Ok(spoken
            .chain(stream::once(async move { Ok(LlmEvent::Completed(completion)) }))
            .boxed())
    }

    async fn is_reachable(&self) -> bool {
        true
    }
}

/// Words, or calls of tools.
#[derive(Debug)]
struct Reply {
    text: String,
    calls: Vec<ToolCall>,
    suggestions: Vec<String>,
    heard_as: HeardAs,
}

/// Whether an answer says that it may be to another question.
pub(crate) fn is_guess(answer: &str) -> bool {
    let begins = |language: &Language| answer.contains(&wording::beginning(*language, "unsure.guess"));
    Language::ALL.iter().any(begins)
}

/// At most so many messages are suggested.
const SUGGESTIONS: usize = 3;

fn reply(request: &LlmRequest, advisor: &OfflineAdvisor) -> Reply {
    let heard = advisor.heard.as_ref();
    let situations = match heard {
        None => Situation::parts(request),
        Some(heard) => {
            let mut whole = Situation::of(request);
            whole.heard = heard.clone();
            whole.is_known = true;
            if advisor.goes_on {
                whole.go_on_from_case();
            }
            vec![whole]
        }
    };
    let rows: Vec<_> = situations.iter().map(table::answering).collect();
    let heard_as = rows[0].1.clone();
    let mut answers = Vec::new();
    let mut calls: Vec<(ToolCall, Vec<usize>)> = Vec::new();
    for (part, (situation, (row, _))) in situations.iter().zip(rows).enumerate() {
        let row = heard.map_or(row, |heard| table::row_of(heard.intent));
        match next(situation, row) {
            Step::Say(answer) => answers.push(answer),
            Step::Call(wanted) => wanted.into_iter().for_each(|call| add(&mut calls, call, part)),
        }
    }
    if !calls.is_empty() {
        let made: usize = situations.iter().map(|situation| situation.results.len()).sum();
        let numbered = calls.into_iter().enumerate().map(|(at, (call, parts))| ToolCall {
            id: situation::call_id(&parts, made + at + 1),
            ..call
        });
        return Reply {
            text: String::new(),
            calls: numbered.collect(),
            suggestions: Vec::new(),
            heard_as,
        };
    }
    let answer = joined(answers, &situations[0].footer());
    Reply {
        text: step::joined([answer.text, answer.question]),
        calls: Vec::new(),
        suggestions: answer.suggestions.into_iter().take(SUGGESTIONS).collect(),
        heard_as,
    }
}

/// Two parts that need the same call share it.
fn add(calls: &mut Vec<(ToolCall, Vec<usize>)>, call: ToolCall, part: usize) {
    let is_same = |other: &ToolCall| other.name == call.name && other.arguments == call.arguments;
    match calls.iter_mut().find(|(other, _)| is_same(other)) {
        Some((_, parts)) => parts.push(part),
        None => calls.push((call, vec![part])),
    }
}

/// What a part of a message needs next, or is answered with.
fn next(situation: &Situation<'_>, row: &Row) -> Step {
    let is_open = situation.understanding.plain.is_empty() && !situation.is_known;
    let wish = is_open.then(|| own_loan::wanted(situation).or_else(|| own_cash::stated(situation)));
    let wish = wish.flatten().or_else(|| side_by_side::figures(situation));
    let is_wish = wish.is_some();
    let step = wish.unwrap_or_else(|| (row.next)(situation));
    if let Step::Call(calls) = &step {
        let is_of_row = |call: &ToolCall| row.tools.contains(&call.name.as_str());
        debug_assert!(is_wish || calls.iter().all(is_of_row), "{calls:?} are not in their row");
    }
    with_unanswered(situation, settle::with_lead(situation, step))
}

/// What says that a message is not understood: all of it is to be said again.
const NOT_UNDERSTOOD: [&str; 5] = ["unsure", "unsure.line", "unsure.case", "whatif.unclear", "goal.unclear"];

/// Names what was left out behind what was answered; what was said of numbers that the answer has is in it.
fn with_unanswered(situation: &Situation<'_>, step: Step) -> Step {
    let is_said = |answer: &Answer, said| {
        let numbers = plan_reader::numbers(said, situation.language).unwrap_or_default();
        let is_in = !numbers.is_empty()
            && numbers
                .iter()
                .all(|one| shown::is_number_of(&answer.text, one.decimal()));
        is_in || NOT_UNDERSTOOD.iter().any(|key| wording::begins(&answer.text, key))
    };
    match (step, situation.unanswered) {
        (Step::Say(answer), Some(said)) if !is_said(&answer, said) => {
            let said = said.trim_end_matches(['.', ',']);
            let unanswered = situation.say("unanswered", &[("said", said)]);
            let text = above(&situation.footer(), [&*answer.text, &*unanswered].into_iter());
            Step::Say(Answer { text, ..answer })
        }
        (step, _) => step,
    }
}

/// Texts one after the other, with the compliance sentence once below them where one of them has it.
fn above<'t>(footer: &str, texts: impl Iterator<Item = &'t str> + Clone) -> String {
    let bodies = texts.clone().map(|text| text.replace(footer, "").trim_end().to_owned());
    let mut text = bodies.collect::<Vec<_>>().join("\n\n");
    if texts.into_iter().any(|text| text.contains(footer)) {
        text += footer;
    }
    text
}

/// The answers of all parts as one: the compliance sentence once, and what is asked at the end, where an answer to it is read.
fn joined(mut answers: Vec<Answer>, footer: &str) -> Answer {
    // "Forget that comparison. When is cash lowest?": a case that is not there is no answer beside one.
    if answers
        .iter()
        .any(|answer| !wording::begins(&answer.text, "compared.none"))
    {
        answers.retain(|answer| !wording::begins(&answer.text, "compared.none"));
    }
    if answers.len() == 1 {
        return answers.remove(0);
    }
    let mut text = above(footer, answers.iter().map(|answer| &*answer.text));
    let asking = answers.iter().position(|answer| !answer.question.is_empty());
    let last = answers.swap_remove(asking.unwrap_or(answers.len() - 1));
    if !last.question.is_empty() {
        text += "\n\n";
    }
    Answer { text, ..last }
}

/// The advisor's answers among messages, the newest first.
fn answers(messages: &[ChatMessage]) -> impl Iterator<Item = &str> {
    messages.iter().rev().filter(|message| is_answer(message)).map(content)
}

fn is_answer(message: &ChatMessage) -> bool {
    matches!(message, ChatMessage::Assistant { content, .. } if !content.is_empty())
}

/// Text of a message, for those who look back.
fn content(message: &ChatMessage) -> &str {
    match message {
        ChatMessage::Replay(_) => "",
        ChatMessage::System(text) => text,
        ChatMessage::Stable(text) => text.as_str(),
        ChatMessage::User(text)
        | ChatMessage::Assistant { content: text, .. }
        | ChatMessage::Tool { content: text, .. } => text,
    }
}

#[cfg(test)]
mod tests;
