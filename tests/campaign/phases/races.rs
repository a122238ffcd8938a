//! F7, F8, F39 to F41, R15: two processes on one database, and concurrent requests.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use futures_util::future::join_all;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

const RENT: &str = "operatingCosts.rentMonthly";

pub async fn run(fixture: &Arc<Fixture>) {
    let (one, two) = (fixture.serve().await, fixture.serve().await);
    // Until the processes know of each other.
    sleep(Duration::from_millis(1_300)).await;
    let rounds = if fixture.full { 30 } else { 3 };
    for round in 0..rounds {
        if fixture.time_is_up() {
            break;
        }
        many_tabs(fixture, [&one.base, &two.base], round).await;
        same_key_on_both(fixture, [&one.base, &two.base], round).await;
        edited_meanwhile(fixture, &one.base, round).await;
        stopped_elsewhere(fixture, [&one.base, &two.base], round).await;
    }
    for server in [one, two] {
        fixture.unlist(&server);
        leave_in_order(fixture, server).await;
    }
    rolling_restart(fixture).await;
}

/// F40: one of many tabs gets its turn, the others get 409 with the running turn's id.
async fn many_tabs(fixture: &Arc<Fixture>, bases: [&String; 2], round: u64) {
    let (mut rng, plan) = (Rng::of(fixture.seed, "tabs", round), fixture.take_plan());
    let count = if fixture.full { 200 } else { 40 };
    let turns: Vec<Turn> = (0..count)
        .map(|_| Turn::with_value(fixture, plan, &mut rng, 6, 40))
        .collect();
    let outcomes = join_all(turns.iter().enumerate().map(|(nth, turn)| turn.attempt(bases[nth % 2]))).await;
    fixture.faults("F40", "tabs of one plan at once", count);
    let done = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Done(_)))
        .count();
    // With two hundred requests at once, some may also time out waiting for a connection (503).
    let busy = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Refused { status: 409 | 503, .. }))
        .count();
    let others: Vec<_> = outcomes
        .iter()
        .map(Outcome::code)
        .filter(|code| !matches!(*code, "done" | "TURN_IN_PROGRESS" | "UNAVAILABLE"))
        .collect();
    fixture.expect(done >= 1 && done + busy == outcomes.len(), || {
        format!("{done} done, {busy} busy, {others:?}")
    });
    // The others are not retried: their messages were refused.
    fixture.give_back(plan);
}

/// F39: one key at two processes.
async fn same_key_on_both(fixture: &Arc<Fixture>, bases: [&String; 2], round: u64) {
    let mut rng = Rng::of(fixture.seed, "both", round);
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 10, 30);
    let outcomes = join_all((0..10).map(|nth| turn.attempt(bases[nth % 2]))).await;
    fixture.faults("F39", "the same key at two processes", 10);
    let done = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Done(_)))
        .count();
    fixture.expect(done == 10, || format!("the same key at two processes: {outcomes:?}"));
    turn.finish_later();
}

