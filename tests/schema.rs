//! The migrated database: matches the diesel schema, has comments, indexes and constraints.

#[path = "api/support/database.rs"]
mod database;

use database::TestDatabase;
use diesel::QueryDsl;
use diesel_async::RunQueryDsl;
use diesel_async::SimpleAsyncConnection;
use diesel_migrations::FileBasedMigrations;
use plan_advisor::store::people::export::sections;
use plan_advisor::store::turns::prompts::{self, Prompt};
use plan_advisor::store::{StoreError, migrate, schema};
use plan_model::ids::PlanId;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Table and column to type and nullability.
type Columns = BTreeMap<(String, String), (String, bool)>;

/// The columns in `src/store/schema.rs`, parsed as text so that none is missed.
fn written() -> Columns {
    let mut columns = Columns::new();
    let mut table: Option<String> = None;
    for line in include_str!("../src/store/schema.rs").lines().map(str::trim) {
        if let Some((name, _)) = line.split_once(" (").filter(|(_, rest)| rest.ends_with(") {")) {
            table = Some(name.to_owned());
        } else if let (Some(table), Some((column, kind))) = (&table, line.trim_end_matches(',').split_once(" -> ")) {
            if line.starts_with("diesel::") {
                continue;
            }
            let inner = kind.strip_prefix("Nullable<").and_then(|kind| kind.strip_suffix('>'));
            columns.insert(
                (table.clone(), column.to_owned()),
                (inner.unwrap_or(kind).to_owned(), inner.is_some()),
            );
        }
    }
    columns
}

/// The columns in PostgreSQL's catalog, with diesel's type names.
async fn migrated(database: &TestDatabase) -> Columns {
    let query = "SELECT jsonb_build_array(c.relname, a.attname, t.typname, NOT a.attnotnull)::text AS x \
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid \
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped \
         AND c.relname <> '__diesel_schema_migrations'";
    let rows = database.values(query).await;
    rows.iter()
        .flatten()
        .map(|text| {
            let (table, column, kind, nullable): (String, String, String, bool) =
                serde_json::from_str(text).expect("JSON");
            let upper = |kind: &str| kind[..1].to_ascii_uppercase() + &kind[1..];
            // PostgreSQL's name of an array's type begins with an underscore.
            let kind = match kind.strip_prefix('_') {
                Some(element) => format!("Array<{}>", upper(element)),
                None => upper(&kind),
            };
            ((table, column), (kind, nullable))
        })
        .collect()
}

#[tokio::test]
async fn the_code_believes_what_the_migrations_made() {
    let database = TestDatabase::seeded();
    let (written, migrated) = (written(), migrated(&database).await);
    assert!(written.len() > 90, "the tables were found: {}", written.len());
    assert_eq!(written, migrated);
}

