//! F57: nobody reads the log. Its pipe is full, and no request, panic or end waits for it.

use crate::driver::Turn;
use crate::outcome::{codes, done_and_refused};
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
use futures_util::future::join_all;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Requests that say more than a pipe and the app's queue hold.
const ENOUGH: u64 = 6_000;

pub async fn run(world: &Arc<World>) {
    let fallback = world.serve().await;
    let start = world
        .start()
        .with("RUST_LOG", "trace")
        .with("FAILPOINTS", "commit.locked=1*panic")
        .unread();
    let mut server = match Server::start(&start).await {
        Ok(server) => server,
        Err(error) => return world.violation(format!("with a log that nobody reads: {error}")),
    };
    if world.full {
        fill(world, &server.base).await;
    }
    let mut rng = Rng::of(world.seed, "logs", 0);
    let count = if world.full { 100 } else { 8 };
    let turns: Vec<Turn> = (0..count)
        .map(|_| Turn::with_value(world, world.take_plan(), &mut rng, 4, 10))
        .collect();
    // One of them meets the panic.
    turns
        .iter()
        .for_each(|turn| turn.our_fault.store(true, Ordering::Relaxed));
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(&server.base))).await;
    turns
        .iter()
        .for_each(|turn| turn.our_fault.store(false, Ordering::Relaxed));
    world.faults("F57", "turn while nobody reads the log", count);
    world.fault("F57", "panic while nobody reads the log");
    // So many at once, each with its lines at TRACE, may wait too long for a connection.
    let (done, refused) = done_and_refused(&outcomes);
    println!("  of {count} turns {done} were done and {refused} refused");
    world.expect(done > 0 && done + refused + 1 >= outcomes.len(), || {
        format!("nobody read the log: {}", codes(&outcomes))
    });
    let dropped = dropped_lines(world, &server.base).await;
    println!("  {dropped} lines were dropped");
    world.expect(dropped > 0 || !world.full, || "no dropped line was counted".into());
    server.signal("TERM");
    let status = server.ended(Duration::from_secs(10)).await;
    world.expect(status.is_some_and(|status| status.success()), || {
        format!("while nobody read the log SIGTERM ended in {status:?}")
    });
    turns.into_iter().for_each(Turn::finish_later);
    world.strike(&fallback);
}

/// Asks until more was logged than fits anywhere. Every answer comes soon.
async fn fill(world: &World, base: &str) {
    let mut slowest = Duration::ZERO;
    for _ in 0..ENOUGH {
        let asked = Instant::now();
        let (status, _) = world.get(base, "/api/auth/me").await;
        slowest = slowest.max(asked.elapsed());
        if status != 200 {
            return world.violation(format!("while the log's pipe filled a request came to {status}"));
        }
        if dropped_lines(world, base).await > 0 {
            break;
        }
    }
    world.expect(slowest < Duration::from_secs(3), || {
        format!("a request waited {slowest:?} for the log")
    });
}

async fn dropped_lines(world: &World, base: &str) -> u64 {
    let Ok(response) = world.http.get(format!("{base}/metrics")).send().await else {
        return 0;
    };
    let text = response.text().await.unwrap_or_default();
    let line = text
        .lines()
        .find(|line| line.starts_with("plan_advisor_log_lines_dropped_total "));
    line.and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0)
}