/// F41: the owner changes the value during the model's answer; theirs stays and the model's is proposed.
async fn edited_meanwhile(fixture: &Arc<Fixture>, base: &str, round: u64) {
    let (mut rng, plan) = (Rng::of(fixture.seed, "edit", round), fixture.take_plan());
    let dollars = rng.between(2_000, 9_000);
    let script = Script {
        tool: Some((RENT, dollars.to_string())),
        pieces: 10,
        pause: 25,
        ..Script::default()
    };
    let turn = Turn::new(
        fixture,
        plan,
        &mut rng,
        &format!("My rent is ${dollars} a month."),
        script,
    );
    let mine = 100 * rng.between(10_000, 12_000);
    let edit = async {
        sleep(Duration::from_millis(rng.between(0, 500))).await;
        let url = format!("{base}/api/plans/{plan}/financial-inputs");
        let request = fixture
            .http
            .patch(url)
            .header("cookie", fixture.cookie())
            .json(&json!({ RENT: mine }));
        let status = request.send().await.map(|response| response.status().as_u16());
        (status.unwrap_or(0), Instant::now())
    };
    let (outcome, (status, _)) = tokio::join!(turn.attempt(base), edit);
    fixture.fault("F41", "value edited while the turn runs");
    fixture.expect(status == 200, || format!("the edit came to {status}"));
    if let Outcome::Done(done) = &outcome {
        let (_, plan_now) = fixture.get(base, &format!("/api/plans/{plan}")).await;
        let held = &plan_now["data"]["financialInputs"][RENT]["currentValue"];
        let applied = done["extractedValues"][0]["applied"] == true;
        // An edit before the snapshot or after the commit is simply earlier or later.
        let right = *held == mine || applied && *held == 100 * dollars;
        fixture.expect(right, || format!("{mine} was entered, {held} is held, {done}"));
    } else {
        fixture.violation(format!("a turn beside an edit came to {outcome:?}"));
    }
    turn.finish_later();
}

/// R15: the turn is stopped through the other process.
async fn stopped_elsewhere(fixture: &Arc<Fixture>, bases: [&String; 2], round: u64) {
    let mut rng = Rng::of(fixture.seed, "stop", round);
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 60, 50);
    let stop = async {
        turn.reached_the_model().await;
        sleep(Duration::from_millis(rng.between(100, 800))).await;
        let asked = Instant::now();
        let status = fixture.cancel(bases[1], turn.plan).await;
        (status, asked.elapsed())
    };
    let (outcome, (status, took)) = tokio::join!(turn.attempt(bases[0]), stop);
    fixture.fault("R15", "turn stopped by another process");
    let stopped = outcome.code() == "STOPPED" && status == 204;
    fixture.expect(stopped, || format!("stop: {status}, {outcome:?}"));
    fixture.expect(took < Duration::from_millis(2_100), || {
        format!("the stop took {took:?}")
    });
    turn.finish_later();
}

async fn leave_in_order(fixture: &Fixture, mut server: Server) {
    server.signal("TERM");
    let status = server.ended(Duration::from_secs(28)).await;
    fixture.expect(status.is_some_and(|status| status.success()), || {
        format!("SIGTERM ended in {status:?}")
    });
}

/// F7, F8: a rolling restart of two processes under load.
async fn rolling_restart(fixture: &Arc<Fixture>) {
    let mut servers = [fixture.serve().await, fixture.serve().await];
    let rounds = if fixture.full { 12 } else { 2 };
    for round in 0..rounds {
        if round > 1 && fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "rolling", round);
        for nth in 0..6 {
            let pieces = usize::try_from(rng.between(2, 14)).unwrap_or(2);
            let pause = rng.between(0, if fixture.full && nth == 0 { 2_000 } else { 60 });
            Turn::with_value(fixture, fixture.take_plan(), &mut rng, pieces, pause).finish_later();
        }
        sleep(Duration::from_millis(rng.between(10, 300))).await;
        let fresh = fixture.serve().await;
        let nth = usize::try_from(round % 2).unwrap_or(0);
        let mut old = std::mem::replace(&mut servers[nth], fresh);
        fixture.unlist(&old);
        old.signal("TERM");
        if round % 5 == 4 {
            sleep(Duration::from_millis(rng.between(1, 200))).await;
            old.signal("TERM");
            fixture.fault("F8", "second SIGTERM");
            let ended = old.ended(Duration::from_secs(2)).await.is_some();
            fixture.expect(ended, || "a second SIGTERM did not end it".into());
            continue;
        }
        fixture.fault("F7", "SIGTERM under load");
        let status = old.ended(Duration::from_secs(28)).await;
        fixture.expect(status.is_some_and(|status| status.success()), || {
            format!("SIGTERM ended in {status:?}")
        });
    }
    for server in &servers {
        fixture.unlist(server);
    }
}
