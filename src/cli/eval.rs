//! `eval`: what the advisor would write from labeled messages, counted. The real prompt, tool loop, decision and grammar run
//! in memory; there is no database.

use crate::cli::eval::replay::{Recorded, RecordedReviewer};
use crate::cli::eval::suite::Suite;
use crate::cli::eval::workbench::{Run, Workbench};
use crate::cli::llm::open_ai;
use crate::config::LlmConfig;
use crate::conversation::TurnSettings;
use crate::conversation::turn::second_look::{ModelReviewer, Reviewer};
use crate::eval::Case;
use crate::offline::OfflineAdvisor;
use anyhow::{Context, Result, bail};
use clap::Args;
use futures_util::{StreamExt, stream};
use llm_client::Llm;
use std::path::PathBuf;
use std::process::ExitCode;

mod replay;
mod report;
mod suite;
mod workbench;

/// A value was written that is wrong.
const WRONG_WRITTEN: u8 = 1;
/// The command cannot be carried out as it was given.
const USAGE: u8 = 2;
/// Too few of the plainly stated values were written.
const TOO_FEW_LANDED: u8 = 3;

#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Suites: labeled messages, one JSON object a line; or sentence, field and wrong value, parted by tabs (.tsv)
    suites: Vec<PathBuf>,
    /// Whose calls: `offline`, `model`, `calls FILE` (recorded ones), or `traps` (each wrong value, at high confidence)
    #[arg(long, num_args = 1..=2, value_names = ["MODE", "FILE"], default_value = "offline")]
    mode: Vec<String>,
    /// Who takes the second look: recorded verdicts, or `all-stated` for a reviewer that confirms everything
    #[arg(long, value_name = "FILE|all-stated")]
    review: Option<String>,
    /// The share of plainly stated values that must be written, 0 to 1
    #[arg(long, value_name = "RATE", value_parser = rate)]
    min_landed: Option<f64>,
    /// Where the whole report is written, as JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Messages at the same time
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    #[command(flatten)]
    llm: LlmConfig,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err("must be a number from 0 to 1".into()),
    }
}

/// Whose calls are measured.
enum Mode {
    Offline,
    Model,
    Calls(Recorded),
    Traps,
}

impl Mode {
    fn name(&self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Model => "model",
            Self::Calls(_) => "calls",
            Self::Traps => "traps",
        }
    }
}

/// Runs the measurement and says by the exit code how it went.
///
/// # Errors
/// Where the report cannot be printed.
pub async fn run(args: EvalArgs) -> Result<ExitCode> {
    match measure(args).await {
        Ok(code) => Ok(ExitCode::from(code)),
        Err(error) => {
            eprintln!("plan-advisor: {error:#}");
            Ok(ExitCode::from(USAGE))
        }
    }
}

async fn measure(args: EvalArgs) -> Result<u8> {
    let (mode, further) = mode(&args.mode)?;
    let paths: Vec<PathBuf> = further.into_iter().chain(args.suites).collect();
    if paths.is_empty() {
        bail!("name at least one suite");
    }
    let suites = paths.iter().map(Suite::read).collect::<Result<Vec<_>>>()?;
    let llm: Box<dyn Llm> = match mode {
        Mode::Model => Box::new(open_ai(&args.llm)?),
        _ => Box::new(OfflineAdvisor::new()),
    };
    let measurement = Measurement {
        bench: Workbench::new(TurnSettings::new(&args.llm, llm.can_review())),
        recorded: args.review.as_deref().map(RecordedReviewer::read).transpose()?,
        mode,
        llm,
    };
    let (model, review) = measurement.labels(args.review.as_deref());
    let mut report = report::Report::new(measurement.mode.name(), review, model, &suites);
    for suite in &suites {
        let runs = suite.cases.iter().map(|case| measurement.case(case));
        let mut runs = stream::iter(runs).buffered(usize::from(args.jobs));
        let mut tally = report.suite(suite);
        while let Some((case, run)) = runs.next().await {
            match run {
                Run::Left => {}
                Run::Done {
                    written,
                    asked,
                    labeled,
                } => tally.add(case, &written, &asked, labeled),
                Run::Failed(error) => tally.failed(&case.id, &error),
            }
        }
        report.push(tally);
    }
    report.finish();
    super::print(&report.table())?;
    if let Some(path) = &args.out {
        std::fs::write(path, report.json()).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if report.is_empty() {
        bail!("no message could be run");
    }
    Ok(report.exit_code(args.min_landed))
}

/// What is run for each message.
struct Measurement {
    mode: Mode,
    llm: Box<dyn Llm>,
    bench: Workbench,
    recorded: Option<RecordedReviewer>,
}

impl Measurement {
    /// The model and the second look, as the report names them.
    fn labels<'a>(&'a self, review: Option<&'a str>) -> (&'a str, &'a str) {
        let model = match self.mode {
            Mode::Offline | Mode::Model => self.llm.model_name(),
            Mode::Calls(_) => "recorded",
            Mode::Traps => "takes every trap",
        };
        let configured = self.bench.settings.review.as_ref();
        let configured = configured.map_or("off", |settings| settings.model.as_deref().unwrap_or(model));
        (model, review.unwrap_or(configured))
    }

    async fn case<'c>(&self, case: &'c Case) -> (&'c Case, Run) {
        let recorded = self.recorded.as_ref().map(|recorded| recorded.of(&case.id));
        let settings = self.bench.settings.review.as_ref();
        let asked = settings.map(|settings| ModelReviewer {
            llm: &*self.llm,
            settings,
        });
        let reviewer = match (&recorded, &asked) {
            (Some(recorded), _) => Some(recorded as &dyn Reviewer),
            (None, Some(asked)) => Some(asked as &dyn Reviewer),
            (None, None) => None,
        };
        let run = self.bench.case(&self.mode, &*self.llm, case, reviewer).await;
        (case, run)
    }
}

/// The mode, and a suite given in the place of the file that only `calls` takes.
fn mode(words: &[String]) -> Result<(Mode, Option<PathBuf>)> {
    let file = words.get(1).map(PathBuf::from);
    Ok(match (words.first().map_or("offline", String::as_str), file) {
        ("offline", file) => (Mode::Offline, file),
        ("model", file) => (Mode::Model, file),
        ("traps", file) => (Mode::Traps, file),
        ("calls", Some(file)) => (Mode::Calls(Recorded::read(&file)?), None),
        ("calls", None) => bail!("--mode calls needs the file of the recorded calls"),
        (other, _) => bail!("there is no mode {other}: offline, model, calls FILE or traps"),
    })
}
