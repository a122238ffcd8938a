//! F20 to F36: plays every fault of the provider, then retries the turn with a correct answer.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::kinds::{Expect, Fault, Kind};
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use futures_util::StreamExt;
use futures_util::future::ready;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub async fn run(fixture: &Arc<Fixture>) {
    let rounds = if fixture.full { 25 } else { 1 };
    let servers = [
        fixture.serve().await,
        fixture.serve().await,
        fixture.serve().await,
        fixture.serve().await,
    ];
    let cases: Vec<_> = (0..rounds)
        .flat_map(|round| Kind::ALL.iter().map(move |kind| (round, *kind)))
        .collect();
    let count = cases.len();
    futures_util::stream::iter(cases.into_iter().enumerate())
        .take_while(|_| ready(!fixture.time_is_up()))
        .map(|(nth, (round, kind))| {
            let base = servers[nth % 4].base.clone();
            async move { play(fixture, &base, round, kind).await }
        })
        .buffer_unordered(12)
        .collect::<Vec<()>>()
        .await;
    unreachable_models(fixture).await;
    println!("  {count} faults of {} kinds", Kind::ALL.len());
    fixture.expect(fixture.model.canary_hits() == 0, || "a redirect was followed".into());
    for server in servers {
        fixture.unlist(&server);
    }
}

/// One fault with one seed.
async fn play(fixture: &Arc<Fixture>, base: &str, round: u64, kind: Kind) {
    let fault = kind.fault();
    let mut rng = Rng::of(fixture.seed, fault.name, round);
    let plan = fixture.take_plan();
    let words = if matches!(fault.row, "F32" | "F35") {
        "My rent is $4,100 a month."
    } else {
        "What should I think about next?"
    };
    let pieces = usize::try_from(rng.between(2, 9)).unwrap_or(2);
    let turn = Turn::new(
        fixture,
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
    // Consecutive failures open the circuit, and then the model is not called: not the outcome under test.
    let mut tries = 0;
    while fixture.model.calls(&turn.reference) == 0 && tries < 60 {
        well(fixture, base, &mut rng).await;
        sleep(Duration::from_millis(250)).await;
        outcome = turn.attempt(base).await;
        tries += 1;
    }
    fixture.fault(fault.row, fault.name);
    if let Err(wrong) = judge(&fault, &outcome) {
        fixture.violation(format!("{} {}: {wrong}: {outcome:?}", fault.row, fault.name));
    }
    fixture.expect(asked.elapsed() < Duration::from_secs(60), || {
        format!("{} took {:?}", fault.name, asked.elapsed())
    });
    fixture.model.heal(&turn.reference);
    well(fixture, base, &mut rng).await;
    turn.finish_later();
}

/// A successful turn, so that failures are not consecutive.
async fn well(fixture: &Arc<Fixture>, base: &str, rng: &mut Rng) {
    let turn = Turn::with_value(fixture, fixture.take_plan(), rng, 2, 0);
    turn.attempt(base).await;
    turn.finish_later();
}

fn judge(fault: &Fault, outcome: &Outcome) -> Result<(), &'static str> {
    let applied = |done: &Value| {
        done["extractedValues"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|value| value["applied"] == true)
    };
    match (fault.expect, outcome) {
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

/// F20, F21: connection refused, unknown name, no TLS.
async fn unreachable_models(fixture: &Arc<Fixture>) {
    let tls = format!("https://127.0.0.1:{}/v1", fixture.model.address.port());
    let cases = [
        ("F20", "port is closed", "http://127.0.0.1:9/v1"),
        ("F20", "name is unknown", "http://nobody.invalid/v1"),
        ("F21", "no TLS where it is expected", tls.as_str()),
    ];
    for (row, what, url) in cases {
        let start = fixture
            .start()
            .with("LLM_BASE_URL", url)
            .with("LLM_ALLOW_INSECURE_HTTP", "true");
        let server = match Server::start(&start).await {
            Ok(server) => server,
            Err(error) => {
                fixture.violation(format!("{what}: {error}"));
                continue;
            }
        };
        let mut rng = Rng::of(fixture.seed, what, 0);
        for nth in 0..8 {
            let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 2, 0);
            let asked = Instant::now();
            let outcome = turn.attempt(&server.base).await;
            fixture.fault(row, what);
            fixture.expect(outcome.code() == "LLM_UNAVAILABLE", || format!("{what}: {outcome:?}"));
            // The circuit is open after this.
            let limit = if nth < 5 {
                Duration::from_secs(30)
            } else {
                Duration::from_secs(5)
            };
            fixture.expect(asked.elapsed() < limit, || {
                format!("{what}: turn {nth} took {:?}", asked.elapsed())
            });
            turn.finish_later();
        }
    }
}
