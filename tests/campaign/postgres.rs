//! A private PostgreSQL with full durability that the campaign may stop at any time.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tokio_postgres::{NoTls, SimpleQueryMessage};

/// Rows of text, as returned by `simple_query`.
pub type Rows = Vec<Vec<Option<String>>>;

pub struct Postgres {
    bin: PathBuf,
    pub dir: PathBuf,
    /// The account that runs it; PostgreSQL refuses root.
    account: Option<(u32, u32)>,
    /// Additional settings.
    more: &'static str,
}

impl Postgres {
    /// Creates a cluster below `dir` and starts it.
    pub fn start(dir: &Path) -> Self {
        Self::start_with(dir, &[], "")
    }

    /// The same with little disk space: few WAL files of 1 MB.
    pub fn start_small(dir: &Path) -> Self {
        let settings = "-c min_wal_size=2MB -c max_wal_size=6MB -c checkpoint_timeout=30s";
        Self::start_with(dir, &["--wal-segsize=1"], settings)
    }

    fn start_with(dir: &Path, shape: &[&str], more: &'static str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/postgres-bin.sh");
        let found = Command::new(script).output().expect("scripts/postgres-bin.sh runs");
        let bin = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
        assert!(bin.join("initdb").exists(), "PostgreSQL 15 or newer is needed");
        let this = Self {
            bin,
            dir: dir.join("pg"),
            account: account(),
            more,
        };
        std::fs::create_dir_all(&this.dir).expect("a folder");
        if let Some((uid, gid)) = this.account {
            std::os::unix::fs::chown(&this.dir, Some(uid), Some(gid)).expect("given away");
        }
        let data = this.data();
        let usual = [
            "-D",
            &data,
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
            "-A",
            "trust",
        ];
        let made = this.run("initdb", &[&usual, shape].concat());
        assert!(
            made.status.success(),
            "initdb: {}",
            String::from_utf8_lossy(&made.stderr)
        );
        this.up();
        this
    }

    fn data(&self) -> String {
        self.dir.join("data").to_string_lossy().into_owned()
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.bin.join(program));
        command.args(arguments).current_dir("/").stdin(Stdio::null());
        for name in ["PGDATA", "PGPORT", "PGHOST", "TEST_DATABASE_URL", "DATABASE_URL"] {
            command.env_remove(name);
        }
        if let Some((uid, gid)) = self.account {
            command.uid(uid).gid(gid);
        }
        command.output().expect("PostgreSQL's programs run")
    }

    /// Starts it; after a crash PostgreSQL recovers.
    pub fn up(&self) {
        let folder = self.dir.to_string_lossy();
        // Durability settings keep their defaults (on): acknowledged commits must survive.
        let settings = format!(
            "-k {folder} -c listen_addresses= -c port=5432 -c timezone=UTC -c shared_buffers=64MB -c max_connections=300 {}",
            self.more
        );
        let log = format!("{folder}/log");
        let started = self.run(
            "pg_ctl",
            &[
                "-D",
                &self.data(),
                "-l",
                &log,
                "-o",
                &settings,
                "-w",
                "-t",
                "120",
                "-s",
                "start",
            ],
        );
        assert!(started.status.success(), "PostgreSQL does not start; see {log}");
    }

    /// An immediate stop, like a crash.
    pub fn crash(&self) {
        let _ = self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "-s", "stop"]);
    }

    /// The process ids of the postmaster and its backends.
    pub async fn processes(&self) -> Vec<String> {
        let file = std::fs::read_to_string(self.dir.join("data/postmaster.pid")).unwrap_or_default();
        let serving = "select pid::text from pg_stat_activity where application_name = 'plan-advisor'";
        let serving = self.rows("postgres", serving).await;
        let postmaster = file.lines().next().map(str::to_owned);
        postmaster
            .into_iter()
            .chain(serving.into_iter().filter_map(|row| row[0].clone()))
            .collect()
    }

    pub fn signal(&self, name: &str, processes: &[String]) {
        let _ = Command::new("kill").args(["-s", name]).args(processes).status();
    }

    pub fn socket(&self) -> PathBuf {
        self.dir.join(".s.PGSQL.5432")
    }

    /// Runs statements without a proxy. Returns the rows of all of them.
    pub async fn sql(&self, database: &str, statements: &str) -> Result<Rows, tokio_postgres::Error> {
        let client = self.session(database).await?;
        let rows = client.simple_query(statements).await?;
        Ok(rows
            .iter()
            .filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => Some(
                    (0..row.len())
                        .map(|column| row.get(column).map(str::to_owned))
                        .collect(),
                ),
                _ => None,
            })
            .collect())
    }

    /// The same; panics on failure.
    pub async fn rows(&self, database: &str, statements: &str) -> Rows {
        self.sql(database, statements)
            .await
            .unwrap_or_else(|error| panic!("{error:?} in {statements}"))
    }

    /// Changes a server setting and waits until new sessions have it.
    pub async fn reload(&self, statement: String) {
        self.rows("postgres", &statement).await;
        let loaded = "select pg_conf_load_time()::text";
        let before = self.rows("postgres", loaded).await;
        self.rows("postgres", "select pg_reload_conf()").await;
        while self.rows("postgres", loaded).await == before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Opens a connection.
    pub async fn session(&self, database: &str) -> Result<tokio_postgres::Client, tokio_postgres::Error> {
        let folder = self.dir.to_string_lossy();
        let config = format!("host={folder} user=postgres dbname={database} application_name=campaign");
        let mut config: tokio_postgres::Config = config.parse()?;
        config.connect_timeout(Duration::from_secs(5));
        let (client, connection) = config.connect(NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.crash();
    }
}

/// When run as root: the account `postgres`, else `nobody`.
fn account() -> Option<(u32, u32)> {
    let id = |arguments: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8_lossy(&output.stdout).trim().parse().ok()
    };
    if id(&["-u"]) != Some(0) {
        return None;
    }
    ["postgres", "nobody"]
        .iter()
        .find_map(|name| Some((id(&["-u", name])?, id(&["-g", name])?)))
}
