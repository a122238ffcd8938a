//! The fault campaign: injects the faults of `docs/FAULTS.md` into the real binary with a real database, then runs the oracle.
//!
//! ```text
//! cargo test --features failpoints --test campaign -- --short|--full [--seed N] [--minutes N] [--phases a,b] [--json FILE] [--page FILE]
//! ```

mod client;
mod findings;
mod fixture;
mod history;
mod kinds;
mod ledger;
mod model;
mod oracle;
mod oracle_selftest;
mod outcome;
mod page;
mod person;
mod phases;
mod postgres;
mod provider_faults;
mod proxy;
mod report;
mod rng;
mod secrets;
mod server;
#[path = "../api/support/sse.rs"]
#[allow(dead_code, reason = "the API tests read more of it")]
mod sse;
mod tools;
mod wire;

use report::Options;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[tokio::main]
async fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let limit = if options.full {
        Duration::from_secs(45 * 60)
    } else {
        Duration::from_secs(8 * 60)
    };
    let dir = report::folder();
    let outcome = tokio::select! {
        ok = campaign(&options, &dir) => ok,
        () = tokio::time::sleep(limit) => {
            eprintln!("the campaign took longer than {limit:?}");
            false
        }
        _ = tokio::signal::ctrl_c() => false,
    };
    if outcome {
        let _ = std::fs::remove_dir_all(&dir);
        ExitCode::SUCCESS
    } else {
        eprintln!("logs and ledger are in {}", dir.display());
        ExitCode::FAILURE
    }
}

async fn campaign(options: &Options, dir: &std::path::Path) -> bool {
    let begun = Instant::now();
    println!(
        "campaign: seed {}, {}",
        options.seed,
        if options.full { "full" } else { "short" }
    );
    let fixture = fixture::Fixture::build(dir, options.seed, options.full).await;
    {
        let server = fixture.serve().await;
        fixture.log_in(&server.base).await;
        fixture.unlist(&server);
    }
    phases::run(&fixture, &options.phases, options.minutes).await;
    let server = fixture.serve().await;
    fixture.later.close();
    println!(
        "{:>5.0} s  settling {} turns",
        begun.elapsed().as_secs_f64(),
        fixture.later.len()
    );
    fixture.later.wait().await;
    let plans = fixture.ledger.all().iter().map(|entry| entry.plan).collect();
    let mut findings = oracle::inspect(&fixture, &server.base, fixture::DATABASE, &plans).await;
    report::look_at_logs(&fixture, &mut findings);
    let caught = oracle_selftest::run(&fixture, server).await;
    report::finish(&fixture, options, &findings, caught, begun.elapsed())
}
