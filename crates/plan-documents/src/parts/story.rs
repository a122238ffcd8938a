//! What the owner tells about the business.

use crate::contents::Story;
use crate::sheets::{Block, Layout, Part};
use crate::texts::{Texts, paragraphs};

/// `None` where nothing is told.
pub(crate) fn story(story: &Story<'_>, texts: Texts) -> Option<Part> {
    let told = [
        ("story.team", story.team),
        ("story.business", story.business),
        ("story.market", story.market),
        ("story.customers", story.customers),
        ("story.loan", story.loan),
        ("story.risks", story.risks),
    ];
    let block = |(key, text): (&str, Option<&str>)| {
        let paragraphs = paragraphs(text?);
        let heading = Some(texts.get(key).to_owned());
        (!paragraphs.is_empty()).then_some(Block::Text { heading, paragraphs })
    };
    let blocks: Vec<Block> = told.into_iter().filter_map(block).collect();
    (!blocks.is_empty()).then(|| Part {
        title: texts.get("story.title").to_owned(),
        layout: Layout::NewPage,
        blocks,
    })
}
