//! F1 to F5 and F9 without chance: every place in the turn, with an error, a panic and the death of the process.

use crate::driver::Turn;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
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
    ("death", "1*return(abort)"),
];

pub async fn run(world: &Arc<World>) {
    let fallback = world.serve().await;
    let rounds = if world.full { 5 } else { 1 };
    let mut cases = Vec::new();
    for round in 0..rounds {
        for (place, can_fail) in failpoint::ALL {
            let actions = ACTIONS.iter().filter(|(name, _)| can_fail || !name.contains("error"));
            cases.extend(actions.map(|action| (round, place, *action)));
        }
    }
    let count = cases.len();
    futures_util::stream::iter(cases)
        .take_while(|_| ready(!world.time_is_up()))
        .map(|(round, place, action)| break_at(world, round, place, action))
        .buffer_unordered(4)
        .collect::<Vec<()>>()
        .await;
    println!("  {count} places and actions");
    world.strike(&fallback);
}

async fn break_at(world: &Arc<World>, round: u64, place: &'static str, (name, action): (&'static str, &str)) {
    let mut rng = Rng::of(world.seed, &format!("{place} {name}"), round);
    // A second time, so that the housekeeping has to outlive the first.
    let action = if place == "housekeeping" {
        action.replace("1*", "2*")
    } else {
        action.to_owned()
    };
    let start = world.start().with("FAILPOINTS", format!("{place}={action}"));
    let mut server = match Server::start(&start).await {
        Ok(server) => server,
        Err(error) => return world.violation(format!("{place} {name}: {error}")),
    };
    let needs_stop = place.starts_with("stop.") || place.starts_with("end.");
    let plan = world.take_plan();
    let pause = if needs_stop { 60 } else { 0 };
    // A value that is surely applied: a commit without one takes a shorter way.
    let dollars = rng.between(2_000, 9_000);
    let script = Script {
        tool: Some(("operatingCosts.rentMonthly", dollars.to_string())),
        pieces: if needs_stop { 30 } else { 3 },
        pause,
        ..Script::default()
    };
    let turn = Turn::new(
        world,
        plan,
        &mut rng,
        &format!("My rent is ${dollars} a month."),
        script,
    );
    // What nobody may try again, and a panic at the claim, are our fault, and said to be.
    turn.our_fault
        .store(name == "panic" || name == "fatal error", Ordering::Relaxed);
    let outcome = if needs_stop {
        let stop = async {
            turn.reached_the_model().await;
            world.cancel(&server.base, plan).await
        };
        tokio::join!(turn.attempt(&server.base), stop).0
    } else {
        turn.attempt(&server.base).await
    };
    check(world, &mut server, place, name, &outcome).await;
    // It is somebody else's turn now; a process that lives ends in good order.
    if server.has_ended().is_none() {
        server.signal("TERM");
        let status = server.ended(Duration::from_secs(28)).await;
        let in_order = status.is_some_and(|status| status.success());
        world.expect(in_order, || format!("{place} {name}: SIGTERM ended in {status:?}"));
    }
    turn.our_fault.store(false, Ordering::Relaxed);
    turn.finish_later();
}

async fn check(world: &World, server: &mut Server, place: &str, name: &str, outcome: &Outcome) {
    let times = if place == "housekeeping" && name != "death" {
        2
    } else {
        1
    };
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
        return world.violation(format!("{place} was not reached"));
    }
    world.fault(
        if name == "panic" { "F9" } else { "F1-F5" },
        &format!("{name} at {place}"),
    );
    if name == "death" {
        let dead = server.ended(Duration::from_secs(3)).await.is_some();
        return world.expect(dead, || format!("{place}: the process lives"));
    }
    // R30: that turn only. The process goes on and answers.
    let alive = world.healthy(&server.base, Duration::from_secs(5)).await.is_some();
    world.expect(alive && server.has_ended().is_none(), || {
        format!("{place} {name}: the server does not answer")
    });
    let told = !matches!(outcome, Outcome::Broken);
    world.expect(told || name == "panic", || {
        format!("{place} {name}: the client was told nothing")
    });
}
