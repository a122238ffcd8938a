//! A database per test, cloned from a migrated and seeded template. Gone when the test ends, also when it fails.
//!
//! `TEST_DATABASE_URL` is a superuser's URL of the database `postgres` on a private server
//! (`scripts/with-test-postgres.sh` starts one). The template is made once per server, under an advisory lock, and is named
//! after what went into it.
//!
//! `TEST_POOLER_URL`, if it is set, leads there through a connection pooler (`make cluster ARGS=pooler`): the servers under
//! test then connect through it. Direct stays what needs a session of its own or ends one:
//! - the tests' own connections, and migrations,
//! - [`super::freezer::Freezer`], which holds back a commit and ends the session behind it,
//! - `past_pooler` of [`super::app::Builder`], for the tests of servers that accept no writes: that is a property of
//!   sessions there, which a pooler keeps beyond the end of ours,
//! - [`super::pooler::Pooler`], which is a pooler itself.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use pg_link::settings;
use plan_advisor::plans::seed;
use plan_advisor::store::Conn;
use plan_advisor::store::migrate;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::OnceLock;
use uuid::Uuid;

const LOCK_KEY: i64 = 7_220_519_012;

const POOLER_URL: &str = "TEST_POOLER_URL";

/// A database of its own.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
}

#[derive(QueryableByName)]
struct OneValue {
    #[diesel(sql_type = Nullable<Text>)]
    value: Option<String>,
}

impl TestDatabase {
    /// Migrated, with the demo brand, people and plans.
    pub fn seeded() -> Self {
        let database = Self::create(Some(template()));
        if std::env::var_os(POOLER_URL).is_some() {
            blocking(settings::set_for_role(&database.url())).expect("the role has our settings");
        }
        database
    }

    /// Nothing in it.
    #[allow(
        dead_code,
        reason = "one of the two test binaries that share this file has no use for it"
    )]
    pub fn empty() -> Self {
        Self::create(None)
    }

    fn create(template: Option<&str>) -> Self {
        let name = format!("test_{}", Uuid::now_v7().simple());
        let from = template
            .map(|template| format!(" TEMPLATE {template}"))
            .unwrap_or_default();
        blocking(admin(&[&format!("CREATE DATABASE {name}{from}")]));
        Self { name }
    }

    pub fn url(&self) -> String {
        url_of(&self.name)
    }

    /// What a server under test connects to.
    #[allow(
        dead_code,
        reason = "one of the two test binaries that share this file has no use for it"
    )]
    pub fn served_url(&self) -> String {
        std::env::var(POOLER_URL).map_or_else(|_| self.url(), |pooler| with_database(&pooler, &self.name))
    }

    /// Runs statements.
    pub async fn run(&self, sql: &str) {
        connect(&self.url())
            .await
            .batch_execute(sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// A connection of the test's own, for transactions that stay open.
    #[allow(
        dead_code,
        reason = "one of the two test binaries that share this file has no use for it"
    )]
    pub async fn open(&self) -> Conn {
        connect(&self.url()).await
    }

    /// Runs a statement that must be refused, and says why it was.
    #[allow(
        dead_code,
        reason = "one of the two test binaries that share this file has no use for it"
    )]
    pub async fn refusal(&self, sql: &str) -> String {
        match connect(&self.url()).await.batch_execute(sql).await {
            Ok(()) => panic!("{sql} was carried out"),
            Err(error) => error.to_string(),
        }
    }

    /// Ends all sessions and refuses new ones, as a server does that has gone.
    #[allow(
        dead_code,
        reason = "one of the two test binaries that share this file has no use for it"
    )]
    pub async fn close(&self) {
        let name = &self.name;
        admin(&[
            &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"),
            &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
        ])
        .await;
    }

    /// Ends `default_transaction_read_only`, which keeps our own connections out, too.
    #[allow(
        dead_code,
        reason = "one of the two test binaries that share this file has no use for it"
    )]
    pub async fn allow_writes(&self) {
        let reset = format!("ALTER DATABASE {} RESET default_transaction_read_only", self.name);
        admin(&[&reset]).await;
    }

    /// It is back.
    #[allow(
        dead_code,
        reason = "one of the two test binaries that share this file has no use for it"
    )]
    pub async fn reopen(&self) {
        admin(&[&format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.name)]).await;
    }

    /// The single value a query gives, as text; `None` for no row or NULL.
    pub async fn value(&self, query: &str) -> Option<String> {
        self.values(query).await.into_iter().next().flatten()
    }

    /// The first column of all rows, as text.
    pub async fn values(&self, query: &str) -> Vec<Option<String>> {
        let sql = format!(
            "SELECT (to_jsonb(q) ->> (SELECT jsonb_object_keys(to_jsonb(q)) LIMIT 1)) AS value FROM ({query}) q"
        );
        let mut conn = connect(&self.url()).await;
        let rows: Vec<OneValue> = diesel::sql_query(&sql)
            .load(&mut conn)
            .await
            .unwrap_or_else(|error| panic!("{query}: {error}"));
        rows.into_iter().map(|row| row.value).collect()
    }

    /// A count.
    pub async fn count(&self, query: &str) -> i64 {
        let text = self
            .value(query)
            .await
            .unwrap_or_else(|| panic!("{query} gives nothing"));
        text.parse().unwrap_or_else(|_| panic!("{query} gives {text}"))
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        blocking(admin(&[&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)]));
    }
}

