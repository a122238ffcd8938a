//! The cost of a turn in a long conversation.

use crate::client::{Connection, OURS};
use crate::stage::Stage;
use crate::stats::{Samples, mean};
use crate::table::{Row, Table};
use crate::target::{Target, Who};
use crate::upstream::Script;
use anyhow::Result;

const TOKENS: usize = 50;

pub async fn measure(stage: &Stage, table: &mut Table) -> Result<()> {
    stage.upstream.follow(Script::burst(TOKENS));
    let mut short = None;
    for messages in [10, 1_000, 10_000] {
        stage.rewind(Who::Ours).await?;
        for plan in 0..plans(messages) {
            let query = format!("SELECT bench_conversation('{}', {messages})", stage.plan(plan));
            stage.sql.batch_execute(&query).await?;
        }
        stage.settle().await?;
        let cost = talk(stage, plans(messages)).await?;
        let name = |what: &str| format!("a turn after {messages} messages: {what}");
        table.add(Row::new(name("p50"), cost.p50, "ms"));
        table.add(Row::new(name("mean"), cost.mean, "ms"));
        table.add(Row::new(name("longest"), cost.longest, "ms"));
        table.add(Row::new(name("write-ahead log, mean"), cost.wal, "bytes"));
        let Some(short) = &short else {
            short = Some(cost);
            continue;
        };
        let over = |long: Option<f64>, short: Option<f64>| Some(long? / short?);
        let (time, wal) = (over(cost.mean, short.mean), over(cost.wal, short.wal));
        table.add(Row::new(name("mean over that after 10"), time, "×").at_most(1.5, 1.1));
        table.add(Row::new(name("write-ahead log over that after 10"), wal, "×"));
    }
    Ok(())
}

struct Cost {
    p50: Option<f64>,
    mean: Option<f64>,
    longest: Option<f64>,
    /// Bytes.
    wal: Option<f64>,
}

const TURNS: usize = 40;

/// Several short conversations, because one would not stay short for forty turns.
fn plans(messages: usize) -> usize {
    if messages < 100 { TURNS / 5 } else { 1 }
}

/// Enough turns for two archiving steps, as often as in the long run. The first turn of each plan does not count.
async fn talk(stage: &Stage, plans: usize) -> Result<Cost> {
    let server = Target::start(stage, Who::Ours).await?;
    let mut connection = Connection::open(server.address).await?;
    let (mut times, mut writes) = (Samples::default(), Vec::new());
    let mut sum = Vec::new();
    for plan in 0..plans {
        for turn in 0..=TURNS / plans {
            let before = stage.wal().await?;
            let heard = connection.turn(&stage.question(plan), OURS, TOKENS, |_, _| {}).await?;
            if turn > 0 {
                writes.push(stage.wal().await? - before);
                times.push(heard.ended - heard.sent);
                sum.push((heard.ended - heard.sent) as f64 / 1e6);
            }
        }
    }
    server.stop().await?;
    let times = times.sorted();
    Ok(Cost {
        p50: times.ms(0.5),
        mean: mean(&sum),
        longest: times.ms(1.0),
        wal: mean(&writes),
    })
}
