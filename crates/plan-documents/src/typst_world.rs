//! All that typst sees: one template, one file of data, the fonts of this program. No clock, no disk, no packages.

use crate::error::TypesetError;
use crate::glyphs::lacking;
use crate::printed::Printed;
use crate::sheets::Sheets;
use std::path::PathBuf;
use std::sync::Arc;
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
pub(crate) struct Tools {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    template: Source,
    data: FileId,
}

impl Tools {
    /// `further` fonts come behind those of this program.
    pub(crate) fn new(further: &[Arc<[u8]>]) -> Self {
        let files = typst_assets::fonts().map(Bytes::new);
        let files = files.chain(further.iter().map(|font| Bytes::new(Arc::clone(font))));
        let fonts: Vec<Font> = files.flat_map(Font::iter).collect();
        Self {
            library: LazyHash::new(Library::default()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            template: Source::new(file("/package.typ"), include_str!("package.typ").to_owned()),
            data: file("/data.json"),
        }
    }

    /// Lays the sheets out and writes them as a tagged PDF.
    pub(crate) fn pdf(&self, sheets: &Sheets, made_at: OffsetDateTime) -> Result<Printed, TypesetError> {
        let data = serde_json::to_string(sheets).map_err(|error| TypesetError::Template(error.to_string()))?;
        let unprintable = lacking(&data, |letter| self.has(letter));
        let sheet = Sheet {
            tools: self,
            data: Bytes::from_string(data),
        };
        let laid_out = typst::compile::<PagedDocument>(&sheet).output;
        // What typst remembers is for a document that is written again and again; here it would hold one person's figures.
        typst::comemo::evict(0);
        let pdf = laid_out
            .and_then(|document| typst_pdf::pdf(&document, &options(made_at)))
            .map_err(|errors| TypesetError::Template(in_words(&errors)));
        typst::comemo::evict(0);
        Ok(Printed { pdf: pdf?, unprintable })
    }

    fn has(&self, letter: char) -> bool {
        let covers = |font: &Font| font.info().coverage.contains(letter.into());
        self.fonts.iter().any(covers)
    }
}

/// Ids are never given back, so there are only these two.
fn file(path: &str) -> FileId {
    let path = VirtualPath::new(path).expect("a path that is written here");
    RootedPath::new(VirtualRoot::Project, path).intern()
}

/// The world of one document.
struct Sheet<'a> {
    tools: &'a Tools,
    data: Bytes,
}

impl World for Sheet<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.tools.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.tools.book
    }

    fn main(&self) -> FileId {
        self.tools.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        match id == self.tools.template.id() {
            true => Ok(self.tools.template.clone()),
            false => Err(absent()),
        }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        match id == self.tools.data {
            true => Ok(self.data.clone()),
            false => Err(absent()),
        }
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.tools.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn absent() -> FileError {
    FileError::NotFound(PathBuf::new())
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
