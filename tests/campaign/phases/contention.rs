//! F62 to F64: somebody holds a row that belongs to a turn, or clears what a turn is about to write.

use crate::client::Turn;
use crate::fixture::{DATABASE, Fixture};
use crate::kinds::Kind;
use crate::model::Script;
use crate::person::whole;
use crate::rng::Rng;
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;
use uuid::Uuid;

/// Longer than the time after which leases are renewed, and, in the long form, than a lease.
const SHORT: Duration = Duration::from_secs(12);
const LONG: Duration = Duration::from_secs(45);
/// Milliseconds between two pieces of an answer: below the silence that the model is allowed.
const PAUSE: u128 = 500;

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    tokio::join!(
        row_of_a_turn_held(fixture, &server.base),
        stopped_while_the_commit_waits(fixture, &server.base),
        run_again_while_cleared(fixture, &server.base)
    );
    fixture.unlist(&server);
}

/// Begins a transaction that holds rows.
async fn hold(fixture: &Fixture, rows: &str) -> tokio_postgres::Client {
    let holder = fixture.postgres.session(DATABASE).await.expect("a session");
    let held = holder
        .simple_query(&format!("begin; select 1 from {rows} for update"))
        .await;
    fixture.expect(held.is_ok(), || format!("{rows} could not be held"));
    holder
}

/// F62: the row of a running turn is held. Leases of other turns are renewed, and readiness stays.
async fn row_of_a_turn_held(fixture: &Arc<Fixture>, base: &str) {
    let mut rng = Rng::of(fixture.seed, "held", 0);
    let time = if fixture.full { LONG } else { SHORT };
    // The turns outlast the time by half, so that a slow machine still finds them running.
    let pieces = usize::try_from(time.as_millis() / PAUSE * 3 / 2).unwrap_or(usize::MAX);
    let pause = u64::try_from(PAUSE).unwrap_or(u64::MAX);
    let turns: Vec<Turn> = (0..2)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), &mut rng, pieces, pause))
        .collect();
    let plan_of = |nth: usize| turns[nth].plan;
    let holding = async {
        for turn in &turns {
            turn.reached_the_model().await;
        }
        let before = lease_of(fixture, plan_of(1)).await;
        let rows = format!("prompts where state = 'running' and plan_id = '{}'", plan_of(0));
        let holder = hold(fixture, &rows).await;
        fixture.fault("F62", "row of a running turn held");
        let (begun, mut after) = (Instant::now(), None);
        while begun.elapsed() < time {
            let (status, _) = fixture.get(base, "/readyz").await;
            fixture.expect(status == 200, || format!("with a row held /readyz was {status}"));
            // The last one that was seen: the answer may end before the time does.
            after = lease_of(fixture, plan_of(1)).await.or(after);
            sleep(Duration::from_millis(500)).await;
        }
        fixture.expect(after > before, || {
            format!("the lease of another turn was not renewed: {before:?}, {after:?}")
        });
        let _ = holder.simple_query("rollback").await;
    };
    let (first, second, ()) = tokio::join!(turns[0].attempt(base), turns[1].attempt(base), holding);
    fixture.expect(first.code() == "done" && second.code() == "done", || {
        format!("beside a row that was held: {first:?}, {second:?}")
    });
    turns.into_iter().for_each(Turn::finish_later);
}

async fn lease_of(fixture: &Fixture, plan: Uuid) -> Option<String> {
    let lease = format!("select lease_until::text from prompts where state = 'running' and plan_id = '{plan}'");
    let rows = fixture.postgres.rows(DATABASE, &lease).await;
    rows.into_iter().next().and_then(|row| row.into_iter().next()).flatten()
}

