//! F11, F12, F27, F46: connections break at any byte between the app and the database, and between the app and the model.

use crate::driver::Turn;
use crate::outcome::Outcome;
use crate::proxy::{Break, Fuse, Proxy, Way};
use crate::rng::Rng;
use crate::world::World;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub async fn run(world: &Arc<World>) {
    let server = world.serve().await;
    let rounds = if world.full { 300 } else { 40 };
    for round in 0..rounds {
        if world.time_is_up() {
            break;
        }
        let mut rng = Rng::of(world.seed, "proxy", round);
        let (row, what, proxy, reach) = match round % 3 {
            0 => ("F27", "model", &world.to_model, 4_000),
            _ => ("F11", "database", &world.to_database, 9_000),
        };
        cut(world, &server.base, &mut rng, (row, what, proxy, reach)).await;
    }
    slowly(world, &server.base).await;
    silent(world, &server.base).await;
    if world.full {
        frozen(world, &server.base).await;
    }
    world.strike(&server);
}

/// One break at some byte, with three turns on their way.
async fn cut(world: &Arc<World>, base: &str, rng: &mut Rng, (row, what, proxy, reach): (&str, &str, &Proxy, usize)) {
    let stall = Break::Stall(Duration::from_millis(rng.between(100, 1_500)));
    let how = *rng.pick(&[Break::Close, Break::Reset, Break::Close, Break::Reset, stall]);
    let way = *rng.pick(&[Way::There, Way::Back]);
    let before = proxy.burnt();
    let turns: Vec<Turn> = (0..3)
        .map(|_| Turn::with_value(world, world.take_plan(), rng, 4, 8).asking_again())
        .collect();
    proxy.light(Fuse {
        left: rng.place_in(reach),
        way,
        how,
    });
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(base))).await;
    proxy.calm();
    let name = match how {
        Break::Close => "closed",
        Break::Reset => "reset",
        Break::Stall(_) => "stalled",
    };
    world.faults(
        row,
        &format!("connection to the {what} {name} at a byte"),
        proxy.burnt() - before,
    );
    for outcome in &outcomes {
        // A message that is refused is told so; a stream that began ends.
        world.expect(!matches!(outcome, Outcome::Broken), || {
            format!("a cut {what} left a client without an answer")
        });
    }
    turns.into_iter().for_each(Turn::finish_later);
}

/// Byte by byte, and 30 ms for each piece.
async fn slowly(world: &Arc<World>, base: &str) {
    let mut rng = Rng::of(world.seed, "slowly", 0);
    for (what, proxy) in [("database", &world.to_database), ("model", &world.to_model)] {
        proxy.slow(Duration::from_millis(if what == "model" { 5 } else { 30 }), 1);
        let turn = Turn::with_value(world, world.take_plan(), &mut rng, 3, 0);
        let outcome = turn.attempt(base).await;
        world.fault("F28", &format!("{what} byte by byte and late"));
        world.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("a slow {what}: {outcome:?}")
        });
        proxy.calm();
        turn.finish_later();
    }
}

/// F12: every process of the database sleeps for 15 s; its connections stay up.
async fn frozen(world: &Arc<World>, base: &str) {
    let mut rng = Rng::of(world.seed, "frozen", 0);
    let turn = Turn::with_value(world, world.take_plan(), &mut rng, 10, 100);
    let freeze = async {
        sleep(Duration::from_millis(300)).await;
        let pids = world.postgres.processes().await;
        world.postgres.signal("STOP", &pids);
        let asked = Instant::now();
        let (status, ()) = tokio::join!(
            async {
                let (status, _) = world.get(base, "/api/auth/me").await;
                (status, asked.elapsed())
            },
            async {
                sleep(Duration::from_secs(15)).await;
                world.postgres.signal("CONT", &pids);
            }
        );
        status
    };
    let (outcome, (status, took)) = tokio::join!(turn.attempt(base), freeze);
    world.fault("F12", "database asleep for 15 s");
    println!(
        "  asleep for 15 s: a request got {status} after {} ms, the turn {}",
        took.as_millis(),
        outcome.code()
    );
    world.expect(status == 503 && took < Duration::from_secs(5), || {
        format!("a sleeping database made a request wait {took:?} for {status}")
    });
    let back = world.healthy(base, Duration::from_secs(5)).await;
    world.expect(back.is_some(), || {
        "the server does not come back from a sleeping database".into()
    });
    turn.finish_later();
}

/// F46: the database answers nothing for a while, with connections up, while an answer is on its way.
async fn silent(world: &Arc<World>, base: &str) {
    for round in 0..if world.full { 5 } else { 1 } {
        if round > 0 && world.time_is_up() {
            break;
        }
        let mut rng = Rng::of(world.seed, "silent", round);
        let turn = Turn::with_value(world, world.take_plan(), &mut rng, 6, 60);
        let pause = Duration::from_millis(if world.full { rng.between(3_000, 8_000) } else { 3_000 });
        let freeze = async {
            sleep(Duration::from_millis(rng.between(150, 300))).await;
            world.to_database.slow(pause, 0);
            sleep(Duration::from_millis(50)).await;
            let asked = Instant::now();
            let (status, _) = world.get(base, "/api/auth/me").await;
            world.to_database.calm();
            (status, asked.elapsed())
        };
        let (outcome, (status, took)) = tokio::join!(turn.attempt(base), freeze);
        world.fault("F46", "database silent with its connections up");
        println!(
            "  silent for {pause:?}: a request got {status} after {} ms, the turn {}",
            took.as_millis(),
            outcome.code()
        );
        let back = world.healthy(base, Duration::from_secs(10)).await;
        world.expect(back.is_some(), || {
            "the server does not come back from a silent database".into()
        });
        turn.finish_later();
    }
}
