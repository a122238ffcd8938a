//! How to read the figures.

use crate::contents::Contents;
use crate::sheets::{Block, Layout, Part};
use crate::texts::Texts;

pub(crate) fn notes(contents: &Contents<'_>, texts: Texts) -> Part {
    let checked = match contents.projection.checks.passed {
        true => "notes.checks.ok",
        false => "notes.checks.failed",
    };
    let method = format!("{} {}", texts.get("notes.method"), texts.get(checked));
    let notes = ["notes.rounding", "notes.signs"].map(|key| texts.get(key).to_owned());
    let last = ["notes.defaults", "prepared"].map(|key| texts.get(key).to_owned());
    Part {
        title: texts.get("notes.title").to_owned(),
        layout: Layout::Running,
        blocks: vec![Block::text(notes.into_iter().chain([method]).chain(last).collect())],
    }
}
