//! The advisor at work, with tools that judge as the real ones do.

use crate::extraction::{Context, Decision, Outcome, Texts, Vocabulary, decide, resolve_turn, review, understand};
use crate::llm::{ChatMessage, Llm, LlmEvent, LlmRequest, ToolDefinition};
use crate::model::brand::Brand;
use crate::model::field::Field;
use crate::model::inputs::FinancialInputs;
use crate::model::number::Number;
use crate::offline::OfflineAdvisor;
use futures_util::StreamExt;
use serde_json::{Value, json};

mod dialogue;
mod short;
mod talk;
mod utterances;

use talk::{Talk, Turn};
