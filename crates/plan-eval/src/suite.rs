//! Labeled messages as files.

use crate::case::{Case, Trap};
use anyhow::{Context, Result, anyhow};
use plan_model::field;
use plan_reader::training::Labeled;
use ring::digest::{SHA256, digest};
use std::fmt::Write;
use std::path::Path;

/// One file of labeled messages.
pub struct Suite {
    /// The file's name.
    pub name: String,
    /// SHA-256 of the file.
    pub hash: String,
    /// Its messages, in their order.
    pub cases: Vec<Case>,
    /// The same as the ear learns from them; none of a table.
    pub labeled: Vec<Labeled>,
}

impl Suite {
    /// Reads a suite: JSON lines, or a table of deceiving sentences (`.tsv`).
    ///
    /// # Errors
    /// The file, and the line that is no case.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let is_table = path.extension().is_some_and(|extension| extension == "tsv");
        let cases = if is_table {
            table(&text)
        } else {
            Case::read(&text).map_err(|(line, error)| anyhow!("line {line} is no case: {error}"))
        };
        let labeled = if is_table {
            Vec::new()
        } else {
            Labeled::read(&text).map_err(|(line, error)| anyhow!("{}, line {line}: {error}", path.display()))?
        };
        Ok(Self {
            labeled,
            name: path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            hash: hex(digest(&SHA256, text.as_bytes()).as_ref()),
            cases: cases.with_context(|| path.display().to_string())?,
        })
    }
}

/// Small letters and digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Sentences from which nothing may be written: sentence, last part of the field's path, the value not to be taken. `\n` in a
/// sentence is a new line.
fn table(text: &str) -> Result<Vec<Case>> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| row(number, line).with_context(|| format!("line {number}")))
        .collect()
}

fn row(number: usize, line: &str) -> Result<Case> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [message, name, value] = columns[..] else {
        return Err(anyhow!("three columns are needed"));
    };
    let known = field::catalogue().iter().find(|field| field.path.name() == name.trim());
    let known = known.with_context(|| format!("there is no field {name}"))?;
    Ok(Case {
        id: format!("line-{number}"),
        tags: Vec::new(),
        intent: None,
        slots: None,
        context: Vec::new(),
        message: message.replace("\\n", "\n"),
        labels: Vec::new(),
        traps: vec![Trap {
            field: known.path.clone(),
            value: value.trim().parse()?,
            why: String::new(),
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deceiving_sentence_is_a_case_with_one_trap() {
        let cases =
            table("# sentence\tfield\tvalue\nI refuse to pay $4,200 in rent.\trentMonthly\t420000\n").expect("rows");
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].traps[0].field.as_str(), "operatingCosts.rentMonthly");
        assert_eq!(cases[0].traps[0].value.to_string(), "420000");
        assert!(table("a\trent\t1").is_err());
        assert!(table("a\trentMonthly").is_err());
    }
}
