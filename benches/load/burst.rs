//! Bursts: as many turns as possible, with a model that answers at once and 32 clients.

use crate::cells::Figures;
use crate::crowd::{Person, Tally};
use crate::stage::Stage;
use crate::stats::Samples;
use crate::table::Table;
use crate::target::{Target, Who};
use crate::upstream::Script;
use anyhow::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;

const PEOPLE: usize = 32;

/// The counters at one time of a run.
struct Moment {
    at: Instant,
    turns: usize,
    cpu: Duration,
    postgres: Option<Duration>,
}

/// 32 clients that ask until they are stopped.
pub struct Crowd {
    tally: Arc<Tally>,
    people: JoinSet<Samples>,
}

impl Crowd {
    /// They ask the instances in turn. Each turn is another franchisee's, so no cache has an entry for it.
    pub fn gather(stage: &Arc<Stage>, who: Who, addresses: &[SocketAddr], script: Script) -> Self {
        stage.upstream.follow(script);
        let crowds_before = stage.crowds.fetch_add(1, Ordering::Relaxed);
        let tally = Arc::new(Tally::default());
        let mut people = JoinSet::new();
        for number in 0..PEOPLE {
            let stage = Arc::clone(stage);
            let person = Person {
                tally: Arc::clone(&tally),
                addresses: addresses.to_vec(),
                dialect: who.dialect(script.calls_tool),
                tokens: script.tokens,
                question: Box::new(move |turn| {
                    // Not the amount of an earlier turn of this plan, so that every turn changes it.
                    let rent = script.calls_tool.then_some(3_000 + (turn + 13 * crowds_before) % 2_000);
                    who.question(&stage, number + turn * PEOPLE, rent)
                }),
                connections: Vec::new(),
            };
            people.spawn(async move {
                let mut times = Samples::default();
                person.ask(|heard| times.push(heard.ended - heard.sent)).await;
                times
            });
        }
        Self { tally, people }
    }

    pub fn turns(&self) -> usize {
        self.tally.turns.load(Ordering::Relaxed)
    }

    /// Lets every client finish its turn.
    pub async fn disperse(mut self, table: &mut Table) -> Result<Samples> {
        self.tally.stop.store(true, Ordering::Relaxed);
        let mut times = Samples::default();
        while let Some(one) = self.people.join_next().await {
            times.merge(one?);
        }
        table.failed(&self.tally.errors());
        Ok(times)
    }
}

/// Turns that are not measured: Node compiles, pools fill, caches warm.
pub async fn warm_up(stage: &Arc<Stage>, target: &Target) -> Result<()> {
    if target.who != Who::Direct {
        let crowd = Crowd::gather(stage, target.who, &[target.address], Script::burst(100));
        sleep(Duration::from_secs(if stage.options.quick { 1 } else { 2 })).await;
        // Its errors are seen in the run that follows.
        crowd.disperse(&mut Table::default()).await?;
    }
    Ok(())
}

pub async fn run(stage: &Arc<Stage>, table: &mut Table, target: &Target, script: Script) -> Result<Figures> {
    let crowd = Crowd::gather(stage, target.who, &[target.address], script);
    let moment = || Moment {
        at: Instant::now(),
        turns: crowd.turns(),
        cpu: target.cpu(),
        postgres: stage.postgres_cpu(),
    };
    sleep(Duration::from_millis(500)).await;
    let before = moment();
    sleep(Duration::from_secs(if stage.options.quick { 3 } else { 8 })).await;
    let after = moment();
    let times = crowd.disperse(table).await?.sorted();
    let turns = (after.turns - before.turns).max(1) as f64;
    let per_thousand = |spent: Duration| spent.as_secs_f64() * 1_000.0 / turns;
    let postgres = after.postgres.zip(before.postgres).filter(|_| !target.who.is_hop());
    Ok(vec![
        ("cpu", Some(per_thousand(after.cpu.saturating_sub(before.cpu)))),
        (
            "postgres",
            postgres.map(|(after, before)| per_thousand(after.saturating_sub(before))),
        ),
        ("turns a second", Some(turns / (after.at - before.at).as_secs_f64())),
        ("turn p50", times.ms(0.5)),
        ("turn p99", times.ms(0.99)),
        ("request", Some(stage.upstream.asked() as f64 / 1024.0)),
    ])
}
