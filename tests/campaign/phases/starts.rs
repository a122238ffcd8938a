//! F48, F50, F54, F55: starting together, with stale turns, with useless settings, with unsafe databases.

use crate::fixture::{DATABASE, Fixture};
use crate::server::Server;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub async fn run(fixture: &Arc<Fixture>) {
    together(fixture).await;
    with_many_orphans(fixture).await;
    useless_settings(fixture).await;
    on_unsafe_settings(fixture).await;
}

/// F48: five processes on an empty database; one migrates, all serve.
async fn together(fixture: &Arc<Fixture>) {
    for round in 0..if fixture.full { 10 } else { 1 } {
        let name = format!("empty_{round}");
        fixture
            .postgres
            .rows("postgres", &format!("create database {name}"))
            .await;
        let start = || {
            fixture
                .start()
                .with("DATABASE_URL", fixture.database_url(&name))
                .migrating()
        };
        let starts: Vec<_> = (0..5).map(|_| start()).collect();
        let servers = futures_util::future::join_all(starts.iter().map(Server::start)).await;
        fixture.faults("F48", "process on an empty database, five at once", 5);
        for failed in servers.iter().filter_map(|server| server.as_ref().err()) {
            fixture.violation(format!("five at once: {failed}"));
        }
        drop(servers);
        fixture
            .postgres
            .rows("postgres", &format!("drop database {name} with (force)"))
            .await;
    }
}

/// F50: ten thousand running turns of a process that no longer exists.
async fn with_many_orphans(fixture: &Arc<Fixture>) {
    let copy = "orphans";
    let end = format!(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{DATABASE}' and pid <> pg_backend_pid()"
    );
    // On a copy, because these turns are not in the ledger; a database can only be copied without connections.
    let mut made = false;
    for _ in 0..20 {
        fixture.postgres.rows("postgres", &end).await;
        made = fixture
            .postgres
            .sql("postgres", &format!("create database {copy} template {DATABASE}"))
            .await
            .is_ok();
        if made {
            break;
        }
    }
    if !made {
        return fixture.violation("the database could not be copied".into());
    }
    let rows = "insert into plans (id, user_id, brand_version_id, name) select gen_random_uuid(), user_id, brand_version_id, 'orphan' \
        from (select * from plans limit 1) p, generate_series(1, 10000); \
        insert into prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) select gen_random_uuid(), id, \
        user_id, user_id, 'm', 'running', 'Hello', gen_random_uuid(), now() - interval '1 minute' from plans where name = 'orphan'";
    fixture.postgres.rows(copy, rows).await;
    fixture.fault("F50", "start with ten thousand stale turns");
    match Server::start(&fixture.start().with("DATABASE_URL", fixture.database_url(copy))).await {
        Ok(server) => {
            println!("  ready {} ms behind 10,000 orphans", server.ready_after.as_millis());
            fixture.expect(server.ready_after < Duration::from_secs(6), || {
                format!("start took {:?}", server.ready_after)
            });
            // The first heartbeat lets the reaping begin.
            let orphans = "select count(*)::text from prompts join plans p on p.id = plan_id where state = 'running' and p.name = 'orphan'";
            let begun = Instant::now();
            let mut left = fixture.postgres.rows(copy, orphans).await;
            while left[0][0].as_deref() != Some("0") && begun.elapsed() < Duration::from_secs(30) {
                sleep(Duration::from_millis(200)).await;
                left = fixture.postgres.rows(copy, orphans).await;
            }
            fixture.expect(left[0][0].as_deref() == Some("0"), || {
                format!("{left:?} orphans are left")
            });
        }
        Err(error) => fixture.violation(format!("behind many orphans: {error}")),
    }
    fixture
        .postgres
        .rows("postgres", &format!("drop database {copy} with (force)"))
        .await;
}

/// F54: a useless value is refused with one line that names it.
async fn useless_settings(fixture: &Arc<Fixture>) {
    let cases = [
        ("BIND_ADDR", "nowhere"),
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "not a url"),
        ("DATABASE_POOL_SIZE", "-1"),
        ("LLM_BASE_URL", "ftp://x"),
        ("LLM_TIMEOUT_SECONDS", "soon"),
        ("LLM_TEMPERATURE", "hot"),
        ("SESSION_IDLE_MINUTES", "0"),
        ("MAX_MESSAGE_CHARS", "99999999999"),
        ("LLM_PROVIDER", "nobody"),
    ];
    for (name, value) in cases {
        let ended = Server::start(&fixture.start().with(name, value)).await;
        fixture.fault("F54", &format!("started with a useless {name}"));
        let refused = ended
            .as_ref()
            .is_err_and(|why| !why.contains("panicked") && !why.contains("does not listen"));
        fixture.expect(refused, || format!("{name}={value:?}: {ended:?}"));
    }
}

/// F55: unsafe settings give a warning from `serve` and `check-config`; an encoding other than UTF-8 is refused.
async fn on_unsafe_settings(fixture: &Arc<Fixture>) {
    for name in ["fsync", "full_page_writes", "synchronous_commit"] {
        let set = |what: &str| fixture.postgres.reload(format!("alter system {what}"));
        set(&format!("set {name} = off")).await;
        let started = Server::start(&fixture.start()).await;
        let checked = check_config(fixture, DATABASE);
        set(&format!("reset {name}")).await;
        fixture.fault("F55", &format!("{name} off"));
        let received = format!("{name} is off");
        match started {
            Ok(server) => {
                let log = server.log_text();
                let warned = log
                    .lines()
                    .any(|line| line.contains("WARN") && line.contains(&received));
                fixture.expect(warned, || format!("started without a word about {name}"));
            }
            Err(error) => fixture.violation(format!("with {name} off: {error}")),
        }
        fixture.expect(!checked.0 && checked.1.contains(&received), || {
            format!("check-config with {name} off: {checked:?}")
        });
    }
    let made = "create database ascii encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'";
    fixture.postgres.rows("postgres", made).await;
    let start = fixture
        .start()
        .with("DATABASE_URL", fixture.database_url("ascii"))
        .migrating();
    let started = Server::start(&start).await;
    fixture.fault("F55", "database in SQL_ASCII");
    let refused = started
        .as_ref()
        .is_err_and(|why| why.contains("server_encoding is SQL_ASCII"));
    fixture.expect(refused, || format!("a database in SQL_ASCII: {started:?}"));
    let checked = check_config(fixture, "ascii");
    fixture.expect(!checked.0 && checked.1.contains("SQL_ASCII"), || {
        format!("check-config in SQL_ASCII: {checked:?}")
    });
}

/// Whether `check-config` succeeds, and its output.
fn check_config(fixture: &Fixture, database: &str) -> (bool, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_plan-advisor"))
        .arg("check-config")
        .env_clear()
        .env("DATABASE_URL", fixture.database_url(database))
        .env("LLM_PROVIDER", "offline")
        .output();
    let output = tokio::task::block_in_place(|| run).expect("the binary runs");
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}
