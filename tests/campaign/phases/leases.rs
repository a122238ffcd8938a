//! F6 and R8, in the long form only, as a lease takes its 30 seconds: zombies, and rows that nobody runs.

use crate::driver::Turn;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The lease and the reaper's beat.
const LIMIT: Duration = Duration::from_secs(41);

pub async fn run(world: &Arc<World>) {
    if !world.full {
        return;
    }
    tokio::join!(zombies(world), orphan_of_the_living(world));
}

/// F6: the owner sleeps past its lease, another one takes its turns over, and it wakes up in mid-answer.
async fn zombies(world: &Arc<World>) {
    for round in 0..2 {
        if world.time_is_up() {
            break;
        }
        let mut rng = Rng::of(world.seed, "zombie", round);
        let sleeper = Server::start(&world.start()).await.expect("a server");
        let other = world.serve().await;
        let turns: Vec<Turn> = (0..8)
            .map(|_| Turn::with_value(world, world.take_plan(), &mut rng, 12, 120))
            .collect();
        turns
            .iter()
            .for_each(|turn| turn.our_fault.store(true, Ordering::Relaxed));
        let first = turns.iter().map(|turn| {
            let (turn, base) = (turn.clone(), sleeper.base.clone());
            tokio::spawn(async move { turn.attempt(&base).await })
        });
        let first: Vec<_> = first.collect();
        sleep(Duration::from_millis(rng.between(100, 900))).await;
        sleeper.signal("STOP");
        let asleep = Instant::now();
        world.faults("F6", "turn of a process that slept past its lease", 8);
        for turn in &turns {
            let done = turn.finish(Duration::from_secs(60)).await;
            world.expect(done, || "a sleeper's turn was not taken over".into());
        }
        println!(
            "  a sleeper's turns were taken over within {:.0} s",
            asleep.elapsed().as_secs_f64()
        );
        sleeper.signal("CONT");
        // It finishes what it dreamt of, and must not be able to write it.
        sleep(Duration::from_secs(4)).await;
        for attempt in first {
            attempt.abort();
        }
        turns
            .iter()
            .for_each(|turn| turn.our_fault.store(false, Ordering::Relaxed));
        turns.into_iter().for_each(Turn::finish_later);
        world.strike(&other);
    }
}

/// A claim whose answer got lost leaves a row in the name of a process that lives and is busy.
async fn orphan_of_the_living(world: &Arc<World>) {
    let start = world.start().with("FAILPOINTS", "claim.inserted=1*return(error)");
    let server = Server::start(&start).await.expect("a server");
    let mut rng = Rng::of(world.seed, "orphan", 0);
    let turn = Turn::with_value(world, world.take_plan(), &mut rng, 2, 0);
    let outcome = turn.attempt(&server.base).await;
    world.expect(matches!(outcome, Outcome::Refused { status: 503, .. }), || {
        format!("a lost claim: {outcome:?}")
    });
    world.fault("R8", "claim lost in a process that stays busy");
    let begun = Instant::now();
    let busy = async {
        while begun.elapsed() < LIMIT {
            let slow = Script {
                pieces: 30,
                pause: 200,
                ..Script::default()
            };
            let other = Turn::new(world, world.take_plan(), &mut rng, "Go on.", slow);
            other.attempt(&server.base).await;
            other.finish_later();
        }
    };
    let retry = async {
        while begun.elapsed() < LIMIT {
            if let Outcome::Done(_) = turn.attempt(&server.base).await {
                return Some(begun.elapsed());
            }
            sleep(Duration::from_millis(300)).await;
        }
        None
    };
    let (retried, ()) = tokio::join!(retry, busy);
    world.expect(retried.is_some(), || {
        "a lost claim held its plan for more than a lease".into()
    });
    println!("  a lost claim was run again after {retried:?}");
    turn.finish_later();
}
