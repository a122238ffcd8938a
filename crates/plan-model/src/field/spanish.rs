//! The catalogue's words in Spanish. English is in the table itself.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a field is called and means in another language than the catalogue's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What people read beside its value.
    pub label: &'static str,
    /// With its article, inside a sentence.
    pub name: &'static str,
    /// One sentence on what it means.
    pub help: &'static str,
}

static SPANISH: LazyLock<HashMap<&'static str, Words>> = LazyLock::new(|| {
    let lines = include_str!("spanish.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    lines.filter_map(read).collect()
});

fn read(line: &'static str) -> Option<(&'static str, Words)> {
    let (path, words) = line.split_once(": ")?;
    let mut parts = words.split(" | ");
    let (label, name, help) = (parts.next()?, parts.next()?, parts.next()?);
    Some((path, Words { label, name, help }))
}

/// The Spanish words of a field of the catalogue. A brand's own rows have none.
pub fn spanish(path: &str) -> Option<Words> {
    SPANISH.get(path).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::catalogue;

    #[test]
    fn every_field_of_the_catalogue_has_its_words_and_nothing_else_has() {
        for field in catalogue() {
            let words = spanish(field.path.as_str()).unwrap_or_else(|| panic!("{}", field.path));
            assert!(
                words.help.ends_with('.') && !words.name.ends_with('.'),
                "{}",
                field.path
            );
        }
        assert_eq!(SPANISH.len(), catalogue().len());
        assert_eq!(
            include_str!("spanish.txt").lines().count(),
            SPANISH.len() + 1,
            "a line that cannot be read"
        );
    }
}
