//! From contents to the bytes of a file.

use crate::contents::Contents;
use crate::error::TypesetError;
use crate::printed::Printed;
use std::fmt;
use std::sync::Arc;

/// Whether this build can make documents.
pub const IS_BUILT: bool = cfg!(any(feature = "typst", feature = "stand-in"));

/// The typesetter with its fonts. Clones share them.
#[derive(Clone)]
pub struct Typesetter {
    #[cfg(feature = "typst")]
    tools: Arc<std::sync::LazyLock<crate::typst_world::Tools, LoadTools>>,
}

#[cfg(feature = "typst")]
type LoadTools = Box<dyn FnOnce() -> crate::typst_world::Tools + Send>;

impl Typesetter {
    /// With the fonts of this program, and `further` ones for what those lack: whole files, read when the first document is made.
    pub fn new(further: &[Arc<[u8]>]) -> Self {
        #[cfg(feature = "typst")]
        {
            let further = further.to_vec();
            let load: LoadTools = Box::new(move || crate::typst_world::Tools::new(&further));
            Self {
                tools: Arc::new(std::sync::LazyLock::new(load)),
            }
        }
        #[cfg(not(feature = "typst"))]
        {
            let _ = further;
            Self {}
        }
    }

    /// The document as a tagged PDF. The same contents and fonts give the same bytes.
    ///
    /// # Errors
    /// See [`TypesetError`]. No contents are refused.
    #[cfg(feature = "typst")]
    pub fn typeset(&self, contents: &Contents<'_>) -> Result<Printed, TypesetError> {
        self.tools.pdf(&crate::sheets(contents), contents.made_at)
    }

    /// What is printed as JSON behind the first bytes of a PDF, for tests of what is around the typesetter. It prints ASCII.
    ///
    /// # Errors
    /// Never but where the data are no JSON.
    #[cfg(all(feature = "stand-in", not(feature = "typst")))]
    pub fn typeset(&self, contents: &Contents<'_>) -> Result<Printed, TypesetError> {
        let data = serde_json::to_string(&crate::sheets(contents))
            .map_err(|error| TypesetError::Template(error.to_string()))?;
        Ok(Printed {
            unprintable: crate::glyphs::lacking(&data, |letter| letter < '\u{2e80}'),
            pdf: [b"%PDF-stand-in\n", data.as_bytes()].concat(),
        })
    }

    /// Refuses: the typesetter is not part of this build.
    ///
    /// # Errors
    /// [`TypesetError::NotBuilt`].
    #[cfg(not(any(feature = "typst", feature = "stand-in")))]
    pub fn typeset(&self, _: &Contents<'_>) -> Result<Printed, TypesetError> {
        Err(TypesetError::NotBuilt)
    }
}

impl fmt::Debug for Typesetter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Typesetter")
    }
}
