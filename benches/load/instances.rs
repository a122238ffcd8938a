//! Two instances on one database: what they cost against one, and what a reader on the other instance costs.

use crate::burst::Crowd;
use crate::cells::{Cells, Figures};
use crate::client::{Connection, OURS};
use crate::paced;
use crate::stage::Stage;
use crate::stats::median;
use crate::table::{Row, Table};
use crate::target::{Target, Who};
use crate::upstream::Script;
use anyhow::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Connections to the database, of all instances together: a database is sized for their sum.
const CONNECTIONS: usize = 10;

/// Turns that are read on the other instance.
const STREAMS: usize = 100;

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let mut ratios = Vec::new();
    let mut cells = [Cells::default(), Cells::default()];
    for rep in 0..=stage.options.reps {
        // In turn, so that neither is always the first.
        let mut cost = [0.0; 2];
        for count in if rep % 2 == 0 { [1, 2] } else { [2, 1] } {
            eprintln!("  bursts through {count}");
            let figures = bursts(stage, table, count).await?;
            cost[count - 1] = figures.iter().filter_map(|(_, value)| *value).sum();
            cells[count - 1].put("burst", Who::Ours, figures);
        }
        ratios.push(cost[1] / cost[0]);
    }
    for (place, cells) in cells.iter().enumerate() {
        for measure in ["servers", "PostgreSQL"] {
            let name = format!(
                "bursts through {}: CPU of 1,000 turns, {measure}",
                ["one instance", "two instances"][place]
            );
            table.add(Row::empty(name, "s").with(Who::Ours, cells.get("burst", measure, Who::Ours)));
        }
    }
    let name = "bursts through two instances: CPU with PostgreSQL's over that through one";
    table.add(Row::new(name, median(ratios), "×"));
    readers(stage, table).await
}

/// CPU seconds of 1,000 turns through so many instances, on one CPU together.
async fn bursts(stage: &Arc<Stage>, table: &mut Table, count: usize) -> Result<Figures> {
    stage.rewind(Who::Ours).await?;
    let instances = start(stage, count).await?;
    let addresses: Vec<_> = instances.iter().map(|target| target.address).collect();
    let crowd = Crowd::gather(stage, Who::Ours, &addresses, Script::burst(200));
    sleep(Duration::from_secs(2)).await;
    let moment = || (crowd.turns(), cpu(&instances), stage.postgres_cpu().unwrap_or_default());
    let before = moment();
    sleep(Duration::from_secs(if stage.options.quick { 3 } else { 8 })).await;
    let after = moment();
    crowd.disperse(table).await?;
    stop(instances).await?;
    let turns = (after.0 - before.0).max(1) as f64;
    let per_thousand = |spent: Duration| Some(spent.as_secs_f64() * 1_000.0 / turns);
    Ok(vec![
        ("servers", per_thousand(after.1.saturating_sub(before.1))),
        ("PostgreSQL", per_thousand(after.2.saturating_sub(before.2))),
    ])
}

async fn start(stage: &Stage, count: usize) -> Result<Vec<Target>> {
    let mut instances = Vec::new();
    let share = format!("DATABASE_POOL_SIZE={}", CONNECTIONS / count);
    for _ in 0..count {
        instances.push(Target::start_under(stage, Who::Ours, &["env", &share]).await?);
    }
    Ok(instances)
}

fn cpu(targets: &[Target]) -> Duration {
    targets.iter().map(Target::cpu).sum()
}

async fn stop(targets: Vec<Target>) -> Result<()> {
    for target in targets {
        target.stop().await?;
    }
    Ok(())
}

/// The difference between readers who attach to the instance that runs their turn and readers who attach to the other one.
async fn readers(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let mut cost = [Vec::new(), Vec::new()];
    for rep in 0..stage.options.reps.max(2) {
        for reader in if rep % 2 == 0 { [0, 1] } else { [1, 0] } {
            eprintln!("  readers on instance {}", reader + 1);
            cost[reader].push(attached(stage, table, reader).await?);
        }
    }
    let [near, far] = cost;
    for (place, name) in ["servers", "PostgreSQL"].into_iter().enumerate() {
        let of = |runs: &[[f64; 2]]| median(runs.iter().map(|run| run[place]).collect());
        let extra = of(&far).zip(of(&near)).map(|(far, near)| far - near);
        let name = |where_: &str| format!("{STREAMS} streams read on {where_} instance: CPU of a token, {name}");
        table.add(Row::new(name("their own"), of(&near), "µs"));
        table.add(Row::new(name("the other"), of(&far), "µs"));
        table.add(Row::new(name("the other"), extra, "µs more"));
    }
    Ok(())
}

/// Microseconds of the servers' and of PostgreSQL's CPU per token.
async fn attached(stage: &Arc<Stage>, table: &mut Table, reader: usize) -> Result<[f64; 2]> {
    let tokens = if stage.options.quick { 100 } else { 300 };
    stage.rewind(Who::Ours).await?;
    stage.upstream.follow(paced::script(tokens));
    let both = start(stage, 2).await?;
    let (asks, reads) = (both[0].address, both[reader].address);
    let before = (cpu(&both), stage.postgres_cpu().unwrap_or_default());
    let mut streams = JoinSet::new();
    for number in 0..STREAMS {
        let questions = (stage.question(number), stage.attach(number));
        streams.spawn(async move {
            // Spread over the time between two tokens, as in `paced`.
            sleep(paced::PACE.mul_f64(number as f64 / STREAMS as f64)).await;
            one(asks, reads, questions, tokens).await
        });
    }
    let mut errors = Vec::new();
    while let Some(result) = streams.join_next().await {
        errors.extend(result?.err().map(|error| format!("a reader who attaches: {error:#}")));
    }
    table.failed(&errors);
    let after = (cpu(&both), stage.postgres_cpu().unwrap_or_default());
    stop(both).await?;
    let per_token = |spent: Duration| spent.as_secs_f64() * 1e6 / (STREAMS * tokens) as f64;
    Ok([
        per_token(after.0.saturating_sub(before.0)),
        per_token(after.1.saturating_sub(before.1)),
    ])
}

/// Asks on one instance, leaves after the first token and reads the whole answer on another.
async fn one(asks: SocketAddr, reads: SocketAddr, questions: (Vec<u8>, Vec<u8>), tokens: usize) -> Result<()> {
    let asked = Connection::open(asks).await?;
    drop(asked.until_first_token(&questions.0, OURS).await?);
    let mut reading = Connection::open(reads).await?;
    reading.turn(&questions.1, OURS, tokens, |_, _| {}).await?;
    Ok(())
}
