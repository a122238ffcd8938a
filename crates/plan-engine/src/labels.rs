//! What tables and documents are labeled with, in the reader's language.

use crate::lines::FigureLine;
use plan_model::field::{self, Field, Words};
use plan_model::language::Language;
use plan_model::metrics::Metric;
use std::borrow::Cow;

/// What people read of a field: the brand's own words where it has some.
pub fn of_field(language: Language, field: &Field) -> Cow<'_, str> {
    match spanish(language, field) {
        Some((known, words)) if known.label == field.label => Cow::Borrowed(words.label),
        _ => Cow::Borrowed(&field.label),
    }
}

/// What a field means: the brand's own sentence where it has one.
pub fn help_of_field(language: Language, field: &Field) -> Cow<'_, str> {
    match spanish(language, field) {
        Some((known, words)) if known.help == field.help => Cow::Borrowed(words.help),
        _ => Cow::Borrowed(&field.help),
    }
}

/// The catalogue's field behind one of a plan, with its Spanish words, where those are asked for.
fn spanish(language: Language, field: &Field) -> Option<(&'static Field, Words)> {
    let path = field.path.as_str();
    let words = field::spanish(path).filter(|_| language == Language::Spanish)?;
    Some((field::find(path)?, words))
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
    fn a_brands_own_words_stay_in_each_language() {
        let mut rent = field::find("operatingCosts.rentMonthly").expect("a field").clone();
        assert_ne!(of_field(Language::Spanish, &rent), of_field(Language::English, &rent));
        rent.label = "Stall".into();
        assert_eq!(of_field(Language::Spanish, &rent), "Stall");
        assert_ne!(
            help_of_field(Language::Spanish, &rent),
            help_of_field(Language::English, &rent)
        );
        rent.help = "What the mall charges.".into();
        assert_eq!(help_of_field(Language::Spanish, &rent), "What the mall charges.");
    }
}
