//! F57: the log is not read. Its pipe is full, and no request, panic or shutdown waits for it.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::outcome::{codes, done_and_refused};
use crate::rng::Rng;
use crate::server::Server;
use futures_util::future::join_all;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Number of requests that log more than the pipe and the app's queue can hold.
const ENOUGH: u64 = 6_000;

pub async fn run(fixture: &Arc<Fixture>) {
    let fallback = fixture.serve().await;
    let start = fixture
        .start()
        .with("RUST_LOG", "trace")
        .with("FAILPOINTS", "commit.locked=1*panic")
        .unread();
    let mut server = match Server::start(&start).await {
        Ok(server) => server,
        Err(error) => return fixture.violation(format!("with a log that is not read: {error}")),
    };
    if fixture.full {
        fill(fixture, &server.base).await;
    }
    let mut rng = Rng::of(fixture.seed, "logs", 0);
    let count = if fixture.full { 100 } else { 8 };
    let turns: Vec<Turn> = (0..count)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), &mut rng, 4, 10))
        .collect();
    // One of them panics.
    turns
        .iter()
        .for_each(|turn| turn.our_fault.store(true, Ordering::Relaxed));
    let outcomes = join_all(turns.iter().map(|turn| turn.attempt(&server.base))).await;
    turns
        .iter()
        .for_each(|turn| turn.our_fault.store(false, Ordering::Relaxed));
    fixture.faults("F57", "turn with an unread log", count);
    fixture.fault("F57", "panic with an unread log");
    // With logging at TRACE some may time out waiting for a connection.
    let (done, refused) = done_and_refused(&outcomes);
    println!("  of {count} turns {done} were done and {refused} refused");
    fixture.expect(done > 0 && done + refused + 1 >= outcomes.len(), || {
        format!("with an unread log: {}", codes(&outcomes))
    });
    let dropped = dropped_lines(fixture, &server.base).await;
    println!("  {dropped} lines were dropped");
    fixture.expect(dropped > 0 || !fixture.full, || "no dropped line was counted".into());
    server.signal("TERM");
    let status = server.ended(Duration::from_secs(10)).await;
    fixture.expect(status.is_some_and(|status| status.success()), || {
        format!("while the log was not read SIGTERM ended in {status:?}")
    });
    turns.into_iter().for_each(Turn::finish_later);
    fixture.unlist(&fallback);
}

/// Sends requests until more was logged than the pipe and the queue hold. Every response must be fast.
async fn fill(fixture: &Fixture, base: &str) {
    let mut slowest = Duration::ZERO;
    for _ in 0..ENOUGH {
        let asked = Instant::now();
        let (status, _) = fixture.get(base, "/api/auth/me").await;
        slowest = slowest.max(asked.elapsed());
        if status != 200 {
            return fixture.violation(format!("while the log's pipe filled a request came to {status}"));
        }
        if dropped_lines(fixture, base).await > 0 {
            break;
        }
    }
    fixture.expect(slowest < Duration::from_secs(3), || {
        format!("a request waited {slowest:?} for the log")
    });
}

async fn dropped_lines(fixture: &Fixture, base: &str) -> u64 {
    let Ok(response) = fixture.http.get(format!("{base}/metrics")).send().await else {
        return 0;
    };
    let text = response.text().await.unwrap_or_default();
    let line = text
        .lines()
        .find(|line| line.starts_with("plan_advisor_log_lines_dropped_total "));
    line.and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0)
}
