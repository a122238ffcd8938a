//! A plan with tools, without a server.

use super::*;
use plan_model::tool_result::{FieldResult, FieldStatus, Reference, ReferenceKind};

/// One conversation on one plan.
pub(super) struct Talk {
    pub brand: Brand,
    pub fields: Vec<Field>,
    pub inputs: FinancialInputs,
    /// What tools find: open proposals, and results that a value has moved.
    pub open: Value,
    pub changed: Value,
    /// What `what_if` finds, and the changes of the plan, newest first.
    pub case: Value,
    /// What `get_projection` finds.
    pub figure: Value,
    pub changes: Value,
    /// Whether cases are kept, which `compare_scenarios` finds.
    pub has_cases: bool,
    history: Vec<ChatMessage>,
}

/// One turn: what was said, what was heard.
pub(super) struct Turn {
    pub text: String,
    pub heard: Vec<Decision>,
    pub tools: Vec<String>,
    /// The arguments of its last call that has some.
    pub arguments: Value,
}

impl Turn {
    /// What would be written: path and value, `=` applied, `~` proposed.
    pub(super) fn values(&self) -> Vec<String> {
        let shown = |decision: &Decision| match decision.outcome {
            Outcome::Apply | Outcome::Unchanged if decision.confidence == plan_model::extracted::Confidence::High => {
                format!("{}={}", decision.field, decision.value)
            }
            _ => format!("{}~{}", decision.field, decision.value),
        };
        self.heard
            .iter()
            .filter(|decision| decision.outcome != Outcome::Superseded)
            .map(shown)
            .collect()
    }
}

impl Talk {
    pub(super) fn new() -> Self {
        let brand = Brand::demo();
        let (fields, inputs) = (brand.fields(), FinancialInputs::from_brand(&brand));
        Self {
            brand,
            fields,
            inputs,
            open: json!([]),
            changed: json!([]),
            case: json!({}),
            figure: json!({}),
            changes: json!([]),
            has_cases: false,
            history: Vec::new(),
        }
    }

    /// Continues after an exchange that has taken place.
    pub(super) fn after(user: &str, advisor: &str) -> Self {
        let mut talk = Self::new();
        talk.hears(user, advisor);
        talk
    }

    /// An exchange that has taken place.
    pub(super) fn hears(&mut self, user: &str, advisor: &str) {
        self.history.push(ChatMessage::User(user.into()));
        self.history.push(ChatMessage::Assistant {
            content: advisor.into(),
            tool_calls: Vec::new(),
        });
    }

    fn tools(&self) -> Vec<ToolDefinition> {
        let plain = json!({"type": "object", "properties": {}});
        [
            "set_financial_field",
            "get_plan_summary",
            "get_projection",
            "what_if",
            "check_status",
            "reset_fields_to_defaults",
            "clear_conversation",
            "undo_last_change",
            "list_changes",
            "list_open_proposals",
            "dismiss_proposals",
            "save_scenario",
            "goal_seek",
            "estimate",
        ]
        .into_iter()
        .chain(self.has_cases.then_some("compare_scenarios"))
        .map(|name| {
            let parameters = if name == "set_financial_field" {
                plan_reader::tool_schema()
            } else {
                plain.clone()
            };
            ToolDefinition::new(name, "", parameters)
        })
        .collect()
    }

    /// One message and the answer to it.
    pub(super) fn say(&mut self, message: &str) -> Turn {
        let history = self.history.clone();
        let text_of = |user: bool| {
            history.iter().rev().find_map(|message| match message {
                ChatMessage::User(text) if user => Some(&**text),
                ChatMessage::Assistant { content, .. } if !user => Some(&**content),
                _ => None,
            })
        };
        let texts = Texts {
            message,
            previous_message: text_of(true),
            advisor: text_of(false),
            asked: None,
            about: None,
        };
        let mut messages = vec![ChatMessage::System("You are the Plan Advisor.".into())];
        messages.extend(history.iter().cloned());
        messages.push(ChatMessage::User(message.into()));
        let (mut heard, mut tools, mut text) = (Vec::new(), Vec::new(), String::new());
        let mut arguments = Value::Null;
        for _ in 0..4 {
            let request = LlmRequest {
                messages: messages.clone(),
                tools: self.tools().into(),
                fields: self.fields.as_slice().into(),
                temperature: None,
                max_output_tokens: 1024,
                ..LlmRequest::default()
            };
            let (said, calls) = complete(request);
            text.push_str(&said);
            messages.push(ChatMessage::Assistant {
                content: said.into(),
                tool_calls: calls.clone(),
            });
            if calls.is_empty() {
                break;
            }
            let mut last_case = None;
            for call in calls {
                let part = call.id.split('-').nth(1).map(str::to_owned);
                let result = self.run(&call.name, &call.arguments, &texts, &mut heard);
                messages.push(ChatMessage::Tool {
                    call_id: call.id,
                    content: result.to_string().into(),
                });
                // Behind the case of a part stands the one before it with it.
                let case = (call.name == "what_if").then(|| part.clone());
                let is_second = case.is_some() && case == last_case;
                last_case = case;
                if call.arguments != "{}" && !is_second {
                    arguments = serde_json::from_str(&call.arguments).expect("arguments");
                }
                tools.push(call.name);
            }
        }
        resolve_turn(&mut heard);
        self.history.push(ChatMessage::User(message.into()));
        self.history.push(ChatMessage::Assistant {
            content: text.as_str().into(),
            tool_calls: Vec::new(),
        });
        Turn {
            text,
            heard,
            tools,
            arguments,
        }
    }

