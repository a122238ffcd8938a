//! F20 to F36: the model misbehaves in every way, on every seed, and is asked again when it is well.

use crate::driver::Turn;
use crate::kinds::{Expect, KINDS, Kind};
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
use futures_util::StreamExt;
use futures_util::future::ready;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub async fn run(world: &Arc<World>) {
    let rounds = if world.full { 25 } else { 1 };
    let servers = [
        world.serve().await,
        world.serve().await,
        world.serve().await,
        world.serve().await,
    ];
    let cases: Vec<_> = (0..rounds)
        .flat_map(|round| KINDS.iter().map(move |kind| (round, kind)))
        .collect();
    let count = cases.len();
    futures_util::stream::iter(cases.into_iter().enumerate())
        .take_while(|_| ready(!world.time_is_up()))
        .map(|(nth, (round, kind))| {
            let base = servers[nth % 4].base.clone();
            async move { play(world, &base, round, kind).await }
        })
        .buffer_unordered(12)
        .collect::<Vec<()>>()
        .await;
    unreachable_models(world).await;
    println!("  {count} misdeeds of {} kinds", KINDS.len());
    world.expect(world.model.canary_hits() == 0, || "a redirect was followed".into());
    for server in servers {
        world.strike(&server);
    }
}

/// One kind of misdeed, on one seed.
async fn play(world: &Arc<World>, base: &str, round: u64, kind: &'static Kind) {
    let mut rng = Rng::of(world.seed, kind.name, round);
    let plan = world.take_plan();
    let words = if matches!(kind.row, "F32" | "F35") {
        "My rent is $4,100 a month."
    } else {
        "What should I think about next?"
    };
    let pieces = usize::try_from(rng.between(2, 9)).unwrap_or(2);
    let turn = Turn::new(
        world,
        plan,
        &mut rng,
        words,
        Script {
            fault: Some(kind),
            pieces,
            ..Script::default()
        },
    );
    let asked = Instant::now();
    let mut outcome = turn.attempt(base).await;
    // Failures in a row open the circuit, and then nobody asks the model: that is no fault of this kind.
    let mut tries = 0;
    while world.model.calls(&turn.reference) == 0 && tries < 60 {
        well(world, base, &mut rng).await;
        sleep(Duration::from_millis(250)).await;
        outcome = turn.attempt(base).await;
        tries += 1;
    }
    world.fault(kind.row, kind.name);
    if let Err(wrong) = judge(kind, &outcome) {
        world.violation(format!("{} {}: {wrong}: {outcome:?}", kind.row, kind.name));
    }
    world.expect(asked.elapsed() < Duration::from_secs(60), || {
        format!("{} took {:?}", kind.name, asked.elapsed())
    });
    world.model.heal(&turn.reference);
    well(world, base, &mut rng).await;
    turn.finish_later();
}

/// A good turn, so that the failures are not in a row.
async fn well(world: &Arc<World>, base: &str, rng: &mut Rng) {
    let turn = Turn::with_value(world, world.take_plan(), rng, 2, 0);
    turn.attempt(base).await;
    turn.finish_later();
}

fn judge(kind: &Kind, outcome: &Outcome) -> Result<(), &'static str> {
    let applied = |done: &Value| {
        done["extractedValues"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|value| value["applied"] == true)
    };
    match (kind.expect, outcome) {
        (Expect::Whole, Outcome::Done(done)) if !done["fullResponse"].as_str().unwrap_or_default().ends_with('.') => {
            Err("the answer was cut")
        }
        (Expect::Whole | Expect::Done, Outcome::Done(_)) => Ok(()),
        (Expect::NothingApplied, Outcome::Done(done)) if applied(done) => Err("a value was applied"),
        (Expect::NothingApplied, Outcome::Done(_)) => Ok(()),
        (Expect::NothingApplied | Expect::Refused, Outcome::Failed { code }) if code == "LLM_UNAVAILABLE" => Ok(()),
        (Expect::Refused, Outcome::Done(_)) => Err("taken for an answer"),
        _ => Err("not what was expected"),
    }
}

/// F20, F21: nobody there, no such name, no TLS.
async fn unreachable_models(world: &Arc<World>) {
    let tls = format!("https://127.0.0.1:{}/v1", world.model.address.port());
    let cases = [
        ("F20", "port is closed", "http://127.0.0.1:9/v1"),
        ("F20", "name is unknown", "http://nobody.invalid/v1"),
        ("F21", "no TLS where it is expected", tls.as_str()),
    ];
    for (row, what, url) in cases {
        let start = world
            .start()
            .with("LLM_BASE_URL", url)
            .with("LLM_ALLOW_INSECURE_HTTP", "true");
        let server = match Server::start(&start).await {
            Ok(server) => server,
            Err(error) => {
                world.violation(format!("{what}: {error}"));
                continue;
            }
        };
        let mut rng = Rng::of(world.seed, what, 0);
        for nth in 0..8 {
            let turn = Turn::with_value(world, world.take_plan(), &mut rng, 2, 0);
            let asked = Instant::now();
            let outcome = turn.attempt(&server.base).await;
            world.fault(row, what);
            world.expect(outcome.code() == "LLM_UNAVAILABLE", || format!("{what}: {outcome:?}"));
            // The circuit is open by then.
            let limit = if nth < 5 {
                Duration::from_secs(30)
            } else {
                Duration::from_secs(5)
            };
            world.expect(asked.elapsed() < limit, || {
                format!("{what}: turn {nth} took {:?}", asked.elapsed())
            });
            turn.finish_later();
        }
    }
}
