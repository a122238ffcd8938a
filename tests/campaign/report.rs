//! Command line options, the summary line, and where the results are written.

use crate::findings::Findings;
use crate::fixture::Fixture;
use crate::oracle_selftest::Caught;
use crate::page;
use crate::rng;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Command line options.
#[derive(Debug)]
pub struct Options {
    pub full: bool,
    pub seed: u64,
    pub phases: Vec<String>,
    /// Approximate duration of the long form in minutes.
    pub minutes: u64,
    json: Option<PathBuf>,
    page: Option<PathBuf>,
}

impl Options {
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            full: false,
            seed: rng::fresh_seed(),
            phases: Vec::new(),
            minutes: 20,
            json: None,
            page: None,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--short" => options.full = false,
                "--full" => options.full = true,
                "--seed" => options.seed = value()?.parse().map_err(|_| "--seed is a number")?,
                "--minutes" => options.minutes = value()?.parse().map_err(|_| "--minutes is a number")?,
                "--phases" => options.phases = value()?.split(',').map(str::to_owned).collect(),
                "--json" => options.json = Some(value()?.into()),
                "--page" => options.page = Some(value()?.into()),
                other => return Err(format!("unknown option {other}")),
            }
        }
        Ok(options)
    }
}

/// The folder of this run. A short path, because it contains a socket.
pub fn folder() -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let dir = PathBuf::from(format!("/tmp/pa-campaign.{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir(&dir).expect("a folder in /tmp");
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).expect("ours");
    dir
}

/// Checks the logs: no panics but those of failpoints, no secrets.
pub fn look_at_logs(fixture: &Fixture, findings: &mut Findings) {
    let entries = std::fs::read_dir(&fixture.dir).expect("our folder");
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("server-") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        for secret in fixture.secrets.found_in(&bytes) {
            findings.leaked.push(format!("{secret} in {name}"));
        }
        let text = String::from_utf8_lossy(&bytes);
        if name != "server-trace.log" && (text.contains("(ref ") || text.contains("Noted under")) {
            findings.leaked.push(format!("people's words in {name}"));
        }
        let panicked = text.lines().zip(text.lines().skip(1)).find(|(line, next)| {
            line.contains("panicked at") && !line.contains("failpoint") && !next.contains("failpoint")
        });
        if let Some((line, next)) = panicked {
            fixture.violation(format!("{name}: {line} {next}"));
        }
    }
    for violation in fixture.violations() {
        if violation.contains("stream") {
            findings.partial.push(violation);
        }
    }
}

/// Prints the summary line and writes the requested files. Whether the run passed.
pub fn finish(fixture: &Fixture, options: &Options, findings: &Findings, caught: Caught, took: Duration) -> bool {
    let (tally, violations) = (fixture.tally(), fixture.violations());
    print_found(findings, &violations);
    println!("oracle self-check: {}/{} caught", caught.caught, caught.tried);
    let slowest = fixture.slowest.load(Ordering::Relaxed) as f64 / 1_000.0;
    println!(
        "took {:.0} s; every turn was done within {:.1} s, retries included",
        took.as_secs_f64(),
        slowest
    );
    let line = line(fixture, options, findings);
    println!("{line}");
    if let Some(path) = &options.json {
        let rows: Vec<_> = tally
            .iter()
            .map(|((row, what), count)| json!({"row": row, "what": what, "count": count}))
            .collect();
        let report = json!({"line": line, "seed": options.seed, "seconds": took.as_secs(), "faults": rows,
            "selfCheck": [caught.caught, caught.tried], "failed": violations});
        let folder = path.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder).expect("the report's folder is there");
        std::fs::write(path, format!("{report:#}\n")).expect("the report is written");
    }
    if let Some(path) = &options.page {
        let run = page::Run {
            line: &line,
            seed: options.seed,
            minutes: took.as_secs().div_ceil(60),
            slowest,
            caught,
            failed: &violations,
            tally: &tally,
            left_out: &fixture.left_out(),
        };
        let page = page::write(&run);
        std::fs::write(path, page).expect("the page is written");
    }
    findings.is_clean() && violations.is_empty() && caught.caught == caught.tried
}

fn print_found(findings: &Findings, violations: &[String]) {
    for (name, found) in findings.all() {
        for what in found.iter().take(20) {
            println!("  {name}: {what}");
        }
    }
    for what in violations {
        println!("  failed: {what}");
    }
}

/// The summary line.
fn line(fixture: &Fixture, options: &Options, findings: &Findings) -> String {
    let tally = fixture.tally();
    let faults: u64 = tally.values().sum();
    let count = |found: &[String]| found.len();
    format!(
        "faults={faults} kinds={} turns={} retries={} lost={} duplicated={} partial={} stale={} leaked={} seed={}",
        tally.len(),
        fixture.turns.load(Ordering::Relaxed),
        fixture.retries.load(Ordering::Relaxed),
        count(&findings.lost),
        count(&findings.duplicated),
        count(&findings.partial),
        count(&findings.stale),
        count(&findings.leaked),
        options.seed
    )
}
