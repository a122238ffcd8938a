//! F51: a conversation of 5,000 messages and 5 MB. Its messages are in the ledger, so that the oracle checks all of it.

use crate::client::Turn;
use crate::fixture::{DATABASE, Fixture};
use crate::ledger::Entry;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Turns of two messages each: 5,000 messages, and in the short form enough for an archive.
fn turns(fixture: &Fixture) -> usize {
    if fixture.full { 2_500 } else { 300 }
}

/// Limit for the WAL of a turn in bytes. A conversation stored in one value would write all of its 5 MB each time.
const WAL: u64 = 400_000;

/// Inserts text that does not compress well, laid out as the app does: all but the newest 40 messages in the archive.
const FILL: &str = "create temp table said on commit drop as select n, gen_random_uuid() as turn, \
    'Please note ' || n || ': ' || (select string_agg(md5(n || 'q' || i), ' ') from generate_series(1, 30) i) as asked, \
    'Noted ' || n || ': ' || (select string_agg(md5(n || 'a' || i), ' ') from generate_series(1, 30) i) as answered, \
    now() - (3000 - n) * interval '1 minute' as at from generate_series(1, $TURNS) n; \
    insert into prompts (id, plan_id, user_id, actor_id, model, state, input, output, total_tokens, ending, idempotency_key, \
    owner, lease_until, created_at, completed_at) select turn, p.id, p.user_id, p.user_id, 'campaign-model', 'completed', asked, \
    answered, 7, '{}', 'long-' || p.id || '-' || n, gen_random_uuid(), at, at, at from said, plans p where p.id = '$PLAN'; \
    create temp table received on commit drop as select n, jsonb_build_array( \
    jsonb_build_object('id', gen_random_uuid(), 'turnId', turn, 'role', 'user', 'content', asked, 'extractedValues', null, 'timestamp', at), \
    jsonb_build_object('id', gen_random_uuid(), 'turnId', turn, 'role', 'assistant', 'content', answered, 'extractedValues', null, \
    'timestamp', at)) as pair from said; \
    insert into ai_conversation_archive (plan_id, position, message) select '$PLAN', 2 * n - 2 + place, message \
    from received, jsonb_array_elements(pair) with ordinality m (message, place) where n <= $TURNS - 20; \
    insert into ai_conversations (id, plan_id, messages, total_tokens_used, archived_count) select gen_random_uuid(), '$PLAN', \
    jsonb_agg(message order by n, place), $TURNS * 7, 2 * $TURNS - 40 \
    from received, jsonb_array_elements(pair) with ordinality m (message, place) where n > $TURNS - 20; \
    select turn::text, asked, answered, 'long-$PLAN-' || n from said order by n";

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    let mut rng = Rng::of(fixture.seed, "long", 0);
    let (long, short) = (fixture.take_fresh_plan(), fixture.take_fresh_plan());
    let said = fill(fixture, long).await;
    page_through(fixture, &server.base, long, &said).await;
    let length = 2 * said.len();
    fixture.fault("F51", &format!("conversation of {length} messages read whole"));
    // Enough turns for some of them to be archived.
    let count = if fixture.full { 60 } else { 12 };
    let (of_long, of_short) = (
        least_wal(fixture, &server.base, long, &mut rng, count).await,
        least_wal(fixture, &server.base, short, &mut rng, 3).await,
    );
    println!("  a turn writes {of_long} bytes of WAL behind {length} messages, {of_short} behind a few");
    fixture.expect(of_long < WAL, || {
        format!("a turn behind {length} messages writes {of_long} bytes of WAL")
    });
    let archived = format!(
        "select (select count(*) = c.archived_count and count(*) = max(position) from ai_conversation_archive a \
         where a.plan_id = c.plan_id)::text, (c.archived_count > {length} - 40)::text from ai_conversations c where plan_id = '{long}'"
    );
    let archived = fixture.postgres.rows(DATABASE, &archived).await;
    fixture.expect(archived[0].iter().all(|holds| holds.as_deref() == Some("true")), || {
        format!("the archive of a long conversation is not whole, or did not grow: {archived:?}")
    });
    fixture.unlist(&server);
}

/// Writes the conversation and its ledger entries.
async fn fill(fixture: &Fixture, plan: Uuid) -> Vec<[String; 2]> {
    let statements = FILL
        .replace("$PLAN", &plan.to_string())
        .replace("$TURNS", &turns(fixture).to_string());
    let mut said = Vec::new();
    for row in fixture.postgres.rows(DATABASE, &statements).await {
        let [Some(turn), Some(asked), Some(answered), Some(key)] = row.as_slice() else {
            continue;
        };
        said.push([asked.clone(), answered.clone()]);
        fixture.ledger.open(Entry {
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
    fixture.expect(said.len() == turns(fixture), || {
        format!("{} turns were laid", said.len())
    });
    said
}

/// Reads all pages from the newest to the oldest: every message once, in order.
async fn page_through(fixture: &Fixture, base: &str, plan: Uuid, said: &[[String; 2]]) {
    let mut newest_first = said.iter().flatten().rev();
    let (mut before, mut pages, mut slowest) = (String::new(), 0, Duration::ZERO);
    loop {
        let asked = Instant::now();
        let path = format!("/api/plans/{plan}/conversation?limit=100{before}");
        let (status, body) = fixture.get(base, &path).await;
        slowest = slowest.max(asked.elapsed());
        pages += 1;
        let messages = body["data"].as_array().or_else(|| body["data"]["messages"].as_array());
        let Some(messages) = messages.filter(|messages| status == 200 && !messages.is_empty()) else {
            return fixture.violation(format!("page {pages} of a long conversation came to {status}"));
        };
        for message in messages.iter().rev() {
            if message["content"].as_str() != newest_first.next().map(String::as_str) {
                return fixture.violation(format!("page {pages} of a long conversation is not what was said"));
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
    fixture.expect(newest_first.next().is_none(), || {
        "a long conversation has no beginning".into()
    });
    fixture.expect(slowest < Duration::from_secs(3), || format!("a page took {slowest:?}"));
}

/// The WAL of a turn: the minimum of several, because of other writers and full-page images.
async fn least_wal(fixture: &Arc<Fixture>, base: &str, plan: Uuid, rng: &mut Rng, count: usize) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..count {
        let before = written(fixture).await;
        let turn = Turn::new(fixture, plan, rng, "What should I think about next?", Script::default());
        let outcome = turn.attempt(base).await;
        fixture.fault("F51", "turn in a conversation that is measured");
        fixture.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("in a long conversation a turn came to {outcome:?}")
        });
        least = least.min(written(fixture).await - before);
        if !matches!(outcome, Outcome::Done(_)) {
            turn.finish_later();
        }
    }
    least
}

/// The WAL position in bytes.
async fn written(fixture: &Fixture) -> u64 {
    let position = "select (pg_current_wal_insert_lsn() - '0/0')::bigint::text";
    let rows = fixture.postgres.rows(DATABASE, position).await;
    rows[0][0].as_deref().and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}
