//! F48, F50, F54, F55: how processes start, alone, together, with what others left, and with nonsense around them.

use crate::server::Server;
use crate::world::{DATABASE, World};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

pub async fn run(world: &Arc<World>) {
    together(world).await;
    behind_many_orphans(world).await;
    with_nonsense(world).await;
    on_unsafe_settings(world).await;
}

/// F48: five on an empty database; one migrates, all serve.
async fn together(world: &Arc<World>) {
    for round in 0..if world.full { 10 } else { 1 } {
        let name = format!("empty_{round}");
        world
            .postgres
            .rows("postgres", &format!("create database {name}"))
            .await;
        let start = || {
            world
                .start()
                .with("DATABASE_URL", world.database_url(&name))
                .migrating()
        };
        let starts: Vec<_> = (0..5).map(|_| start()).collect();
        let servers = futures_util::future::join_all(starts.iter().map(Server::start)).await;
        world.faults("F48", "process on an empty database, five at once", 5);
        for failed in servers.iter().filter_map(|server| server.as_ref().err()) {
            world.violation(format!("five at once: {failed}"));
        }
        drop(servers);
        world
            .postgres
            .rows("postgres", &format!("drop database {name} with (force)"))
            .await;
    }
}

/// F50: ten thousand turns that a dead process left.
async fn behind_many_orphans(world: &Arc<World>) {
    let copy = "orphans";
    let end = format!(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{DATABASE}' and pid <> pg_backend_pid()"
    );
    // A copy, as no ledger knows of these turns; a database that is copied may have no visitors.
    let mut made = false;
    for _ in 0..20 {
        world.postgres.rows("postgres", &end).await;
        made = world
            .postgres
            .sql("postgres", &format!("create database {copy} template {DATABASE}"))
            .await
            .is_ok();
        if made {
            break;
        }
    }
    if !made {
        return world.violation("the database could not be copied".into());
    }
    let rows = "insert into plans (id, user_id, brand_version_id, name) select gen_random_uuid(), user_id, brand_version_id, 'orphan' \
        from (select * from plans limit 1) p, generate_series(1, 10000); \
        insert into prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) select gen_random_uuid(), id, \
        user_id, user_id, 'm', 'running', 'Hello', gen_random_uuid(), now() - interval '1 minute' from plans where name = 'orphan'";
    world.postgres.rows(copy, rows).await;
    world.fault("F50", "start behind ten thousand orphaned turns");
    match Server::start(&world.start().with("DATABASE_URL", world.database_url(copy))).await {
        Ok(server) => {
            println!("  ready {} ms behind 10,000 orphans", server.ready_after.as_millis());
            world.expect(server.ready_after < Duration::from_secs(6), || {
                format!("start took {:?}", server.ready_after)
            });
            let left = world.postgres.rows(copy, "select count(*)::text from prompts join plans p on p.id = plan_id where state = 'running' and p.name = 'orphan'").await;
            world.expect(left[0][0].as_deref() == Some("0"), || {
                format!("{left:?} orphans are left")
            });
        }
        Err(error) => world.violation(format!("behind many orphans: {error}")),
    }
    world
        .postgres
        .rows("postgres", &format!("drop database {copy} with (force)"))
        .await;
}

/// F54: a value that makes no sense is refused in one line that names it.
async fn with_nonsense(world: &Arc<World>) {
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
        let ended = Server::start(&world.start().with(name, value)).await;
        world.fault("F54", &format!("started with a useless {name}"));
        let refused = ended
            .as_ref()
            .is_err_and(|why| !why.contains("panicked") && !why.contains("does not listen"));
        world.expect(refused, || format!("{name}={value:?}: {ended:?}"));
    }
}

/// F55: what could lose a commit is said loudly, by `serve` and by `check-config`; what cannot hold texts is refused.
async fn on_unsafe_settings(world: &Arc<World>) {
    for name in ["fsync", "full_page_writes", "synchronous_commit"] {
        let set = |what: &str| world.postgres.reload(format!("alter system {what}"));
        set(&format!("set {name} = off")).await;
        let started = Server::start(&world.start()).await;
        let checked = check_config(world, DATABASE);
        set(&format!("reset {name}")).await;
        world.fault("F55", &format!("{name} off"));
        let told = format!("{name} is off");
        match started {
            Ok(server) => {
                let log = server.log_text();
                let warned = log.lines().any(|line| line.contains("WARN") && line.contains(&told));
                world.expect(warned, || format!("started without a word about {name}"));
            }
            Err(error) => world.violation(format!("with {name} off: {error}")),
        }
        world.expect(!checked.0 && checked.1.contains(&told), || {
            format!("check-config with {name} off: {checked:?}")
        });
    }
    let made = "create database ascii encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'";
    world.postgres.rows("postgres", made).await;
    let start = world
        .start()
        .with("DATABASE_URL", world.database_url("ascii"))
        .migrating();
    let started = Server::start(&start).await;
    world.fault("F55", "database in SQL_ASCII");
    let refused = started
        .as_ref()
        .is_err_and(|why| why.contains("server_encoding is SQL_ASCII"));
    world.expect(refused, || format!("a database in SQL_ASCII: {started:?}"));
    let checked = check_config(world, "ascii");
    world.expect(!checked.0 && checked.1.contains("SQL_ASCII"), || {
        format!("check-config in SQL_ASCII: {checked:?}")
    });
}

/// Whether `check-config` is content, and what it says.
fn check_config(world: &World, database: &str) -> (bool, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_plan-advisor"))
        .arg("check-config")
        .env_clear()
        .env("DATABASE_URL", world.database_url(database))
        .env("LLM_PROVIDER", "offline")
        .output();
    let output = tokio::task::block_in_place(|| run).expect("the binary runs");
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}
