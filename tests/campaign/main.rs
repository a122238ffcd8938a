//! The fault campaign: the real binary, a real database, and everything that can go wrong between them.
//!
//! ```text
//! cargo test --features failpoints --test campaign -- --short|--full [--seed N] [--minutes N] [--phases a,b] [--json FILE] [--page FILE]
//! ```

mod breaks;
mod driver;
mod findings;
mod history;
mod kinds;
mod ledger;
mod misdeeds;
mod model;
mod oracle;
mod outcome;
mod page;
mod person;
mod phases;
mod postgres;
mod proxy;
mod report;
mod rng;
mod secrets;
mod server;
#[path = "../api/support/sse.rs"]
#[allow(dead_code, reason = "the tests of the door read more of it")]
mod sse;
mod tools;
mod world;

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
        Duration::from_secs(4 * 60)
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
    let world = world::World::build(dir, options.seed, options.full).await;
    {
        let server = world.serve().await;
        world.log_in(&server.base).await;
        world.strike(&server);
    }
    phases::run(&world, &options.phases, options.minutes).await;
    let server = world.serve().await;
    world.later.close();
    println!(
        "{:>5.0} s  settling {} turns",
        begun.elapsed().as_secs_f64(),
        world.later.len()
    );
    world.later.wait().await;
    let plans = world.ledger.all().iter().map(|entry| entry.plan).collect();
    let mut findings = oracle::inspect(&world, &server.base, world::DATABASE, &plans).await;
    report::look_at_logs(&world, &mut findings);
    let caught = breaks::run(&world, server).await;
    report::finish(&world, options, &findings, caught, begun.elapsed())
}
