//! Every value of the plan, with where it comes from and since when.

use crate::contents::Contents;
use crate::figures::{self, dollars, short_date};
use crate::sheets::{Block, Column, Layout, Part, Row, Table};
use crate::texts::Texts;
use plan_model::brand::Provenance;
use plan_model::field::Field;
use plan_model::inputs::{FieldValue, LOAN_AMOUNT, Source};

pub(crate) fn assumptions(contents: &Contents<'_>, texts: Texts) -> Part {
    let mut blocks: Vec<Block> = Vec::new();
    let mut rest = contents.fields;
    while let Some(first) = rest.first() {
        let section = first.path.section();
        let end = rest.iter().position(|field| field.path.section() != section);
        let (fields, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let title = texts.get(&format!("section.{section}"));
        blocks.push(Block::Table(table(contents, fields, texts).captioned(title)));
        rest = behind;
    }
    Part {
        title: texts.get("assumptions.title").to_owned(),
        layout: Layout::NewPage,
        blocks,
    }
}

fn table(contents: &Contents<'_>, fields: &[Field], texts: Texts) -> Table {
    let columns = vec![
        Column::text(texts.get("assumptions.field")),
        Column::number(texts.get("assumptions.value")),
        Column::text(texts.get("assumptions.source")),
        Column::number(texts.get("assumptions.date")),
    ];
    Table::new(
        columns,
        fields.iter().map(|field| row(contents, field, texts)).collect(),
    )
}

fn row(contents: &Contents<'_>, field: &Field, texts: Texts) -> Row {
    let path = field.path.as_str();
    let label = texts.field(field);
    let Some(value) = contents.inputs.get(path) else {
        return Row::line(vec![label, "–".to_owned(), String::new(), String::new()]);
    };
    if path == contents.inputs.derived() {
        return Row::line(vec![
            label,
            derived(contents, path, texts),
            String::new(),
            String::new(),
        ]);
    }
    Row::line(vec![
        label,
        figures::value(field, value.current_value, texts),
        source(contents, field, value, texts).to_owned(),
        value.last_modified_at.map(short_date).unwrap_or_default(),
    ])
}

/// Of loan and owner's share the one that the other decides.
fn derived(contents: &Contents<'_>, path: &str, texts: Texts) -> String {
    if path == LOAN_AMOUNT {
        let loan = dollars(contents.projection.opening.loan);
        return texts.say("assumptions.follows.down", &[("value", &loan)]);
    }
    texts.get("assumptions.follows.loan").to_owned()
}

fn source(contents: &Contents<'_>, field: &Field, value: &FieldValue, texts: Texts) -> &'static str {
    texts.get(match &value.source {
        Source::BrandDefault => default_of(contents, field, value),
        Source::UserEntry => "source.owner",
        Source::AiPopulated => "source.conversation",
        Source::Admin(_) | Source::Other(_) => "source.support",
    })
}

/// Where the brand has its own value from.
fn default_of(contents: &Contents<'_>, field: &Field, value: &FieldValue) -> &'static str {
    if field.path.startup_slug().is_some() {
        return match value.item7() {
            Some(_) => "source.item7",
            None => "source.default",
        };
    }
    let parameter = contents.brand.parameters.get(&field.path);
    match parameter.map(|parameter| parameter.provenance) {
        Some(Provenance::Item5) => "source.item5",
        Some(Provenance::Item6) => "source.item6",
        Some(Provenance::Item7) => "source.item7",
        Some(Provenance::Item19) => "source.item19",
        Some(Provenance::AdminEstimate) => "source.estimate",
        None => "source.default",
    }
}
