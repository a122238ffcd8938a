//! From contents to the bytes of a file.

use crate::contents::Contents;

/// Whether this build can make documents.
pub const IS_BUILT: bool = cfg!(any(feature = "typst", feature = "stand-in"));

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub enum TypesetError {
    /// The typesetter is not part of this build.
    #[error("this build has no typesetter")]
    NotBuilt,
    /// A fault of ours: the template refuses its data. Holds the typesetter's own words, none of the plan's.
    #[error("the template is wrong: {0}")]
    Template(String),
}

/// The document as a PDF. The same contents give the same bytes.
///
/// # Errors
/// See [`TypesetError`]. No contents are refused.
#[cfg(feature = "typst")]
pub fn typeset(contents: &Contents<'_>) -> Result<Vec<u8>, TypesetError> {
    crate::typst_world::pdf(&crate::sheets(contents), contents.made_at)
}

/// What is printed as JSON behind the first bytes of a PDF, for tests of what is around the typesetter.
///
/// # Errors
/// Never but where the data are no JSON.
#[cfg(all(feature = "stand-in", not(feature = "typst")))]
pub fn typeset(contents: &Contents<'_>) -> Result<Vec<u8>, TypesetError> {
    let data =
        serde_json::to_vec(&crate::sheets(contents)).map_err(|error| TypesetError::Template(error.to_string()))?;
    Ok([b"%PDF-stand-in\n", data.as_slice()].concat())
}

/// Refuses: the typesetter is not part of this build.
///
/// # Errors
/// [`TypesetError::NotBuilt`].
#[cfg(not(any(feature = "typst", feature = "stand-in")))]
pub fn typeset(_: &Contents<'_>) -> Result<Vec<u8>, TypesetError> {
    Err(TypesetError::NotBuilt)
}
