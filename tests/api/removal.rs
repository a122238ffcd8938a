//! What removed people and old turns leave behind.

use crate::support::{Gate, TestApp, eventually, says, sets};
use plan_advisor::store::people::users::{Removal, User};
use serde_json::json;

const RENT: &str = "operatingCosts.rentMonthly";

async fn remove(app: &TestApp, email: &str) -> Removal {
    let mut conn = pg_link::establish(&app.database.url()).await.expect("a connection");
    User::remove(&mut conn, email, None).await.expect("an answer")
}

#[tokio::test]
async fn what_a_removed_administrator_did_stays_with_their_name() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets(RENT, 4_440, "high"), says("Noted."), says("Hello.")]);
    let admin = app.admin.on_plan(app.sam.plan);
    admin.send("The rent is $4,440 a month").await;
    admin.set("operatingCosts.insuranceMonthly", 30_000).await;
    app.sam.send("Hello").await;
    app.database
        .run("UPDATE users SET role = 'platform_admin' WHERE email = 'riley@demo.test'")
        .await;

    assert_eq!(remove(&app, "Admin@demo.test").await, Removal::Removed);

    let changes = app.sam.changes().await;
    assert_eq!(changes.len(), 2);
    for change in &changes {
        assert_eq!(
            (&change["actor"], &change["actorName"]),
            (&json!(null), &json!("Avery Stone"))
        );
        assert_eq!(change["effectiveUserName"], "Avery Stone");
    }
    assert_eq!(app.sam.history().await.len(), 4);
    let kept = "SELECT jsonb_agg(jsonb_build_array(user_id IS NULL, user_name, actor_name) ORDER BY id)::text AS x FROM prompts";
    assert_eq!(
        app.database.value(kept).await.as_deref(),
        Some(r#"[[true, "Avery Stone", "Avery Stone"], [false, null, null]]"#)
    );
    let undo = format!("/changes/{}/undo", changes[1]["id"].as_str().expect("an id"));
    assert_eq!(app.sam.post_nothing(&app.sam.path(&undo)).await.status, 200);
    let events = "SELECT count(*) FROM audit_events WHERE kind = 'user_removed' AND detail ? 'userId'";
    assert_eq!(app.database.count(events).await, 1);
}

#[tokio::test]
async fn a_removed_franchisee_leaves_no_plan_behind() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4_440, "high"), says("Noted.")]);
    app.sam.send("The rent is $4,440 a month").await;
    assert_eq!(remove(&app, "sam@demo.test").await, Removal::Removed);
    assert_eq!(app.sam.get("/api/plans").await.status, 401);
    for table in [
        "plans WHERE id",
        "prompts WHERE plan_id",
        "plan_changes WHERE plan_id",
        "extractions WHERE plan_id",
    ] {
        let left = format!("SELECT count(*) FROM {table} = '{}'", app.sam.plan);
        assert_eq!(app.database.count(&left).await, 0, "{table}");
    }
    assert_eq!(remove(&app, "sam@demo.test").await, Removal::Unknown);
}

#[tokio::test]
async fn neither_the_last_administrator_nor_somebody_with_a_running_turn_is_removed() {
    let app = TestApp::spawn().await;
    assert_eq!(remove(&app, "admin@demo.test").await, Removal::LastPlatformAdmin);
    let gate = Gate::new();
    app.llm.script([says("Slowly.").wait(&gate)]);
    let turn = app.sam.open("Hello").await;
    gate.reached(1).await;
    assert_eq!(remove(&app, "sam@demo.test").await, Removal::Busy);
    gate.open();
    assert_eq!(turn.rest().await.text(), "Slowly.");
    assert_eq!(remove(&app, "sam@demo.test").await, Removal::Removed);
}

