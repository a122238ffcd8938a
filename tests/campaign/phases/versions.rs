//! F49: unknown keys and columns of a newer version survive when this version writes the rows.

use crate::client::Turn;
use crate::fixture::{DATABASE, Fixture};
use crate::model::Script;
use crate::rng::Rng;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// A key that no version has.
const KEY: &str = "ofTheFuture";

/// Adds the key to every message, value and document that a turn reads or writes, and a column to four tables.
/// Each is committed on its own: one transaction that changes a table while it holds another deadlocks with a server that
/// locks them in its own order (seen once).
const WRITE: [&str; 9] = [
    "alter table plans add column if not exists of_the_future text default 'x'",
    "alter table prompts add column if not exists of_the_future text default 'x'",
    "alter table ai_conversations add column if not exists of_the_future text default 'x'",
    "alter table extractions add column if not exists of_the_future text default 'x'",
    "update plans set financial_inputs = (select jsonb_object_agg(key, value || '{\"$KEY\": {\"a\": [1]}}') from jsonb_each(financial_inputs)) \
     where id = '$P'",
    "update ai_conversations set messages = (select jsonb_agg(message || '{\"$KEY\": 1}' order by place) \
     from jsonb_array_elements(messages) with ordinality m (message, place)) where plan_id = '$P'",
    "update prompts set ending = ending || '{\"$KEY\": 1}' where plan_id = '$P'",
    "update extractions set details = details || '{\"$KEY\": 1}' where plan_id = '$P'",
    "update sessions set data = data || '{\"$KEY\": 1}'",
];

/// Counts where the key still is.
const COUNT: &str = "select (select count(*) from jsonb_each(p.financial_inputs) where value ? '$KEY')::text, \
    (select count(*) from ai_conversation_messages m, lateral (select * from ai_conversations c where c.plan_id = m.plan_id) c, \
    jsonb_array_elements(c.messages) e where m.plan_id = p.id and e ->> 'id' = m.id::text and e ? '$KEY')::text, \
    (select count(*) from prompts where plan_id = p.id and ending ? '$KEY')::text, \
    (select count(*) from extractions where plan_id = p.id and details ? '$KEY')::text, \
    (select count(*) from sessions where data ? '$KEY')::text from plans p where p.id = '$P'";

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    for round in 0..if fixture.full { 5 } else { 1 } {
        let mut rng = Rng::of(fixture.seed, "versions", round);
        let plan = fixture.take_fresh_plan();
        for _ in 0..3 {
            turn(fixture, plan, &mut rng).await;
        }
        let fill = |statement: &str| statement.replace("$KEY", KEY).replace("$P", &plan.to_string());
        for statement in WRITE {
            fixture.postgres.rows(DATABASE, &fill(statement)).await;
        }
        let before = fixture.postgres.rows(DATABASE, &fill(COUNT)).await;
        let fields = before[0][0].as_deref() != Some("0");
        fixture.expect(fields, || format!("nothing was written ahead of time: {before:?}"));
        for _ in 0..3 {
            turn(fixture, plan, &mut rng).await;
        }
        edit(fixture, &server.base, plan, &mut rng).await;
        let after = fixture.postgres.rows(DATABASE, &fill(COUNT)).await;
        fixture.fault("F49", "rows with keys and columns of a newer version");
        fixture.expect(before == after, || {
            format!("of values, messages, turns, extractions, sessions {before:?} had a newer version's key, {after:?} still have it")
        });
        // Removed again, because the oracle compares with the plan's initial values, which lack the key.
        let back = "update plans set financial_inputs = (select jsonb_object_agg(key, value - '$KEY') from jsonb_each(financial_inputs)) where id = '$P'";
        fixture.postgres.rows(DATABASE, &fill(back)).await;
    }
    fixture.unlist(&server);
}

async fn turn(fixture: &Arc<Fixture>, plan: Uuid, rng: &mut Rng) {
    let dollars = rng.between(2_000, 9_000);
    let script = Script {
        tool: Some(("operatingCosts.rentMonthly", dollars.to_string())),
        ..Script::default()
    };
    let turn = Turn::new(fixture, plan, rng, &format!("My rent is ${dollars} a month."), script);
    fixture.expect(turn.finish(Duration::from_secs(20)).await, || {
        "beside a newer version a turn was not done".into()
    });
}

/// An edit by hand uses another statement than a turn.
async fn edit(fixture: &Fixture, base: &str, plan: Uuid, rng: &mut Rng) {
    let request = fixture
        .http
        .patch(format!("{base}/api/plans/{plan}/financial-inputs"))
        .header("cookie", fixture.cookie())
        .json(&json!({"operatingCosts.utilitiesMonthly": 100 * rng.between(300, 1_500)}));
    let status = request.send().await.map_or(0, |response| response.status().as_u16());
    fixture.expect(status == 200, || {
        format!("beside a newer version an edit came to {status}")
    });
}
