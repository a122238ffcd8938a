//! F1 to F5 and F9 at every failpoint: an error, a panic and an abort of the process.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use futures_util::StreamExt;
use futures_util::future::ready;
use plan_advisor::failpoint;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::sleep;

const ACTIONS: [(&str, &str); 4] = [
    ("error", "1*return(error)"),
    ("fatal error", "1*return(fatal)"),
    ("panic", "1*panic"),
    ("abort", "1*return(abort)"),
];

pub async fn run(fixture: &Arc<Fixture>) {
    let fallback = fixture.serve().await;
    let rounds = if fixture.full { 5 } else { 1 };
    let mut cases = Vec::new();
    for round in 0..rounds {
        for (place, can_fail) in failpoint::ALL {
            let actions = ACTIONS.iter().filter(|(name, _)| can_fail || !name.contains("error"));
            cases.extend(actions.map(|action| (round, place, *action)));
        }
    }
    let count = cases.len();
    futures_util::stream::iter(cases)
        .take_while(|_| ready(!fixture.time_is_up()))
        .map(|(round, place, action)| break_at(fixture, round, place, action))
        .buffer_unordered(4)
        .collect::<Vec<()>>()
        .await;
    println!("  {count} places and actions");
    fixture.unlist(&fallback);
}

/// Background loops pass these places again and again, and must survive a panic.
fn is_in_a_loop(place: &str) -> bool {
    matches!(place, "housekeeping" | "leases")
}

async fn break_at(fixture: &Arc<Fixture>, round: u64, place: &'static str, (name, action): (&'static str, &str)) {
    let mut rng = Rng::of(fixture.seed, &format!("{place} {name}"), round);
    // Twice, because maintenance must survive the first panic; not at its first tick, because an abort would take the
    // line that names the port with it.
    let action = if is_in_a_loop(place) {
        format!("1*off->{}", action.replace("1*", "2*"))
    } else {
        action.to_owned()
    };
    let start = fixture.start().with("FAILPOINTS", format!("{place}={action}"));
    let mut server = match Server::start(&start).await {
        Ok(server) => server,
        // The log has a thread of its own: on a busy machine the abort may still come first.
        Err(error) if error.ends_with(&format!("failpoint {place}: abort")) => {
            return fixture.fault("F1-F5", &format!("abort at {place}"));
        }
        Err(error) => return fixture.violation(format!("{place} {name}: {error}")),
    };
    let needs_stop = place.starts_with("stop.") || place.starts_with("end.");
    let plan = fixture.take_plan();
    let pause = if needs_stop { 60 } else { 0 };
    // With a value that is applied: a commit without one is a single statement.
    let dollars = rng.between(2_000, 9_000);
    let script = Script {
        tool: Some(("operatingCosts.rentMonthly", dollars.to_string())),
        pieces: if needs_stop { 30 } else { 3 },
        pause,
        ..Script::default()
    };
    let turn = Turn::new(
        fixture,
        plan,
        &mut rng,
        &format!("My rent is ${dollars} a month."),
        script,
    );
    // A fatal error, or a panic at the claim, is answered as an internal error.
    turn.our_fault
        .store(name == "panic" || name == "fatal error", Ordering::Relaxed);
    let outcome = if needs_stop {
        let stop = async {
            turn.reached_the_model().await;
            fixture.cancel(&server.base, plan).await
        };
        tokio::join!(turn.attempt(&server.base), stop).0
    } else {
        turn.attempt(&server.base).await
    };
    check(fixture, &mut server, place, name, &outcome).await;
    // Let another process continue; one that still runs is shut down normally.
    if server.has_ended().is_none() {
        server.signal("TERM");
        let status = server.ended(Duration::from_secs(28)).await;
        let in_order = status.is_some_and(|status| status.success());
        fixture.expect(in_order, || format!("{place} {name}: SIGTERM ended in {status:?}"));
    }
    turn.our_fault.store(false, Ordering::Relaxed);
    turn.finish_later();
}

async fn check(fixture: &Fixture, server: &mut Server, place: &str, name: &str, outcome: &Outcome) {
    let times = if is_in_a_loop(place) && name != "abort" { 2 } else { 1 };
    let reached = async {
        for _ in 0..100 {
            if server.log_text().matches(&format!("failpoint {place}")).count() >= times {
                return true;
            }
            sleep(Duration::from_millis(20)).await;
        }
        false
    }
    .await;
    if !reached {
        return fixture.violation(format!("{place} was not reached"));
    }
    fixture.fault(
        if name == "panic" { "F9" } else { "F1-F5" },
        &format!("{name} at {place}"),
    );
    if name == "abort" {
        let dead = server.ended(Duration::from_secs(3)).await.is_some();
        return fixture.expect(dead, || format!("{place}: the process lives"));
    }
    // R30: only that turn ends. The process keeps answering.
    let alive = fixture.healthy(&server.base, Duration::from_secs(5)).await.is_some();
    fixture.expect(alive && server.has_ended().is_none(), || {
        format!("{place} {name}: the server does not answer")
    });
    let received = !matches!(outcome, Outcome::Broken);
    fixture.expect(received || name == "panic", || {
        format!("{place} {name}: the client got no response")
    });
}
