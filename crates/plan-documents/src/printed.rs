//! What comes of contents.

/// A document as it comes out of the typesetter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The file.
    pub pdf: Vec<u8>,
    /// Letters of the contents that no font has, each once, in the order of their numbers: they are printed as boxes.
    pub unprintable: String,
}
