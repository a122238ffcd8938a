//! F51: a conversation of 5,000 messages and 5 MB. Who asked for them is in the ledger, so that the oracle reads all of it.

use crate::driver::Turn;
use crate::ledger::Entry;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::world::{DATABASE, World};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Question and answer each: 5,000 messages, and in the short form enough for many blocks.
fn turns(world: &World) -> usize {
    if world.full { 2_500 } else { 300 }
}

/// WAL of a turn at most. A conversation in one piece would write its 5 MB again with each.
const WAL: u64 = 400_000;

/// Text that does not compress well, written as the app writes it: all but the newest 40 messages in blocks of 40.
const FILL: &str = "create temp table said on commit drop as select n, gen_random_uuid() as turn, \
    'Please note ' || n || ': ' || (select string_agg(md5(n || 'q' || i), ' ') from generate_series(1, 30) i) as asked, \
    'Noted ' || n || ': ' || (select string_agg(md5(n || 'a' || i), ' ') from generate_series(1, 30) i) as answered, \
    now() - (3000 - n) * interval '1 minute' as at from generate_series(1, $TURNS) n; \
    insert into prompts (id, plan_id, user_id, actor_id, model, state, input, output, total_tokens, ending, idempotency_key, \
    owner, lease_until, created_at, completed_at) select turn, p.id, p.user_id, p.user_id, 'campaign-model', 'completed', asked, \
    answered, 7, '{}', 'long-' || p.id || '-' || n, gen_random_uuid(), at, at, at from said, plans p where p.id = '$PLAN'; \
    create temp table told on commit drop as select n, jsonb_build_array( \
    jsonb_build_object('id', gen_random_uuid(), 'turnId', turn, 'role', 'user', 'content', asked, 'extractedValues', null, 'timestamp', at), \
    jsonb_build_object('id', gen_random_uuid(), 'turnId', turn, 'role', 'assistant', 'content', answered, 'extractedValues', null, \
    'timestamp', at)) as pair from said; \
    insert into ai_conversation_segments (plan_id, seq, messages) select '$PLAN', (n - 1) / 20, jsonb_agg(message order by n, place) \
    from told, jsonb_array_elements(pair) with ordinality m (message, place) where n <= $TURNS - 20 group by (n - 1) / 20; \
    insert into ai_conversations (id, plan_id, messages, total_tokens_used, archived_count) select gen_random_uuid(), '$PLAN', \
    jsonb_agg(message order by n, place), $TURNS * 7, 2 * $TURNS - 40 \
    from told, jsonb_array_elements(pair) with ordinality m (message, place) where n > $TURNS - 20; \
    select turn::text, asked, answered, 'long-$PLAN-' || n from said order by n";

pub async fn run(world: &Arc<World>) {
    let server = world.serve().await;
    let mut rng = Rng::of(world.seed, "long", 0);
    let (long, short) = (world.take_fresh_plan(), world.take_fresh_plan());
    let said = fill(world, long).await;
    page_through(world, &server.base, long, &said).await;
    let length = 2 * said.len();
    world.fault("F51", &format!("conversation of {length} messages read whole"));
    // Enough that a block leaves the row.
    let count = if world.full { 60 } else { 12 };
    let (of_long, of_short) = (
        least_wal(world, &server.base, long, &mut rng, count).await,
        least_wal(world, &server.base, short, &mut rng, 3).await,
    );
    println!("  a turn writes {of_long} bytes of WAL behind {length} messages, {of_short} behind a few");
    world.expect(of_long < WAL, || {
        format!("a turn behind {length} messages writes {of_long} bytes of WAL")
    });
    let blocks = format!(
        "select (select count(*) * 40 = c.archived_count and count(*) - 1 = max(seq) from ai_conversation_segments s \
         where s.plan_id = c.plan_id)::text, (c.archived_count > {length} - 40)::text from ai_conversations c where plan_id = '{long}'"
    );
    let blocks = world.postgres.rows(DATABASE, &blocks).await;
    world.expect(blocks[0].iter().all(|holds| holds.as_deref() == Some("true")), || {
        format!("the blocks of a long conversation are not whole, or did not grow: {blocks:?}")
    });
    world.strike(&server);
}

/// Writes the conversation and who asked for it. Question and answer of each turn.
async fn fill(world: &World, plan: Uuid) -> Vec<[String; 2]> {
    let statements = FILL
        .replace("$PLAN", &plan.to_string())
        .replace("$TURNS", &turns(world).to_string());
    let mut said = Vec::new();
    for row in world.postgres.rows(DATABASE, &statements).await {
        let [Some(turn), Some(asked), Some(answered), Some(key)] = row.as_slice() else {
            continue;
        };
        said.push([asked.clone(), answered.clone()]);
        world.ledger.open(Entry {
            key: key.clone(),
            reference: key.clone(),
            plan,
            text: asked.clone(),
            attempts: 1,
            taken: true,
            turn: turn.parse().ok(),
            done: Some(json!({"turnId": turn, "fullResponse": answered})),
            stopped: false,
            calls_per_attempt: None,
        });
    }
    world.expect(said.len() == turns(world), || format!("{} turns were laid", said.len()));
    said
}

/// From the newest page to the oldest: everything, once, in order.
async fn page_through(world: &World, base: &str, plan: Uuid, said: &[[String; 2]]) {
    let mut newest_first = said.iter().flatten().rev();
    let (mut before, mut pages, mut slowest) = (String::new(), 0, Duration::ZERO);
    loop {
        let asked = Instant::now();
        let path = format!("/api/plans/{plan}/conversation?limit=100{before}");
        let (status, body) = world.get(base, &path).await;
        slowest = slowest.max(asked.elapsed());
        pages += 1;
        let messages = body["data"].as_array().or_else(|| body["data"]["messages"].as_array());
        let Some(messages) = messages.filter(|messages| status == 200 && !messages.is_empty()) else {
            return world.violation(format!("page {pages} of a long conversation came to {status}"));
        };
        for message in messages.iter().rev() {
            if message["content"].as_str() != newest_first.next().map(String::as_str) {
                return world.violation(format!("page {pages} of a long conversation is not what was said"));
            }
        }
        match &body["meta"]["nextBefore"] {
            Value::String(next) => before = format!("&before={next}"),
            _ => break,
        }
    }
    println!(
        "  {} messages in {pages} pages, the slowest in {} ms",
        2 * said.len(),
        slowest.as_millis()
    );
    world.expect(newest_first.next().is_none(), || {
        "a long conversation has no beginning".into()
    });
    world.expect(slowest < Duration::from_secs(3), || format!("a page took {slowest:?}"));
}

/// What a turn writes, where nobody else writes. The least of some: others do, and a page is written whole now and then.
async fn least_wal(world: &Arc<World>, base: &str, plan: Uuid, rng: &mut Rng, count: usize) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..count {
        let before = written(world).await;
        let turn = Turn::new(world, plan, rng, "What should I think about next?", Script::default());
        let outcome = turn.attempt(base).await;
        world.fault("F51", "turn in a conversation that is measured");
        world.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("in a long conversation a turn came to {outcome:?}")
        });
        least = least.min(written(world).await - before);
        if !matches!(outcome, Outcome::Done(_)) {
            turn.finish_later();
        }
    }
    least
}

/// Bytes of WAL so far.
async fn written(world: &World) -> u64 {
    let position = "select (pg_current_wal_insert_lsn() - '0/0')::bigint::text";
    let rows = world.postgres.rows(DATABASE, position).await;
    rows[0][0].as_deref().and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}
