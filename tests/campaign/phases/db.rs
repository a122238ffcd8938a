//! F10 to F14, F17: immediate stops, terminated sessions, locked rows, a small pool, deadlocks.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::outcome::{Outcome, done_and_refused};
use crate::rng::Rng;
use crate::server::Server;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    let cycles = if fixture.full { 24 } else { 2 };
    let (mut slowest_refusal, mut slowest_return) = (Duration::ZERO, Duration::ZERO);
    for cycle in 0..cycles {
        if fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "db", cycle);
        in_flight(fixture, &mut rng);
        sleep(Duration::from_millis(rng.between(1, 400))).await;
        fixture.postgres.crash();
        fixture.fault("F10", "immediate stop of the database");
        // A request while the database is down.
        let plan = fixture.take_plan();
        let late = Turn::with_value(fixture, plan, &mut rng, 2, 0);
        let asked = Instant::now();
        let outcome = late.attempt(&server.base).await;
        slowest_refusal = slowest_refusal.max(asked.elapsed());
        let refused = matches!(outcome, Outcome::Refused { status: 503, .. });
        fixture.expect(refused, || format!("without a database a message came to {outcome:?}"));
        fixture.postgres.up();
        match fixture.healthy(&server.base, Duration::from_secs(10)).await {
            Some(took) => slowest_return = slowest_return.max(took),
            None => fixture.violation("the database is back and the server is not".into()),
        }
        late.finish_later();
    }
    println!(
        "  {cycles} crashes; slowest 503 {} ms, slowest return {} ms",
        slowest_refusal.as_millis(),
        slowest_return.as_millis()
    );
    fixture.expect(slowest_refusal < Duration::from_millis(2_900), || {
        format!("503 took {slowest_refusal:?}")
    });
    fixture.expect(slowest_return < Duration::from_secs(5), || {
        format!("the return took {slowest_return:?}")
    });
    sessions_ended(fixture).await;
    rows_held(fixture, &server.base).await;
    deadlocks(fixture, &server.base).await;
    small_pool(fixture).await;
    fixture.unlist(&server);
}

fn in_flight(fixture: &Arc<Fixture>, rng: &mut Rng) {
    for _ in 0..6 {
        let pieces = usize::try_from(rng.between(1, 10)).unwrap_or(1);
        let pause = rng.between(0, 40);
        Turn::with_value(fixture, fixture.take_plan(), rng, pieces, pause).finish_later();
    }
}

/// F11: sessions are terminated in a loop while turns commit.
async fn sessions_ended(fixture: &Arc<Fixture>) {
    let rounds = if fixture.full { 120 } else { 15 };
    for round in 0..rounds {
        let mut rng = Rng::of(fixture.seed, "sessions", round);
        if round % 3 == 0 {
            in_flight(fixture, &mut rng);
        }
        sleep(Duration::from_millis(rng.between(5, 90))).await;
        let end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plan-advisor'";
        let ended = fixture.postgres.rows("postgres", end).await.len();
        fixture.faults("F11", "database sessions ended", ended as u64);
    }
}

/// F17: another session locks the rows of a commit in the opposite order, so that one of the two is aborted.
async fn deadlocks(fixture: &Arc<Fixture>, base: &str) {
    for round in 0..if fixture.full { 10 } else { 2 } {
        let (mut rng, plan) = (Rng::of(fixture.seed, "deadlock", round), fixture.take_plan());
        let first = Turn::with_value(fixture, plan, &mut rng, 1, 0);
        fixture.expect(first.finish(Duration::from_secs(20)).await, || {
            "no conversation to fight over".into()
        });
        let turn = Turn::with_value(fixture, plan, &mut rng, 8, 60);
        let rival = fixture
            .postgres
            .session(crate::fixture::DATABASE)
            .await
            .expect("a session");
        let fight = async {
            let taken = format!("begin; select 1 from ai_conversations where plan_id = '{plan}' for update");
            fixture.expect(rival.simple_query(&taken).await.is_ok(), || {
                "the row could not be held".into()
            });
            while fixture.model.calls(&turn.reference) < 2 {
                sleep(Duration::from_millis(5)).await;
            }
            // By now, or soon, the commit has locked the plan and waits for the conversation.
            sleep(Duration::from_millis(rng.between(500, 900))).await;
            let _ = rival
                .simple_query(&format!("select 1 from plans where id = '{plan}' for update"))
                .await;
            let _ = rival.simple_query("rollback").await;
        };
        let (outcome, ()) = tokio::join!(turn.attempt(base), fight);
        fixture.fault("F17", "deadlock with a commit");
        fixture.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("a deadlock: {outcome:?}")
        });
        turn.finish_later();
    }
}

