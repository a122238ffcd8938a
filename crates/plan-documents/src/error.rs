//! Why nothing is printed.

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
