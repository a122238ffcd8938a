//! F15: others hold every connection that the database gives.

use crate::driver::Turn;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_postgres::Client;

pub async fn run(world: &Arc<World>) {
    let server = world.serve().await;
    for round in 0..if world.full { 8 } else { 1 } {
        if world.time_is_up() {
            break;
        }
        let mut rng = Rng::of(world.seed, "crowd", round);
        let held = hold_all(world).await;
        // Who has connections makes do with them; who comes now has none.
        let start = world.start();
        let mut chance = Rng::of(world.seed, "crowd, late", round);
        let (late, ()) = tokio::join!(Server::start(&start), with_what_it_has(world, &server.base, &mut rng));
        let late = match late {
            Ok(late) => late,
            Err(error) => return world.violation(format!("without a connection: {error}")),
        };
        without_any(world, &late.base, &mut chance).await;
        drop(held);
        for base in [&server.base, &late.base] {
            let back = world.healthy(base, Duration::from_secs(5)).await;
            world.expect(back.is_some(), || {
                "the database has connections again and the server has none".into()
            });
        }
        let turn = Turn::with_value(world, world.take_plan(), &mut rng, 2, 0);
        let outcome = turn.attempt(&late.base).await;
        world.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("behind the crowd a turn came to {outcome:?}")
        });
        turn.finish_later();
    }
    world.strike(&server);
}

/// Takes connections until there are none.
async fn hold_all(world: &World) -> Vec<Client> {
    let mut held = Vec::new();
    loop {
        let more = join_all((0..20).map(|_| world.postgres.session("postgres"))).await;
        let count = more.len();
        held.extend(more.into_iter().flatten());
        if held.len() % count != 0 {
            println!("  {} connections are held", held.len());
            return held;
        }
    }
}

async fn with_what_it_has(world: &Arc<World>, base: &str, rng: &mut Rng) {
    let turns: Vec<Turn> = (0..6)
        .map(|_| Turn::with_value(world, world.take_plan(), rng, 4, 20))
        .collect();
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(base))).await;
    world.faults("F15", "turn on the connections that are left", 6);
    for outcome in outcomes {
        let fine = matches!(outcome, Outcome::Done(_) | Outcome::Refused { status: 503, .. });
        world.expect(fine, || format!("with too many connections a turn came to {outcome:?}"));
    }
    turns.into_iter().for_each(Turn::finish_later);
}

async fn without_any(world: &Arc<World>, base: &str, rng: &mut Rng) {
    let turn = Turn::with_value(world, world.take_plan(), rng, 2, 0);
    let asked = Instant::now();
    let (outcome, (ready, _)) = tokio::join!(turn.attempt(base), world.get(base, "/readyz"));
    let took = asked.elapsed();
    world.fault("F15", "turn at a process without a connection");
    println!(
        "  without a connection: {} after {} ms",
        outcome.code(),
        took.as_millis()
    );
    let refused = matches!(outcome, Outcome::Refused { status: 503, .. });
    world.expect(refused && took < Duration::from_secs(5), || {
        format!("without a connection a turn came to {outcome:?} after {took:?}")
    });
    world.expect(ready == 503, || format!("without a connection /readyz says {ready}"));
    turn.finish_later();
}