#[tokio::test]
async fn every_column_of_every_table_can_be_selected() {
    let database = TestDatabase::seeded();
    let mut conn = pg_link::establish(&database.url()).await.expect("a connection");
    let mut selected = 0;
    macro_rules! select {
        ($($table:ident),*) => {
            $(
                schema::$table::table.select(schema::$table::all_columns).execute(&mut conn).await.unwrap_or_else(|error| panic!("{}: {error}", stringify!($table)));
                selected += 1;
            )*
        };
    }
    select!(
        brands,
        brand_versions,
        users,
        plans,
        ai_conversations,
        ai_conversation_archive,
        prompts,
        turn_progress,
        rate_limits,
        spent_tokens,
        instances,
        reviewer_checks,
        extractions,
        plan_changes,
        pending_actions,
        plan_scenarios,
        plan_stories,
        left_corrections,
        sessions,
        audit_events,
        login_failures,
        login_devices,
        user_identities,
        invitations,
        password_resets,
        access_tokens,
        plan_documents,
        document_links
    );
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '__diesel_schema_migrations'";
    assert_eq!(
        database.count(tables).await,
        selected,
        "a table is missing in this test"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_migrations_can_be_taken_back_and_run_again() {
    let database = TestDatabase::empty();
    let count = migrate::run(&database.url()).await.expect("up");
    assert!(count > 0);
    let before = migrated(&database).await;
    assert_eq!(migrate::run(&database.url()).await.expect("nothing to do"), 0);

    assert_eq!(migrate::revert_all(&database.url()).await.expect("down"), count);
    assert!(migrated(&database).await.is_empty());
    for what in [
        "pg_proc WHERE pronamespace",
        "pg_type WHERE typtype = 'e' AND typnamespace",
    ] {
        assert_eq!(
            database
                .count(&format!("SELECT count(*) FROM {what} = 'public'::regnamespace"))
                .await,
            0,
            "{what}"
        );
    }

    assert_eq!(migrate::run(&database.url()).await.expect("up again"), count);
    assert_eq!(migrated(&database).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_instances_that_start_together_migrate_once() {
    let database = TestDatabase::empty();
    let url = database.url();
    let starts = (0..5).map(|_| {
        let url = url.clone();
        tokio::spawn(async move { migrate::run(&url).await.expect("migrated") })
    });
    let mut counts: Vec<usize> = futures_util::future::join_all(starts)
        .await
        .into_iter()
        .map(|count| count.expect("no panic"))
        .collect();
    counts.sort_unstable();
    assert_eq!(counts[..4], [0, 0, 0, 0]);
    assert!(counts[4] > 0);
}

#[tokio::test]
async fn every_table_and_column_is_explained() {
    let database = TestDatabase::seeded();
    let silent = "SELECT c.relname || coalesce('.' || a.attname, '') AS x \
         FROM pg_class c \
         CROSS JOIN LATERAL (SELECT 0::int2 AS attnum, NULL::name AS attname \
             UNION ALL SELECT attnum, attname FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) a \
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '__diesel_schema_migrations' \
         AND coalesce(length(col_description(c.oid, a.attnum)), length(obj_description(c.oid, 'pg_class')) * (a.attnum = 0)::int, 0) = 0";
    assert_eq!(database.values(silent).await, [], "without a COMMENT");
    let defaults = "SELECT count(*) FROM pg_description WHERE description = ''";
    assert_eq!(database.count(defaults).await, 0);
}

/// `prompts` keeps every turn there ever was: what runs every few seconds must not read all of it.
#[tokio::test]
async fn the_background_work_finds_running_turns_by_their_index() {
    let database = TestDatabase::seeded();
    let mut conn = pg_link::establish(&database.url()).await.expect("a connection");
    // A table this small is read as a whole where that is allowed.
    let begin = "SET enable_seqscan = off; BEGIN; \
         WITH turn AS (INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
             SELECT gen_random_uuid(), id, user_id, user_id, 'm', 'running', 'Hello', gen_random_uuid(), now() + interval '1 hour' \
             FROM plans LIMIT 1 RETURNING id) \
         INSERT INTO turn_progress (turn_id, attempt, content) SELECT id, 1, 'Hello' FROM turn";
    conn.batch_execute(begin).await.expect("a transaction");

    let (me, plan) = (Uuid::now_v7(), PlanId(Uuid::now_v7()));
    assert!(Prompt::cancel_requests(&conn, me).await.expect("none").is_empty());
    assert!(Prompt::renew_leases(&conn, me, &[me]).await.expect("none").is_empty());
    assert_eq!(Prompt::reap(&conn, me, false).await.expect("none"), 0);
    assert!(Prompt::request_cancel(&conn, plan).await.expect("none").is_none());
    assert!(Prompt::find_running(&conn, plan).await.expect("none").is_none());
    prompts::drop_ended_progress(&conn).await.expect("none");

    let read_whole = "FROM pg_stat_xact_user_tables WHERE relname = 'prompts'";
    let scans = diesel::sql_query(format!("SELECT 1 {read_whole} AND seq_scan > 0"));
    assert_eq!(scans.execute(&mut conn).await.expect("the counters"), 0);
    let scans = diesel::sql_query(format!("SELECT 1 {read_whole} AND idx_scan >= 7"));
    assert_eq!(scans.execute(&mut conn).await.expect("the counters"), 1);
}

#[tokio::test]
async fn every_foreign_key_has_an_index_and_says_what_a_deletion_does() {
    let database = TestDatabase::seeded();
    let bare = "SELECT conrelid::regclass || ' ' || conname AS x FROM pg_constraint f WHERE contype = 'f' AND NOT EXISTS ( \
         SELECT FROM pg_index i WHERE i.indrelid = f.conrelid AND i.indpred IS NULL \
         AND (i.indkey::int2[])[0:cardinality(f.conkey) - 1] = f.conkey)";
    assert_eq!(database.values(bare).await, [], "without an index");
    let silent =
        "SELECT conrelid::regclass || ' ' || conname AS x FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'a'";
    assert_eq!(database.values(silent).await, [], "without ON DELETE");
}

#[tokio::test]
async fn the_conversation_table_is_as_required() {
    let database = TestDatabase::seeded();
    let column = async |name: &str| {
        let query = format!(
            "SELECT jsonb_build_array(format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attcompression)::text AS x \
             FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
             WHERE a.attrelid = 'ai_conversations'::regclass AND a.attname = '{name}'"
        );
        database.value(&query).await.unwrap_or_default()
    };
    assert_eq!(column("id").await, r#"["uuid", true, null, ""]"#);
    assert_eq!(column("plan_id").await, r#"["uuid", true, null, ""]"#);
    assert_eq!(column("messages").await, r#"["jsonb", true, "'[]'::jsonb", "l"]"#);
    assert_eq!(column("total_tokens_used").await, r#"["bigint", true, "0", ""]"#);
    let unique = "SELECT count(*) FROM pg_index WHERE indrelid = 'ai_conversations'::regclass AND indisunique AND NOT indisprimary";
    assert_eq!(database.count(unique).await, 1, "one row per plan");
}

#[tokio::test]
async fn at_most_one_turn_of_a_plan_runs_whoever_writes() {
    let database = TestDatabase::seeded();
    let insert = "INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
         SELECT gen_random_uuid(), p.id, p.user_id, p.user_id, 'm', 'running', 'Hello', gen_random_uuid(), now() FROM plans p WHERE p.name LIKE 'Sam%'";
    database.run(insert).await;
    assert!(database.refusal(insert).await.contains("prompts_one_running_per_plan"));
}

#[tokio::test]
async fn audits_are_written_once_and_go_only_with_what_they_are_about() {
    let database = TestDatabase::seeded();
    database
        .run("INSERT INTO audit_events (id, kind, actor_id) SELECT gen_random_uuid(), 'login', id FROM users WHERE email = 'riley@demo.test'")
        .await;
    let changes = database.count("SELECT count(*) FROM plan_changes").await;
    assert!(changes > 0, "the demo data holds some");
    for table in ["plan_changes", "audit_events"] {
        for statement in [
            format!("UPDATE {table} SET created_at = now()"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table}"),
        ] {
            assert!(
                database
                    .refusal(&statement)
                    .await
                    .contains(&format!("{table} is append-only")),
                "{statement}"
            );
        }
    }
    // Deleting a plan deletes its audit trail; deleting a user keeps the trail without the name.
    database.run("DELETE FROM plans WHERE name LIKE 'Riley%'").await;
    assert_eq!(database.count("SELECT count(*) FROM plan_changes").await, 0);
    database.run("DELETE FROM users WHERE email = 'riley@demo.test'").await;
    assert_eq!(
        database
            .count("SELECT count(*) FROM audit_events WHERE actor_id IS NULL AND kind = 'login'")
            .await,
        1
    );
}

/// A migration as a later release might bring it.
async fn run_later(url: &str, name: &str) -> pg_link::Result<usize> {
    let folder = format!("{}/tests/fixtures/migrations/{name}", env!("CARGO_MANIFEST_DIR"));
    let later = FileBasedMigrations::from_path(folder).expect("a folder of migrations");
    pg_link::migrate::run(url, &later, None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_never_makes_users_wait_behind_an_open_reader() {
    let database = TestDatabase::seeded();
    let mut dump = pg_link::establish(&database.url()).await.expect("a connection");
    let reads = "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT count(*) FROM users";
    dump.batch_execute(reads).await.expect("a reader");

    let url = database.url();
    let migration = tokio::spawn(async move { run_later(&url, "a_column").await });
    let waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    let mut queued = 0;
    while queued < 2 {
        let mut user = pg_link::establish(&database.url()).await.expect("a connection");
        user.batch_execute("SET lock_timeout = '1s'; SELECT count(*) FROM users")
            .await
            .expect("users do not wait longer than a moment");
        let was_queued = database.count(waiting).await > 0;
        queued += u32::from(was_queued);
        while was_queued && database.count(waiting).await > 0 {
            tokio::task::yield_now().await;
        }
    }
    assert!(!migration.is_finished(), "it tries again");
    dump.batch_execute("COMMIT").await.expect("the end");
    assert_eq!(migration.await.expect("no panic").expect("migrated"), 1);
}

#[tokio::test]
async fn a_busy_or_slow_server_is_worth_a_second_try_and_a_wrong_statement_is_not() {
    let database = TestDatabase::seeded();
    let error = async |sql: &str| {
        let mut conn = pg_link::establish(&database.url()).await.expect("a connection");
        StoreError::from(conn.batch_execute(sql).await.expect_err(sql))
    };
    let mut owner = pg_link::establish(&database.url()).await.expect("a connection");
    owner.batch_execute("BEGIN; LOCK TABLE brands").await.expect("the lock");

    for sql in [
        "SET lock_timeout = '1ms'; LOCK TABLE brands",
        "SET statement_timeout = '1ms'; SELECT pg_sleep(10)",
        "BEGIN READ ONLY; CREATE TABLE t (a integer)",
        "SELECT pg_terminate_backend(pg_backend_pid())",
    ] {
        let error = error(sql).await;
        assert!(error.is_transient(), "{sql}: {error:?}");
    }
    for sql in ["SELECT nothing", "SELECT 1 / 0"] {
        assert!(!error(sql).await.is_transient(), "{sql}");
    }
    // As a server with another `lc_messages` would say it: the SQLSTATE decides, not the language.
    let raised = |code: &str, text: &str| format!("DO $$ BEGIN RAISE '{text}' USING ERRCODE = '{code}'; END $$");
    for (code, text) in [
        ("55P03", "Sperre nicht verfügbar"),
        ("40P01", "interblocage détecté"),
        ("53100", "no queda espacio en el dispositivo"),
        ("57P03", "データベースシステムは起動しています"),
    ] {
        assert!(error(&raised(code, text)).await.is_transient(), "{code}");
    }
    let wrong = raised("42601", "canceling statement due to lock timeout");
    assert!(!error(&wrong).await.is_transient(), "the text means nothing");
    // The same text on two connections at once: each error is judged by its own connection.
    let (mut full, mut faulty) = (database.open().await, database.open().await);
    let (disk, syntax) = tokio::join!(
        async {
            full.batch_execute(&raised("53100", "the same text"))
                .await
                .expect_err("no space")
        },
        async {
            faulty
                .batch_execute(&raised("42601", "the same text"))
                .await
                .expect_err("wrong")
        },
    );
    assert!(StoreError::from(disk).is_transient());
    assert!(!StoreError::from(syntax).is_transient());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_was_not_finished_is_built_again() {
    let database = TestDatabase::seeded();
    database
        .run("CREATE INDEX prompts_model ON prompts (model); UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'prompts_model'::regclass")
        .await;
    assert_eq!(run_later(&database.url(), "an_index").await.expect("migrated"), 1);
    let valid = "SELECT count(*) FROM pg_index WHERE indexrelid = 'prompts_model'::regclass AND indisvalid";
    assert_eq!(database.count(valid).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_built_while_others_read_and_write() {
    let database = TestDatabase::seeded();
    let mut reader = pg_link::establish(&database.url()).await.expect("a connection");
    let reads = "SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ; INSERT INTO brands (id, slug, name, current_version) \
         VALUES (gen_random_uuid(), 'x', 'x', 1); SELECT count(*) FROM prompts";
    reader.batch_execute(reads).await.expect("a reader");
    let url = database.url();
    let migration = tokio::spawn(async move { run_later(&url, "an_index").await });
    let begun = "SELECT count(*) FROM pg_class WHERE relname = 'prompts_model'";
    while database.count(begun).await == 0 {
        tokio::task::yield_now().await;
    }
    database
        .run("SET lock_timeout = '1s'; UPDATE prompts SET model = model; SELECT count(*) FROM prompts")
        .await;
    assert!(!migration.is_finished(), "it waits for the reader");
    reader.batch_execute("COMMIT").await.expect("the end");
    assert_eq!(migration.await.expect("no panic").expect("migrated"), 1);
}

/// Where the export of a person's data shows a column, or why it does not: a new column needs a decision.
#[tokio::test]
async fn the_export_accounts_for_every_column() {
    let database = TestDatabase::seeded();
    let columns = migrated(&database).await;
    let mut accounted = BTreeSet::new();
    for section in sections::all() {
        for column in section
            .columns
            .split_whitespace()
            .chain(section.covers.split_whitespace())
        {
            accounted.insert((section.table.to_owned(), column.to_owned()));
        }
    }
    for (table, left_out, reason) in sections::LEFT_OUT {
        assert!(!reason.is_empty());
        let of_table = columns
            .keys()
            .filter(|(name, _)| name == table)
            .map(|(_, column)| &**column);
        let left_out: Vec<&str> = match *left_out {
            "*" => of_table.collect(),
            some => some.split_whitespace().collect(),
        };
        for column in left_out {
            let is_new = accounted.insert(((*table).to_owned(), column.to_owned()));
            assert!(is_new, "{table}.{column} is shown and left out");
        }
    }
    let exist: BTreeSet<_> = columns.into_keys().collect();
    let unaccounted: Vec<_> = exist.difference(&accounted).collect();
    assert!(
        unaccounted.is_empty(),
        "show them in src/store/people/export/sections.rs or say there why not: {unaccounted:?}"
    );
    let unknown: Vec<_> = accounted.difference(&exist).collect();
    assert!(unknown.is_empty(), "the database has no {unknown:?}");
}

/// Creates a role, with these rights on what the erasure touches, and runs a statement as it.
fn as_role(name: &str, rights: &str, statement: &str) -> String {
    format!(
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{name}') THEN CREATE ROLE {name}; END IF; END $$; \
         GRANT {rights} ON ALL TABLES IN SCHEMA public TO {name}; SET SESSION AUTHORIZATION {name}; {statement}"
    )
}

#[tokio::test]
async fn the_words_of_the_audit_go_only_inside_of_the_function() {
    const SERVER: &str = "test_erasing_server";
    const READER: &str = "test_erasing_reader";
    let database = TestDatabase::seeded();
    database
        .run(
            "BEGIN; SET LOCAL session_replication_role = replica; UPDATE plan_changes SET evidence = 'my rent'; COMMIT",
        )
        .await;
    let said = "SELECT count(*) FROM plan_changes WHERE evidence IS NOT NULL";
    let erase = "SELECT erase_words(plan_id) FROM (SELECT DISTINCT plan_id FROM plan_changes) p";
    let marked = "SET plan_advisor.erasure = 'on'; UPDATE plan_changes SET evidence = NULL";
    let rights = "SELECT, INSERT, UPDATE, DELETE";
    assert!(database.count(said).await > 0);
    for refused in [
        "UPDATE plan_changes SET evidence = NULL".to_owned(),
        "SET plan_advisor.erasure = 'on'; UPDATE plan_changes SET evidence = 'other'".to_owned(),
        "SET plan_advisor.erasure = 'on'; UPDATE plan_changes SET evidence = NULL, new_value = '1'".to_owned(),
        "SET plan_advisor.erasure = 'on'; DELETE FROM plan_changes".to_owned(),
        as_role(SERVER, rights, "UPDATE plan_changes SET evidence = NULL"),
        as_role(SERVER, rights, marked),
    ] {
        let refusal = database.refusal(&refused).await;
        assert!(refusal.contains("plan_changes is append-only"), "{refused}: {refusal}");
    }
    let refusal = database.refusal(&as_role(READER, "SELECT", erase)).await;
    assert!(refusal.contains("permission denied"), "{refusal}");
    let old = "SELECT erase_old_evidence(0, 10)";
    let refusal = database.refusal(&as_role(READER, "SELECT", old)).await;
    assert!(refusal.contains("permission denied"), "{refusal}");
    let count = database.count(said).await;
    assert!(count > 0);

    // A server whose role does not own the tables.
    database.run(&as_role(SERVER, rights, erase)).await;
    assert_eq!(database.count(said).await, 0);
    let marker = format!("{erase}; UPDATE plan_changes SET evidence = NULL");
    let refusal = database.refusal(&marker).await;
    assert!(
        refusal.contains("append-only"),
        "the marker is gone behind the function: {refusal}"
    );
}

#[tokio::test]
async fn the_servers_role_cannot_rewrite_the_audits_not_even_from_within_a_trigger() {
    const SERVER: &str = "test_audited_server";
    let database = TestDatabase::seeded();
    database
        .run("INSERT INTO audit_events (id, kind, actor_id) SELECT gen_random_uuid(), 'login', id FROM users WHERE email = 'riley@demo.test'")
        .await;
    let rights = "SELECT, INSERT, UPDATE, DELETE";
    let within_a_trigger = |statement: &str| {
        let shadows = "CREATE TEMP TABLE users (id uuid, display_name text); CREATE TEMP TABLE plans (id uuid); CREATE TEMP TABLE prompts (id uuid)";
        format!(
            "{shadows}; CREATE TEMP TABLE t (i int); \
             CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN {statement}; RETURN NEW; END $f$; \
             CREATE TRIGGER t BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION pg_temp.f(); INSERT INTO t VALUES (1)"
        )
    };
    for (table, statement) in [
        ("audit_events", "DELETE FROM public.audit_events"),
        (
            "audit_events",
            "UPDATE public.audit_events SET kind = 'impersonation_started'",
        ),
        ("audit_events", "UPDATE public.audit_events SET actor_id = NULL"),
        (
            "audit_events",
            "UPDATE public.audit_events SET actor_name = 'Somebody else'",
        ),
        (
            "audit_events",
            "UPDATE public.audit_events SET detail = '{}', created_at = now()",
        ),
        ("plan_changes", "UPDATE public.plan_changes SET new_value = '1'"),
        (
            "plan_changes",
            "UPDATE public.plan_changes SET turn_id = NULL, actor_id = NULL",
        ),
        ("plan_changes", "UPDATE public.plan_changes SET evidence = NULL"),
        ("plan_changes", "DELETE FROM public.plan_changes"),
    ] {
        // As the server's role, and as the owner, by whom no foreign key acts here.
        for sql in [
            as_role(SERVER, rights, &within_a_trigger(statement)),
            as_role(SERVER, rights, statement),
            within_a_trigger(statement),
            statement.to_owned(),
        ] {
            let refusal = database.refusal(&sql).await;
            assert!(refusal.contains(&format!("{table} is append-only")), "{sql}: {refusal}");
        }
    }
    // The same role removes a person in batches, or a plan and a person at once, and the trail keeps the name.
    let in_batches = "SELECT remove_some_of(id, 1) FROM users, generate_series(1, 100) WHERE email = 'sam@demo.test'; \
                      DELETE FROM users WHERE email = 'sam@demo.test'";
    database
        .run("INSERT INTO audit_events (id, kind, actor_id) SELECT gen_random_uuid(), 'login', id FROM users WHERE email = 'sam@demo.test'")
        .await;
    database.run(&as_role(SERVER, rights, in_batches)).await;
    let kept = "SELECT count(*) FROM audit_events WHERE actor_id IS NULL AND actor_name = 'Sam Rivera'";
    assert_eq!(database.count(kept).await, 1);
    let remove = "DELETE FROM plans WHERE name LIKE 'Riley%'; DELETE FROM users WHERE email = 'riley@demo.test'";
    database.run(&as_role(SERVER, rights, remove)).await;
    assert_eq!(database.count("SELECT count(*) FROM plan_changes").await, 0);
    let kept = "SELECT count(*) FROM audit_events WHERE actor_id IS NULL AND actor_name = 'Riley Chen'";
    assert_eq!(database.count(kept).await, 1);
}

#[tokio::test]
async fn nobody_puts_functions_or_tables_in_the_place_of_those_of_the_erasure() {
    let database = TestDatabase::seeded();
    let pinned = "SELECT count(*) FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace \
         AND proconfig @> ARRAY['search_path=public, pg_temp']";
    let all = "SELECT count(*) FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace";
    assert_eq!(database.count(pinned).await, 4);
    assert_eq!(
        database.count(all).await,
        4,
        "every function with the owner's rights has a fixed search path"
    );
}
