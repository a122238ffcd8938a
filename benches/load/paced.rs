//! Paced streams: the delay of each token between model and reader.

use crate::client::{Heard, OURS, UPSTREAM};
use crate::crowd::{Person, Tally};
use crate::server::Server;
use crate::stage::{Stage, post};
use crate::stats::{Samples, nanos, now};
use crate::table::{Row, Table};
use crate::upstream::Script;
use anyhow::Result;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;

const FIRST: Duration = Duration::from_millis(50);

/// Number of streams and interval between tokens.
struct Crowd {
    streams: usize,
    pace: Duration,
    tokens: usize,
    /// Budgets: token delay p99 and first token over direct p50, ms.
    delay: Option<(f64, f64)>,
    first: Option<(f64, f64)>,
    cpu: Option<(f64, f64)>,
}

const CROWDS: [Crowd; 3] = [
    Crowd {
        streams: 10,
        pace: Duration::from_millis(20),
        tokens: 100,
        delay: Some((0.6, 0.48)),
        first: Some((5.5, 2.5)),
        cpu: None,
    },
    Crowd {
        streams: 100,
        pace: Duration::from_millis(20),
        tokens: 100,
        delay: Some((1.3, 1.1)),
        first: Some((30.0, 15.0)),
        cpu: Some((3.4, 2.5)),
    },
    // 10,000 tokens per second: what two cores can carry including the bench itself.
    Crowd {
        streams: 1_000,
        pace: Duration::from_millis(100),
        tokens: 100,
        delay: None,
        first: None,
        cpu: None,
    },
];

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    for crowd in &CROWDS {
        stage.rewind().await?;
        stage.upstream.follow(Script {
            first: FIRST,
            pace: crowd.pace,
            ..Script::burst(crowd.tokens)
        });
        let direct = run(stage, table, crowd, None).await?;
        let server = stage.serve().await?;
        let ours = run(stage, table, crowd, Some(&server)).await?;
        server.stop().await?;
        report(table, crowd, direct, ours);
    }
    Ok(())
}

/// The measurements while all streams ran.
#[derive(Default)]
struct Seen {
    delays: Samples,
    first_bytes: Samples,
    first_tokens: Samples,
    cpu: Duration,
    waited: Duration,
}

/// Only tokens sent between these times count: before, not all streams have begun.
#[derive(Clone, Copy)]
struct Window {
    from: u64,
    to: u64,
}

impl Window {
    fn holds(self, moment: u64) -> bool {
        (self.from..self.to).contains(&moment)
    }
}

impl Seen {
    fn turn(&mut self, window: Window, heard: &Heard) {
        if window.holds(heard.sent) {
            self.first_bytes.push(heard.first_byte - heard.sent);
            self.first_tokens.push(heard.first_token - heard.sent);
        }
    }

    fn merge(&mut self, other: Self) {
        self.delays.merge(other.delays);
        self.first_bytes.merge(other.first_bytes);
        self.first_tokens.merge(other.first_tokens);
    }
}

async fn run(stage: &Arc<Stage>, table: &mut Table, crowd: &Crowd, server: Option<&Server>) -> Result<Seen> {
    // Streams start evenly over the duration of a turn, so that they are not synchronized.
    let spread = FIRST + crowd.pace * u32::try_from(crowd.tokens)?;
    let long = match (stage.options.quick, server.is_some()) {
        (true, _) => 3,
        (false, true) => 15,
        (false, false) => 5,
    };
    let long = Duration::from_secs(long);
    let begun = now();
    let window = Window {
        from: begun + nanos(spread),
        to: begun + nanos(spread + long),
    };
    let tally = Arc::new(Tally::default());
    let mut streams = JoinSet::new();
    for number in 0..crowd.streams {
        let person = person(stage, crowd, server, number, &tally);
        let wait = spread.mul_f64(number as f64 / crowd.streams as f64);
        streams.spawn(async move {
            sleep(wait).await;
            listen(person, window).await
        });
    }
    sleep(spread).await;
    let spent = || server.map_or_else(Default::default, |server| (server.cpu(), server.waited()));
    let before = spent();
    sleep(long).await;
    let after = spent();
    tally.stop.store(true, Ordering::Relaxed);
    let mut seen = Seen::default();
    while let Some(one) = streams.join_next().await {
        seen.merge(one?);
    }
    seen.cpu = after.0.saturating_sub(before.0);
    seen.waited = after.1.saturating_sub(before.1);
    table.failed(&tally.errors());
    Ok(seen)
}

/// Runs against the server, or directly against the model to measure the bench's own overhead.
fn person(stage: &Arc<Stage>, crowd: &Crowd, server: Option<&Server>, number: usize, tally: &Arc<Tally>) -> Person {
    let (question, asked) = match server {
        Some(server) => (stage.question(number), (server.address, OURS)),
        None => (
            post("/v1/chat/completions", "", "{}"),
            (stage.upstream.address, UPSTREAM),
        ),
    };
    Person {
        tally: Arc::clone(tally),
        address: asked.0,
        dialect: asked.1,
        tokens: crowd.tokens,
        question: Box::new(move |_| question.clone()),
    }
}

async fn listen(person: Person, window: Window) -> Seen {
    let (mut delays, mut turns) = (Samples::default(), Seen::default());
    let on_token = |sent, came| {
        if window.holds(sent) {
            delays.push(came - sent);
        }
    };
    person.ask(on_token, |heard| turns.turn(window, heard)).await;
    Seen { delays, ..turns }
}

fn report(table: &mut Table, crowd: &Crowd, direct: Seen, ours: Seen) {
    let name = |what: &str| {
        format!(
            "{} streams, a token per {} ms: {what}",
            crowd.streams,
            crowd.pace.as_millis()
        )
    };
    let turns = ours.delays.len().max(1) as f64 / crowd.tokens as f64;
    let cpu = ours.cpu.as_secs_f64() * 1_000.0 / turns;
    let (direct_delays, delays) = (direct.delays.sorted(), ours.delays.sorted());
    table.add(Row::new(name("token delay p50"), delays.ms(0.5), "ms"));
    table.add(bounded(
        Row::new(name("token delay p99"), delays.ms(0.99), "ms"),
        crowd.delay,
    ));
    table.add(Row::new(name("token delay p99.9"), delays.ms(0.999), "ms"));
    for (what, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
        table.add(Row::new(
            name(&format!("direct, token delay {what}")),
            direct_delays.ms(share),
            "ms",
        ));
    }
    let (first_bytes, first_tokens) = (ours.first_bytes.sorted(), ours.first_tokens.sorted());
    table.add(Row::new(name("first byte p50"), first_bytes.ms(0.5), "ms"));
    table.add(Row::new(name("first byte p99"), first_bytes.ms(0.99), "ms"));
    let direct_first = direct.first_tokens.sorted();
    let over = |share| Some(first_tokens.ms(share)? - direct_first.ms(share)?);
    table.add(bounded(
        Row::new(name("first token over direct p50"), over(0.5), "ms"),
        crowd.first,
    ));
    table.add(Row::new(name("first token over direct p99"), over(0.99), "ms"));
    table.add(bounded(Row::new(name("CPU of 1,000 turns"), cpu, "s"), crowd.cpu));
    let waited = ours.waited.as_secs_f64() * 1_000.0 / turns;
    table.add(Row::new(name("its wait for a processor in 1,000 turns"), waited, "s"));
}

fn bounded(row: Row, budget: Option<(f64, f64)>) -> Row {
    match budget {
        Some((must, aim)) => row.at_most(must, aim),
        None => row,
    }
}
