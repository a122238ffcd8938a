//! What the owner has written about the business.

use crate::sheets::{Block, Layout, Part};
use crate::texts::{Texts, paragraphs};
use plan_model::story::Story;

/// `None` without a text.
pub(crate) fn story(story: &Story, texts: Texts) -> Option<Part> {
    let block = |(name, text): (&str, Option<&str>)| {
        let paragraphs = paragraphs(text?);
        let heading = Some(texts.get(&format!("story.{name}")).to_owned());
        (!paragraphs.is_empty()).then_some(Block::Text { heading, paragraphs })
    };
    let blocks: Vec<Block> = story.texts().into_iter().filter_map(block).collect();
    (!blocks.is_empty()).then(|| Part {
        title: texts.get("story.title").to_owned(),
        layout: Layout::NewPage,
        blocks,
    })
}
