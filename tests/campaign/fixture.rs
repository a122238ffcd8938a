//! The fixture of a campaign: database, model, proxies, servers, ledger, and the count of injected faults.

use crate::ledger::Ledger;
use crate::model::Model;
use crate::postgres::Postgres;
use crate::proxy::{Proxy, Target};
use crate::secrets::Secrets;
use crate::server::{Server, Start};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

/// Secrets that must not occur in any log, stream, error or metric.
pub const API_KEY: &str = "sk-canary-7Qm2vX9LtRk4Wz8b";
pub const DATABASE_PASSWORD: &str = "db+canary/Hs6Yp3Nf";
pub const PASSWORD: &str = "user+canary/Tz4Qe7Lw";
pub const DATABASE: &str = "campaign";
/// The owner of the plans.
pub const EMAIL: &str = "casey@campaign.test";

pub struct Fixture {
    pub seed: u64,
    pub full: bool,
    pub dir: PathBuf,
    pub postgres: Postgres,
    /// Between the app and the database.
    pub to_database: Proxy,
    /// Between the app and the model.
    pub to_model: Proxy,
    pub model: Model,
    pub ledger: Ledger,
    pub secrets: Secrets,
    pub http: reqwest::Client,
    /// Turns that are retried in the background.
    pub later: TaskTracker,
    pub turns: AtomicU64,
    /// The longest time from a message to its end, in milliseconds.
    pub slowest: AtomicU64,
    pub retries: AtomicU64,
    pub initial_inputs: Mutex<Value>,
    pub cookie: Mutex<String>,
    bases: Mutex<Vec<String>>,
    plans: Mutex<Vec<Uuid>>,
    faults: Mutex<BTreeMap<(String, String), u64>>,
    violations: Mutex<Vec<String>>,
    leaks: Mutex<Vec<String>>,
    left_out: Mutex<Vec<(&'static str, &'static str)>>,
    logs: AtomicU64,
    /// When the current phase must end.
    deadline: Mutex<Option<Instant>>,
}

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Fixture {
    /// Creates a migrated and seeded database, a model and proxies, but no server.
    pub async fn build(dir: &Path, seed: u64, full: bool) -> Arc<Self> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self::build_on(Postgres::start(dir), dir, seed, full).await
    }

    /// The same on an existing database server.
    pub async fn build_on(postgres: Postgres, dir: &Path, seed: u64, full: bool) -> Arc<Self> {
        postgres.rows("postgres", &format!("create database {DATABASE}")).await;
        let model = Model::start().await;
        let secrets = Secrets::default();
        for (name, secret) in [
            ("API key", API_KEY),
            ("database password", DATABASE_PASSWORD),
            ("password", PASSWORD),
        ] {
            secrets.add(name, secret);
        }
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .tls_certs_only([])
            .pool_max_idle_per_host(0)
            .build()
            .expect("a client");
        let fixture = Arc::new(Self {
            seed,
            full,
            dir: dir.to_owned(),
            to_database: Proxy::start(Target::Unix(postgres.socket())).await,
            to_model: Proxy::start(Target::Tcp(model.address)).await,
            postgres,
            model,
            ledger: Ledger::create(&dir.join("ledger.jsonl")),
            secrets,
            http,
            later: TaskTracker::new(),
            turns: AtomicU64::new(0),
            slowest: AtomicU64::new(0),
            retries: AtomicU64::new(0),
            initial_inputs: Mutex::default(),
            cookie: Mutex::default(),
            bases: Mutex::default(),
            plans: Mutex::default(),
            faults: Mutex::default(),
            violations: Mutex::default(),
            leaks: Mutex::default(),
            left_out: Mutex::default(),
            logs: AtomicU64::new(0),
            deadline: Mutex::default(),
        });
        fixture.fill().await;
        fixture
    }

    /// Runs the migrations, creates the demo users, and many plans for one of them.
    async fn fill(&self) {
        for command in ["migrate", "seed"] {
            let run = Command::new(env!("CARGO_BIN_EXE_plan-advisor"))
                .arg(command)
                .env_clear()
                .env("DATABASE_URL", self.database_url(DATABASE))
                .output();
            let output = tokio::task::block_in_place(|| run).expect("the binary runs");
            assert!(
                output.status.success(),
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        self.add_person();
        let count = if self.full { 1_500 } else { 500 };
        let rows = self
            .postgres
            .rows(
                DATABASE,
                &format!(
                    "insert into plans (id, user_id, brand_version_id, name, financial_inputs) \
                     select gen_random_uuid(), u.id, p.brand_version_id, 'Campaign ' || n, p.financial_inputs \
                     from generate_series(1, {count}) n, users u, (select p.* from plans p join users u on u.id = p.user_id \
                     where u.email = 'sam@demo.test' limit 1) p where u.email = '{EMAIL}' returning id::text, financial_inputs::text"
                ),
            )
            .await;
        let inputs = rows[0][1].as_deref().unwrap_or("null");
        *lock(&self.initial_inputs) = serde_json::from_str(inputs).expect("inputs");
        *lock(&self.plans) = rows.iter().filter_map(|row| row[0].as_deref()?.parse().ok()).collect();
    }

    pub fn database_url(&self, database: &str) -> String {
        let password = DATABASE_PASSWORD.replace('+', "%2B").replace('/', "%2F");
        format!(
            "postgresql://postgres:{password}@127.0.0.1:{}/{database}?sslmode=disable",
            self.to_database.port
        )
    }

    /// The settings that every server starts with.
    pub fn start(&self) -> Start {
        let number = self.logs.fetch_add(1, Ordering::Relaxed);
        let settings = [
            ("DATABASE_URL", self.database_url(DATABASE)),
            ("BIND_ADDR", "127.0.0.1:0".into()),
            ("LLM_BASE_URL", format!("http://127.0.0.1:{}/v1", self.to_model.port)),
            ("LLM_API_KEY", API_KEY.into()),
            ("LLM_MODEL", "campaign-model".into()),
            ("LLM_TIMEOUT_SECONDS", "2".into()),
            ("RATE_LIMIT_TURNS_PER_MINUTE", "0".into()),
            ("RATE_LIMIT_RUNNING_TURNS_PER_USER", "0".into()),
            ("RATE_LIMIT_STREAMS_PER_USER", "0".into()),
            ("RATE_LIMIT_WRITES_PER_MINUTE", "0".into()),
            ("RATE_LIMIT_READS_PER_MINUTE", "0".into()),
            ("RATE_LIMIT_LOGINS_PER_15_MINUTES", "0".into()),
            ("RATE_LIMIT_FAILED_LOGINS_PER_ADDRESS_PER_15_MINUTES", "0".into()),
            ("RUST_LOG", "info".into()),
        ];
        Start {
            environment: settings
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            log: self.dir.join(format!("server-{number:04}.log")),
            migrates: false,
            descriptors: 0,
            by: Vec::new(),
            unread: false,
        }
    }

    /// Starts a server that turns may be sent to.
    pub async fn serve(&self) -> Server {
        let server = Server::start(&self.start())
            .await
            .unwrap_or_else(|error| panic!("the server: {error}"));
        self.enlist(&server);
        server
    }

    pub fn enlist(&self, server: &Server) {
        lock(&self.bases).push(server.base.clone());
    }

    /// Sends no more turns to this server.
    pub fn unlist(&self, server: &Server) {
        lock(&self.bases).retain(|base| *base != server.base);
    }

    pub fn base(&self) -> Option<String> {
        let bases = lock(&self.bases);
        let turn = usize::try_from(self.turns.load(Ordering::Relaxed)).unwrap_or_default();
        (!bases.is_empty()).then(|| bases[turn % bases.len()].clone())
    }

    /// A plan without a running turn. The one returned last comes first, so that some histories grow long.
    pub fn take_plan(&self) -> Uuid {
        lock(&self.plans).pop().expect("enough plans")
    }

    /// A plan that never had a turn.
    pub fn take_fresh_plan(&self) -> Uuid {
        lock(&self.plans).remove(0)
    }

    pub fn give_back(&self, plan: Uuid) {
        lock(&self.plans).push(plan);
    }

    /// Sets how long the next phase may take in the long form.
    pub fn allow(&self, seconds: u64) {
        *lock(&self.deadline) = Some(Instant::now() + Duration::from_secs(seconds));
    }

    /// Whether the phase has used up its time.
    pub fn time_is_up(&self) -> bool {
        lock(&self.deadline).is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Counts a fault of this row of `docs/FAULTS.md`.
    pub fn fault(&self, row: &str, what: &str) {
        self.faults(row, what, 1);
    }

    pub fn faults(&self, row: &str, what: &str, count: u64) {
        *lock(&self.faults).entry((row.to_owned(), what.to_owned())).or_default() += count;
    }

    pub fn tally(&self) -> BTreeMap<(String, String), u64> {
        lock(&self.faults).clone()
    }

    /// Notes a row, or part of it, that this machine cannot exercise.
    pub fn leave_out(&self, row: &'static str, why: &'static str) {
        println!("  {row} is left out: {why}");
        lock(&self.left_out).push((row, why));
    }

    pub fn left_out(&self) -> Vec<(&'static str, &'static str)> {
        lock(&self.left_out).clone()
    }

    /// Records a violated expectation.
    pub fn violation(&self, what: String) {
        eprintln!("  ! {what}");
        lock(&self.violations).push(what);
    }

    pub fn expect(&self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.violation(what());
        }
    }

    pub fn violations(&self) -> Vec<String> {
        lock(&self.violations).clone()
    }

    pub fn look_for_secrets(&self, place: &str, bytes: &[u8]) {
        for name in self.secrets.found_in(bytes) {
            eprintln!("  ! {name} in {place}");
            lock(&self.leaks).push(format!("{name} in {place}"));
        }
    }

    pub fn leak(&self, what: String) {
        eprintln!("  ! {what}");
        lock(&self.leaks).push(what);
    }

    pub fn leaks(&self) -> Vec<String> {
        lock(&self.leaks).clone()
    }
}
