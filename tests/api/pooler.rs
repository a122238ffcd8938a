//! A connection pooler between the servers and PostgreSQL. `make cluster ARGS=pooler` runs all tests through a real one.

use crate::process::binary;
use crate::support::database::TestDatabase;
use crate::support::pooler::Mode;
use crate::support::{Pooler, eventually};
use diesel_async::SimpleAsyncConnection;
use pg_link::pooler::{Pooling, Statements, probe};
use plan_advisor::store::Db;

const LOST: Pooling = Pooling::Transaction(Statements::Lost);

async fn seeded() -> TestDatabase {
    tokio::task::spawn_blocking(TestDatabase::seeded)
        .await
        .expect("a database")
}

/// Runs a command to its end; returns whether it succeeded, and what it said.
async fn run(command: &str, url: &str, direct: &str) -> (bool, String) {
    let output = binary(url)
        .arg(command)
        .env("DATABASE_DIRECT_URL", direct)
        .env("LLM_PROVIDER", "offline")
        .output()
        .await
        .expect("it ran");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[tokio::test]
async fn a_pooler_that_loses_prepared_statements_is_refused_with_one_line() {
    let database = seeded().await;
    let pooler = Pooler::start(Mode::Transaction, 8).await;

    let (served, said) = run("serve", &pooler.url(&database), "").await;
    assert!(!served);
    let refusals: Vec<&str> = said.lines().filter(|line| line.starts_with("plan-advisor: ")).collect();
    assert_eq!(refusals.len(), 1, "{said}");
    assert!(
        refusals[0].contains("loses prepared statements: use PgBouncer 1.21 or newer"),
        "{said}"
    );
    let (sound, said) = run("check-config", &pooler.url(&database), "").await;
    assert!(!sound);
    assert!(
        said.contains("pooler     transaction mode yes, prepared statements kept no\n"),
        "{said}"
    );
}

#[tokio::test]
async fn check_config_says_where_there_is_no_pooler_or_one_by_session() {
    let database = seeded().await;
    let pooler = Pooler::start(Mode::Session, 8).await;
    for url in [database.url(), pooler.url(&database)] {
        let (_, said) = run("check-config", &url, &database.url()).await;
        assert!(
            said.contains("pooler     transaction mode no, prepared statements kept yes\ndirect     reached\n"),
            "{said}"
        );
    }
}

#[tokio::test]
async fn migrations_go_past_a_pooler_in_transaction_mode_and_the_role_gets_the_settings_of_sessions() {
    let database = tokio::task::spawn_blocking(TestDatabase::empty)
        .await
        .expect("a database");
    let pooler = Pooler::start(Mode::Transaction, 8).await;
    let url = pooler.url(&database);
    for direct in ["", &url] {
        let (migrated, said) = run("migrate", &url, direct).await;
        assert!(!migrated);
        assert!(said.contains("set DATABASE_DIRECT_URL to PostgreSQL itself"), "{said}");
    }
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(database.count(tables).await, 0, "nothing was begun");

    let (migrated, said) = run("migrate", &url, &database.url()).await;
    assert!(migrated, "{said}");
    assert!(database.count(tables).await > 10);
    let settings = "SELECT s.setconfig::text FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase \
        WHERE d.datname = current_database()";
    assert_eq!(
        database.value(settings).await.as_deref(),
        Some(
            "{statement_timeout=5s,lock_timeout=2s,idle_in_transaction_session_timeout=10s,\
             plan_cache_mode=force_generic_plan,TimeZone=UTC}"
        )
    );
    let (migrated, said) = run("migrate", &url, &database.url()).await;
    assert!(migrated && said.contains("0 migrations were run"), "{said}");
}

#[tokio::test]
async fn a_role_has_the_settings_of_sessions_before_any_session_sets_them() {
    let database = seeded().await;
    pg_link::settings::set_for_role(&database.url()).await.expect("set");
    let mut conn = pg_link::establish(&database.url()).await.expect("a connection");
    assert!(pg_link::settings::are_set_for_role(&mut conn).await.expect("read"));
    // `RESET ALL` undoes every SET of the session.
    conn.batch_execute("RESET ALL").await.expect("reset");
    let mut values = Vec::new();
    for name in [
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout",
        "plan_cache_mode",
    ] {
        let check = format!("DO $$ BEGIN RAISE EXCEPTION '%', current_setting('{name}'); END $$");
        values.push(conn.batch_execute(&check).await.expect_err("raised").to_string());
    }
    assert_eq!(values, ["5s", "2s", "10s", "force_generic_plan"]);
}

/// Clients that use a pool without a pause, until it is dropped.
async fn crowd(url: &str) -> tokio::task::JoinSet<()> {
    let db = Db::connect(url, 6).expect("a pool");
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let db = db.clone();
        clients.spawn(async move {
            loop {
                if let Ok(mut conn) = db.conn().await {
                    let _ = conn.batch_execute("BEGIN; SELECT pg_sleep(0.001); COMMIT").await;
                }
            }
        });
    }
    eventually("the pool is busy", async || db.in_use() >= 4).await;
    clients
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_load_good_ones_are_never_refused_and_bad_ones_are() {
    let database = seeded().await;
    let (by_session, by_transaction) = (
        Pooler::start(Mode::Session, 20).await,
        Pooler::start(Mode::Transaction, 10).await,
    );
    for (url, expected) in [
        (database.url(), Pooling::Session),
        (by_session.url(&database), Pooling::Session),
        (by_transaction.url(&database), LOST),
    ] {
        let clients = crowd(&url).await;
        for _ in 0..10 {
            assert_eq!(probe(&url).await.expect("looked at"), expected);
        }
        drop(clients);
    }
}

#[tokio::test]
async fn what_was_not_seen_counts_against_nobody() {
    let database = seeded().await;
    let one = Pooler::start(Mode::Transaction, 1).await;
    assert_eq!(
        probe(&one.url(&database)).await.expect("looked at"),
        Pooling::Transaction(Statements::Untested),
        "there is no other process to lose a statement on"
    );
    let none_left = Pooler::start(Mode::Session, 1).await;
    assert_eq!(
        probe(&none_left.url(&database)).await.expect("looked at"),
        Pooling::Session
    );
}
