//! A single turn: latency, database round trips, WAL.

use crate::client::{Connection, Heard, OURS};
use crate::server::{self, Server};
use crate::stage::Stage;
use crate::stats::{Samples, median};
use crate::table::{Row, Table};
use crate::target::{Target, Who};
use crate::upstream::Script;
use crate::wire::{Counts, Wire};
use anyhow::{Result, ensure};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::sleep;

const WARM_UP: usize = 20;
/// Turns of each franchisee before the next one follows.
const STAYS: usize = 10;
/// After this time without database requests the turn has ended there too.
const QUIET: Duration = Duration::from_millis(30);

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    stage.rewind(Who::Ours).await?;
    stage.upstream.follow(Script::burst(1));
    alone(stage, table).await?;
    stage.rewind(Who::Ours).await?;
    trips(stage, table).await
}

async fn one(stage: &Stage, connection: &mut Connection, plan: usize, tokens: usize) -> Result<Heard> {
    connection.turn(&stage.question(plan), OURS, tokens, |_, _| {}).await
}

async fn alone(stage: &Stage, table: &mut Table) -> Result<()> {
    let turns = if stage.options.quick { 50 } else { 300 };
    let server = Target::start(stage, Who::Ours).await?;
    let mut connection = Connection::open(server.address).await?;
    for turn in 0..WARM_UP {
        one(stage, &mut connection, turn / STAYS, 1).await?;
    }
    let (mut times, mut first_bytes, mut writes) = (Samples::default(), Samples::default(), Vec::new());
    for turn in WARM_UP..WARM_UP + turns {
        let before = stage.wal().await?;
        let heard = one(stage, &mut connection, turn / STAYS, 1).await?;
        writes.push(stage.wal().await? - before);
        times.push(heard.ended - heard.sent);
        first_bytes.push(heard.first_byte - heard.sent);
    }
    server.stop().await?;
    let (times, first_bytes) = (times.sorted(), first_bytes.sorted());
    table.add(Row::new(
        "a turn alone, one token: first byte p50",
        first_bytes.ms(0.5),
        "ms",
    ));
    table.add(Row::new("a turn alone, one token: whole turn p50", times.ms(0.5), "ms"));
    table.add(Row::new(
        "a turn alone, one token: whole turn p99",
        times.ms(0.99),
        "ms",
    ));
    table.add(Row::new("a turn: write-ahead log, median", median(writes), "bytes"));
    Ok(())
}

/// The database requests of one turn.
struct Asked {
    before_model: Counts,
    whole: Counts,
}

/// plan-advisor with a proxy before its database.
async fn behind(stage: &Stage, database: &str) -> Result<Server> {
    let (binary, address) = (stage.options.server.to_string_lossy(), server::free()?);
    let mut command = server::command(&[&*binary, "serve", "--migrate"], stage.cores)?;
    server::settings(&mut command, database, stage.upstream.address, address);
    Server::start(command, address).await
}

async fn trips(stage: &Stage, table: &mut Table) -> Result<()> {
    let wire = Wire::default();
    let database = wire.start(&stage.database).await?;
    let server = behind(stage, &database).await?;
    let mut connection = Connection::open(server.address).await?;
    let at_model = Arc::new(Mutex::new(Counts::default()));
    let (seen, counted) = (Arc::clone(&at_model), wire.clone());
    stage.upstream.on_request(Some(Box::new(move || {
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = counted.counts();
    })));
    let turns = if stage.options.quick { 21 } else { 51 };
    let mut all = Vec::new();
    for turn in 0..WARM_UP + turns {
        let before = quiet(&wire).await?;
        wire.take_lines();
        one(stage, &mut connection, turn / STAYS, 1).await?;
        let after = quiet(&wire).await?;
        let model = *at_model.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Asked {
            before_model: since(model, before),
            whole: since(after, before),
        });
    }
    if stage.options.trace {
        println!("{}\n", wire.take_lines().join("\n"));
    }
    stage.upstream.on_request(None);
    server.stop().await?;
    // Maintenance adds requests now and then, so the median of many turns is used.
    let middle = |count: fn(&Asked) -> usize| median(all[WARM_UP..].iter().map(|asked| count(asked) as f64).collect());
    table.add(Row::new(
        "a turn: round trips to the database",
        middle(|asked| asked.whole.trips),
        "",
    ));
    table.add(Row::new(
        "a turn: of these before the model is asked",
        middle(|asked| asked.before_model.trips),
        "",
    ));
    table.add(Row::new(
        "a turn: statements",
        middle(|asked| asked.whole.statements),
        "",
    ));
    table.add(Row::new(
        "a turn: prepared anew",
        middle(|asked| asked.whole.prepared),
        "",
    ));
    table.add(Row::new(
        "a turn: commits that wait for the disk",
        middle(|asked| asked.whole.flushes),
        "",
    ));
    table.add(Row::new(
        "a turn: of these before the model is asked",
        middle(|asked| asked.before_model.flushes),
        "",
    ));
    Ok(())
}

fn since(after: Counts, before: Counts) -> Counts {
    Counts {
        trips: after.trips.saturating_sub(before.trips),
        statements: after.statements.saturating_sub(before.statements),
        flushes: after.flushes.saturating_sub(before.flushes),
        prepared: after.prepared.saturating_sub(before.prepared),
        outstanding: 0,
    }
}

async fn quiet(wire: &Wire) -> Result<Counts> {
    let begun = Instant::now();
    let mut last = wire.counts();
    let mut since = Instant::now();
    while last.outstanding > 0 || since.elapsed() < QUIET {
        ensure!(begun.elapsed() < Duration::from_secs(10), "the database is never quiet");
        sleep(Duration::from_millis(2)).await;
        let now = wire.counts();
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    Ok(last)
}
