//! The events of a Responses stream. Every field may be absent, null or of another kind.

use crate::{
    answer::usage::RawUsage,
    answer::wire::{Int, List, Object, Word},
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One event, or the head of a response as one document.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Frame<'a> {
    #[serde(borrow)]
    pub r#type: Word<'a>,
    #[serde(borrow)]
    pub object: Word<'a>,
    pub output_index: Int,
    pub content_index: Int,
    #[serde(borrow)]
    pub delta: Word<'a>,
    #[serde(borrow)]
    pub text: Word<'a>,
    #[serde(borrow)]
    pub refusal: Word<'a>,
    #[serde(borrow)]
    pub arguments: Word<'a>,
    #[serde(borrow)]
    pub item: Option<&'a RawValue>,
    #[serde(borrow)]
    pub response: Object<Response<'a>>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error_type: Word<'a>,
}

/// The response in its last event, or as one document.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Response<'a> {
    #[serde(borrow)]
    pub status: Word<'a>,
    #[serde(borrow)]
    pub output: Option<Vec<&'a RawValue>>,
    pub usage: Object<RawUsage>,
    #[serde(borrow)]
    pub incomplete_details: Object<Incomplete<'a>>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Incomplete<'a> {
    #[serde(borrow)]
    pub reason: Word<'a>,
}

/// A piece of the output: a message, a call, reasoning, or the work of a tool at the provider.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Item<'a> {
    #[serde(borrow)]
    pub r#type: Word<'a>,
    #[serde(borrow)]
    pub call_id: Word<'a>,
    #[serde(borrow)]
    pub id: Word<'a>,
    #[serde(borrow)]
    pub name: Word<'a>,
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub content: List<Part<'a>>,
    #[serde(borrow)]
    pub encrypted_content: Word<'a>,
}

/// A part of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Part<'a> {
    #[serde(borrow)]
    pub text: Word<'a>,
    #[serde(borrow)]
    pub refusal: Word<'a>,
}
