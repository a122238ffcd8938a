//! F45: latency, jitter and loss between client, app, database and model.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::model::Script;
use crate::outcome::{Outcome, codes, done_and_refused};
use crate::proxy::{Proxy, Target};
use crate::rng::Rng;
use crate::server::Server;
use crate::tools::{Namespace, tool};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub async fn run(fixture: &Arc<Fixture>) {
    far_away(fixture).await;
    if fixture.full {
        lossy(fixture).await;
    }
}

/// Emulated in the proxies: a delay for every piece, and one second more for a lost one. Must be slower, but correct.
async fn far_away(fixture: &Arc<Fixture>) {
    let (latency, jitter) = if fixture.full { (200, 100) } else { (50, 25) };
    // With the short timeout of the other phases the delay would count as a fault of the model.
    let server = match Server::start(&fixture.start().with("LLM_TIMEOUT_SECONDS", "10")).await {
        Ok(server) => server,
        Err(error) => return fixture.violation(format!("over a bad network: {error}")),
    };
    fixture.enlist(&server);
    let address = server.address().parse().expect("an address");
    let to_app = Proxy::start(Target::Tcp(address)).await;
    let base = format!("http://127.0.0.1:{}", to_app.port);
    // The pool opens its connections before the network degrades, as in normal operation.
    let mut rng = Rng::of(fixture.seed, "near", 0);
    talk(fixture, &base, &mut rng, 8)
        .await
        .into_iter()
        .for_each(Turn::finish_later);
    for round in 0..if fixture.full { 10 } else { 1 } {
        if fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "far", round);
        let proxies = [&to_app, &fixture.to_database, &fixture.to_model];
        for (nth, proxy) in (0..).zip(proxies) {
            proxy.far(
                Duration::from_millis(latency),
                Duration::from_millis(jitter),
                Rng::of(fixture.seed, "far, pieces", 10 * round + nth),
            );
        }
        let count = if fixture.full { 8 } else { 2 };
        let turns = talk(fixture, &base, &mut rng, count).await;
        fixture.faults(
            "F45",
            &format!("turn over {latency} ms ± {jitter}, with 2 % late by a second, to client, database and model"),
            count,
        );
        // Refused turns are retried over the same network.
        let done = turns[0].finish(Duration::from_secs(60)).await;
        fixture.expect(done, || "over a bad network a turn was not done".into());
        proxies.iter().for_each(|proxy| proxy.clear());
        turns.into_iter().for_each(Turn::finish_later);
    }
    fixture.unlist(&server);
}

/// Concurrent turns; each completes or is refused with `Retry-After`.
async fn talk(fixture: &Arc<Fixture>, base: &str, rng: &mut Rng, count: u64) -> Vec<Turn> {
    let begun = Instant::now();
    let turns: Vec<Turn> = (0..count)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), rng, 4, 20).asking_again())
        .collect();
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(base))).await;
    let (done, refused) = done_and_refused(&outcomes);
    println!(
        "  of {count} turns {done} were done and {refused} refused within {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    fixture.expect(done + refused == outcomes.len(), || {
        format!("over a bad network: {}", codes(&outcomes))
    });
    turns
}

/// With netem: the app in its own network namespace, with delay, loss and reordering on both ends.
async fn lossy(fixture: &Arc<Fixture>) {
    let Some(space) = Namespace::open() else {
        return fixture.leave_out("F45", "loss and reordering need root, ip and tc with netem");
    };
    let to_database = Proxy::start_at(Namespace::OUTSIDE, Target::Unix(fixture.postgres.socket())).await;
    let to_model = Proxy::start_at(Namespace::OUTSIDE, Target::Tcp(fixture.model.address)).await;
    let outside = |text: &str, usual: u16, port: u16| {
        text.replace(&format!("127.0.0.1:{usual}"), &format!("{}:{port}", Namespace::OUTSIDE))
    };
    let url = fixture.database_url(crate::fixture::DATABASE);
    let start = fixture
        .start()
        .with(
            "DATABASE_URL",
            outside(&url, fixture.to_database.port, to_database.port),
        )
        .with(
            "LLM_BASE_URL",
            format!("http://{}:{}/v1", Namespace::OUTSIDE, to_model.port),
        )
        .with("LLM_ALLOW_INSECURE_HTTP", "true")
        .with("LLM_TIMEOUT_SECONDS", "10")
        // The cookie of the clients on this machine.
        .with("SESSION_SECURE_COOKIE", "off")
        .with("BIND_ADDR", format!("{}:0", Namespace::INSIDE))
        .by(&[&tool("ip").unwrap_or_default(), "netns", "exec", &space.name]);
    let server = match Server::start(&start).await {
        Ok(server) => server,
        Err(error) => return fixture.violation(format!("in a network of its own: {error}")),
    };
    fixture.enlist(&server);
    if !space.degrade("delay 100ms 50ms distribution normal loss 2% reorder 5% 50%") {
        fixture.unlist(&server);
        return fixture.leave_out("F45", "the kernel has no netem");
    }
    let mut rng = Rng::of(fixture.seed, "lossy", 0);
    let mut turns = Vec::new();
    for _ in 0..6 {
        turns.extend(talk(fixture, &server.base, &mut rng, 6).await);
        fixture.faults("F45", "turn over 200 ms ± 100 with 2 % lost and some reordered", 6);
    }
    // A long answer meets many losses.
    let long = Script {
        text: "a long answer. ".repeat(3_000),
        pieces: 150,
        pause: 20,
        ..Script::default()
    };
    let turn = Turn::new(fixture, fixture.take_plan(), &mut rng, "Tell me everything.", long);
    let outcome = turn.attempt(&server.base).await;
    fixture.fault("F45", "long answer over a lossy network");
    fixture.expect(
        matches!(outcome, Outcome::Done(_) | Outcome::Refused { status: 503, .. }),
        || format!("a long answer over a lossy network: {outcome:?}"),
    );
    turns.push(turn);
    fixture.unlist(&server);
    drop(server);
    let fallback = fixture.serve().await;
    for turn in &turns {
        let done = turn.finish(Duration::from_secs(60)).await;
        fixture.expect(done, || "behind a lossy network a turn was not done".into());
    }
    fixture.unlist(&fallback);
}
