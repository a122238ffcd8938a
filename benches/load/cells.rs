//! Figures of the repetitions, by workload, measure and server.

use crate::stats::median;
use crate::target::Who;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A figure over the repetitions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Cell {
    pub fn of(values: &[f64]) -> Option<Self> {
        Some(Self {
            median: median(values.to_vec())?,
            min: values.iter().copied().reduce(f64::min)?,
            max: values.iter().copied().reduce(f64::max)?,
        })
    }

    pub fn json(self) -> Value {
        json!({"median": self.median, "min": self.min, "max": self.max})
    }
}

/// The measures of one slot: a workload on one server in one repetition.
pub type Figures = Vec<(&'static str, Option<f64>)>;

#[derive(Debug, Default)]
pub struct Cells(BTreeMap<(&'static str, &'static str, Who), Vec<f64>>);

impl Cells {
    pub fn put(&mut self, work: &'static str, who: Who, figures: Figures) {
        for (measure, value) in figures {
            eprintln!("    {measure}: {value:.3?}");
            self.0.entry((work, measure, who)).or_default().extend(value);
        }
    }

    pub fn get(&self, work: &'static str, measure: &'static str, who: Who) -> Option<Cell> {
        Cell::of(self.0.get(&(work, measure, who))?)
    }

    pub fn has(&self, work: &'static str) -> bool {
        self.0.keys().any(|(key, _, _)| *key == work)
    }
}
