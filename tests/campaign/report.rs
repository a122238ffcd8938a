//! What was asked for, what came of it, and where it is written.

use crate::breaks::Caught;
use crate::findings::Findings;
use crate::page;
use crate::rng;
use crate::world::World;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The command line.
#[derive(Debug)]
pub struct Options {
    pub full: bool,
    pub seed: u64,
    pub phases: Vec<String>,
    /// About how long the long form takes.
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

/// A folder of this run. Short, as it holds a socket.
pub fn folder() -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let dir = PathBuf::from(format!("/tmp/pa-campaign.{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir(&dir).expect("a folder in /tmp");
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).expect("ours");
    dir
}

/// Nobody panicked but where a failpoint said so, and no secret was written.
pub fn look_at_logs(world: &World, findings: &mut Findings) {
    let entries = std::fs::read_dir(&world.dir).expect("our folder");
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("server-") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        for secret in world.secrets.found_in(&bytes) {
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
            world.violation(format!("{name}: {line} {next}"));
        }
    }
    for violation in world.violations() {
        if violation.contains("stream") {
            findings.partial.push(violation);
        }
    }
}

/// Prints the line, writes what was asked for, and says whether all is well.
pub fn finish(world: &World, options: &Options, findings: &Findings, caught: Caught, took: Duration) -> bool {
    let (tally, violations) = (world.tally(), world.violations());
    print_found(findings, &violations);
    println!("oracle self-check: {}/{} caught", caught.caught, caught.tried);
    let slowest = world.slowest.load(Ordering::Relaxed) as f64 / 1_000.0;
    println!(
        "took {:.0} s; every turn was done within {:.1} s, whatever happened to it",
        took.as_secs_f64(),
        slowest
    );
    let line = line(world, options, findings);
    if let Some(path) = &options.json {
        let rows: Vec<_> = tally
            .iter()
            .map(|((row, what), count)| json!({"row": row, "what": what, "count": count}))
            .collect();
        let report = json!({"line": line, "seed": options.seed, "seconds": took.as_secs(), "faults": rows,
            "selfCheck": [caught.caught, caught.tried], "failed": violations});
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
            left_out: &world.left_out(),
        };
        let page = page::write(&run);
        std::fs::write(path, page).expect("the page is written");
    }
    println!("{line}");
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

/// The one line that says it all.
fn line(world: &World, options: &Options, findings: &Findings) -> String {
    let tally = world.tally();
    let faults: u64 = tally.values().sum();
    let count = |found: &[String]| found.len();
    format!(
        "faults={faults} kinds={} turns={} retries={} lost={} duplicated={} partial={} stale={} leaked={} seed={}",
        tally.len(),
        world.turns.load(Ordering::Relaxed),
        world.retries.load(Ordering::Relaxed),
        count(&findings.lost),
        count(&findings.duplicated),
        count(&findings.partial),
        count(&findings.stale),
        count(&findings.leaked),
        options.seed
    )
}
