//! From contents to the bytes of a file.

use crate::contents::Contents;
use crate::error::TypesetError;

/// Whether this build can make documents.
pub const IS_BUILT: bool = cfg!(any(feature = "typst", feature = "stand-in"));

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
