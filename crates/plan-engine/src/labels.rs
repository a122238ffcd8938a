//! What tables are labeled with, in the reader's language.

use crate::lines::FigureLine;
use plan_model::field::Field;
use plan_model::language::Language;
use plan_model::metrics::Metric;
use std::borrow::Cow;

/// A language, and what fields and metrics are called in it: their own names are English.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    /// Of headings and sentences.
    pub language: Language,
    /// What the field at a path or the metric of a name is called; `None` where the language has no name for it.
    pub name: fn(&str) -> Option<String>,
    /// What it means, likewise.
    pub help: fn(&str) -> Option<&'static str>,
}

impl Labels {
    /// The catalogues' own words.
    pub const ENGLISH: Self = Self {
        language: Language::English,
        name: |_| None,
        help: |_| None,
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
        (self.name)(field.path.as_str()).map_or(Cow::Borrowed(&*field.label), Cow::Owned)
    }

    pub(crate) fn metric(&self, metric: &Metric) -> Cow<'static, str> {
        (self.name)(metric.name).map_or(Cow::Borrowed(metric.label), Cow::Owned)
    }

    pub(crate) fn metric_help(&self, metric: &Metric) -> &'static str {
        (self.help)(metric.name).unwrap_or(metric.help)
    }
}
