//! The names of a plan's fields.

use super::language::{Entry, Key, KeyField, LANGUAGES, Language, Payload, Phrases, text_of};
use super::productions::GRAMMAR;
use crate::lex::Table;
use plan_model::brand::Brand;
use plan_model::field::{Bounds, Field, FieldPath, FieldRole};
use std::sync::Arc;

/// The words that a plan's fields are known by. Build it once for a brand's version.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    fields: Vec<Field>,
    by_path: Table<String, usize>,
    ranges: Arc<[Option<Bounds>]>,
    own: Phrases,
    own_keys: Vec<Key>,
}

impl Vocabulary {
    /// The language's names, and the labels and aliases of these fields, without disclosed ranges.
    pub fn new(fields: &[Field]) -> Self {
        Self::with_ranges(fields, &[])
    }

    /// The same with what is disclosed for each field, where something is.
    pub fn with_ranges(fields: &[Field], ranges: &[Option<Bounds>]) -> Self {
        let of = |at: usize| ranges.get(at).copied().flatten();
        Self::with(fields, (0..fields.len()).map(of).collect())
    }

    /// What is disclosed for each field.
    pub fn ranges(&self) -> &Arc<[Option<Bounds>]> {
        &self.ranges
    }

    /// The names of a brand's fields, with the ranges that it discloses.
    pub fn of(brand: &Brand) -> Self {
        let fields = brand.fields();
        let ranges = fields.iter().map(|field| brand.item7_range(&field.path)).collect();
        Self::with(&fields, ranges)
    }

    fn with(fields: &[Field], ranges: Arc<[Option<Bounds>]>) -> Self {
        let mut out = Self {
            ranges,
            fields: fields.to_vec(),
            by_path: fields
                .iter()
                .enumerate()
                .map(|(at, field)| (field.path.to_string(), at))
                .collect(),
            own: Phrases::default(),
            own_keys: Vec::new(),
        };
        let name = GRAMMAR.known("NAME").expect("a class");
        let language = &LANGUAGES[0];
        for field in fields.iter().filter(|field| !field.is_growth()) {
            let key = out.own_keys.len() + LANGUAGES.iter().map(|language| language.keys.len()).sum::<usize>();
            out.own_keys.push(Key {
                fields: vec![KeyField {
                    path: field.path.to_string(),
                    is_guess: false,
                    is_related: false,
                }],
            });
            let entry = Entry {
                class: name,
                payload: Payload::Key(key as u16),
            };
            let aliases = field.aliases.iter().map(AsRef::as_ref);
            for phrase in aliases.chain([plain_label(&field.label)]) {
                let tokens = language.tokens(phrase);
                let texts: Vec<&str> = tokens.iter().map(text_of).collect();
                let is_readable = texts
                    .iter()
                    .all(|text| !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()));
                if is_readable && texts.len() <= 8 && !language.phrases.has(&texts) {
                    out.own.add(&texts, entry);
                }
            }
        }
        out
    }

    /// The fields that it names.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The fields that a word or two may be a name of by itself, in any language: "luz".
    pub fn called(&self, name: &str) -> Vec<FieldPath> {
        let mut found: Vec<FieldPath> = Vec::new();
        for language in LANGUAGES.iter() {
            let tokens = language.tokens(name);
            let texts: Vec<&str> = tokens.iter().map(text_of).collect();
            self.each(language, &texts, 0, |end, entries| {
                let keys = entries.iter().filter_map(|entry| match entry.payload {
                    Payload::Key(key) if end == texts.len() => Some(self.key(key)),
                    _ => None,
                });
                let meant = keys
                    .flat_map(|key| &key.fields)
                    .filter(|field| !field.is_guess && !field.is_related);
                found.extend(meant.map(|field| FieldPath::read(&field.path)));
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where the field of a path stands in [`Vocabulary::fields`].
    pub(crate) fn position(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The field with the growth of a year.
    pub(crate) fn growth(&self, year: u8) -> Option<usize> {
        self.fields
            .iter()
            .position(|field| field.role == FieldRole::Growth(year))
    }

    /// The field that says from which month the first field of a name is paid; itself where it is one.
    pub(crate) fn start_month(&self, key: &Key) -> Option<usize> {
        let at = self.position(&key.fields.first()?.path)?;
        match &self.fields[at] {
            field if field.role == FieldRole::StartMonth => Some(at),
            field => self.position(field.start_month.as_ref()?.as_str()),
        }
    }

    /// The reference range of a field: disclosed, else typical.
    pub(crate) fn range(&self, field: usize) -> Option<Bounds> {
        self.ranges[field].or(self.fields[field].soft)
    }

    pub(crate) fn key(&self, key: u16) -> &Key {
        let mut at = usize::from(key);
        for language in LANGUAGES.iter() {
            match language.keys.get(at) {
                Some(key) => return key,
                None => at -= language.keys.len(),
            }
        }
        &self.own_keys[at]
    }

    /// Each phrase that begins at `at`: its end and its meanings.
    pub(super) fn each(&self, language: &Language, texts: &[&str], at: usize, mut found: impl FnMut(usize, &[Entry])) {
        language.phrases.each(texts, at, &mut found);
        self.own.each(texts, at, &mut found);
    }
}

/// A label without its remarks: "Growth in year 1 (after ramp)", "Direct labor, % of sales".
fn plain_label(label: &str) -> &str {
    let label = label.split(" (").next().unwrap_or_default();
    label.split(", %").next().unwrap_or_default().trim()
}
