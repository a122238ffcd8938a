//! The advisor at work, with tools that judge as the real ones do.

use super::OfflineAdvisor;
use crate::extraction::{Context, Judgement, Outcome, Words, judge, read, resolve_turn};
use crate::llm::{ChatMessage, Llm, LlmEvent, LlmRequest, ToolDefinition};
use crate::model::brand::Brand;
use crate::model::field::Field;
use crate::model::inputs::FinancialInputs;
use crate::model::number::Number;
use futures_util::StreamExt;
use serde_json::{Value, json};

mod dialogue;
mod talk;
mod utterances;

use talk::{Talk, Turn};
