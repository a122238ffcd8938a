//! Shows that the oracle can fail: on a copy of the database one thing is broken at a time, and it has to say so.

use crate::driver::Turn;
use crate::findings::Findings;
use crate::model::Script;
use crate::oracle::inspect;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::{DATABASE, World};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// How many of the breaks the oracle saw.
#[derive(Clone, Copy, Debug)]
pub struct Caught {
    pub caught: usize,
    pub tried: usize,
}

const COPY: &str = "broken";

/// A break: its name, the zero that must not be one any more, the statement. `$P` is the plan.
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

/// A plan with three good turns, the first of which set a value.
async fn story(world: &Arc<World>) -> Uuid {
    let (plan, mut rng) = (world.take_plan(), Rng::of(world.seed, "breaks", 0));
    let first = Turn::with_value(world, plan, &mut rng, 3, 0);
    world.expect(first.finish(Duration::from_secs(20)).await, || {
        "no story to break".into()
    });
    for _ in 0..2 {
        let turn = Turn::new(
            world,
            plan,
            &mut rng,
            "What should I think about next?",
            Script::default(),
        );
        world.expect(turn.finish(Duration::from_secs(20)).await, || {
            "no story to break".into()
        });
    }
    plan
}

/// Breaks a copy in every way. Ends the given server: a database that is copied may have no visitors.
pub async fn run(world: &Arc<World>, mut server: Server) -> Caught {
    let mut caught = Caught {
        caught: 0,
        tried: BREAKS.len(),
    };
    let plan = story(world).await;
    server.kill();
    for (name, sees, statement) in BREAKS {
        let copy =
            format!("select pg_terminate_backend(pid) from pg_stat_activity where datname in ('{DATABASE}', '{COPY}')");
        world.postgres.rows("postgres", &copy).await;
        world
            .postgres
            .rows("postgres", &format!("drop database if exists {COPY}"))
            .await;
        world
            .postgres
            .rows("postgres", &format!("create database {COPY} template {DATABASE}"))
            .await;
        let start = world.start().with("DATABASE_URL", world.database_url(COPY));
        let server = Server::start(&start)
            .await
            .unwrap_or_else(|error| panic!("the copy: {error}"));
        let plans = BTreeSet::from([plan]);
        let before = inspect(world, &server.base, COPY, &plans).await;
        world
            .postgres
            .rows(COPY, &statement.replace("$P", &plan.to_string()))
            .await;
        let after = inspect(world, &server.base, COPY, &plans).await;
        if before.is_clean() && sees(&after) {
            caught.caught += 1;
        } else {
            world.violation(format!(
                "self-check: {name}: before {:?}, after {:?}",
                before.counts(),
                after.counts()
            ));
        }
    }
    caught
}
