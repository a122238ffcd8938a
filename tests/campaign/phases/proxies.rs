//! F11, F12, F27, F46: connections break at any byte between the app and the database, and between the app and the model.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::outcome::Outcome;
use crate::proxy::{Break, CutPoint, Proxy, Way};
use crate::rng::Rng;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    let rounds = if fixture.full { 300 } else { 40 };
    for round in 0..rounds {
        if fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "proxy", round);
        let (row, what, proxy, reach) = match round % 3 {
            0 => ("F27", "model", &fixture.to_model, 4_000),
            _ => ("F11", "database", &fixture.to_database, 9_000),
        };
        cut(fixture, &server.base, &mut rng, (row, what, proxy, reach)).await;
    }
    slowly(fixture, &server.base).await;
    silent(fixture, &server.base).await;
    if fixture.full {
        frozen(fixture, &server.base).await;
    }
    fixture.unlist(&server);
}

/// One break at a random byte, with three running turns.
async fn cut(
    fixture: &Arc<Fixture>,
    base: &str,
    rng: &mut Rng,
    (row, what, proxy, reach): (&str, &str, &Proxy, usize),
) {
    let stall = Break::Stall(Duration::from_millis(rng.between(100, 1_500)));
    let how = *rng.pick(&[Break::Close, Break::Reset, Break::Close, Break::Reset, stall]);
    let way = *rng.pick(&[Way::There, Way::Back]);
    let before = proxy.broken();
    let turns: Vec<Turn> = (0..3)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), rng, 4, 8).asking_again())
        .collect();
    proxy.cut_at(CutPoint {
        left: rng.place_in(reach),
        way,
        how,
    });
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(base))).await;
    proxy.clear();
    let name = match how {
        Break::Close => "closed",
        Break::Reset => "reset",
        Break::Stall(_) => "stalled",
    };
    fixture.faults(
        row,
        &format!("connection to the {what} {name} at a byte"),
        proxy.broken() - before,
    );
    for outcome in &outcomes {
        // A refused message gets a response; a started stream ends.
        fixture.expect(!matches!(outcome, Outcome::Broken), || {
            format!("a cut {what} left a client without an answer")
        });
    }
    turns.into_iter().for_each(Turn::finish_later);
}

/// F28: byte by byte, and 30 ms for each piece.
async fn slowly(fixture: &Arc<Fixture>, base: &str) {
    let mut rng = Rng::of(fixture.seed, "slowly", 0);
    for (what, proxy) in [("database", &fixture.to_database), ("model", &fixture.to_model)] {
        proxy.slow(Duration::from_millis(if what == "model" { 5 } else { 30 }), 1);
        let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 3, 0);
        let outcome = turn.attempt(base).await;
        fixture.fault("F28", &format!("{what} byte by byte and late"));
        fixture.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("a slow {what}: {outcome:?}")
        });
        proxy.clear();
        turn.finish_later();
    }
}

/// F12: every PostgreSQL process is stopped for 15 s; connections stay open.
async fn frozen(fixture: &Arc<Fixture>, base: &str) {
    let mut rng = Rng::of(fixture.seed, "frozen", 0);
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 10, 100);
    let freeze = async {
        sleep(Duration::from_millis(300)).await;
        let pids = fixture.postgres.processes().await;
        fixture.postgres.signal("STOP", &pids);
        let asked = Instant::now();
        let (status, ()) = tokio::join!(
            async {
                let (status, _) = fixture.get(base, "/api/auth/me").await;
                (status, asked.elapsed())
            },
            async {
                sleep(Duration::from_secs(15)).await;
                fixture.postgres.signal("CONT", &pids);
            }
        );
        status
    };
    let (outcome, (status, took)) = tokio::join!(turn.attempt(base), freeze);
    fixture.fault("F12", "database processes stopped for 15 s");
    println!(
        "  asleep for 15 s: a request got {status} after {} ms, the turn {}",
        took.as_millis(),
        outcome.code()
    );
    fixture.expect(status == 503 && took < Duration::from_secs(5), || {
        format!("a sleeping database made a request wait {took:?} for {status}")
    });
    let back = fixture.healthy(base, Duration::from_secs(5)).await;
    fixture.expect(back.is_some(), || {
        "the server does not come back from a sleeping database".into()
    });
    turn.finish_later();
}

/// F46: the database does not answer for a while during a model's answer; connections stay open.
async fn silent(fixture: &Arc<Fixture>, base: &str) {
    for round in 0..if fixture.full { 5 } else { 1 } {
        if round > 0 && fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "silent", round);
        let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 6, 60);
        let pause = Duration::from_millis(if fixture.full { rng.between(3_000, 8_000) } else { 3_000 });
        let freeze = async {
            sleep(Duration::from_millis(rng.between(150, 300))).await;
            fixture.to_database.slow(pause, 0);
            sleep(Duration::from_millis(50)).await;
            let asked = Instant::now();
            let (status, _) = fixture.get(base, "/api/auth/me").await;
            fixture.to_database.clear();
            (status, asked.elapsed())
        };
        let (outcome, (status, took)) = tokio::join!(turn.attempt(base), freeze);
        fixture.fault("F46", "database not answering, connections open");
        println!(
            "  silent for {pause:?}: a request got {status} after {} ms, the turn {}",
            took.as_millis(),
            outcome.code()
        );
        let back = fixture.healthy(base, Duration::from_secs(10)).await;
        fixture.expect(back.is_some(), || {
            "the server does not come back from a silent database".into()
        });
        turn.finish_later();
    }
}
