//! The tool calls of one answer: executed, reviewed where needed, answered in order.

use crate::conversation::tools::{self, Called, Intercepted, Order};
use crate::conversation::turn::progress::MAX_CALLS_PER_ROUND;
use crate::conversation::turn::second_look::{Claimed, Reviewed};
use crate::conversation::turn::tool_loop::ToolLoop;
use crate::conversation::turn::traces;
use llm_client::{ChatMessage, Completion};
use plan_model::message::ToolCall;
use plan_model::usage::Usage;
use plan_reader::review::Verdict;
use serde_json::json;
use std::collections::VecDeque;
use std::sync::Arc;
use tracing::Instrument;

impl ToolLoop<'_> {
    /// Runs the calls of one answer, up to a destructive one that has to be confirmed. Values come before what is read, so
    /// that one second look serves all of them and the plan that is read holds them.
    pub(super) async fn run_calls(
        &mut self,
        answer: &Completion,
        is_whole: bool,
        usage: &mut Usage,
    ) -> Option<Intercepted> {
        let mut calls = answer.tool_calls.as_slice();
        let mut results: Vec<Option<Called>> = calls.iter().map(|_| None).collect();
        let mut recorded = Vec::new();
        let mut intercepted = None;
        for pass in [Order::OnceConfirmed, Order::BeforeOthers, Order::AsCalled] {
            for nth in 0..calls.len() {
                if tools::order(&calls[nth].name) != pass {
                    continue;
                }
                match self.run_call(nth, &calls[nth]).await {
                    Called::Intercepted(found) => {
                        (intercepted, calls) = (Some(found), &calls[..nth]);
                        break;
                    }
                    called => {
                        recorded.extend(match called {
                            Called::Recorded(index) => Some(index),
                            _ => None,
                        });
                        results[nth] = Some(called);
                    }
                }
            }
            if pass == Order::BeforeOthers {
                self.take_second_look(&recorded, is_whole, usage).await;
            }
        }
        let said = match self.progress.exchange.last() {
            Some(ChatMessage::Assistant { content, .. }) => Some(Arc::clone(content)),
            _ => None,
        };
        let is_preamble = answer.replay.as_ref().is_some_and(|replay| replay.is_preamble());
        let said = said.as_deref().filter(|_| !is_preamble);
        self.progress.note(calls, &results, &self.ctx.decisions(), said);
        self.answer_calls(calls, results, &recorded);
        intercepted
    }

    async fn run_call(&mut self, nth: usize, call: &ToolCall) -> Called {
        failpoint!(in "tool.before");
        let name = tools::known_name(&call.name);
        let called = if nth < MAX_CALLS_PER_ROUND {
            let running = self.ctx.call(&call.name, &call.arguments, self.services);
            running.instrument(traces::tool(name)).await
        } else {
            Called::refused("Too many calls in one answer.")
        };
        failpoint!(in "tool.after");
        let result = match &called {
            Called::Intercepted(_) => "intercepted",
            Called::Refused(_) => "refused",
            Called::Result(_) | Called::Recorded(_) => "done",
        };
        metrics::counter!("plan_advisor_tool_calls_total", "tool" => name, "result" => result).increment(1);
        called
    }

    /// Asks the reviewer about the values of this round that need it. Without an answer they wait for the franchisee.
    async fn take_second_look(&mut self, recorded: &[usize], is_whole: bool, usage: &mut Usage) {
        let which = self.reviewer.map(super::second_look::Reviewer::which);
        let mut open = self.ctx.to_review(recorded, which.unwrap_or_default());
        // What was looked at in an earlier round of this turn is known.
        open.retain(|index| match self.progress.verdict(self.ctx.decision(*index)) {
            Some(verdict) => {
                self.ctx.review(*index, verdict);
                false
            }
            None => true,
        });
        if open.is_empty() || !is_whole {
            return;
        }
        let mut verdicts = None;
        if let Some(reviewer) = self.reviewer {
            let values: Vec<Claimed> = open.iter().map(|index| self.claimed(*index)).collect();
            self.meter.looks_again();
            let reviewed: Reviewed = reviewer.review(&values, &self.ctx.words.texts()).await;
            traces::spent(reviewed.usage);
            usage.add(reviewed.usage);
            verdicts = reviewed.verdicts;
        }
        let verdicts = verdicts.unwrap_or_default();
        for (nth, index) in open.into_iter().enumerate() {
            let verdict = verdicts.get(nth).copied().unwrap_or(Verdict::Unsure);
            self.progress.found(self.ctx.decision(index), verdict);
            self.ctx.review(index, verdict);
        }
    }

    fn claimed(&self, index: usize) -> Claimed {
        let decision = self.ctx.decision(index);
        Claimed {
            field: decision.field.clone(),
            value: decision.value,
            claim: self.ctx.claim(index),
        }
    }

    /// Adds the results to the exchange, in the order of their calls.
    fn answer_calls(&mut self, calls: &[ToolCall], results: Vec<Option<Called>>, recorded: &[usize]) {
        let mut fields: VecDeque<_> = self.ctx.field_results(recorded).into();
        for (call, called) in calls.iter().zip(results) {
            let content = match called {
                Some(Called::Result(content) | Called::Refused(content)) => content,
                // Values were recorded in the order of their calls.
                Some(Called::Recorded(_)) => json!(fields.pop_front()).to_string(),
                Some(Called::Intercepted(_)) | None => continue,
            };
            self.progress.exchange.push(ChatMessage::Tool {
                call_id: call.id.clone(),
                content: Arc::from(content),
            });
        }
    }
}
