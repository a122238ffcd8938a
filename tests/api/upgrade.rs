//! A database that release cbb8d9a wrote (`scripts/make-upgrade-fixture.py`) answers after the upgrade as it did before, and goes on.

use crate::support::app::TestApp;
use crate::support::database::TestDatabase;
use plan_advisor::store::migrate;
use serde_json::{Value, json};
use uuid::Uuid;

const DUMP: &str = include_str!("../fixtures/upgrade/dump.sql");
const EXPECTED: &str = include_str!("../fixtures/upgrade/expected.json");

async fn earlier() -> TestDatabase {
    let database = tokio::task::spawn_blocking(TestDatabase::empty)
        .await
        .expect("a database");
    database.run(DUMP).await;
    database
}

async fn upgraded() -> TestDatabase {
    let database = earlier().await;
    migrate::run(&database.url()).await.expect("the upgrade");
    database
}

#[tokio::test(flavor = "multi_thread")]
async fn plans_messages_changes_and_scenarios_read_as_before() {
    let app = TestApp::builder().on(upgraded().await).offline_model().spawn().await;
    let expected: Value = serde_json::from_str(EXPECTED).expect("JSON");
    let mut plans = 0;
    for (plan, answers) in expected.as_object().expect("answers by plan") {
        let Ok(plan) = plan.parse::<Uuid>() else { continue };
        let client = app.admin.on_plan(plan);
        let data = async |path: &str| client.get(&client.path(path)).await.data();
        let mut now = data("").await;
        let inputs = now["financialInputs"].as_object_mut().expect("the values");
        // A field that the catalog got since comes with its default.
        inputs.retain(|path, _| answers["plan"]["financialInputs"].get(path).is_some());
        // Said since of the value that another field decides.
        for value in inputs.values_mut().filter_map(Value::as_object_mut) {
            value.remove("derived");
        }
        now.as_object_mut().expect("a plan").remove("openingMonth");
        assert_eq!(now, answers["plan"]);
        assert_eq!(json!(client.history().await), answers["messages"]);
        assert_eq!(data("/changes").await, answers["changes"]);
        assert_eq!(data("/scenarios").await, answers["scenarios"]);
        plans += 1;
    }
    assert_eq!(plans, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_replays_and_a_new_one_follows() {
    let app = TestApp::builder().on(upgraded().await).offline_model().spawn().await;
    let expected: Value = serde_json::from_str(EXPECTED).expect("JSON");
    let plan: Uuid = "0199c0de-0000-7000-8000-000000000021".parse().expect("an id");
    let sam = app.sam.on_plan(plan);
    let replayed = sam
        .post_with_key("My rent is $4,200/month", "fixture-1")
        .await
        .stream()
        .rest()
        .await;
    let before = expected["replayed"].as_str().expect("the stream of before");
    let done = before.rsplit("data: ").next().expect("the last event").trim();
    let done: Value = serde_json::from_str(done).expect("JSON");
    assert_eq!(replayed.last().json, done);

    let count = sam.history().await.len();
    let turn = sam.send("My rent is $4,300 a month").await;
    assert_eq!(turn.last().json["type"], "done");
    assert_eq!(sam.history().await.len(), count + 2);
    assert_eq!(sam.field("operatingCosts.rentMonthly").await["currentValue"], 430_000);
}

/// What PostgreSQL's catalogs say of everything that migrations make.
const SCHEMA: &str = "\
    SELECT format('%s.%s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) AS x \
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum \
    WHERE attrelid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace) \
      AND attnum > 0 AND NOT attisdropped \
    UNION ALL SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) FROM pg_constraint WHERE connamespace = 'public'::regnamespace \
    UNION ALL SELECT format('%s %s', pg_get_indexdef(indexrelid), indisvalid) FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace) \
    UNION ALL SELECT format('%s %s %s %s', relname, relkind, relpersistence, reloptions) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind <> 't' \
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace \
    UNION ALL SELECT pg_get_viewdef(oid) FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace \
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal \
    UNION ALL SELECT format('%s %s: %s', objoid::regclass, (SELECT attname FROM pg_attribute WHERE attrelid = objoid AND attnum = objsubid), description) FROM pg_description WHERE classoid = 'pg_class'::regclass \
      AND objoid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace) \
    UNION ALL SELECT version FROM __diesel_schema_migrations ORDER BY 1";

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_is_that_of_a_new_database() {
    let fresh = tokio::task::spawn_blocking(TestDatabase::empty)
        .await
        .expect("a database");
    migrate::run(&fresh.url()).await.expect("the migrations");
    let (fresh, upgraded) = (fresh.values(SCHEMA).await, upgraded().await.values(SCHEMA).await);
    let text = |rows: Vec<Option<String>>| rows.into_iter().flatten().collect::<Vec<_>>();
    let (fresh, upgraded) = (text(fresh), text(upgraded));
    assert!(fresh.len() > 300, "{}", fresh.len());
    let only = |these: &[String], others: &[String]| -> Vec<String> {
        these.iter().filter(|row| !others.contains(row)).cloned().collect()
    };
    assert_eq!(only(&upgraded, &fresh), only(&fresh, &upgraded));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_older_still_is_refused_with_the_way_out() {
    let database = earlier().await;
    database
        .run("DELETE FROM public.__diesel_schema_migrations WHERE version >= '20261127'")
        .await;
    let error = migrate::run(&database.url()).await.expect_err("it is too old");
    assert!(
        error.chain().contains("run `migrate` of that release first"),
        "{}",
        error.chain()
    );
    let versions = "SELECT count(*) FROM __diesel_schema_migrations WHERE version LIKE '2026112500%0'";
    assert_eq!(database.count(versions).await, 0, "nothing has changed");
}
