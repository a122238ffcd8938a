//! Ten thousand open streams on one instance, whose turns all end in one moment.

use crate::client::{Connection, OURS};
use crate::memory::{AT_ONCE, most_streams, until};
use crate::process;
use crate::stage::Stage;
use crate::table::{Row, Table};
use crate::target::{Target, Who};
use crate::upstream::Script;
use anyhow::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const WANTED: usize = 10_000;
/// One before the streams are held, the others in the moment of their end.
const TOKENS: usize = 30;

/// How many readers have had their first token, or failed before it.
#[derive(Default)]
struct Progress {
    begun: AtomicUsize,
    refused: AtomicUsize,
}

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let count = most_streams(WANTED.min(stage.plan_count()));
    stage.rewind(Who::Ours).await?;
    stage.upstream.follow(Script {
        hold_after: Some(1),
        ..Script::burst(TOKENS)
    });
    let target = Target::start(stage, Who::Ours).await?;
    let (since, begun) = (stage.clock().await?, Instant::now());
    let (progress, doors) = (Arc::new(Progress::default()), Arc::new(Semaphore::new(AT_ONCE)));
    let mut streams = JoinSet::new();
    for number in 0..count {
        let (progress, doors) = (Arc::clone(&progress), Arc::clone(&doors));
        streams.spawn(listen(target.address, stage.question(number), progress, doors));
    }
    let seen = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    until(async || Ok(seen(&progress.begun) + seen(&progress.refused) == count)).await?;
    let (opened_in, cpu) = (begun.elapsed(), target.cpu());
    let released = Instant::now();
    stage.upstream.release(Duration::ZERO);
    let mut errors = Vec::new();
    while let Some(one) = streams.join_next().await {
        errors.extend(one?.err().map(|error| format!("{error:#}")));
    }
    let (ended_in, cpu) = (released.elapsed(), target.cpu().saturating_sub(cpu));
    let stored = stage.turns("completed", since).await?;
    table.failed(&errors);
    let peak = target.server.as_ref().and_then(|server| process::peak(server.pid));
    target.stop().await?;

    let name = |what: &str| format!("{count} streams that end in one moment: {what}");
    let none = |what: &str, count: f64| Row::new(name(what), count, "").at_most(0.0, 0.0);
    table.add(none("refused", seen(&progress.refused) as f64));
    table.add(none("without their done", errors.len() as f64));
    table.add(none("turns not in the database", count as f64 - stored as f64).short());
    table.add(Row::new(name("open after"), opened_in.as_secs_f64(), "s"));
    table.add(Row::new(name("all ended after"), ended_in.as_secs_f64(), "s"));
    table.add(Row::new(name("CPU of their ends"), cpu.as_secs_f64(), "s"));
    table.add(Row::new(name("most memory"), peak.map(|peak| peak / 1024.0), "MiB"));
    Ok(())
}

/// One reader, from its message to its done.
async fn listen(address: SocketAddr, question: Vec<u8>, progress: Arc<Progress>, doors: Arc<Semaphore>) -> Result<()> {
    let mut door = Some(doors.acquire_owned().await?);
    let mut has_begun = false;
    let on_token = |_, _| {
        if !std::mem::replace(&mut has_begun, true) {
            progress.begun.fetch_add(1, Ordering::Relaxed);
            door.take();
        }
    };
    let result = async {
        let mut connection = Connection::open(address).await?;
        connection.turn(&question, OURS, TOKENS, on_token).await
    };
    let result = result.await;
    if !has_begun {
        progress.refused.fetch_add(1, Ordering::Relaxed);
    }
    result.map(|_| ())
}
