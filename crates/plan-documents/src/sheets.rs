//! What is printed, as data: the template lays it out and computes nothing.

use serde::Serialize;

/// A whole document.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sheets {
    /// `en` or `es`.
    pub lang: &'static str,
    /// As typst calls it.
    pub paper: &'static str,
    /// In the file's metadata.
    pub title: String,
    /// In the file's metadata.
    pub author: String,
    /// On top of each page: the plan's name.
    pub head: String,
    /// On top of each page: version and date.
    pub head_right: String,
    /// At the foot of each page.
    pub standing: &'static str,
    /// Around the page's number: before, between, behind.
    pub page: [&'static str; 2],
    /// The first page.
    pub cover: Cover,
    /// What follows, in order.
    pub parts: Vec<Part>,
}

/// The first page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cover {
    /// What this is.
    pub kind: &'static str,
    /// The plan's name.
    pub name: String,
    /// Who, which franchise, when.
    pub facts: Vec<[String; 2]>,
    /// The heading of what is asked for.
    pub request_title: &'static str,
    /// What is asked for.
    pub request: Vec<[String; 2]>,
    /// On whose assumptions all of it is.
    pub prepared: &'static str,
}

/// A section with a title of its own.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Its heading.
    pub title: String,
    /// Begins a page; on the side where the tables are wide.
    pub layout: Layout,
    /// What it shows, in order.
    pub blocks: Vec<Block>,
}

/// How a section lies on the sheets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Layout {
    /// Behind the one before it.
    #[default]
    Running,
    /// On a new page.
    NewPage,
    /// On new pages that lie on their side.
    Wide,
}

/// A piece of a section.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum Block {
    /// Rows and columns.
    Table(Table),
    /// Paragraphs.
    Text {
        /// Above them, if anything.
        heading: Option<String>,
        /// Each without line breaks.
        paragraphs: Vec<String>,
    },
}

/// Rows and columns.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Above it, if anything.
    pub caption: Option<String>,
    /// The heads of the columns; the first is that of the labels.
    pub columns: Vec<Column>,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// The size of its letters, in tenths of a point, so that the widest figures have room.
    pub size: u32,
    /// Whether all of it has room on a page, so that it is not divided.
    pub is_short: bool,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// Above it; `|` ends a line.
    pub label: String,
    /// Figures stand at the right; texts share the width that is left.
    pub is_number: bool,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// What it is to those above it.
    pub kind: RowKind,
    /// One for each column.
    pub cells: Vec<String>,
}

/// What a row is to those above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RowKind {
    /// One of many.
    Line,
    /// What they give.
    Total,
    /// The name of those below.
    Group,
}

impl Row {
    pub(crate) fn line(cells: Vec<String>) -> Self {
        let kind = RowKind::Line;
        Self { kind, cells }
    }

    pub(crate) fn total(cells: Vec<String>) -> Self {
        let kind = RowKind::Total;
        Self { kind, cells }
    }

    /// A row with nothing but a name.
    pub(crate) fn group(name: &str, columns: usize) -> Self {
        let mut cells = vec![name.to_owned()];
        cells.resize(columns, String::new());
        let kind = RowKind::Group;
        Self { kind, cells }
    }
}

/// Points that the columns of a table share: the smaller of the two papers, less margins.
const WIDTH: u32 = 480;
const WIDTH_WIDE: u32 = 690;

/// Lines that have room on a page.
const SHORT: usize = 36;
const SHORT_WIDE: usize = 34;

/// Letters of a text that have room on a line of its column.
const LINE: usize = 30;

/// Tenths of a point.
const LARGEST: u32 = 90;
const LARGEST_WIDE: u32 = 80;

/// Points that the label of a row has at least, and the space beside each figure.
const LABEL: u32 = 110;
const GAP: u32 = 6;

impl Table {
    /// A table of labels, texts and figures on upright pages.
    pub(crate) fn new(columns: Vec<Column>, rows: Vec<Row>) -> Self {
        let size = size(&columns, &rows, WIDTH, LARGEST);
        Self {
            caption: None,
            is_short: lines(&columns, &rows) <= SHORT,
            size,
            columns,
            rows,
        }
    }

    /// The same on pages that lie on their side.
    pub(crate) fn wide(columns: Vec<Column>, rows: Vec<Row>) -> Self {
        let size = size(&columns, &rows, WIDTH_WIDE, LARGEST_WIDE);
        Self {
            is_short: lines(&columns, &rows) <= SHORT_WIDE,
            size,
            ..Self::new(columns, rows)
        }
    }

    pub(crate) fn captioned(self, caption: impl Into<String>) -> Self {
        let caption = Some(caption.into());
        Self { caption, ..self }
    }
}

/// Lines of the rows, with those of texts that need more than one.
fn lines(columns: &[Column], rows: &[Row]) -> usize {
    let lines = |cell: &String| cell.chars().count() / LINE + 1;
    let of_row = |row: &Row| {
        let texts = row.cells.iter().zip(columns).filter(|(_, column)| !column.is_number);
        texts.map(|(cell, _)| lines(cell)).max().unwrap_or(1)
    };
    rows.iter().map(of_row).sum()
}

/// The size at which the widest figure of each column has room beside those of the others: a digit is half as wide as its letters are
/// high.
fn size(columns: &[Column], rows: &[Row], width: u32, largest: u32) -> u32 {
    let numbers = columns.iter().enumerate().filter(|(_, column)| column.is_number);
    let widest = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.cells.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let (mut characters, mut count) = (0_u32, 0_u32);
    for (at, _) in numbers {
        characters += u32::try_from(widest(at)).unwrap_or(u32::MAX).min(100);
        count += 1;
    }
    let left = width.saturating_sub(LABEL + GAP * count);
    (left * 20)
        .checked_div(characters)
        .unwrap_or(largest)
        .clamp(20, largest)
}

impl Column {
    pub(crate) fn text(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            is_number: false,
        }
    }

    pub(crate) fn number(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            is_number: true,
        }
    }
}

impl Block {
    /// Paragraphs without a heading.
    pub(crate) fn text(paragraphs: Vec<String>) -> Self {
        Self::Text {
            heading: None,
            paragraphs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_become_smaller_where_figures_are_wide() {
        let columns = |count: usize| {
            let numbers = (0..count).map(|_| Column::number("x"));
            std::iter::once(Column::text("")).chain(numbers).collect::<Vec<_>>()
        };
        let of = |count: usize, figure: &str| {
            let row = std::iter::once(String::new()).chain((0..count).map(|_| figure.to_owned()));
            Table::new(columns(count), vec![Row::line(row.collect())]).size
        };
        assert_eq!([of(5, "1,234.00"), of(0, "")], [LARGEST; 2]);
        let huge = of(6, "−10,000,000,000,000.00");
        assert!((20..LARGEST).contains(&huge), "{huge}");
    }
}
