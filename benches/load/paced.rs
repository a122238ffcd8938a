//! Paced streams: 100 tokens, 20 ms apart, first after 50 ms.

use crate::cells::Figures;
use crate::crowd::{Person, Tally};
use crate::stage::Stage;
use crate::stats::Samples;
use crate::table::Table;
use crate::target::Target;
use crate::upstream::Script;
use anyhow::{Result, ensure};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

pub const FIRST: Duration = Duration::from_millis(50);
pub const PACE: Duration = Duration::from_millis(20);
pub const TOKENS: usize = 100;

/// The answers of this bench's model.
pub const fn script(tokens: usize) -> Script {
    Script {
        tokens,
        first: FIRST,
        pace: PACE,
        calls_tool: false,
        hold_after: None,
    }
}

#[derive(Default)]
struct Seen {
    delays: Samples,
    first_bytes: Samples,
    first_tokens: Samples,
}

impl Seen {
    fn merge(&mut self, other: Self) {
        self.delays.merge(other.delays);
        self.first_bytes.merge(other.first_bytes);
        self.first_tokens.merge(other.first_tokens);
    }
}

pub async fn run(stage: &Arc<Stage>, table: &mut Table, target: &Target, streams: usize) -> Result<Figures> {
    stage.upstream.follow(script(TOKENS));
    let rounds = match (stage.options.quick, streams) {
        (false, ..=10) => 8,
        (false, ..=100) => 4,
        (true, ..=10) => 3,
        _ => 2,
    };
    let before = (target.cpu(), target.waited(), stage.postgres_cpu());
    let (seen, turns) = talk(stage, table, target, (streams, TOKENS), rounds).await?;
    let after = (target.cpu(), target.waited(), stage.postgres_cpu());
    let per_thousand = |spent: Duration| spent.as_secs_f64() * 1_000.0 / turns.max(1) as f64;
    let postgres = after.2.zip(before.2).filter(|_| !target.who.is_hop());
    let (delays, bytes, tokens) = (
        seen.delays.sorted(),
        seen.first_bytes.sorted(),
        seen.first_tokens.sorted(),
    );
    Ok(vec![
        (
            "cpu",
            target
                .server
                .as_ref()
                .map(|_| per_thousand(after.0.saturating_sub(before.0))),
        ),
        (
            "postgres",
            postgres.map(|(after, before)| per_thousand(after.saturating_sub(before))),
        ),
        ("waited", Some(per_thousand(after.1.saturating_sub(before.1)))),
        ("delay p50", delays.ms(0.5)),
        ("delay p99", delays.ms(0.99)),
        ("delay p99.9", delays.ms(0.999)),
        ("first byte p50", bytes.ms(0.5)),
        ("first byte p99", bytes.ms(0.99)),
        ("first token p50", tokens.ms(0.5)),
        ("first token p99", tokens.ms(0.99)),
    ])
}

/// One turn of each stream. Fails if tokens ran together, so that they cost less than apart.
pub async fn round(
    stage: &Arc<Stage>,
    table: &mut Table,
    target: &Target,
    streams: usize,
    tokens: usize,
) -> Result<()> {
    stage.upstream.follow(script(tokens));
    let (seen, _) = talk(stage, table, target, (streams, tokens), 1).await?;
    let delay = seen.delays.sorted().ms(0.5);
    let pace = PACE.as_secs_f64() * 1e3;
    ensure!(
        delay.is_some_and(|delay| delay < pace),
        "too slow: tokens are {delay:?} ms late and run together"
    );
    Ok(())
}

/// Every stream asks so many times. Returns what was seen, and the number of turns.
///
/// Streams that start in the same instant have their tokens in the same instant: then one wake-up of a relay serves several,
/// while a server with a database in front of the model has spread them out. So every stream has a place of its own in
/// the 20 ms between two tokens, on every server, and a wake-up per token costs all of them the same.
async fn talk(
    stage: &Arc<Stage>,
    table: &mut Table,
    target: &Target,
    (streams, tokens): (usize, usize),
    rounds: usize,
) -> Result<(Seen, usize)> {
    let tally = Arc::new(Tally::default());
    let begun = Instant::now() + PACE;
    let mut talking = JoinSet::new();
    for number in 0..streams {
        let mut person = person(stage, target, number, (streams, tokens), &tally);
        let place = begun + PACE.mul_f64(number as f64 / streams as f64);
        talking.spawn(async move {
            let mut seen = Seen::default();
            for round in 0..rounds {
                let late = place.elapsed().as_nanos().div_ceil(PACE.as_nanos());
                sleep_until(place + PACE * u32::try_from(late).unwrap_or(0)).await;
                let delays = &mut seen.delays;
                if let Ok(heard) = person.turn(round, |sent, came| delays.push(came - sent)).await {
                    seen.first_bytes.push(heard.first_byte - heard.sent);
                    seen.first_tokens.push(heard.first_token - heard.sent);
                }
            }
            seen
        });
    }
    let mut seen = Seen::default();
    while let Some(one) = talking.join_next().await {
        seen.merge(one?);
    }
    table.failed(&tally.errors());
    Ok((seen, tally.turns.load(Ordering::Relaxed)))
}

/// Each turn is another franchisee's, so no cache has an entry for it.
fn person(
    stage: &Arc<Stage>,
    target: &Target,
    number: usize,
    (streams, tokens): (usize, usize),
    tally: &Arc<Tally>,
) -> Person {
    let (who, stage) = (target.who, Arc::clone(stage));
    Person {
        tally: Arc::clone(tally),
        addresses: vec![target.address],
        dialect: who.dialect(false),
        tokens,
        question: Box::new(move |round| who.question(&stage, number + round * streams, None)),
        connections: Vec::new(),
    }
}
