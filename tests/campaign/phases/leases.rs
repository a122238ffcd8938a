//! F6 and R8: expired leases, and rows that no task runs. Long form only, because a lease takes 30 seconds.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The lease and the reaper's interval.
const LIMIT: Duration = Duration::from_secs(41);

pub async fn run(fixture: &Arc<Fixture>) {
    if !fixture.full {
        return;
    }
    tokio::join!(expired_leases(fixture), orphan_of_a_live_process(fixture));
}

/// F6: a process is stopped past its leases, another takes its turns over, and it continues in mid-answer.
async fn expired_leases(fixture: &Arc<Fixture>) {
    for round in 0..2 {
        if fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "zombie", round);
        let sleeper = Server::start(&fixture.start()).await.expect("a server");
        let other = fixture.serve().await;
        let turns: Vec<Turn> = (0..8)
            .map(|_| Turn::with_value(fixture, fixture.take_plan(), &mut rng, 12, 120))
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
        fixture.faults("F6", "turn of a process stopped past its lease", 8);
        for turn in &turns {
            let done = turn.finish(Duration::from_secs(60)).await;
            fixture.expect(done, || "a sleeper's turn was not taken over".into());
        }
        println!(
            "  a sleeper's turns were taken over within {:.0} s",
            asleep.elapsed().as_secs_f64()
        );
        sleeper.signal("CONT");
        // It finishes its turns, and must not be able to commit them.
        sleep(Duration::from_secs(4)).await;
        for attempt in first {
            attempt.abort();
        }
        turns
            .iter()
            .for_each(|turn| turn.our_fault.store(false, Ordering::Relaxed));
        turns.into_iter().for_each(Turn::finish_later);
        fixture.unlist(&other);
    }
}

/// R8: a claim whose response was lost leaves a running row that names a live process.
async fn orphan_of_a_live_process(fixture: &Arc<Fixture>) {
    let start = fixture.start().with("FAILPOINTS", "claim.inserted=1*return(error)");
    let server = Server::start(&start).await.expect("a server");
    let mut rng = Rng::of(fixture.seed, "orphan", 0);
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 2, 0);
    let outcome = turn.attempt(&server.base).await;
    fixture.expect(matches!(outcome, Outcome::Refused { status: 503, .. }), || {
        format!("a lost claim: {outcome:?}")
    });
    fixture.fault("R8", "claim response lost in a live process");
    let begun = Instant::now();
    let busy = async {
        while begun.elapsed() < LIMIT {
            let slow = Script {
                pieces: 30,
                pause: 200,
                ..Script::default()
            };
            let other = Turn::new(fixture, fixture.take_plan(), &mut rng, "Go on.", slow);
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
    fixture.expect(retried.is_some(), || {
        "a lost claim held its plan for more than a lease".into()
    });
    println!("  a lost claim was run again after {retried:?}");
    turn.finish_later();
}
