//! What the grammar reads in a message without the model's help: offered where the model named no value itself.

use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::set_financial_field;
use plan_reader::{Outcome, Source, Statement};
use serde_json::json;

impl ToolContext {
    /// Proposes what the message plainly states, where no call has named a value. Nothing is written: the model did not say
    /// that it should be.
    pub fn offer_reading(&mut self) {
        if !self.candidates.is_empty() {
            return;
        }
        let plain = self.understanding().plain.iter();
        let stated: Vec<Statement> = plain.filter(|one| one.source == Source::Message).cloned().collect();
        for one in stated {
            let Some(field) = self.brand_version.field(one.field.as_str()) else {
                continue;
            };
            let (value, unit) = field.kind.in_words(one.value);
            let quote: String = self.words.message[one.start..one.end].chars().take(200).collect();
            // Tentative, so that it is proposed.
            let call = json!({
                "path": one.field, "value": value, "unit": unit, "confidence": "tentative", "quote": quote,
            });
            let recorded = set_financial_field::record(self, &call.to_string());
            if recorded.is_err() {
                tracing::debug!("A plain statement is no value of the plan");
            }
        }
    }

    /// The turn's values in a sentence each; empty where there are none.
    pub fn learned(&self) -> String {
        let (mut applied, mut proposed) = (Vec::new(), Vec::new());
        for one in self.decisions() {
            let shown = format!("{} {}", one.label, one.kind.show(one.value));
            // A model may name a value twice.
            if applied.contains(&shown) || proposed.contains(&shown) {
                continue;
            }
            match one.outcome {
                Outcome::Apply | Outcome::Unchanged => applied.push(shown),
                Outcome::Propose | Outcome::NeedsReview => proposed.push(shown),
                Outcome::Superseded => {}
            }
        }
        let sentence =
            |begin: &str, values: &[String]| (!values.is_empty()).then(|| format!("{begin} {}.", values.join("; ")));
        let sentences = [
            sentence("In your plan now:", &applied),
            sentence("Waiting for your decision:", &proposed),
        ];
        sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
