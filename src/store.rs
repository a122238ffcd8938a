//! PostgreSQL access. One file per table, in folders by subject: its rows and its queries.
//!
//! Reads borrow the connection so that they can be pipelined; writes share one short transaction. No connection is held
//! during a model call.

#![allow(clippy::arithmetic_side_effects, reason = "diesel's expressions are SQL")]

pub mod brands;
pub(crate) mod contents;
mod db;
pub mod migrate;
pub mod people;
pub mod plans;
mod readable;
pub mod retention;
pub mod schema;
pub(crate) mod spent_tokens;
pub mod turns;

pub use db::Db;
use pg_link::OneRow;
pub use pg_link::{Conn, Error as StoreError, Result as StoreResult};
use readable::readable;

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Every file below a folder that holds a statement.
    fn statements(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                statements(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "sql") {
                let text = std::fs::read_to_string(&path).expect("a statement");
                found.push((path.display().to_string(), text));
            }
        }
    }

    #[test]
    fn placeholders_come_once_and_in_order() {
        let mut found = Vec::new();
        statements(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store"), &mut found);
        assert!(found.len() > 4, "the statements were found");
        for (file, sql) in found {
            let numbers: Vec<usize> = sql
                .split('$')
                .skip(1)
                .map(|behind| behind.chars().take_while(char::is_ascii_digit).collect::<String>())
                .filter_map(|number| number.parse().ok())
                .collect();
            assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>(), "{file}");
        }
    }
}