/// F14: two connections for many turns; no connection is held during the model call.
async fn small_pool(fixture: &Arc<Fixture>) {
    let server = match Server::start(&fixture.start().with("DATABASE_POOL_SIZE", "2")).await {
        Ok(server) => server,
        Err(error) => return fixture.violation(format!("a pool of two: {error}")),
    };
    let mut rng = Rng::of(fixture.seed, "pool", 0);
    let count = if fixture.full { 200 } else { 40 };
    let turns: Vec<Turn> = (0..count)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), &mut rng, 20, 50))
        .collect();
    let (outcomes, (slowest, answered)) =
        tokio::join!(join_all(turns.iter().map(|turn| turn.attempt(&server.base))), async {
            let (mut slowest, mut answered) = (Duration::ZERO, 0);
            for _ in 0..10 {
                sleep(Duration::from_millis(100)).await;
                let asked = Instant::now();
                let (status, _) = fixture.get(&server.base, "/api/auth/me").await;
                // On a busy machine the wait for a connection may exceed its limit, which is a 503.
                fixture.expect(matches!(status, 200 | 503), || {
                    format!("beside many turns a request came to {status}")
                });
                answered += usize::from(status == 200);
                slowest = slowest.max(asked.elapsed());
            }
            (slowest, answered)
        });
    fixture.expect(answered >= 5, || {
        format!("beside many turns {answered} of 10 requests were answered")
    });
    fixture.faults("F14", "turn on a pool of two connections", count);
    println!(
        "  {count} turns on two connections; slowest other request {} ms",
        slowest.as_millis()
    );
    let (done, refused) = done_and_refused(&outcomes);
    fixture.expect(done + refused == outcomes.len(), || {
        format!("{done} done, {refused} refused of {count}")
    });
    turns.into_iter().for_each(Turn::finish_later);
}

/// F13: another session locks the row that a commit needs, for longer than `lock_timeout`.
async fn rows_held(fixture: &Arc<Fixture>, base: &str) {
    let mut rng = Rng::of(fixture.seed, "rows", 0);
    for _ in 0..if fixture.full { 4 } else { 1 } {
        let plan = fixture.take_plan();
        let turn = Turn::with_value(fixture, plan, &mut rng, 6, 60);
        fixture.healthy(base, Duration::from_secs(5)).await;
        let holder = fixture
            .postgres
            .session(crate::fixture::DATABASE)
            .await
            .expect("a session");
        fixture.fault("F13", "row of the plan held for 3 s");
        let (outcome, ()) = tokio::join!(turn.attempt(base), async {
            // After the claim, before the commit.
            turn.reached_the_model().await;
            let held = holder
                .simple_query(&format!("begin; select 1 from plans where id = '{plan}' for update"))
                .await;
            fixture.expect(held.is_ok(), || "the row could not be held".into());
            sleep(Duration::from_secs(3)).await;
            let _ = holder.simple_query("rollback").await;
        });
        let done = matches!(outcome, Outcome::Done(_));
        fixture.expect(done, || format!("behind a held row a turn came to {outcome:?}"));
        turn.finish_later();
    }
}