    fn run(&mut self, tool: &str, arguments: &str, texts: &Texts<'_>, heard: &mut Vec<Decision>) -> Value {
        match tool {
            "set_financial_field" => {
                let context = Context {
                    fields: &self.fields,
                    inputs: Some(&self.inputs),
                    brand: &self.brand,
                    texts,
                    understanding: &understand(texts, &Vocabulary::of(&self.brand)),
                };
                let decision = match decide(arguments, &context) {
                    // Without a second look, what waits for it is proposed; what is plain is not looked at again.
                    Ok(decision) if decision.outcome == Outcome::NeedsReview => {
                        decision.reviewed(review::Verdict::Unsure)
                    }
                    Ok(decision) => decision,
                    Err(error) => return json!({"status": "invalid", "error": error.to_string()}),
                };
                let current = self.inputs.0.get_mut(&decision.field).expect("a field of the plan");
                let previous = current.current_value;
                if decision.outcome == Outcome::Apply {
                    current.current_value = decision.value;
                    current.source = plan_model::inputs::Source::AiPopulated;
                }
                let range = current.item7_range.as_ref().map(|range| Reference {
                    kind: ReferenceKind::Item7,
                    low: decision.kind.show(range.low),
                    high: decision.kind.show(range.high),
                });
                let result = FieldResult {
                    status: match decision.outcome {
                        Outcome::Apply => FieldStatus::Applied,
                        Outcome::Propose | Outcome::NeedsReview => FieldStatus::Proposed,
                        Outcome::Unchanged | Outcome::Superseded => FieldStatus::Unchanged,
                    },
                    field: decision.field.clone(),
                    label: decision.label.clone(),
                    value: decision.kind.show(decision.value),
                    previous: Some(decision.kind.show(previous)),
                    range_code: decision.range_code,
                    range,
                    note_code: decision.note_code,
                    note: decision.note.clone(),
                };
                let shown = json!(result);
                heard.push(decision);
                shown
            }
            "get_plan_summary" => self.summary(),
            "undo_last_change" => json!({"status": "will_undo", "changes": [
                {"field": "operatingCosts.rentMonthly", "label": "Rent per month", "value": "$4,200", "returnsTo": "$4,500"}
            ]}),
            "list_open_proposals" => json!({ "open": self.open }),
            "dismiss_proposals" => json!({ "dismissed": std::mem::replace(&mut self.open, json!([])) }),
            "list_changes" => json!({ "changes": self.changes }),
            "what_if" => self.case.clone(),
            // As it finds the cases that a test has kept.
            "compare_scenarios" => {
                let case = |name: &str| json!({ "name": name, "values": [], "metrics": {}, "figure": self.figure });
                json!({ "scenarios": [case("lean"), case("bold")], "others": [], "plan": {}, "figure": self.figure })
            }
            "get_projection" => {
                let line = |name: &str| arguments.contains(&format!("\"line\":\"{name}\""));
                match self.figure == json!({}) {
                    true if line("moneyToOpen") => json!({
                        "line": "moneyToOpen", "label": "money to open", "value": "$371,500", "isNegative": false,
                        "loan": "$280,000", "ownCash": "$91,500",
                    }),
                    true if line("ownCash") => {
                        json!({"line": "ownCash", "label": "your own cash", "value": "$91,500", "isNegative": false})
                    }
                    _ => self.figure.clone(),
                }
            }
            "save_scenario" => serde_json::from_str(arguments).expect("arguments"),
            "estimate" => {
                let arguments: Value = serde_json::from_str(arguments).expect("arguments");
                json!({"sum": "12 × 75 = $900", "product": "$900", "path": arguments["path"], "value": "10%"})
            }
            _ => json!({"database": "ok", "model": "ok"}),
        }
    }

    fn summary(&self) -> Value {
        let lines = self.fields.iter().map(|field| {
            let value = self.inputs.get(field.path.as_str()).expect("a field of the plan");
            let default = value.source == plan_model::inputs::Source::BrandDefault;
            let range = value.item7_range.as_ref().map(|range| Reference { kind: ReferenceKind::Item7, low: field.kind.show(range.low), high: field.kind.show(range.high) });
            json!({"path": field.path, "label": field.label, "value": field.kind.show(value.current_value), "state": if default { "default" } else { "AI" }, "range": range, "core": field.core})
        });
        let lines: Vec<Value> = lines.collect();
        let missing: Vec<Value> = lines
            .iter()
            .filter(|line| line["core"] == true && line["state"] == "default")
            .map(|line| json!({"path": line["path"], "label": line["label"]}))
            .collect();
        let metrics = json!({"breakEvenMonth": "month 9", "paybackMonth": "month 42", "lowestCash": "$24,921", "lowestCashMonth": "month 8", "dscrYear1": "0.61×", "totalInvestment": "$371,500", "ownerCash": "$91,500"});
        json!({"brand": self.brand.name, "fields": lines, "missing": missing, "metrics": metrics, "changed": self.changed})
    }
}

/// Text and calls of one answer.
pub(super) fn complete(request: LlmRequest) -> (String, Vec<plan_model::message::ToolCall>) {
    futures_util::FutureExt::now_or_never(async {
        let mut stream = OfflineAdvisor::new().stream(request).await.expect("answers");
        let mut text = String::new();
        while let Some(event) = stream.next().await {
            match event.expect("no failure") {
                LlmEvent::Text(piece) => text.push_str(&piece),
                LlmEvent::Completed(completion) => return (text, completion.tool_calls),
            }
        }
        panic!("the stream ended without a completion")
    })
    .expect("the advisor waits for nothing")
}
