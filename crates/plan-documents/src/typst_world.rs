//! All that typst sees: one template, one file of data, the fonts of this program. No clock, no disk, no packages.

use crate::error::TypesetError;
use crate::sheets::Sheets;
use std::path::PathBuf;
use std::sync::LazyLock;
use time::{OffsetDateTime, UtcOffset};
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Smart};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, Timestamp};

/// What is made once for all documents.
struct Tools {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    template: Source,
    data: FileId,
}

static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    let fonts: Vec<Font> = typst_assets::fonts()
        .flat_map(|font| Font::iter(Bytes::new(font)))
        .collect();
    Tools {
        library: LazyHash::new(Library::default()),
        book: LazyHash::new(FontBook::from_fonts(&fonts)),
        fonts,
        template: Source::new(file("/package.typ"), include_str!("package.typ").to_owned()),
        data: file("/data.json"),
    }
});

/// Ids are never given back, so there are only these two.
fn file(path: &str) -> FileId {
    let path = VirtualPath::new(path).expect("a path that is written here");
    RootedPath::new(VirtualRoot::Project, path).intern()
}

/// The world of one document.
struct Sheet(Bytes);

impl World for Sheet {
    fn library(&self) -> &LazyHash<Library> {
        &TOOLS.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &TOOLS.book
    }

    fn main(&self) -> FileId {
        TOOLS.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        match id == TOOLS.template.id() {
            true => Ok(TOOLS.template.clone()),
            false => Err(absent()),
        }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        match id == TOOLS.data {
            true => Ok(self.0.clone()),
            false => Err(absent()),
        }
    }

    fn font(&self, index: usize) -> Option<Font> {
        TOOLS.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn absent() -> FileError {
    FileError::NotFound(PathBuf::new())
}

/// Lays the sheets out and writes them as a tagged PDF.
pub(crate) fn pdf(sheets: &Sheets, made_at: OffsetDateTime) -> Result<Vec<u8>, TypesetError> {
    let data = serde_json::to_vec(sheets).map_err(|error| TypesetError::Template(error.to_string()))?;
    let file = typst::compile::<PagedDocument>(&Sheet(Bytes::new(data)))
        .output
        .and_then(|document| typst_pdf::pdf(&document, &options(made_at)))
        .map_err(|errors| TypesetError::Template(in_words(&errors)));
    // What typst remembers is for a document that is written again and again; here it would hold one person's figures.
    typst::comemo::evict(0);
    file
}

fn options(made_at: OffsetDateTime) -> PdfOptions {
    let at = made_at.to_offset(UtcOffset::UTC);
    let at = Datetime::from_ymd_hms(
        at.year(),
        at.month().into(),
        at.day(),
        at.hour(),
        at.minute(),
        at.second(),
    );
    PdfOptions {
        creator: Smart::Custom(Some("plan-advisor".to_owned())),
        timestamp: at.map(Timestamp::new_utc),
        ..PdfOptions::default()
    }
}

fn in_words(errors: &[SourceDiagnostic]) -> String {
    let words: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    words.join("; ")
}
