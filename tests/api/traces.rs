//! What traces say of a turn: the conventions' names, counts, our own ids. Never a word or a figure of anybody.

use crate::support::{TestApp, answer, says};
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::{Layer, Registry};

/// Every span and every field of one target, as text.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<String>>);

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        writeln!(self.0.lock().unwrap(), "{}={value:?}", field.name()).unwrap();
    }
}

impl Layer<Registry> for Seen {
    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, Registry>) {
        if attributes.metadata().target() == plan_model::event::SPANS {
            writeln!(self.0.lock().unwrap(), "span={}", attributes.metadata().name()).unwrap();
            attributes.record(&mut self.clone());
        }
    }

    fn on_record(&self, _: &Id, record: &Record<'_>, _: Context<'_, Registry>) {
        record.record(&mut self.clone());
    }
}

#[tokio::test]
async fn a_turn_is_traced_by_the_names_of_the_conventions_and_without_words() {
    let seen = Seen::default();
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(seen.clone())).unwrap();
    // A place that was passed before anybody listened may have been switched off.
    tracing::callsite::rebuild_interest_cache();
    let app = TestApp::spawn().await;
    app.llm.script([
        answer()
            .sets("operatingCosts.rentMonthly", "4,321", "high")
            .usage(300, 7),
        says("Canary words of the model.").usage(400, 8),
    ]);
    app.sam.send("My rent is $4,321 a month").await;

    let seen = seen.0.lock().unwrap().clone();
    for line in [
        "span=invoke_agent plan-advisor",
        "gen_ai.operation.name=\"invoke_agent\"",
        "gen_ai.operation.name=\"chat\"",
        "gen_ai.operation.name=\"execute_tool\"",
        "gen_ai.tool.name=\"set_financial_field\"",
        "gen_ai.response.finish_reasons=\"tool_calls\"",
        "gen_ai.usage.input_tokens=300",
        "gen_ai.usage.output_tokens=8",
        "gen_ai.usage.input_tokens=700",
    ] {
        assert!(seen.lines().any(|seen| seen == line), "{line} is missing in\n{seen}");
    }
    // Where tests share a process, others' turns are seen as well.
    assert!(seen.matches("span=chat").count() >= 2, "{seen}");
    for word in ["rent is", "4,321", "4321", "432100", "anary", "test-key"] {
        assert!(!seen.contains(word), "{word} in\n{seen}");
    }
}
