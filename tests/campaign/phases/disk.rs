//! F16: the disk under data and WAL is full. Long form only, as root, because it needs a file system of its own.

use crate::client::Turn;
use crate::findings::Findings;
use crate::fixture::{DATABASE, Fixture};
use crate::model::Script;
use crate::outcome::Outcome;
use crate::postgres::Postgres;
use crate::rng::Rng;
use crate::tools::SmallDisk;
use crate::{oracle, report};
use futures_util::future::join_all;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::sleep;

pub async fn run(fixture: &Arc<Fixture>) {
    if !fixture.full {
        return;
    }
    let dir = fixture.dir.join("small");
    let Some(_disk) = SmallDisk::mount(&dir.join("pg"), "64m") else {
        return fixture.leave_out("F16", "a file system of its own needs root");
    };
    let small = Fixture::build_on(Postgres::start_small(&dir), &dir, fixture.seed, false).await;
    let server = small.serve().await;
    small.log_in(&server.base).await;
    let mut reads = 0;
    for cycle in 0..10 {
        if cycle > 1 && fixture.time_is_up() {
            break;
        }
        reads += until_full(fixture, &small, &server.base, cycle).await;
        fixture.fault("F16", "disk full under data and WAL");
    }
    println!("  {reads} histories were read from full disks");
    small.later.close();
    small.later.wait().await;
    let plans = small.ledger.all().iter().map(|entry| entry.plan).collect();
    let mut findings = oracle::inspect(&small, &server.base, DATABASE, &plans).await;
    report::look_at_logs(&small, &mut findings);
    hand_over(fixture, &small, &findings);
}

/// Fills the disk while turns run, then frees it. Returns how many histories could be read meanwhile.
async fn until_full(fixture: &Arc<Fixture>, small: &Arc<Fixture>, base: &str, cycle: u64) -> u32 {
    let mut rng = Rng::of(small.seed, "disk", cycle);
    for _ in 0..4 {
        Turn::with_value(small, small.take_plan(), &mut rng, 6, 40).finish_later();
    }
    let ballast = small.postgres.dir.join("ballast");
    fill(&ballast, rng.below(200_000));
    let (mut refused, mut reads) = (0, 0);
    for _ in 0..10 {
        let turns: Vec<Turn> = (0..8).map(|_| big(small, &mut rng)).collect();
        let outcomes = join_all(turns.iter().map(|turn| turn.attempt(base))).await;
        for outcome in outcomes {
            match outcome {
                Outcome::Done(_) => {}
                Outcome::Refused { status: 503, .. } | Outcome::Failed { .. } => refused += 1,
                other => small.violation(format!("on a full disk a turn came to {other:?}")),
            }
        }
        let (status, _) = small.get(base, &turns[0].path()).await;
        small.expect(matches!(status, 200 | 503), || {
            format!("on a full disk a history came to {status}")
        });
        turns.into_iter().for_each(Turn::finish_later);
        if refused > 0 {
            reads += u32::from(status == 200);
            break;
        }
    }
    fixture.expect(refused > 0, || "the disk was never full".into());
    let _ = std::fs::remove_file(&ballast);
    // A server that could not write its WAL has stopped. One that is recovering by itself is left alone.
    let mut back = small.healthy(base, Duration::from_secs(5)).await;
    let by_itself = back.is_some();
    if !by_itself {
        small.postgres.crash();
        small.postgres.up();
        back = small.healthy(base, Duration::from_secs(5)).await;
    }
    println!("  full: {refused} turns without an end; the database came back by itself: {by_itself}");
    fixture.expect(back.is_some(), || {
        "there is space again and the server does not come back".into()
    });
    sleep(Duration::from_millis(200)).await;
    reads
}

/// A turn with a long answer.
fn big(small: &Arc<Fixture>, rng: &mut Rng) -> Turn {
    let script = Script {
        text: rng.letters(40_000),
        pieces: 20,
        ..Script::default()
    };
    Turn::new(small, small.take_plan(), rng, "Tell me everything.", script)
}

/// Fills the file system up to the given number of free bytes.
fn fill(path: &Path, but: u64) {
    let Ok(mut file) = File::create(path) else { return };
    let piece = [0; 4_096];
    while file.write_all(&piece).is_ok() {}
    let length = file.metadata().map_or(0, |about| about.len());
    let _ = file.set_len(length.saturating_sub(but));
}

/// Adds the findings of the small disk to those of the run.
fn hand_over(fixture: &Fixture, small: &Fixture, findings: &Findings) {
    for (name, found) in findings.all() {
        for what in found {
            fixture.violation(format!("behind a full disk, {name}: {what}"));
        }
    }
    small.violations().into_iter().for_each(|what| fixture.violation(what));
    for (of, to) in [(&small.turns, &fixture.turns), (&small.retries, &fixture.retries)] {
        to.fetch_add(of.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}
