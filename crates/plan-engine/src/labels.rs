//! What tables and documents are labeled with, in the reader's language.

use crate::lines::FigureLine;
use plan_model::field::{self, Field};
use plan_model::language::Language;
use plan_model::metrics::Metric;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

static FIELDS_ES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("labels/fields-es.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .collect()
});

/// What people read of a field: the brand's own words where it has some.
pub fn of_field(language: Language, field: &Field) -> Cow<'_, str> {
    let is_own = field::find(field.path.as_str()).is_none_or(|known| known.label != field.label);
    let spanish = FIELDS_ES.get(field.path.as_str());
    match spanish.filter(|_| language == Language::Spanish && !is_own) {
        Some(label) => Cow::Borrowed(label),
        None => Cow::Borrowed(&field.label),
    }
}

/// A language, and what metrics are called in it: their own names are English.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    /// Of headings and sentences.
    pub language: Language,
    /// What a metric is called; `None` where the language has no name for it.
    pub metric_name: fn(&str) -> Option<String>,
    /// What it means, likewise.
    pub metric_help: fn(&str) -> Option<&'static str>,
}

impl Labels {
    /// The catalogues' own words.
    pub const ENGLISH: Self = Self {
        language: Language::English,
        metric_name: |_| None,
        metric_help: |_| None,
    };

    /// One of two texts.
    pub(crate) const fn pick(&self, english: &'static str, spanish: &'static str) -> &'static str {
        match self.language {
            Language::English => english,
            Language::Spanish => spanish,
        }
    }

    /// Above the column of a line, or before its row.
    pub(crate) fn heading(&self, line: &FigureLine) -> &'static str {
        line.heading_in(self.language).unwrap_or(line.name)
    }

    pub(crate) fn field<'f>(&self, field: &'f Field) -> Cow<'f, str> {
        of_field(self.language, field)
    }

    pub(crate) fn metric(&self, metric: &Metric) -> Cow<'static, str> {
        (self.metric_name)(metric.name).map_or(Cow::Borrowed(metric.label), Cow::Owned)
    }

    pub(crate) fn help_of(&self, metric: &Metric) -> &'static str {
        (self.metric_help)(metric.name).unwrap_or(metric.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_the_catalogue_has_a_spanish_label_and_a_brands_own_words_stay() {
        for field in field::catalogue() {
            assert!(FIELDS_ES.contains_key(field.path.as_str()), "{}", field.path);
        }
        assert_eq!(FIELDS_ES.len(), field::catalogue().len());
        let mut rent = field::find("operatingCosts.rentMonthly").expect("a field").clone();
        assert_ne!(of_field(Language::Spanish, &rent), of_field(Language::English, &rent));
        rent.label = "Stall".into();
        assert_eq!(of_field(Language::Spanish, &rent), "Stall");
    }
}
