//! Carries out a call: finds its tool, checks its arguments, runs it.

use crate::conversation::tools::action::Intercepted;
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::figures::Figures;
use crate::conversation::tools::services::Services;
use crate::conversation::tools::tool::Run;
use crate::conversation::tools::{guidance, registry};
use serde_json::json;

/// What a call results in.
#[derive(Debug)]
pub enum Called {
    /// The result for the model.
    Result(String),
    /// The call did nothing; the text says why.
    Refused(String),
    /// The value with this index in [`ToolContext::candidates`] was named.
    Recorded(usize),
    /// A destructive call: the loop halts and the franchisee is asked.
    Intercepted(Intercepted),
}

impl Called {
    pub fn refused(error: &str) -> Self {
        Self::Refused(json!({"status": "invalid", "error": error}).to_string())
    }
}

impl ToolContext {
    /// Runs a tool by name.
    pub async fn call(&mut self, name: &str, arguments: &str, services: &dyn Services) -> Called {
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let Some(tool) = registry::find(name) else {
            return Called::refused(&guidance::unknown_tool(name, arguments, self.form));
        };
        // Serde would read a list as the arguments in their order.
        if !arguments.trim_start().starts_with('{') {
            let error = "The arguments must be one JSON object.";
            return Called::refused(&guidance::wrong_arguments(name, arguments, error));
        }
        if tool.acts && self.assistant.is_some() {
            let error =
                "An assistant passed this message on. Only the person can do that, in their own words on the page.";
            return Called::refused(error);
        }
        if tool.reads_scenarios {
            self.load_scenarios(services).await;
        }
        let result = |value: serde_json::Value| Called::Result(value.to_string());
        let called = match tool.run {
            Run::Read(run) => run(self, arguments).map(result),
            Run::Ask(run) => run(self, services, arguments).await.map(result),
            Run::Record(run) => run(self, arguments).map(Called::Recorded),
            Run::Confirm(run) => run(self, arguments).map(Called::Intercepted),
        };
        called.unwrap_or_else(|error| match self.figures {
            Figures::InWords => Called::refused(&guidance::wrong_arguments(name, arguments, &error.0)),
            // Programs have the schema.
            Figures::WithNumbers => Called::Refused(error.0),
        })
    }

    /// Once in a turn; tools refuse where it fails.
    async fn load_scenarios(&mut self, services: &dyn Services) {
        if self.scenarios.is_some() {
            return;
        }
        match services.scenarios().await {
            Ok(scenarios) => self.scenarios = Some(scenarios),
            Err(error) => tracing::warn!(error = %error, "The scenarios could not be read"),
        }
    }
}
