//! The figures of a measurement: as a table for people, as JSON for programs.

use crate::case::Case;
use crate::figures::{Figures, Tally, Written};
use crate::hearing::Hearing;
use crate::suite::{Suite, hex};
use futures_util::{StreamExt, stream};
use ring::digest::{SHA256, digest};
use serde::Serialize;
use std::fmt::Write;

/// What came of a message.
pub enum Run {
    /// The recorded model was not given it.
    Left,
    /// It was answered.
    Done {
        /// The values that were written.
        written: Vec<Written>,
        /// The values that the franchisee was asked to confirm.
        asked: Vec<Written>,
        /// Whether its labels count; a model that only takes traps has no chance to be right.
        labeled: bool,
        /// How often a model was asked, second looks included.
        requests: u32,
    },
    /// It was not answered, and why.
    Failed(String),
}

/// Counts of one suite, while it runs.
struct SuiteTally {
    name: String,
    hash: String,
    cases: usize,
    failures: Vec<Failure>,
    requests: u32,
    tally: Tally,
}

/// A message that the model did not answer.
#[derive(Debug, Clone, Serialize)]
struct Failure {
    id: String,
    error: String,
}

/// The figures of one suite.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SuiteReport {
    name: String,
    hash: String,
    cases: usize,
    failures: Vec<Failure>,
    /// Of the model, second looks included.
    requests: u32,
    #[serde(flatten)]
    figures: Figures,
}

/// The whole measurement. The figures at the top are those of all suites together.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    mode: &'static str,
    review: String,
    model: String,
    /// SHA-256 over the suites' hashes.
    suite: String,
    commit: Option<String>,
    cases: usize,
    /// Of the model, second looks included.
    requests: u32,
    #[serde(flatten)]
    figures: Figures,
    suites: Vec<SuiteReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hearing: Option<Hearing>,
    #[serde(skip)]
    all: Tally,
}

impl SuiteTally {
    /// Adds a message. Where its labels do not count, only what was written does.
    fn add(&mut self, case: &Case, written: &[Written], asked: &[Written], labeled: bool) {
        self.cases += 1;
        if labeled {
            self.tally.add(case, written, asked);
        } else {
            let mut case = case.clone();
            case.labels.clear();
            self.tally.add(&case, written, asked);
        }
    }

    fn failed(&mut self, id: &str, error: &str) {
        self.failures.push(Failure {
            id: id.to_owned(),
            error: error.to_owned(),
        });
    }
}

impl Report {
    /// An empty report on these suites: whose calls, whose second look, which model, which build of the program.
    pub fn new(mode: &'static str, review: &str, model: &str, commit: Option<String>, suites: &[Suite]) -> Self {
        let hashes: String = suites.iter().map(|suite| suite.hash.as_str()).collect();
        Self {
            mode,
            review: review.to_owned(),
            model: model.to_owned(),
            suite: hex(digest(&SHA256, hashes.as_bytes()).as_ref()),
            commit,
            cases: 0,
            requests: 0,
            figures: Tally::default().figures(),
            suites: Vec::new(),
            hearing: None,
            all: Tally::default(),
        }
    }

    /// Adds what the ear makes of the suites: thresholds and intents.
    pub fn hear(&mut self, suites: &[Suite]) {
        self.hearing = Some(Hearing::of(suites));
    }

    /// Runs the messages of a suite, so many at the same time, and counts them in their order.
    pub async fn measure<'s, F>(&mut self, suite: &'s Suite, jobs: usize, run: impl Fn(&'s Case) -> F)
    where
        F: Future<Output = Run>,
    {
        let runs = suite.cases.iter().map(|case| {
            let run = run(case);
            async move { (case, run.await) }
        });
        let mut runs = stream::iter(runs).buffered(jobs);
        let mut tally = SuiteTally {
            name: suite.name.clone(),
            hash: suite.hash.clone(),
            cases: 0,
            failures: Vec::new(),
            requests: 0,
            tally: Tally::default(),
        };
        while let Some((case, run)) = runs.next().await {
            match run {
                Run::Left => {}
                Run::Done {
                    written,
                    asked,
                    labeled,
                    requests,
                } => {
                    tally.add(case, &written, &asked, labeled);
                    tally.requests += requests;
                }
                Run::Failed(error) => tally.failed(&case.id, &error),
            }
        }
        self.push(tally);
    }

    fn push(&mut self, suite: SuiteTally) {
        let SuiteTally {
            name,
            hash,
            cases,
            failures,
            requests,
            tally,
        } = suite;
        self.cases += cases;
        self.requests += requests;
        self.all.merge(&tally);
        self.suites.push(SuiteReport {
            name,
            hash,
            cases,
            failures,
            requests,
            figures: tally.figures(),
        });
    }

    /// Makes the figures of all suites together. Call it once, behind the last suite.
    pub fn finish(&mut self) {
        self.figures = std::mem::take(&mut self.all).figures();
    }

    /// Whether no message was answered.
    pub fn is_empty(&self) -> bool {
        self.cases == 0
    }

    /// Whether a value was written that is wrong.
    pub fn is_wrong(&self) -> bool {
        self.figures.wrong_applied.count > 0
    }

    /// The share of plainly stated values that were written.
    pub fn landed(&self) -> f64 {
        self.figures.plain_landed.rate
    }

    /// How often a model was asked for a message, second looks included.
    pub fn requests_a_message(&self) -> f64 {
        f64::from(self.requests) / self.cases.max(1) as f64
    }

    /// The whole report.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// One line a suite, one for all, and every wrong value in full.
    pub fn table(&self) -> String {
        let mut text = format!("mode {}, model {}, review {}\n", self.mode, self.model, self.review);
        line(
            &mut text,
            [
                "suite",
                "messages",
                "wrong",
                "hasty",
                "landed",
                "heard",
                "proposals wrong",
                "silent",
                "traps",
            ]
            .map(str::to_owned),
        );
        for suite in &self.suites {
            line(&mut text, columns(&suite.name, suite.cases, &suite.figures));
        }
        if self.suites.len() > 1 {
            line(&mut text, columns("all", self.cases, &self.figures));
        }
        let _ = writeln!(
            text,
            "model calls a message, second looks included: {:.2}",
            self.requests_a_message()
        );
        if let Some(hearing) = &self.hearing {
            text.push_str(&hearing.table());
        }
        for row in &self.figures.rows {
            let _ = writeln!(
                text,
                "{:?} {} {} = {}: {}",
                row.ruling, row.id, row.field, row.value, row.message
            );
        }
        for failure in self.suites.iter().flat_map(|suite| &suite.failures) {
            let _ = writeln!(text, "Failed {}: {}", failure.id, failure.error);
        }
        text
    }
}

fn columns(name: &str, cases: usize, figures: &Figures) -> [String; 9] {
    [
        name.to_owned(),
        cases.to_string(),
        figures.wrong_applied.show(),
        figures.hasty_applied.show(),
        figures.plain_landed.show(),
        figures.plain_heard.show(),
        figures.proposals_wrong.show(),
        figures.plain_missed.show(),
        figures.traps_written.show(),
    ]
}

fn line(text: &mut String, columns: [String; 9]) {
    let [name, cases, shares @ ..] = columns;
    let _ = write!(text, "{name:<22} {cases:>8}");
    for share in shares {
        let _ = write!(text, "  {share:<26}");
    }
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
}
