//! The values of a message, less those that are not meant.

use super::Reader;
use crate::offline::message::{lead, shown};
use crate::wording;
use plan_model::field::{Field, FieldPath};
use plan_reader::{Candidate, Choice, Source, Texts, Understanding, understand};

impl<'a> Reader<'_, 'a> {
    /// The values of a message, less those that are not meant.
    pub(super) fn understood(&self, texts: &Texts<'a>) -> Understanding {
        let mut understanding = understand(texts, self.vocabulary).with_ungrouped();
        if lead::is_of_another(&understanding, texts) {
            understanding = understand(&Texts::of(texts.message), self.vocabulary).with_ungrouped();
        }
        // A yes is to a value that was asked about, and not to one of an example.
        if !texts.advisor.is_some_and(wording::asks_for_yes) {
            understanding.candidates.retain(|one| one.source != Source::Advisor);
        }
        lead::without_corrected(&mut understanding, texts.message);
        lead::without_denied(&mut understanding, texts.message, self.fields);
        lead::without_months(&mut understanding, self.fields);
        lead::as_named(&mut understanding, self.fields);
        lead::as_salary(&mut understanding.candidates, texts.message, self.fields);
        lead::without_absurd(&mut understanding, texts, self.vocabulary);
        shown::without_shown(&mut understanding, texts, (self.before, self.fields), self.vocabulary);
        lead::in_thousands(&mut understanding, texts, self.vocabulary);
        lead::without_aside(&mut understanding, texts.message, self.fields);
        self.in_each_year(&mut understanding, texts);
        understanding
    }

    /// "Growth of 3 percent every year": a value of each of them. Years that are named are the ear's.
    fn in_each_year(&self, understanding: &mut Understanding, texts: &Texts<'_>) {
        let is_each = || plan_reader::years(texts, self.vocabulary).is_empty();
        if !wording::says(texts.message, "w.every_year") || !is_each() {
            return;
        }
        let is_growth = |choice: &Choice| self.field(choice.field.as_str()).is_some_and(Field::is_growth);
        let is_of_growth = |one: &Candidate| one.choices.first().is_some_and(is_growth);
        let candidates = &mut understanding.candidates;
        let mut found = (0..candidates.len()).filter(|at| is_of_growth(&candidates[*at]));
        // "4 % in year 2 and 3 % in year 3" says which is of which.
        let (Some(at), None) = (found.next(), found.next()) else {
            return;
        };
        let one = candidates[at].clone();
        let years = self.fields.iter().filter(|field| field.is_growth());
        let of_year = |field: &Field| Candidate {
            choices: vec![Choice {
                field: field.path.clone(),
                ..one.choices[0].clone()
            }],
            ..one.clone()
        };
        candidates.splice(at..=at, years.map(of_year));
    }
}

/// The fields that values are given for: what is plain, and the likeliest of what is heard.
pub(in crate::offline) fn given(understanding: &Understanding) -> impl Iterator<Item = &FieldPath> {
    let heard = understanding.candidates.iter().filter_map(|one| one.choices.first());
    let plain = understanding.plain.iter().map(|one| &one.field);
    let shares = understanding.shares.iter().map(|one| &one.field);
    plain.chain(heard.map(|choice| &choice.field)).chain(shares)
}
