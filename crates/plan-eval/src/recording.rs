//! Recorded models: their calls and their verdicts, by the id of the message.

use crate::case::Trap;
use anyhow::{Context, Result};
use futures_util::{StreamExt, stream};
use llm_client::{ChatMessage, Completion, FinishReason, Llm, LlmError, LlmEvent, LlmRequest, LlmStream};
use plan_model::field::{FieldPath, Kind, find};
use plan_model::message::ToolCall;
use plan_model::number::{Number, quotient};
use plan_reader::review::Verdict;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

#[derive(Deserialize)]
struct CallsLine {
    id: String,
    calls: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct VerdictLine {
    id: String,
    path: FieldPath,
    value: Number,
    verdict: String,
}

/// The calls of a model, as it wrote them.
pub struct Recorded {
    by_id: HashMap<String, Vec<String>>,
    speaks: bool,
}

impl Recorded {
    /// Reads the calls, one message a line: `{"id": …, "calls": [arguments, …]}`.
    ///
    /// # Errors
    /// The file, and the line that is none.
    pub fn read(path: &Path) -> Result<Self> {
        let calls = lines::<CallsLine>(path)?;
        let arguments = |calls: &[Box<RawValue>]| calls.iter().map(|call| call.get().to_owned()).collect();
        let by_id = calls.into_iter().map(|line| (line.id, arguments(&line.calls)));
        Ok(Self {
            by_id: by_id.collect(),
            speaks: false,
        })
    }

    /// The same calls by a model that says something with them, as many do.
    #[must_use]
    pub fn speaking(self) -> Self {
        Self { speaks: true, ..self }
    }

    /// `None` for a message that the model was not given.
    pub fn of(&self, id: &str) -> Option<FixedCalls> {
        let calls = self.by_id.get(id)?.clone();
        Some(FixedCalls {
            calls,
            speaks: self.speaks,
        })
    }
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| serde_json::from_str(line).with_context(|| format!("{}, line {number}", path.display())))
        .collect()
}

/// A model that records exactly these values, then says something.
pub struct FixedCalls {
    calls: Vec<String>,
    /// It says something with its calls, too.
    speaks: bool,
}

impl FixedCalls {
    /// A model that takes the wrong value, and is sure of it.
    pub fn of_trap(trap: &Trap) -> Self {
        let kind = find(trap.field.as_str()).map_or(Kind::Money, |field| field.kind);
        let (value, unit) = match kind {
            Kind::Money => (
                Number::new(quotient(trap.value.decimal(), Decimal::ONE_HUNDRED)),
                "dollars",
            ),
            Kind::Percent => (
                Number::new(trap.value.decimal().saturating_mul(Decimal::ONE_HUNDRED)),
                "percent",
            ),
            kind => (trap.value, kind.as_str()),
        };
        let call = json!({"path": trap.field, "value": value, "unit": unit, "confidence": "high"});
        Self {
            calls: vec![call.to_string()],
            speaks: false,
        }
    }
}

#[async_trait::async_trait]
impl Llm for FixedCalls {
    fn model_name(&self) -> Arc<str> {
        "recorded".into()
    }

    async fn stream(&self, request: LlmRequest) -> Result<LlmStream, LlmError> {
        let has_called = request
            .messages
            .iter()
            .any(|message| matches!(message, ChatMessage::Tool { .. }));
        let calls = if has_called { &[][..] } else { &self.calls[..] };
        let tool_calls = (1..).zip(calls).map(|(number, arguments)| ToolCall {
            id: format!("call-{number}"),
            name: "set_financial_field".to_owned(),
            arguments: arguments.clone(),
        });
        let completion = Completion {
            tool_calls: tool_calls.collect(),
            finish: if calls.is_empty() {
                FinishReason::Stop
            } else {
                FinishReason::ToolCalls
            },
            ..Completion::default()
        };
        let text = (calls.is_empty() || self.speaks).then(|| Ok(LlmEvent::Text("Noted.".to_owned())));
        Ok(stream::iter(text.into_iter().chain([Ok(LlmEvent::Completed(completion))])).boxed())
    }

    async fn is_reachable(&self) -> bool {
        true
    }
}

/// The verdicts of second looks, recorded.
pub enum RecordedVerdicts {
    /// The worst case: a reviewer that confirms everything.
    AllStated,
    /// By the message's id.
    ById(HashMap<String, Vec<(FieldPath, Number, Verdict)>>),
}

impl RecordedVerdicts {
    /// Reads verdicts, one value a line: `{"id": …, "path": …, "value": …, "verdict": "stated"}`; or is given `all-stated`.
    ///
    /// # Errors
    /// The file, and the line that is none.
    pub fn read(source: &str) -> Result<Self> {
        if source == "all-stated" {
            return Ok(Self::AllStated);
        }
        let mut by_id: HashMap<String, Vec<_>> = HashMap::new();
        for line in lines::<VerdictLine>(Path::new(source))? {
            let verdict = match line.verdict.as_str() {
                "stated" => Verdict::Stated,
                "wrong" => Verdict::Wrong,
                _ => Verdict::Unsure,
            };
            by_id.entry(line.id).or_default().push((line.path, line.value, verdict));
        }
        Ok(Self::ById(by_id))
    }

    /// The second look at one message.
    pub fn of(&self, id: &str) -> FixedVerdicts<'_> {
        FixedVerdicts(match self {
            Self::AllStated => None,
            Self::ById(by_id) => Some(by_id.get(id).map_or(&[][..], Vec::as_slice)),
        })
    }
}

/// The verdicts on one message; `None` confirms everything. A value without a verdict is unsure.
pub struct FixedVerdicts<'a>(Option<&'a [(FieldPath, Number, Verdict)]>);

impl FixedVerdicts<'_> {
    /// The verdict on a value.
    pub fn of(&self, field: &FieldPath, value: Number) -> Verdict {
        match self.0 {
            None => Verdict::Stated,
            Some(known) => known
                .iter()
                .find(|(path, recorded, _)| path == field && *recorded == value)
                .map_or(Verdict::Unsure, |(.., verdict)| *verdict),
        }
    }
}
