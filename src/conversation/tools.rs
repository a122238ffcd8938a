//! The closed list of tools a model may call. Each has its row, with name, description, schema, example and code, in its own
//! file; `registry.rs` lists the rows.
//!
//! The plan comes from the request, never from the model. Arguments are typed and validated before anything runs; what is
//! wrong with them goes back to the model as a result it can recover from.

mod action;
mod analysis;
mod arguments;
pub(super) mod asked;
mod call;
mod check_status;
mod context;
mod destructive;
mod dismiss_proposals;
mod draft_story;
pub(super) mod figures;
mod get_plan_summary;
mod guidance;
mod open;
mod reading;
mod registry;
mod services;
mod set_financial_field;
mod tool;
mod undo_last_change;

pub(super) use action::again_key;
pub use action::{Destructive, Intercepted};
pub use call::Called;
pub use context::{EvidenceTexts, ExtractedCandidate, Hints, PlannedScenario, PlannedUndo, ToolContext};
pub use figures::Figures;
pub use registry::{definitions, known_name, order};
pub use services::{LatestChanges, Services};
pub use set_financial_field::NeedsReview;
pub use tool::Order;
