//! The files of labeled messages, by their kinds.

use super::composed;
use super::labeled::Labeled;
use crate::grammar::Vocabulary;
use plan_model::brand::Brand;
use std::path::Path;

fn is_kind(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|known| known == extension)
}

/// The messages of a file, by its name.
///
/// # Errors
/// The file and its first line that is none.
pub fn messages(name: &str, text: &str) -> Result<Vec<Labeled>, String> {
    if is_kind(name, "tsv") {
        return Labeled::read_table(text)
            .map_err(|line| format!("{name}, line {line}: language, intent and message are needed"));
    }
    if is_kind(name, "txt") {
        let vocabulary = Vocabulary::of(&Brand::demo());
        return composed::read(text, &vocabulary).ok_or_else(|| format!("{name}: a line does not fit its section"));
    }
    Labeled::read(text).map_err(|(line, error)| format!("{name}, line {line}: {error}"))
}

/// The files that weights are made of, by their names: the labeled messages below `tests` that were not set aside, that are no
/// recordings, and that were not written to deceive.
///
/// # Errors
/// Where a file cannot be read.
pub fn files(tests: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut out = Vec::new();
    for folder in ["intents", "truth"] {
        for entry in std::fs::read_dir(tests.join(folder))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_left_out = (folder == "intents" && name.contains("-unseen"))
                || ["calls.jsonl", "verdicts.jsonl", "white-box-dialogues.jsonl"].contains(&name.as_str());
            let is_data =
                is_kind(&name, "jsonl") || folder == "intents" && (is_kind(&name, "tsv") || is_kind(&name, "txt"));
            if is_data && !is_left_out {
                out.push((format!("{folder}/{name}"), std::fs::read_to_string(&path)?));
            }
        }
    }
    out.sort();
    Ok(out)
}