/// Runs a future to its end on a runtime of its own: works inside and outside of async code, and in `Drop`.
pub fn blocking<T: Send>(future: impl Future<Output = T> + Send) -> T {
    let run = || {
        // The migrations need more than one thread.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        runtime.expect("a runtime").block_on(future)
    };
    std::thread::scope(|scope| scope.spawn(run).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn url_of(database: &str) -> String {
    let url = std::env::var("TEST_DATABASE_URL")
        .expect("TEST_DATABASE_URL is not set; run the tests with `scripts/with-test-postgres.sh cargo test`");
    with_database(&url, database)
}

fn with_database(url: &str, database: &str) -> String {
    let (address, query) = url
        .split_once('?')
        .map_or((url, None), |(address, query)| (address, Some(query)));
    let (server, _) = address.rsplit_once('/').expect("the URL ends in a database's name");
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{server}/{database}{query}")
}

async fn connect(url: &str) -> Conn {
    let mut conn = pg_link::establish(url)
        .await
        .unwrap_or_else(|error| panic!("no connection to the test database: {error}"));
    conn.batch_execute("SET statement_timeout = 0; SET lock_timeout = 0")
        .await
        .expect("settings");
    conn
}

async fn admin(statements: &[&str]) {
    let mut conn = connect(&url_of("postgres")).await;
    for sql in statements {
        conn.batch_execute(sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}

fn template() -> &'static str {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let name = format!("template_{:016x}", fingerprint());
        blocking(make_template(&name));
        name
    })
}

/// Of everything the template is made from.
fn fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let migrations = std::fs::read_dir(root.join("migrations")).expect("the migrations");
    let mut folders: Vec<_> = migrations.map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    for folder in folders {
        (folder.file_name(), std::fs::read_to_string(folder.join("up.sql")).ok()).hash(&mut hasher);
    }
    include_str!("../../../src/plans/seed.rs").hash(&mut hasher);
    include_str!("../../../crates/plan-model/demo/willow-and-wag.json").hash(&mut hasher);
    hasher.finish()
}

/// Under a name of its own until it is whole, so that a run that was killed leaves nothing half-made behind.
async fn make_template(name: &str) {
    let mut conn = connect(&url_of("postgres")).await;
    let known = format!("SELECT datname::text AS value FROM pg_database WHERE datname = '{name}'");
    conn.batch_execute(&format!("SELECT pg_advisory_lock({LOCK_KEY})"))
        .await
        .expect("the lock");
    let found: Vec<OneValue> = diesel::sql_query(&known).load(&mut conn).await.expect("the databases");
    if found.iter().any(|row| row.value.is_some()) {
        return;
    }
    let draft = format!("draft_of_{name}");
    for sql in [
        format!("DROP DATABASE IF EXISTS {draft} WITH (FORCE)"),
        format!("CREATE DATABASE {draft}"),
    ] {
        conn.batch_execute(&sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    migrate::run(&url_of(&draft)).await.expect("the migrations run");
    {
        let hash = plan_advisor::password::hash(seed::DEMO_PASSWORD).expect("a hash");
        let mut inside = connect(&url_of(&draft)).await;
        seed::seed_demo(&mut inside, &hash).await.expect("the demo data");
    }
    conn.batch_execute(&format!("ALTER DATABASE {draft} RENAME TO {name}"))
        .await
        .expect("the template");
}
