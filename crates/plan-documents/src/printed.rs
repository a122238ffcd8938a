//! The result of typesetting.

/// A document as it comes out of the typesetter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The file.
    pub pdf: Vec<u8>,
    /// Characters of the contents that no font has, each once, by code point: they are printed as boxes.
    pub unprintable: String,
}
