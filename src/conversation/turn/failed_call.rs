//! What a call of the model has cost that failed.

use crate::conversation::turn::tool_loop::{LoopError, ToolLoop};
use crate::conversation::turn::traces;
use llm_client::LlmError;
use plan_model::usage::Usage;

impl ToolLoop<'_> {
    /// Counts a failed call: as the provider says, and estimated where it says nothing but may have worked on it.
    pub(super) fn failed(&self, error: LlmError, mut spent: Usage) -> LoopError {
        if let Some(usage) = error.usage() {
            traces::spent(usage);
            spent.add(usage);
            self.meter.settles(spent);
        } else if is_refusal(&error, self.meter.has_shown(self.sender.log().len())) {
            self.meter.settles(spent);
        }
        LoopError::Llm(Box::new(error))
    }
}

/// Whether the provider has not worked on the request.
fn is_refusal(error: &LlmError, has_begun: bool) -> bool {
    match error {
        LlmError::NotConfigured
        | LlmError::CircuitOpen { .. }
        | LlmError::Connect { .. }
        | LlmError::Status { .. }
        | LlmError::Request(_) => true,
        LlmError::InStream { .. } => !has_begun,
        _ => false,
    }
}