/// F63: a turn is stopped while its commit waits for the plan's row. It ends as stopped, and nothing is applied.
async fn stopped_while_the_commit_waits(fixture: &Arc<Fixture>, base: &str) {
    for round in 0..if fixture.full { 8 } else { 2 } {
        let (mut rng, plan) = (Rng::of(fixture.seed, "late stop", round), fixture.take_plan());
        let turn = Turn::with_value(fixture, plan, &mut rng, 30, 20);
        let version = format!("select version::text from plans where id = '{plan}'");
        let before = fixture.postgres.rows(DATABASE, &version).await;
        let stop = async {
            turn.reached_the_model().await;
            let holder = hold(fixture, &format!("plans where id = '{plan}'")).await;
            // By now, or soon, the answer is complete.
            sleep(Duration::from_millis(rng.between(500, 1_500))).await;
            fixture.fault("F63", "stop while the commit waits");
            let status = fixture.cancel(base, plan).await;
            let _ = holder.simple_query("rollback").await;
            status
        };
        let (outcome, status) = tokio::join!(turn.attempt(base), stop);
        let after = fixture.postgres.rows(DATABASE, &version).await;
        fixture.expect(outcome.code() == "STOPPED" && matches!(status, 202 | 204), || {
            format!("stopped while the commit waited: {status}, {outcome:?}")
        });
        fixture.expect(before == after, || {
            format!("a stopped turn has moved its plan from {before:?} to {after:?}")
        });
        turn.finish_later();
    }
}

/// F64: a failed turn is run again while its conversation is cleared. One of the two comes first.
async fn run_again_while_cleared(fixture: &Arc<Fixture>, base: &str) {
    for round in 0..if fixture.full { 40 } else { 8 } {
        let (mut rng, plan) = (Rng::of(fixture.seed, "cleared", round), fixture.take_fresh_plan());
        let reference = rng.letters(14);
        let script = Script {
            text: "Noted.".into(),
            pieces: 1,
            fault: Some(Kind::Status400),
            ..Script::default()
        };
        fixture.model.script(&reference, script);
        let conversation = format!("{base}/api/plans/{plan}/conversation");
        let send = || {
            let body = json!({"message": format!("Hello (ref {reference})")});
            let request = request(fixture, Method::POST, &conversation).json(&body);
            request.header("idempotency-key", &reference)
        };
        let failed = available(send).await;
        fixture.model.heal(&reference);
        let clear = async {
            sleep(Duration::from_millis(rng.between(0, 40))).await;
            available(|| request(fixture, Method::DELETE, &conversation)).await.0
        };
        let (again, cleared) = tokio::join!(available(send), clear);
        fixture.fault("F64", "conversation cleared while a turn is run again");
        let (_, history) = fixture.get(base, &format!("/api/plans/{plan}/conversation")).await;
        let kept = history["data"].as_array().map_or(usize::MAX, Vec::len);
        let is_done = again.1.contains("\"type\":\"done\"");
        // Cleared before or after the turn, or refused while it ran; never half of it.
        let right = is_done && matches!((cleared, kept), (204, 0 | 2) | (409, 2));
        fixture.expect(failed.1.contains("LLM_UNAVAILABLE") && right, || {
            format!("run again while cleared: {failed:?}, {again:?}, {cleared}, {kept} messages")
        });
        let removed = available(|| request(fixture, Method::DELETE, &format!("{base}/api/plans/{plan}"))).await;
        fixture.expect(removed.0 == 204, || format!("a plan was not removed: {removed:?}"));
    }
}

/// As [`whole`], sent again where the service was not available: on a busy machine the wait for a connection may exceed its limit.
async fn available(request: impl Fn() -> reqwest::RequestBuilder) -> (u16, String) {
    const TIMES: usize = 20;
    for _ in 1..TIMES {
        let answer = whole(request()).await;
        if answer.0 != 503 {
            return answer;
        }
        sleep(Duration::from_millis(500)).await;
    }
    whole(request()).await
}

fn request(fixture: &Fixture, method: Method, url: &str) -> reqwest::RequestBuilder {
    fixture.http.request(method, url).header("cookie", fixture.cookie())
}
