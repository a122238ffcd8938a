//! Start time and memory: idle, per open stream, and after the readers have disconnected.

use crate::client::Connection;
use crate::process;
use crate::server::Server;
use crate::stage::Stage;
use crate::table::{Row, Table};
use crate::upstream::Script;
use anyhow::{Result, ensure};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Number of streams opened concurrently.
const AT_ONCE: usize = 48;
/// File descriptors besides those of the streams.
const SPARE_FILES: usize = 200;
/// Memory is read after this time without changes.
const SETTLE: Duration = Duration::from_secs(3);
const WITHIN: Duration = Duration::from_secs(120);

pub async fn start(stage: &Stage, table: &mut Table) -> Result<()> {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let server = stage.serve().await?;
        best = best.min(server.started_in);
        server.stop().await?;
    }
    table.add(Row::new("start to first answer, best of 3", best.as_secs_f64(), "s").at_most(0.2, 0.1));
    Ok(())
}

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let most = process::file_limit().saturating_sub(SPARE_FILES) / 2;
    stage.rewind().await?;
    stage.sql.execute("DELETE FROM prompts", &[]).await?;
    stage.upstream.follow(Script {
        hold_after: Some(1),
        ..Script::burst(40)
    });
    let server = stage.serve().await?;
    sleep(SETTLE).await;
    let idle = resident(&server);
    table.add(Row::new("memory, idle", idle / 1024.0, "MiB").at_most(14.0, 8.0));
    let mut open = Vec::new();
    for count in [100, 1_000, 5_000] {
        if count > stage.plan_count() {
            continue;
        }
        if count > most {
            eprintln!("  {count} streams need `ulimit -n {}`", count * 2 + SPARE_FILES);
            continue;
        }
        open_until(stage, table, &server, &mut open, count).await?;
        sleep(SETTLE).await;
        let each = (resident(&server) - idle) / count as f64;
        let row = Row::new(format!("memory, each of {count} open streams"), each, "KiB");
        table.add(if count == 5_000 { row.at_most(60.0, 42.0) } else { row });
    }
    let held = resident(&server);
    table.add(Row::new(
        format!("memory, {} streams open", open.len()),
        held / 1024.0,
        "MiB",
    ));
    hang_up(stage, table, &server, open, idle, held).await?;
    server.stop().await
}

fn resident(server: &Server) -> f64 {
    process::resident(server.pid).unwrap_or(f64::NAN)
}

async fn open_until(
    stage: &Arc<Stage>,
    table: &mut Table,
    server: &Server,
    open: &mut Vec<TcpStream>,
    count: usize,
) -> Result<()> {
    let mut opening = JoinSet::new();
    let mut errors = Vec::new();
    let mut next = open.len();
    while next < count || !opening.is_empty() {
        if next < count && opening.len() < AT_ONCE {
            let (address, question) = (server.address, stage.question(next));
            opening.spawn(async move { Connection::open(address).await?.until_first_token(&question).await });
            next += 1;
        } else if let Some(result) = opening.join_next().await {
            match result? {
                Ok(socket) => open.push(socket),
                Err(error) => errors.push(format!("{error:#}")),
            }
        }
    }
    table.failed(&errors);
    Ok(())
}

/// Readers disconnect; their turns go on until the model has finished.
async fn hang_up(
    stage: &Stage,
    table: &mut Table,
    server: &Server,
    open: Vec<TcpStream>,
    idle: f64,
    held: f64,
) -> Result<()> {
    let count = open.len();
    let open_turns = count_turns(stage, "running").await?;
    let files = process::open_files(server.pid).unwrap_or(0);
    let begun = Instant::now();
    drop(open);
    // Each open stream has one socket to the reader and one to the model.
    until(async || Ok(process::open_files(server.pid).unwrap_or(0) + count <= files)).await?;
    let freed = begun.elapsed().as_secs_f64();
    table.add(
        Row::new(
            format!("{count} readers hang up: their sockets are free after"),
            freed,
            "s",
        )
        .at_most(1.0, 0.3),
    );
    sleep(SETTLE).await;
    table.add(Row::new(
        "memory, readers gone, turns running",
        resident(server) / 1024.0,
        "MiB",
    ));
    stage.upstream.release();
    until(async || Ok(stage.upstream.open() == 0 && count_turns(stage, "running").await? == 0)).await?;
    let (stored, all) = (count_turns(stage, "completed").await?, open_turns);
    table.add(Row::new(
        format!("of {all} turns whose readers left, stored"),
        stored as f64,
        "",
    ));
    if stored < all {
        table.failed(&[format!("{} turns without a reader were not completed", all - stored)]);
    }
    sleep(SETTLE).await;
    let after = resident(server);
    let row = Row::new("memory, 3 s after the last turn", after / 1024.0, "MiB");
    table.add(row.at_most(held / 2.0 / 1024.0, idle / 1024.0 + 20.0));
    Ok(())
}

/// Number of turns in a state, of those started by this measurement.
async fn count_turns(stage: &Stage, state: &str) -> Result<i64> {
    let query = "SELECT count(*) FROM prompts WHERE state = $1";
    Ok(stage.sql.query_one(query, &[&state]).await?.get(0))
}

async fn until(mut done: impl AsyncFnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + WITHIN;
    while !done().await? {
        ensure!(Instant::now() < deadline, "waited {WITHIN:?} in vain");
        sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}
