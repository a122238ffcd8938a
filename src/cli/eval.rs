//! `eval`: what the advisor would write from labeled messages, counted. The real prompt, tool loop, decision and grammar run
//! in memory; there is no database.

use crate::cli::eval::workbench::Workbench;
use crate::cli::llm::open_ai;
use crate::config::LlmConfig;
use crate::conversation::TurnSettings;
use crate::conversation::turn::second_look::{ModelReviewer, Reviewer};
use crate::offline::OfflineAdvisor;
use anyhow::{Context, Result, bail};
use clap::Args;
use llm_client::{Asker, Llm};
use plan_eval::{Case, Mode, RecordedVerdicts, Report, Run, Suite};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;

mod wants;
mod workbench;

/// A value was written that is wrong.
const WRONG_WRITTEN: u8 = 1;
/// The command cannot be carried out as it was given.
const USAGE: u8 = 2;
/// Too few of the plainly stated values were written.
const TOO_FEW_LANDED: u8 = 3;

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
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
    /// Measures instead what the advisor without a model answers to messages that state nothing, by what they want: whether its
    /// figures are those that the engine computes for the labeled question
    #[arg(long)]
    wants: bool,
    /// With `--wants`: also each message that got another answer than the right one, with both; "!" marks other figures, "*" what was
    /// written
    #[arg(long, requires = "wants")]
    misses: bool,
    /// Hears with these weights instead of those of the program (`train-reader --out FILE --without NAME`)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
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

/// Runs the measurement and says by the exit code how it went.
///
/// # Errors
/// Where the report cannot be printed.
pub(super) async fn run(args: EvalArgs) -> Result<ExitCode> {
    match measure(args).await {
        Ok(code) => Ok(ExitCode::from(code)),
        Err(error) => {
            eprintln!("plan-advisor: {error:#}");
            Ok(ExitCode::from(USAGE))
        }
    }
}

async fn measure(mut args: EvalArgs) -> Result<u8> {
    args.llm.settle_names().map_err(anyhow::Error::msg)?;
    let (mode, further) = Mode::read(&args.mode)?;
    let paths: Vec<PathBuf> = further.into_iter().chain(args.suites).collect();
    if paths.is_empty() {
        bail!("name at least one suite");
    }
    if let Some(path) = &args.weights {
        let weights = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        if !plan_reader::training::hear_with(weights) {
            bail!("{} has no weights", path.display());
        }
    }
    if args.wants {
        let bench = Workbench::new(TurnSettings::new(&args.llm, false));
        let (table, wrote) = wants::measure(&bench, &paths, args.misses).await?;
        super::print(&table)?;
        return Ok(if wrote { WRONG_WRITTEN } else { 0 });
    }
    let suites = paths.iter().map(Suite::read).collect::<Result<Vec<_>>>()?;
    let llm: Box<dyn Llm> = match mode {
        Mode::Model => Box::new(open_ai(&args.llm)?),
        _ => Box::new(OfflineAdvisor::new()),
    };
    let measurement = Measurement {
        bench: Workbench::new(TurnSettings::new(&args.llm, llm.can_review())),
        recorded: args.review.as_deref().map(RecordedVerdicts::read).transpose()?,
        mode,
        llm,
    };
    let (model, review) = measurement.labels(args.review.as_deref());
    let mut report = Report::new(measurement.mode.name(), &review, &model, commit(), &suites);
    for suite in &suites {
        let jobs = usize::from(args.jobs);
        report.measure(suite, jobs, |case| measurement.case(case)).await;
    }
    report.finish();
    if matches!(measurement.mode, Mode::Offline) {
        report.hear(&suites);
    }
    super::print(&report.table())?;
    if let Some(path) = &args.out {
        std::fs::write(path, report.json()).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if report.is_empty() {
        bail!("no message could be run");
    }
    Ok(if report.is_wrong() {
        WRONG_WRITTEN
    } else if args.min_landed.is_some_and(|least| report.landed() < least) {
        TOO_FEW_LANDED
    } else {
        0
    })
}

/// What is run for each message.
struct Measurement {
    mode: Mode,
    llm: Box<dyn Llm>,
    bench: Workbench,
    recorded: Option<RecordedVerdicts>,
}

impl Measurement {
    /// The model and the second look, as the report names them.
    fn labels(&self, review: Option<&str>) -> (Arc<str>, Arc<str>) {
        let model = match self.mode {
            Mode::Offline | Mode::Model => self.llm.model_name(),
            Mode::Calls(_) => "recorded".into(),
            Mode::Traps => "takes every trap".into(),
        };
        let configured = self.bench.settings.review.as_ref();
        let configured = configured.map_or_else(
            || Arc::from("off"),
            |settings| settings.model.clone().unwrap_or_else(|| Arc::clone(&model)),
        );
        (model, review.map_or(configured, Arc::from))
    }

    async fn case(&self, case: &Case) -> Run {
        let recorded = self.recorded.as_ref().map(|recorded| recorded.of(&case.id));
        let settings = self.bench.settings.review.as_ref();
        let asked = settings.map(|settings| ModelReviewer {
            llm: &*self.llm,
            settings,
            asker: Asker::default(),
        });
        let reviewer = match (&recorded, &asked) {
            (Some(recorded), _) => Some(recorded as &dyn Reviewer),
            (None, Some(asked)) => Some(asked as &dyn Reviewer),
            (None, None) => None,
        };
        self.bench.case(&self.mode, &*self.llm, case, reviewer).await
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use plan_eval::Recorded;

    /// Requests to a model for each of the recorded messages, second looks included.
    async fn requests_a_message(recorded: Recorded) -> f64 {
        let truth = |file: &str| format!("tests/truth/{file}.jsonl");
        let suites = ["casual", "negotiation"].map(|file| Suite::read(truth(file)).expect("a suite"));
        let measurement = Measurement {
            bench: Workbench::new(TurnSettings::new(&Config::for_testing("").llm, true)),
            recorded: Some(RecordedVerdicts::read(&truth("verdicts")).expect("verdicts")),
            mode: Mode::Calls(recorded),
            llm: Box::new(OfflineAdvisor::new()),
        };
        let mut report = Report::new("calls", "recorded", "recorded", None, &suites);
        for suite in &suites {
            report.measure(suite, 1, |case| measurement.case(case)).await;
        }
        report.requests_a_message()
    }

    /// `docs/TRUTH.md` has the figures.
    #[tokio::test]
    async fn a_turn_asks_the_model_at_most_2_3_times_on_the_recorded_calls() {
        let recorded = || Recorded::read("tests/truth/calls.jsonl".as_ref()).expect("calls");
        let silent = requests_a_message(recorded()).await;
        assert!((1.9..=2.3).contains(&silent), "{silent}");
        let speaking = requests_a_message(recorded().speaking()).await;
        assert!((1.5..=1.7).contains(&speaking), "{speaking}");
    }
}
