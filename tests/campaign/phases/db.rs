//! F10 to F13: the database goes without a word, its sessions are ended, its rows are held.

use crate::driver::Turn;
use crate::outcome::{Outcome, done_and_refused};
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub async fn run(world: &Arc<World>) {
    let server = world.serve().await;
    let cycles = if world.full { 24 } else { 2 };
    let (mut slowest_refusal, mut slowest_return) = (Duration::ZERO, Duration::ZERO);
    for cycle in 0..cycles {
        if world.time_is_up() {
            break;
        }
        let mut rng = Rng::of(world.seed, "db", cycle);
        in_flight(world, &mut rng);
        sleep(Duration::from_millis(rng.between(1, 400))).await;
        world.postgres.crash();
        world.fault("F10", "database stopped without warning");
        // Somebody comes while it is away.
        let plan = world.take_plan();
        let late = Turn::with_value(world, plan, &mut rng, 2, 0);
        let asked = Instant::now();
        let outcome = late.attempt(&server.base).await;
        slowest_refusal = slowest_refusal.max(asked.elapsed());
        let refused = matches!(outcome, Outcome::Refused { status: 503, .. });
        world.expect(refused, || format!("without a database a message came to {outcome:?}"));
        world.postgres.up();
        match world.healthy(&server.base, Duration::from_secs(10)).await {
            Some(took) => slowest_return = slowest_return.max(took),
            None => world.violation("the database is back and the server is not".into()),
        }
        late.finish_later();
    }
    println!(
        "  {cycles} crashes; slowest 503 {} ms, slowest return {} ms",
        slowest_refusal.as_millis(),
        slowest_return.as_millis()
    );
    world.expect(slowest_refusal < Duration::from_millis(2_900), || {
        format!("503 took {slowest_refusal:?}")
    });
    world.expect(slowest_return < Duration::from_secs(5), || {
        format!("the return took {slowest_return:?}")
    });
    sessions_ended(world).await;
    rows_held(world, &server.base).await;
    deadlocks(world, &server.base).await;
    small_pool(world).await;
    world.strike(&server);
}

fn in_flight(world: &Arc<World>, rng: &mut Rng) {
    for _ in 0..6 {
        let pieces = usize::try_from(rng.between(1, 10)).unwrap_or(1);
        let pause = rng.between(0, 40);
        Turn::with_value(world, world.take_plan(), rng, pieces, pause).finish_later();
    }
}

/// F11: sessions are ended in a loop while turns commit.
async fn sessions_ended(world: &Arc<World>) {
    let rounds = if world.full { 120 } else { 15 };
    for round in 0..rounds {
        let mut rng = Rng::of(world.seed, "sessions", round);
        if round % 3 == 0 {
            in_flight(world, &mut rng);
        }
        sleep(Duration::from_millis(rng.between(5, 90))).await;
        let end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plan-advisor'";
        let ended = world.postgres.rows("postgres", end).await.len();
        world.faults("F11", "database sessions ended", ended as u64);
    }
}

/// F17: somebody takes the rows of a commit in the other order, and one of the two has to give in.
async fn deadlocks(world: &Arc<World>, base: &str) {
    for round in 0..if world.full { 10 } else { 2 } {
        let (mut rng, plan) = (Rng::of(world.seed, "deadlock", round), world.take_plan());
        let first = Turn::with_value(world, plan, &mut rng, 1, 0);
        world.expect(first.finish(Duration::from_secs(20)).await, || {
            "no conversation to fight over".into()
        });
        let turn = Turn::with_value(world, plan, &mut rng, 8, 60);
        let rival = world.postgres.session(crate::world::DATABASE).await.expect("a session");
        let fight = async {
            let taken = format!("begin; select 1 from ai_conversations where plan_id = '{plan}' for update");
            world.expect(rival.simple_query(&taken).await.is_ok(), || {
                "the row could not be held".into()
            });
            while world.model.calls(&turn.reference) < 2 {
                sleep(Duration::from_millis(5)).await;
            }
            // By now, or soon, the commit holds the plan and waits for the conversation.
            sleep(Duration::from_millis(rng.between(500, 900))).await;
            let _ = rival
                .simple_query(&format!("select 1 from plans where id = '{plan}' for update"))
                .await;
            let _ = rival.simple_query("rollback").await;
        };
        let (outcome, ()) = tokio::join!(turn.attempt(base), fight);
        world.fault("F17", "deadlock with a commit");
        world.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("a deadlock: {outcome:?}")
        });
        turn.finish_later();
    }
}

/// F14: two connections for many turns; nobody holds one while the model talks.
async fn small_pool(world: &Arc<World>) {
    let server = match Server::start(&world.start().with("DATABASE_POOL_SIZE", "2")).await {
        Ok(server) => server,
        Err(error) => return world.violation(format!("a pool of two: {error}")),
    };
    let mut rng = Rng::of(world.seed, "pool", 0);
    let count = if world.full { 200 } else { 40 };
    let turns: Vec<Turn> = (0..count)
        .map(|_| Turn::with_value(world, world.take_plan(), &mut rng, 20, 50))
        .collect();
    let (outcomes, slowest) = tokio::join!(join_all(turns.iter().map(|turn| turn.attempt(&server.base))), async {
        let mut slowest = Duration::ZERO;
        for _ in 0..10 {
            sleep(Duration::from_millis(100)).await;
            let asked = Instant::now();
            let (status, _) = world.get(&server.base, "/api/auth/me").await;
            world.expect(status == 200, || {
                format!("beside many turns a request came to {status}")
            });
            slowest = slowest.max(asked.elapsed());
        }
        slowest
    });
    world.faults("F14", "turn on a pool of two connections", count);
    println!(
        "  {count} turns on two connections; slowest other request {} ms",
        slowest.as_millis()
    );
    let (done, refused) = done_and_refused(&outcomes);
    world.expect(done + refused == outcomes.len(), || {
        format!("{done} done, {refused} refused of {count}")
    });
    turns.into_iter().for_each(Turn::finish_later);
}

/// F13: somebody holds the row that a commit needs, longer than a statement waits for it.
async fn rows_held(world: &Arc<World>, base: &str) {
    let mut rng = Rng::of(world.seed, "rows", 0);
    for _ in 0..if world.full { 4 } else { 1 } {
        let plan = world.take_plan();
        let turn = Turn::with_value(world, plan, &mut rng, 6, 60);
        world.healthy(base, Duration::from_secs(5)).await;
        let holder = world.postgres.session(crate::world::DATABASE).await.expect("a session");
        world.fault("F13", "row of the plan held for 3 s");
        let (outcome, ()) = tokio::join!(turn.attempt(base), async {
            // Behind the claim, before the commit.
            turn.reached_the_model().await;
            let held = holder
                .simple_query(&format!("begin; select 1 from plans where id = '{plan}' for update"))
                .await;
            world.expect(held.is_ok(), || "the row could not be held".into());
            sleep(Duration::from_secs(3)).await;
            let _ = holder.simple_query("rollback").await;
        });
        let done = matches!(outcome, Outcome::Done(_));
        world.expect(done, || format!("behind a held row a turn came to {outcome:?}"));
        turn.finish_later();
    }
}
