//! Bursts: as many turns as possible, with a model that answers at once and 32 clients.

use crate::client::{OURS, OURS_APPLIED};
use crate::crowd::{Person, Tally};
use crate::server::Server;
use crate::stage::Stage;
use crate::stats::Samples;
use crate::table::{Row, Table};
use crate::upstream::Script;
use anyhow::Result;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;

const PEOPLE: usize = 32;

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let burst = run(stage, table, Script::burst(200)).await?;
    let name = |what: &str| format!("burst, 200 tokens, {PEOPLE} clients: {what}");
    table.add(Row::new(name("turns a second"), burst.turns_per_second, ""));
    table.add(Row::new(name("turn p50"), burst.p50, "ms"));
    table.add(Row::new(name("turn p99"), burst.p99, "ms"));
    table.add(Row::new(name("CPU of 1,000 turns"), burst.cpu, "s").at_most(2.0, 1.25));
    table.add(Row::new(name("turns per CPU second"), 1_000.0 / burst.cpu, "").at_least(485.0, 776.0));
    table.add(Row::new(name("PostgreSQL's CPU of 1,000"), burst.postgres, "s").at_most(1.5, 0.75));
    with_tool(stage, table).await?;
    let short = run(stage, table, Script::burst(1)).await?;
    let name = |what: &str| format!("one token, {PEOPLE} clients: {what}");
    table.add(Row::new(name("turns a second"), short.turns_per_second, ""));
    table.add(Row::new(name("turn p50"), short.p50, "ms"));
    table.add(Row::new(name("turn p99"), short.p99, "ms"));
    table.add(Row::new(name("CPU of 1,000 turns"), short.cpu, "s").at_most(0.65, 0.33));
    table.add(Row::new(name("PostgreSQL's CPU of 1,000"), short.postgres, "s"));
    table.add(Row::new(
        "one more token in a burst: CPU",
        (burst.cpu - short.cpu) * 1_000.0 / 199.0,
        "µs",
    ));
    Ok(())
}

async fn with_tool(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let script = Script {
        calls_tool: true,
        ..Script::burst(200)
    };
    let burst = run(stage, table, script).await?;
    let name = |what: &str| format!("burst with a tool call: {what}");
    table.add(Row::new(name("turns a second"), burst.turns_per_second, ""));
    table.add(Row::new(name("CPU of 1,000 turns"), burst.cpu, "s").at_most(2.4, 1.5));
    table.add(Row::new(name("PostgreSQL's CPU of 1,000"), burst.postgres, "s"));
    Ok(())
}

struct Burst {
    turns_per_second: f64,
    p50: Option<f64>,
    p99: Option<f64>,
    /// CPU seconds per 1,000 turns.
    cpu: f64,
    postgres: Option<f64>,
}

/// The counters at one time of a run.
struct Moment {
    at: Instant,
    turns: usize,
    cpu: Duration,
    postgres: Option<Duration>,
}

impl Moment {
    fn now(stage: &Stage, server: &Server, tally: &Tally) -> Self {
        Self {
            at: Instant::now(),
            turns: tally.turns.load(Ordering::Relaxed),
            cpu: server.cpu(),
            postgres: stage.postgres_cpu(),
        }
    }
}

async fn run(stage: &Arc<Stage>, table: &mut Table, script: Script) -> Result<Burst> {
    let (warm, long) = if stage.options.quick { (1, 4) } else { (2, 12) };
    stage.rewind().await?;
    stage.upstream.follow(script);
    let server = stage.serve().await?;
    let tally = Arc::new(Tally::default());
    let mut people = JoinSet::new();
    for person in 0..PEOPLE {
        let stage = Arc::clone(stage);
        let person = Person {
            tally: Arc::clone(&tally),
            address: server.address,
            dialect: if script.calls_tool { OURS_APPLIED } else { OURS },
            tokens: script.tokens,
            question: Box::new(move |turn| {
                let plan = Stage::plan_of(person, PEOPLE, turn);
                if script.calls_tool {
                    // A different amount each time, so that every turn changes the plan.
                    stage.statement(plan, 3_000 + turn % 2_000)
                } else {
                    stage.question(plan)
                }
            }),
        };
        people.spawn(async move {
            let mut times = Samples::default();
            person
                .ask(|_, _| {}, |heard| times.push(heard.ended - heard.sent))
                .await;
            times
        });
    }
    sleep(Duration::from_secs(warm)).await;
    let before = Moment::now(stage, &server, &tally);
    sleep(Duration::from_secs(long)).await;
    let after = Moment::now(stage, &server, &tally);
    tally.stop.store(true, Ordering::Relaxed);
    let mut times = Samples::default();
    while let Some(one) = people.join_next().await {
        times.merge(one?);
    }
    server.stop().await?;
    table.failed(&tally.errors());
    let (times, turns) = (times.sorted(), (after.turns - before.turns).max(1) as f64);
    let per_thousand = |spent: Duration| spent.as_secs_f64() * 1_000.0 / turns;
    Ok(Burst {
        turns_per_second: turns / (after.at - before.at).as_secs_f64(),
        p50: times.ms(0.5),
        p99: times.ms(0.99),
        cpu: per_thousand(after.cpu.saturating_sub(before.cpu)),
        postgres: after
            .postgres
            .zip(before.postgres)
            .map(|(after, before)| per_thousand(after.saturating_sub(before))),
    })
}