/// What a plan's owner and an administrator have changed, in so many rows each.
async fn much(app: &TestApp, rows: usize) {
    app.database
        .run(&format!(
            "INSERT INTO plan_changes (id, plan_id, field, new_value, source, reason, actor_id, effective_user_id) \
             SELECT gen_random_uuid(), p.id, 'operatingCosts.rentMonthly', '{{\"currentValue\": 1}}', 'user_entry', 'entry', u.id, u.id \
             FROM plans p, users u, generate_series(1, {rows}) WHERE p.id IN ('{}', '{}') AND u.email IN ('sam@demo.test', 'admin@demo.test'); \
             INSERT INTO audit_events (id, kind, actor_id, effective_user_id) \
             SELECT gen_random_uuid(), 'access_denied', u.id, u.id FROM users u, generate_series(1, {rows}) WHERE u.email = 'sam@demo.test'",
            app.sam.plan, app.riley.plan
        ))
        .await;
}

#[tokio::test]
async fn administrators_sign_in_while_somebody_with_much_is_removed() {
    let app = TestApp::spawn().await;
    app.database
        .run("UPDATE users SET role = 'platform_admin' WHERE email = 'taylor@demo.test'")
        .await;
    much(&app, 3_000).await;
    // The removal waits in its last step, for a row that somebody else holds, and has all its locks.
    let mut holder = app.database.open().await;
    let hold = format!("BEGIN; SELECT FROM plans WHERE id = '{}' FOR UPDATE", app.taylor.plan);
    diesel_async::SimpleAsyncConnection::batch_execute(&mut holder, &hold)
        .await
        .unwrap();
    let url = app.database.url();
    let removal = tokio::spawn(async move {
        let mut conn = pg_link::establish(&url).await.expect("a connection");
        diesel_async::SimpleAsyncConnection::batch_execute(
            &mut conn,
            "SET lock_timeout = 0; SET statement_timeout = 0",
        )
        .await
        .unwrap();
        User::remove(&mut conn, "taylor@demo.test", None)
            .await
            .expect("an answer")
    });
    eventually("the removal waits", async || {
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        app.database.count(waiting).await > 0
    })
    .await;
    let mut admin = app.anonymous();
    assert_eq!(admin.log_in("admin@demo.test", TestApp::PASSWORD).await.status, 200);
    assert_eq!(admin.get("/api/admin/users?email=sam").await.status, 200);
    admin.plan = app.sam.plan;
    admin.set("operatingCosts.insuranceMonthly", 30_000).await;
    diesel_async::SimpleAsyncConnection::batch_execute(&mut holder, "COMMIT")
        .await
        .unwrap();
    assert_eq!(removal.await.unwrap(), Removal::Removed);
}

#[tokio::test]
async fn a_removal_goes_in_batches_and_what_was_done_elsewhere_keeps_its_name() {
    let app = TestApp::spawn().await;
    much(&app, 3_000).await;
    assert_eq!(remove(&app, "sam@demo.test").await, Removal::Removed);
    let left = format!(
        "SELECT jsonb_build_array(count(*), count(actor_id), count(*) FILTER (WHERE actor_name = 'Sam Rivera' AND effective_user_name = 'Sam Rivera'))::text AS x \
         FROM plan_changes WHERE plan_id = '{}'",
        app.riley.plan
    );
    let left: serde_json::Value = serde_json::from_str(&app.database.value(&left).await.unwrap()).unwrap();
    assert_eq!(
        (left[1].as_i64(), left[2].as_i64()),
        (Some(left[0].as_i64().unwrap() - 3_000), Some(3_000))
    );
    let events = "SELECT count(*) FROM audit_events WHERE kind = 'access_denied' AND actor_id IS NULL AND actor_name = 'Sam Rivera'";
    assert_eq!(app.database.count(events).await, 3_000);
    let own = format!("SELECT count(*) FROM plan_changes WHERE plan_id = '{}'", app.sam.plan);
    assert_eq!(app.database.count(&own).await, 0);
    let again = app
        .database
        .refusal("UPDATE plan_changes SET actor_name = 'Nobody'")
        .await;
    assert!(again.contains("append-only"), "{again}");
    let again = app
        .database
        .refusal(
            "BEGIN; SELECT set_config('plan_advisor.removal', gen_random_uuid()::text, true); DELETE FROM plan_changes",
        )
        .await;
    assert!(again.contains("append-only"), "{again}");
}

