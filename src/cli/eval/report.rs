//! The figures of a measurement: as a table for people, as JSON for programs.

use crate::cli::eval::suite::{Suite, hex};
use crate::cli::eval::{TOO_FEW_LANDED, WRONG_WRITTEN};
use crate::eval::{Case, Rate, Report as Figures, Tally, Written};
use ring::digest::{SHA256, digest};
use serde::Serialize;
use std::fmt::Write;
use std::process::Command;

/// Counts of one suite, while it runs.
pub struct SuiteTally {
    name: String,
    hash: String,
    cases: usize,
    failures: Vec<Failure>,
    tally: Tally,
}

/// A message that the model did not answer.
#[derive(Debug, Clone, Serialize)]
pub struct Failure {
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
    #[serde(flatten)]
    figures: Figures,
    suites: Vec<SuiteReport>,
    #[serde(skip)]
    all: Tally,
}

impl SuiteTally {
    /// Adds a message. Where its labels do not count, only what was written does.
    pub fn add(&mut self, case: &Case, written: &[Written], asked: &[Written], labeled: bool) {
        self.cases += 1;
        if labeled {
            self.tally.add(case, written, asked);
        } else {
            let mut case = case.clone();
            case.labels.clear();
            self.tally.add(&case, written, asked);
        }
    }

    pub fn failed(&mut self, id: &str, error: &str) {
        self.failures.push(Failure {
            id: id.to_owned(),
            error: error.to_owned(),
        });
    }
}

impl Report {
    pub fn new(mode: &'static str, review: &str, model: &str, suites: &[Suite]) -> Self {
        let hashes: String = suites.iter().map(|suite| suite.hash.as_str()).collect();
        Self {
            mode,
            review: review.to_owned(),
            model: model.to_owned(),
            suite: hex(digest(&SHA256, hashes.as_bytes()).as_ref()),
            commit: commit(),
            cases: 0,
            figures: Tally::default().report(),
            suites: Vec::new(),
            all: Tally::default(),
        }
    }

    pub fn suite(&self, suite: &Suite) -> SuiteTally {
        SuiteTally {
            name: suite.name.clone(),
            hash: suite.hash.clone(),
            cases: 0,
            failures: Vec::new(),
            tally: Tally::default(),
        }
    }

    pub fn push(&mut self, suite: SuiteTally) {
        let SuiteTally {
            name,
            hash,
            cases,
            failures,
            tally,
        } = suite;
        self.cases += cases;
        self.all.merge(&tally);
        self.suites.push(SuiteReport {
            name,
            hash,
            cases,
            failures,
            figures: tally.report(),
        });
    }

    /// Makes the figures of all suites together.
    pub fn finish(&mut self) {
        self.figures = std::mem::take(&mut self.all).report();
    }

    pub fn is_empty(&self) -> bool {
        self.cases == 0
    }

    pub fn exit_code(&self, min_landed: Option<f64>) -> u8 {
        if self.figures.wrong_applied.count > 0 {
            WRONG_WRITTEN
        } else if min_landed.is_some_and(|least| self.figures.plain_landed.rate < least) {
            TOO_FEW_LANDED
        } else {
            0
        }
    }

    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// One line a suite, one for all, and every wrong value in full.
    pub fn table(&self) -> String {
        let mut text = format!("mode {}, model {}, review {}\n", self.mode, self.model, self.review);
        line(
            &mut text,
            [
                "suite", "messages", "wrong", "hasty", "landed", "asked", "missed", "traps",
            ]
            .map(str::to_owned),
        );
        for suite in &self.suites {
            line(&mut text, columns(&suite.name, suite.cases, &suite.figures));
        }
        if self.suites.len() > 1 {
            line(&mut text, columns("all", self.cases, &self.figures));
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

fn columns(name: &str, cases: usize, figures: &Figures) -> [String; 8] {
    [
        name.to_owned(),
        cases.to_string(),
        share(figures.wrong_applied),
        share(figures.hasty_applied),
        share(figures.plain_landed),
        share(figures.plain_asked),
        share(figures.plain_missed),
        share(figures.traps_written),
    ]
}

/// "79 of 172 (39–53 %)".
fn share(rate: Rate) -> String {
    if rate.of == 0 {
        return "–".to_owned();
    }
    let (low, high) = (rate.low * 100.0, rate.high * 100.0);
    format!("{} of {} ({low:.1}–{high:.1} %)", rate.count, rate.of)
}

fn line(text: &mut String, columns: [String; 8]) {
    let [name, cases, shares @ ..] = columns;
    let _ = write!(text, "{name:<22} {cases:>8}");
    for share in shares {
        let _ = write!(text, "  {share:<26}");
    }
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
}

/// The commit of the program, where it was built with one or runs in its own repository.
fn commit() -> Option<String> {
    if let Some(known) = option_env!("PLAN_ADVISOR_COMMIT") {
        return Some(known.to_owned());
    }
    let manifest = std::fs::read_to_string("Cargo.toml").ok()?;
    if !manifest.contains("name = \"plan-advisor\"") {
        return None;
    }
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|commit| output.status.success() && !commit.is_empty())
}
