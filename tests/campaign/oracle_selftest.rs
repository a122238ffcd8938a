//! Tests the oracle: on copies of the database one thing is corrupted at a time, and the oracle must report it.

use crate::client::Turn;
use crate::findings::Findings;
use crate::fixture::{DATABASE, Fixture};
use crate::model::Script;
use crate::oracle::inspect;
use crate::rng::Rng;
use crate::server::Server;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// How many of the corruptions the oracle reported.
#[derive(Clone, Copy, Debug)]
pub struct Caught {
    pub caught: usize,
    pub tried: usize,
}

const COPY: &str = "broken";

/// A corruption: its name, the count that must be above zero, the statement. `$P` is the plan.
type Break = (&'static str, fn(&Findings) -> bool, &'static str);

const BREAKS: [Break; 6] = [
    (
        "a pair is deleted",
        |found| !found.lost.is_empty(),
        "update ai_conversations set messages = messages - -1 - -1 where plan_id = '$P'",
    ),
    (
        "a pair stands twice",
        |found| !found.duplicated.is_empty(),
        "update ai_conversations set messages = messages || jsonb_build_array(messages -> -2, messages -> -1) where plan_id = '$P'",
    ),
    (
        "a turn is half",
        |found| !found.partial.is_empty(),
        "update ai_conversations set messages = messages - -1 where plan_id = '$P'",
    ),
    (
        "a value changes without audit",
        |found| !found.stale.is_empty(),
        "update plans set financial_inputs = jsonb_set(financial_inputs, '{operatingCosts.rentMonthly,currentValue}', '123') where id = '$P'",
    ),
    (
        "tokens are counted twice",
        |found| !found.duplicated.is_empty(),
        "update ai_conversations set total_tokens_used = total_tokens_used + 120 where plan_id = '$P'",
    ),
    (
        "a turn's row is gone",
        |found| !found.lost.is_empty(),
        "delete from prompts where id = (select id from prompts p where plan_id = '$P' \
         and state = 'completed' and not exists (select from plan_changes c where c.turn_id = p.id) limit 1)",
    ),
];

/// A plan with three completed turns, the first of which set a value.
async fn story(fixture: &Arc<Fixture>) -> Uuid {
    let (plan, mut rng) = (fixture.take_plan(), Rng::of(fixture.seed, "breaks", 0));
    let first = Turn::with_value(fixture, plan, &mut rng, 3, 0);
    fixture.expect(first.finish(Duration::from_secs(20)).await, || {
        "no story to break".into()
    });
    for _ in 0..2 {
        let turn = Turn::new(
            fixture,
            plan,
            &mut rng,
            "What should I think about next?",
            Script::default(),
        );
        fixture.expect(turn.finish(Duration::from_secs(20)).await, || {
            "no story to break".into()
        });
    }
    plan
}

/// Tries every corruption. Stops the given server, because a database can only be copied without connections.
pub async fn run(fixture: &Arc<Fixture>, mut server: Server) -> Caught {
    let mut caught = Caught {
        caught: 0,
        tried: BREAKS.len(),
    };
    let plan = story(fixture).await;
    server.kill();
    for (name, sees, statement) in BREAKS {
        let copy =
            format!("select pg_terminate_backend(pid) from pg_stat_activity where datname in ('{DATABASE}', '{COPY}')");
        fixture.postgres.rows("postgres", &copy).await;
        fixture
            .postgres
            .rows("postgres", &format!("drop database if exists {COPY}"))
            .await;
        fixture
            .postgres
            .rows("postgres", &format!("create database {COPY} template {DATABASE}"))
            .await;
        let start = fixture.start().with("DATABASE_URL", fixture.database_url(COPY));
        let server = Server::start(&start)
            .await
            .unwrap_or_else(|error| panic!("the copy: {error}"));
        let plans = BTreeSet::from([plan]);
        let before = inspect(fixture, &server.base, COPY, &plans).await;
        fixture
            .postgres
            .rows(COPY, &statement.replace("$P", &plan.to_string()))
            .await;
        let after = inspect(fixture, &server.base, COPY, &plans).await;
        if before.is_clean() && sees(&after) {
            caught.caught += 1;
        } else {
            fixture.violation(format!(
                "self-check: {name}: before {:?}, after {:?}",
                before.counts(),
                after.counts()
            ));
        }
    }
    caught
}