#[tokio::test]
async fn a_removal_that_broke_off_goes_on_when_it_is_asked_for_again() {
    let app = TestApp::spawn().await;
    much(&app, 3_000).await;
    // A row of the last kind to be detached cannot be.
    app.database
        .run(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$; \
             CREATE TRIGGER a_refuse BEFORE UPDATE ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse()",
        )
        .await;
    let mut conn = pg_link::establish(&app.database.url()).await.expect("a connection");
    assert!(User::remove(&mut conn, "sam@demo.test", None).await.is_err());
    let own = format!("SELECT count(*) FROM plan_changes WHERE plan_id = '{}'", app.sam.plan);
    assert_eq!(app.database.count(&own).await, 0, "what was done stays done");
    // The person is still there, and may ask.
    let mut sam = app.anonymous();
    assert_eq!(sam.log_in("sam@demo.test", TestApp::PASSWORD).await.status, 200);
    app.database.run("DROP TRIGGER a_refuse ON audit_events").await;
    let password = json!({"password": TestApp::PASSWORD});
    assert_eq!(
        sam.fetch(sam.request(reqwest::Method::DELETE, "/api/me").json(&password))
            .await
            .status,
        204
    );
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM users WHERE email = 'sam@demo.test'")
            .await,
        0
    );
}

#[tokio::test]
async fn old_turns_are_deleted_and_plan_history_and_audit_stay() {
    let app = TestApp::builder()
        .config(|config| config.limits.retention_days_turns = 30)
        .spawn()
        .await;
    app.llm.script([
        sets(RENT, 4_440, "high"),
        says("Noted."),
        sets(RENT, 5_550, "tentative"),
        says("Perhaps."),
        says("New."),
    ]);
    app.sam.send("The rent is $4,440 a month").await;
    app.sam.send("Maybe the rent will be about $5,550").await;
    app.sam.send("Hello").await;
    let aged = |days: u32, which: &str| {
        format!(
            "UPDATE prompts SET created_at = created_at - interval '{days} days' WHERE id IN (SELECT id FROM prompts ORDER BY id {which})"
        )
    };
    app.database.run(&aged(31, "LIMIT 2")).await;
    app.database.run(&aged(29, "DESC LIMIT 1")).await;

    eventually("the old turns are gone", async || app.sam.prompts().await.len() == 1).await;

    assert_eq!(app.sam.prompts().await[0]["input"], "Hello");
    assert_eq!(app.sam.history().await.len(), 6);
    let changes = app.sam.changes().await;
    assert_eq!((changes.len(), &changes[0]["turnId"]), (1, &json!(null)));
    let proposed =
        app.sam.get(&app.sam.path("/conversation")).await.json()["data"][3]["extractedValues"][0]["id"].clone();
    let accept = format!("/conversation/extractions/{}/accept", proposed.as_str().expect("an id"));
    assert_eq!(app.sam.post(&app.sam.path(&accept), &json!({})).await.status, 200);
    assert_eq!(app.sam.held(RENT).await.0, json!(555_000));
}

/// Events of the audit log as if they had happened `days` ago. The log itself lets nobody do that.
async fn age_events(app: &TestApp, days: u32, of: &str) {
    app.database
        .run(&format!(
            "BEGIN; SET LOCAL session_replication_role = replica; \
             UPDATE audit_events SET created_at = created_at - interval '{days} days' WHERE {of}; COMMIT"
        ))
        .await;
}

const COUNT_EVENTS: &str = "SELECT count(*) FROM audit_events";

