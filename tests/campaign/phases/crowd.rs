//! F15: other clients hold all of the database's connections.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_postgres::Client;

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    for round in 0..if fixture.full { 8 } else { 1 } {
        if fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "crowd", round);
        let held = hold_all(fixture).await;
        // The first process keeps the connections it has; a second one gets none.
        let start = fixture.start();
        let mut chance = Rng::of(fixture.seed, "crowd, late", round);
        let (late, ()) = tokio::join!(Server::start(&start), with_what_it_has(fixture, &server.base, &mut rng));
        let late = match late {
            Ok(late) => late,
            Err(error) => return fixture.violation(format!("without a connection: {error}")),
        };
        without_any(fixture, &late.base, &mut chance).await;
        drop(held);
        for base in [&server.base, &late.base] {
            let back = fixture.healthy(base, Duration::from_secs(5)).await;
            fixture.expect(back.is_some(), || {
                "the database has connections again and the server has none".into()
            });
        }
        let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 2, 0);
        let outcome = turn.attempt(&late.base).await;
        fixture.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("behind the crowd a turn came to {outcome:?}")
        });
        turn.finish_later();
    }
    fixture.unlist(&server);
}

/// Opens connections until the database refuses.
async fn hold_all(fixture: &Fixture) -> Vec<Client> {
    let mut held = Vec::new();
    loop {
        let more = join_all((0..20).map(|_| fixture.postgres.session("postgres"))).await;
        let count = more.len();
        held.extend(more.into_iter().flatten());
        if held.len() % count != 0 {
            println!("  {} connections are held", held.len());
            return held;
        }
    }
}

async fn with_what_it_has(fixture: &Arc<Fixture>, base: &str, rng: &mut Rng) {
    let turns: Vec<Turn> = (0..6)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), rng, 4, 20))
        .collect();
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(base))).await;
    fixture.faults("F15", "turn on the connections that are left", 6);
    for outcome in outcomes {
        let fine = matches!(outcome, Outcome::Done(_) | Outcome::Refused { status: 503, .. });
        fixture.expect(fine, || format!("with too many connections a turn came to {outcome:?}"));
    }
    turns.into_iter().for_each(Turn::finish_later);
}

async fn without_any(fixture: &Arc<Fixture>, base: &str, rng: &mut Rng) {
    let turn = Turn::with_value(fixture, fixture.take_plan(), rng, 2, 0);
    let asked = Instant::now();
    let (outcome, (ready, _)) = tokio::join!(turn.attempt(base), fixture.get(base, "/readyz"));
    let took = asked.elapsed();
    fixture.fault("F15", "turn at a process without a connection");
    println!(
        "  without a connection: {} after {} ms",
        outcome.code(),
        took.as_millis()
    );
    let refused = matches!(outcome, Outcome::Refused { status: 503, .. });
    fixture.expect(refused && took < Duration::from_secs(5), || {
        format!("without a connection a turn came to {outcome:?} after {took:?}")
    });
    fixture.expect(ready == 503, || format!("without a connection /readyz says {ready}"));
    turn.finish_later();
}
