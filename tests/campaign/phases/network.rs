//! F45: a network that is far away, jittery and lossy, between client, app, database and model.

use crate::driver::Turn;
use crate::model::Script;
use crate::outcome::{Outcome, codes, done_and_refused};
use crate::proxy::{Proxy, Target};
use crate::rng::Rng;
use crate::server::Server;
use crate::tools::{Namespace, tool};
use crate::world::World;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub async fn run(world: &Arc<World>) {
    far_away(world).await;
    if world.full {
        lossy(world).await;
    }
}

/// So long on every piece, and a second where one is lost, in the proxies. Slower, and right.
async fn far_away(world: &Arc<World>) {
    let (latency, jitter) = if world.full { (200, 100) } else { (50, 25) };
    // A second lost is none of the model's faults.
    let server = match Server::start(&world.start().with("LLM_TIMEOUT_SECONDS", "10")).await {
        Ok(server) => server,
        Err(error) => return world.violation(format!("over a bad network: {error}")),
    };
    world.enlist(&server);
    let address = server.address().parse().expect("an address");
    let to_app = Proxy::start(Target::Tcp(address)).await;
    let base = format!("http://127.0.0.1:{}", to_app.port);
    // The pool has its connections before the network gets bad, as it has in an ordinary hour.
    let mut rng = Rng::of(world.seed, "near", 0);
    talk(world, &base, &mut rng, 8)
        .await
        .into_iter()
        .for_each(Turn::finish_later);
    for round in 0..if world.full { 10 } else { 1 } {
        if world.time_is_up() {
            break;
        }
        let mut rng = Rng::of(world.seed, "far", round);
        let proxies = [&to_app, &world.to_database, &world.to_model];
        for (nth, proxy) in (0..).zip(proxies) {
            proxy.far(
                Duration::from_millis(latency),
                Duration::from_millis(jitter),
                Rng::of(world.seed, "far, pieces", 10 * round + nth),
            );
        }
        let count = if world.full { 8 } else { 2 };
        let turns = talk(world, &base, &mut rng, count).await;
        world.faults(
            "F45",
            &format!("turn over {latency} ms ± {jitter}, with 2 % late by a second, to client, database and model"),
            count,
        );
        // Whoever was told to come again is answered over the same network.
        let done = turns[0].finish(Duration::from_secs(60)).await;
        world.expect(done, || "over a bad network a turn was not done".into());
        proxies.iter().for_each(|proxy| proxy.calm());
        turns.into_iter().for_each(Turn::finish_later);
    }
    world.strike(&server);
}

/// Turns at once; each is done, or was told to come again.
async fn talk(world: &Arc<World>, base: &str, rng: &mut Rng, count: u64) -> Vec<Turn> {
    let begun = Instant::now();
    let turns: Vec<Turn> = (0..count)
        .map(|_| Turn::with_value(world, world.take_plan(), rng, 4, 20).asking_again())
        .collect();
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(base))).await;
    let (done, refused) = done_and_refused(&outcomes);
    println!(
        "  of {count} turns {done} were done and {refused} refused within {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    world.expect(done + refused == outcomes.len(), || {
        format!("over a bad network: {}", codes(&outcomes))
    });
    turns
}

/// The real thing: the app in a network of its own, with delay, loss and reordering on both ends of the wire.
async fn lossy(world: &Arc<World>) {
    let Some(space) = Namespace::open().await else {
        return world.leave_out("F45", "loss and reordering need root, ip and tc with netem");
    };
    let to_database = Proxy::start_at(Namespace::OUTSIDE, Target::Unix(world.postgres.socket())).await;
    let to_model = Proxy::start_at(Namespace::OUTSIDE, Target::Tcp(world.model.address)).await;
    let outside = |text: &str, usual: u16, port: u16| {
        text.replace(&format!("127.0.0.1:{usual}"), &format!("{}:{port}", Namespace::OUTSIDE))
    };
    let url = world.database_url(crate::world::DATABASE);
    let start = world
        .start()
        .with("DATABASE_URL", outside(&url, world.to_database.port, to_database.port))
        .with(
            "LLM_BASE_URL",
            format!("http://{}:{}/v1", Namespace::OUTSIDE, to_model.port),
        )
        .with("LLM_ALLOW_INSECURE_HTTP", "true")
        .with("LLM_TIMEOUT_SECONDS", "10")
        // The cookie of the others, who are on this machine.
        .with("SESSION_SECURE_COOKIE", "off")
        .with("BIND_ADDR", format!("{}:0", Namespace::INSIDE))
        .by(&[&tool("ip").unwrap_or_default(), "netns", "exec", &space.name]);
    let server = match Server::start(&start).await {
        Ok(server) => server,
        Err(error) => return world.violation(format!("in a network of its own: {error}")),
    };
    world.enlist(&server);
    if !space.degrade("delay 100ms 50ms distribution normal loss 2% reorder 5% 50%") {
        world.strike(&server);
        return world.leave_out("F45", "the kernel has no netem");
    }
    let mut rng = Rng::of(world.seed, "lossy", 0);
    let mut turns = Vec::new();
    for _ in 0..6 {
        turns.extend(talk(world, &server.base, &mut rng, 6).await);
        world.faults("F45", "turn over 200 ms ± 100 with 2 % lost and some reordered", 6);
    }
    // A long answer crosses many losses.
    let long = Script {
        text: "a long answer. ".repeat(3_000),
        pieces: 150,
        pause: 20,
        ..Script::default()
    };
    let turn = Turn::new(world, world.take_plan(), &mut rng, "Tell me everything.", long);
    let outcome = turn.attempt(&server.base).await;
    world.fault("F45", "long answer over a lossy network");
    world.expect(
        matches!(outcome, Outcome::Done(_) | Outcome::Refused { status: 503, .. }),
        || format!("a long answer over a lossy network: {outcome:?}"),
    );
    turns.push(turn);
    world.strike(&server);
    drop(server);
    let fallback = world.serve().await;
    for turn in &turns {
        let done = turn.finish(Duration::from_secs(60)).await;
        world.expect(done, || "behind a lossy network a turn was not done".into());
    }
    world.strike(&fallback);
}
