//! Start time and memory: idle, per open stream, and after the readers have disconnected.

use crate::cells::{Cells, Figures};
use crate::client::Connection;
use crate::goals::row;
use crate::process;
use crate::server::Server;
use crate::stage::Stage;
use crate::table::{Bound::Value, Row, Table};
use crate::target::{Target, Who};
use crate::upstream::Script;
use anyhow::{Result, ensure};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Number of streams opened concurrently.
pub const AT_ONCE: usize = 48;
/// File descriptors besides those of the streams.
const SPARE_FILES: usize = 200;
/// Memory is read after this time without changes.
const SETTLE: Duration = Duration::from_secs(3);
const WITHIN: Duration = Duration::from_secs(180);
/// Time between the ends of held answers: 125 per second, which the database can store without a queue.
const APART: Duration = Duration::from_millis(8);
const COUNTS: [(usize, &str); 2] = [
    (1_000, "each of 1,000 open streams"),
    (5_000, "each of 5,000 open streams"),
];

pub async fn start(stage: &Stage, table: &mut Table) -> Result<()> {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let target = Target::start(stage, Who::Ours).await?;
        best = best.min(target.server.as_ref().map_or(best, |server| server.started_in));
        target.stop().await?;
    }
    table.add(Row::new("start to first answer, best of 3", best.as_secs_f64(), "s"));
    Ok(())
}

/// The most streams that file descriptors suffice for: the bench and the server have two sockets for each.
pub fn most_streams(wanted: usize) -> usize {
    let most = process::file_limit().saturating_sub(SPARE_FILES) / 2;
    if most < wanted {
        let needed = wanted * 2 + SPARE_FILES;
        eprintln!("  {wanted} streams need `ulimit -n {needed}`: the most that fits is {most}");
    }
    wanted.min(most)
}

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let mut cells = Cells::default();
    for who in stage.options.peers.iter().copied().chain([Who::Ours]) {
        eprintln!("  {}", who.name());
        stage.rewind(who).await?;
        let target = Target::start(stage, who).await?;
        let figures = hold(stage, table, &target).await?;
        target.stop().await?;
        cells.put("memory", who, figures);
    }
    let row = |measure: &'static str, unit| {
        row(format!("memory: {measure}"), unit, |who| {
            cells.get("memory", measure, who)
        })
    };
    table.add(row("idle", "MiB").bounds(&[Value(32.0)], &[Value(24.0)]).short());
    table.add(row(COUNTS[0].1, "KiB"));
    table.add(row(COUNTS[1].1, "KiB"));
    table.add(row("streams refused", "").bounds(&[Value(0.0)], &[Value(0.0)]));
    table.add(row("all streams opened after", "s"));
    let open = row("all streams open", "MiB");
    table.add(open.bounds(&[Value(500.0)], &[Value(350.0)]));
    table.add(row("readers gone, their sockets free after", "s"));
    table.add(row("readers gone, turns running", "MiB"));
    table.add(row("3 s after the last turn", "MiB"));
    table.add(row("3 s after the last turn, share of that held", ""));
    Ok(())
}

/// Opens streams and holds them, hangs up, and lets the turns end.
async fn hold(stage: &Arc<Stage>, table: &mut Table, target: &Target) -> Result<Figures> {
    let resident = || target.server.as_ref().map_or(f64::NAN, Server::resident);
    stage.upstream.follow(Script {
        hold_after: Some(1),
        ..Script::burst(40)
    });
    let since = stage.clock().await?;
    sleep(SETTLE).await;
    let idle = resident();
    let mut figures: Figures = vec![("idle", Some(idle / 1024.0))];
    let (mut open, mut refused, mut opening) = (Vec::new(), 0, Duration::ZERO);
    for (count, name) in COUNTS {
        if count > stage.plan_count() || most_streams(count) < count {
            continue;
        }
        let begun = Instant::now();
        let errors = open_until(stage, target, &mut open, count).await?;
        opening += begun.elapsed();
        refused += errors.len();
        table.failed(&errors);
        sleep(SETTLE).await;
        figures.push((name, Some((resident() - idle) / open.len().max(1) as f64)));
    }
    let held = resident();
    figures.push(("streams refused", Some(refused as f64)));
    figures.push(("all streams opened after", Some(opening.as_secs_f64())));
    figures.push(("all streams open", Some(held / 1024.0)));
    let freed = hang_up(target, open).await?;
    figures.push(("readers gone, their sockets free after", Some(freed.as_secs_f64())));
    sleep(SETTLE).await;
    figures.push(("readers gone, turns running", Some(resident() / 1024.0)));
    stage.upstream.release(APART);
    until(async || Ok(stage.upstream.open() == 0)).await?;
    if target.who == Who::Ours {
        stored(stage, table, since).await?;
    }
    sleep(SETTLE).await;
    figures.push(("3 s after the last turn", Some(resident() / 1024.0)));
    figures.push(("3 s after the last turn, share of that held", Some(resident() / held)));
    Ok(figures)
}

/// Returns what went wrong.
async fn open_until(
    stage: &Arc<Stage>,
    target: &Target,
    open: &mut Vec<TcpStream>,
    count: usize,
) -> Result<Vec<String>> {
    let mut opening = JoinSet::new();
    let mut errors = Vec::new();
    let mut next = open.len();
    while next < count || !opening.is_empty() {
        if next < count && opening.len() < AT_ONCE {
            let (address, question) = (target.address, target.who.question(stage, next, None));
            let dialect = target.who.dialect(false);
            opening.spawn(async move {
                let connection = Connection::open(address).await?;
                connection.until_first_token(&question, dialect).await
            });
            next += 1;
        } else if let Some(result) = opening.join_next().await {
            match result? {
                Ok(socket) => open.push(socket),
                Err(error) => errors.push(format!("{error:#}")),
            }
        }
    }
    Ok(errors)
}

/// Readers disconnect. In plan-advisor their turns go on until the model has finished.
async fn hang_up(target: &Target, open: Vec<TcpStream>) -> Result<Duration> {
    let files = || {
        let pid = target.server.as_ref().map(|server| server.pid);
        pid.and_then(process::open_files).unwrap_or(0)
    };
    let (count, before) = (open.len(), files());
    let begun = Instant::now();
    drop(open);
    // Each open stream has one socket to the reader and one to the model.
    until(async || Ok(files() + count <= before)).await?;
    Ok(begun.elapsed())
}

/// Every turn whose reader left is in the database.
async fn stored(stage: &Stage, table: &mut Table, since: f64) -> Result<()> {
    until(async || Ok(stage.turns("running", since).await? == 0)).await?;
    let (all, stored) = (stage.turns("%", since).await?, stage.turns("completed", since).await?);
    table.add(Row::new(
        format!("of {all} turns whose readers left, stored"),
        stored as f64,
        "",
    ));
    if stored < all {
        table.failed(&[format!("{} turns without a reader were not completed", all - stored)]);
    }
    Ok(())
}

pub async fn until(mut done: impl AsyncFnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + WITHIN;
    while !done().await? {
        ensure!(Instant::now() < deadline, "waited {WITHIN:?} in vain");
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
