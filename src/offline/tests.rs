//! The advisor at work, with tools that judge as the real ones do.

use crate::offline::OfflineAdvisor;
use futures_util::StreamExt;
use llm_client::{ChatMessage, Llm, LlmEvent, LlmRequest, ToolDefinition};
use plan_model::brand::Brand;
use plan_model::field::Field;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_reader::{Context, Decision, Outcome, Texts, Vocabulary, decide, resolve_turn, review, understand};
use serde_json::{Value, json};

mod again;
mod answers;
mod asked_back;
mod cases;
mod clauses;
mod dialogue;
mod differences;
mod evening;
mod going_on;
mod left_out;
mod neighbors;
mod own_loan;
mod parts;
mod short;
mod shown;
mod sums;
mod talk;
mod utterances;

use talk::{Talk, Turn};
