//! The events of a Messages stream. Every field may be absent, null or of another kind.

use crate::{
    answer::usage::RawUsage,
    answer::wire::{Int, Object, Word},
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One event, or a whole message as one document.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Frame<'a> {
    #[serde(borrow)]
    pub r#type: Word<'a>,
    pub index: Int,
    #[serde(borrow)]
    pub message: Object<Message<'a>>,
    #[serde(borrow)]
    pub content_block: Option<&'a RawValue>,
    #[serde(borrow)]
    pub delta: Option<&'a RawValue>,
    pub usage: Object<RawUsage>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error_type: Word<'a>,
    // A whole message has these at its top.
    #[serde(borrow)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub stop_reason: Word<'a>,
}

/// The message as it begins; some servers put blocks and the end into it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Message<'a> {
    #[serde(borrow)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub stop_reason: Word<'a>,
    pub usage: Object<RawUsage>,
}

/// A block of the content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Block<'a> {
    #[serde(borrow)]
    pub r#type: Word<'a>,
    #[serde(borrow)]
    pub id: Word<'a>,
    #[serde(borrow)]
    pub name: Word<'a>,
    #[serde(borrow)]
    pub input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub text: Word<'a>,
    #[serde(borrow)]
    pub thinking: Word<'a>,
    #[serde(borrow)]
    pub signature: Word<'a>,
}

/// A piece of a block, or the end of the message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Delta<'a> {
    #[serde(borrow)]
    pub r#type: Word<'a>,
    #[serde(borrow)]
    pub text: Word<'a>,
    #[serde(borrow)]
    pub partial_json: Word<'a>,
    #[serde(borrow)]
    pub thinking: Word<'a>,
    #[serde(borrow)]
    pub signature: Word<'a>,
    #[serde(borrow)]
    pub citation: Option<&'a RawValue>,
    #[serde(borrow)]
    pub stop_reason: Word<'a>,
}
