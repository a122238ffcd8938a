//! F49: what a newer version wrote beside what this one knows is still there when this one has worked on the rows.

use crate::driver::Turn;
use crate::model::Script;
use crate::rng::Rng;
use crate::world::{DATABASE, World};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// A key that no version of ours has.
const KEY: &str = "ofTheFuture";

/// Puts the key into every message, value, column and document that a turn reads or writes.
const WRITE: &str = "alter table plans add column if not exists of_the_future text default 'x'; \
    alter table prompts add column if not exists of_the_future text default 'x'; \
    alter table ai_conversations add column if not exists of_the_future text default 'x'; \
    alter table extractions add column if not exists of_the_future text default 'x'; \
    update plans set financial_inputs = (select jsonb_object_agg(key, value || '{\"$KEY\": {\"a\": [1]}}') from jsonb_each(financial_inputs)) \
    where id = '$P'; \
    update ai_conversations set messages = (select jsonb_agg(message || '{\"$KEY\": 1}' order by place) \
    from jsonb_array_elements(messages) with ordinality m (message, place)) where plan_id = '$P'; \
    update prompts set ending = ending || '{\"$KEY\": 1}' where plan_id = '$P'; \
    update extractions set details = details || '{\"$KEY\": 1}' where plan_id = '$P'; \
    update sessions set data = data || '{\"$KEY\": 1}'";

/// How many of each still have it.
const COUNT: &str = "select (select count(*) from jsonb_each(p.financial_inputs) where value ? '$KEY')::text, \
    (select count(*) from ai_conversation_messages m, lateral (select * from ai_conversations c where c.plan_id = m.plan_id) c, \
    jsonb_array_elements(c.messages) e where m.plan_id = p.id and e ->> 'id' = m.id::text and e ? '$KEY')::text, \
    (select count(*) from prompts where plan_id = p.id and ending ? '$KEY')::text, \
    (select count(*) from extractions where plan_id = p.id and details ? '$KEY')::text, \
    (select count(*) from sessions where data ? '$KEY')::text from plans p where p.id = '$P'";

pub async fn run(world: &Arc<World>) {
    let server = world.serve().await;
    for round in 0..if world.full { 5 } else { 1 } {
        let mut rng = Rng::of(world.seed, "versions", round);
        let plan = world.take_fresh_plan();
        for _ in 0..3 {
            turn(world, plan, &mut rng).await;
        }
        let fill = |statement: &str| statement.replace("$KEY", KEY).replace("$P", &plan.to_string());
        world.postgres.rows(DATABASE, &fill(WRITE)).await;
        let before = world.postgres.rows(DATABASE, &fill(COUNT)).await;
        let fields = before[0][0].as_deref() != Some("0");
        world.expect(fields, || format!("nothing was written ahead of time: {before:?}"));
        for _ in 0..3 {
            turn(world, plan, &mut rng).await;
        }
        edit(world, &server.base, plan, &mut rng).await;
        let after = world.postgres.rows(DATABASE, &fill(COUNT)).await;
        world.fault("F49", "rows with keys and columns of a newer version");
        world.expect(before == after, || {
            format!("of values, messages, turns, extractions, sessions {before:?} had a newer version's key, {after:?} still have it")
        });
        // The oracle knows the values that the plan began with; without the key, which is in no audit, it finds them again.
        let back = "update plans set financial_inputs = (select jsonb_object_agg(key, value - '$KEY') from jsonb_each(financial_inputs)) where id = '$P'";
        world.postgres.rows(DATABASE, &fill(back)).await;
    }
    world.strike(&server);
}

async fn turn(world: &Arc<World>, plan: Uuid, rng: &mut Rng) {
    let dollars = rng.between(2_000, 9_000);
    let script = Script {
        tool: Some(("operatingCosts.rentMonthly", dollars.to_string())),
        ..Script::default()
    };
    let turn = Turn::new(world, plan, rng, &format!("My rent is ${dollars} a month."), script);
    world.expect(turn.finish(Duration::from_secs(20)).await, || {
        "beside a newer version a turn was not done".into()
    });
}

/// The owner's own hand goes through another statement.
async fn edit(world: &World, base: &str, plan: Uuid, rng: &mut Rng) {
    let request = world
        .http
        .patch(format!("{base}/api/plans/{plan}/financial-inputs"))
        .header("cookie", world.cookie())
        .json(&json!({"operatingCosts.utilitiesMonthly": 100 * rng.between(300, 1_500)}));
    let status = request.send().await.map_or(0, |response| response.status().as_u16());
    world.expect(status == 200, || {
        format!("beside a newer version an edit came to {status}")
    });
}
