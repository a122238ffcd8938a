//! What the case before adds to a message.

use super::{Reader, Reading, less_loan, rises};
use crate::offline::message::lead;
use crate::wording;
use plan_reader::{Heard, Intent};

impl<'a> Reader<'_, 'a> {
    /// With what the case before adds to it.
    pub(super) fn behind_case(&self, mut reading: Reading<'a>) -> Reading<'a> {
        if let Some(heard) = self
            .part_of_case(&reading)
            .or_else(|| self.taken_part(&reading))
            .or_else(|| self.all_together(&reading))
            .or_else(|| self.instead_of_before(&reading))
            .or_else(|| self.ordered_case(&reading))
            .or_else(|| self.times_that(&reading))
        {
            return Reading {
                heard,
                is_whole_case: true,
                ..reading
            };
        }
        if let Some(heard) = self.stated_in_case(&reading) {
            reading.heard = heard;
            reading.understanding.candidates.clear();
            reading.understanding.plain.clear();
        }
        if let Some(slots) = self
            .in_percent_as_before(&reading)
            .or_else(|| self.by_as_before(&reading))
            .or_else(|| self.same_line_again(&reading))
            .or_else(|| self.goal_within(&reading))
            .or_else(|| self.goal_in_case(&reading))
        {
            reading.heard.slots = slots;
        }
        if matches!(reading.heard.intent, Intent::Figure | Intent::Why)
            && wording::says(reading.texts.message, "w.same_year")
        {
            reading.heard.slots.year = self.year_before().or(reading.heard.slots.year);
        }
        if reading.heard.intent == Intent::WhatIf {
            rises::of_rent(&mut reading);
            self.by_neighbors(&mut reading);
            if let Some(slots) = self.moved_by(&reading).or_else(|| self.with_start(&reading)) {
                reading.heard.slots = slots;
            }
            reading.heard = less_loan::of(&reading).unwrap_or(reading.heard);
        }
        if reading.heard.intent == Intent::WhatIf && !reading.is_agreed {
            let slots = std::mem::take(&mut reading.heard.slots);
            let (said, texts) = (&reading.understanding, &reading.texts);
            reading.heard.slots = lead::case_in_thousands(slots, said, texts, self.vocabulary);
        }
        if let Some(heard) = self.of_named_case(&reading) {
            // "Go back to lean" takes nothing back.
            reading.understanding.wish = None;
            reading.heard = heard;
        }
        if let Some(heard) = self.goal_again(&reading).or_else(|| self.goal_by_other(&reading)) {
            return Reading {
                heard,
                is_whole_case: true,
                ..reading
            };
        }
        match self.with_case_before(&reading) {
            Some(slots) => Reading {
                heard: Heard { slots, ..reading.heard },
                ..reading
            },
            None => reading,
        }
    }
}