#[tokio::test]
async fn old_events_of_the_audit_log_are_deleted_and_changes_of_plans_stay() {
    let app = TestApp::builder()
        .config(|config| config.limits.retention_days_audit = 40)
        .spawn()
        .await;
    app.llm.script([sets(RENT, 4_440, "high"), says("Noted.")]);
    app.sam.send("The rent is $4,440 a month").await;
    app.database
        .run(
            "BEGIN; SET LOCAL session_replication_role = replica; \
             UPDATE plan_changes SET created_at = created_at - interval '400 days'; COMMIT; \
             INSERT INTO audit_events (id, kind) SELECT gen_random_uuid(), 'old' FROM generate_series(1, 1200); \
             INSERT INTO audit_events (id, kind) SELECT gen_random_uuid(), 'recent' FROM generate_series(1, 7)",
        )
        .await;
    age_events(&app, 39, "kind = 'recent'").await;
    age_events(&app, 41, "kind = 'old'").await;

    let old = format!("{COUNT_EVENTS} WHERE kind = 'old'");
    eventually("the old events are gone", async || app.database.count(&old).await == 0).await;

    let recent = format!("{COUNT_EVENTS} WHERE kind = 'recent'");
    assert_eq!(app.database.count(&recent).await, 7);
    assert_eq!(app.sam.changes().await.len(), 1);
}

#[tokio::test]
async fn only_the_retention_deletes_events_and_never_those_of_thirty_days() {
    let app = TestApp::spawn().await;
    let event = "INSERT INTO audit_events (id, kind) VALUES (gen_random_uuid(), 'one')";
    app.database.run(event).await;
    age_events(&app, 31, "kind = 'one'").await;
    let refusal = app.database.refusal("DELETE FROM audit_events").await;
    assert!(refusal.contains("append-only"), "{refusal}");

    let by_retention = |table: &str| format!("SET plan_advisor.retention = 'audit_events'; DELETE FROM {table}");
    app.database.run(event).await;
    let refusal = app.database.refusal(&by_retention("audit_events")).await;
    assert!(refusal.contains("append-only"), "the other one is young: {refusal}");
    let old = by_retention("audit_events WHERE created_at < now() - interval '30 days'");
    app.database.run(&old).await;
    app.llm.script([sets(RENT, 4_440, "high"), says("Noted.")]);
    app.sam.send("The rent is $4,440 a month").await;
    let refusal = app.database.refusal(&by_retention("plan_changes")).await;
    assert!(refusal.contains("append-only"), "{refusal}");
    assert_eq!(
        app.database.count(&format!("{COUNT_EVENTS} WHERE kind = 'one'")).await,
        1
    );
}

#[tokio::test]
async fn instances_that_are_gone_and_old_counts_are_forgotten() {
    let app = TestApp::spawn().await;
    let alive = "SELECT count(*) FROM instances";
    eventually("the instance is listed", async || app.database.count(alive).await == 1).await;
    app.database
        .run(
            "INSERT INTO instances (id, seen_at) VALUES (gen_random_uuid(), now() - interval '2 days'); \
             INSERT INTO rate_limits (user_id, kind, tokens, refilled_at) SELECT u.id, k.kind, 3, now() - k.age \
             FROM users u, (VALUES ('turns', interval '2 days'), ('writes', interval '1 minute')) k (kind, age) \
             WHERE u.email = 'sam@demo.test'",
        )
        .await;
    // Its first step does what later ones do every ten minutes.
    let _sibling = app.sibling().await;
    let left = "SELECT count(*) FROM rate_limits";
    eventually("one count is left", async || app.database.count(left).await == 1).await;
    // The first instance's own first step may have forgotten the counts after the rows came, and the instances before.
    let gone = "SELECT count(*) FROM instances WHERE seen_at < now() - interval '1 day'";
    eventually("the row of the other is gone", async || {
        app.database.count(gone).await == 0
    })
    .await;
}
