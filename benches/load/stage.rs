//! The fixture of each measurement: its own database with users and plans, and the model server.

use crate::client::{Connection, OURS};
use crate::cores::Cores;
use crate::options::Options;
use crate::target::{Target, Who};
use crate::upstream::{RENT, Script, Upstream};
use crate::{node, process, server};
use anyhow::{Context, Result};
use plan_advisor::http::layers::session::PLAIN_NAME;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use tokio_postgres::NoTls;

const DATABASE: &str = "plan_advisor_load";
/// Initial number of messages in each conversation: as many as a prompt takes.
const HISTORY: i32 = 20;

pub struct Stage {
    pub options: Options,
    pub database: String,
    pub node_database: String,
    /// Length of a request of plan-advisor to the model.
    pub request_length: usize,
    /// Number of crowds of clients so far.
    pub crowds: AtomicUsize,
    pub sql: tokio_postgres::Client,
    pub upstream: Upstream,
    pub cores: Cores,
    plans: Vec<String>,
    cookies: Vec<String>,
    postmaster: Option<u32>,
}

/// The same server, another database.
fn with_database(url: &str, name: &str) -> String {
    let (path, query) = url
        .split_once('?')
        .map_or((url, String::new()), |(path, query)| (path, format!("?{query}")));
    let head = path.rsplit_once('/').map_or(path, |(head, _)| head);
    format!("{head}/{name}{query}")
}

pub async fn connect(url: &str) -> Result<tokio_postgres::Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("TEST_DATABASE_URL")?;
    tokio::spawn(connection);
    Ok(client)
}

impl Stage {
    pub async fn set(mut options: Options, url: &str) -> Result<Self> {
        let plan_count = if options.quick { 1_000 } else { 10_000 };
        let admin = connect(url).await?;
        for name in [DATABASE, node::DATABASE] {
            let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
            admin.execute(&drop, &[]).await?;
            admin.execute(&format!("CREATE DATABASE {name}"), &[]).await?;
        }
        let (database, node_database) = (with_database(url, DATABASE), with_database(url, node::DATABASE));
        if options.peers.contains(&Who::Node)
            && options.compares()
            && let Err(error) = node::prepare(&node_database, plan_count, HISTORY).await
        {
            eprintln!("without Node: {error:#}");
            options.peers.retain(|peer| *peer != Who::Node);
        }
        for command in ["migrate", "seed"] {
            server::run(&options.server, &database, command).await?;
        }
        let sql = connect(&database).await?;
        sql.batch_execute(include_str!("seed.sql")).await?;
        sql.batch_execute(&format!("SELECT bench_people({plan_count})")).await?;
        let rows = sql
            .query("SELECT plan::text, cookie FROM bench_sessions()", &[])
            .await?;
        let backend: i32 = sql.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
        let postmaster = postmaster(backend);
        let cores = Cores::divide(options.unpinned, postmaster);
        if options.ahead {
            cores.prefer_this_process()?;
        }
        let mut stage = Self {
            cores,
            options,
            database,
            node_database,
            request_length: 0,
            crowds: AtomicUsize::new(0),
            sql,
            upstream: Upstream::start().await?,
            plans: rows.iter().map(|row| row.get(0)).collect(),
            cookies: rows
                .iter()
                .map(|row| format!("{PLAIN_NAME}={}", row.get::<_, &str>(1)))
                .collect(),
            postmaster,
        };
        stage.rewind(Who::Ours).await?;
        stage.request_length = stage.first_request().await?;
        Ok(stage)
    }

    /// The length of what plan-advisor sends to the model.
    async fn first_request(&self) -> Result<usize> {
        self.upstream.follow(Script::burst(1));
        let target = Target::start(self, Who::Ours).await?;
        let mut connection = Connection::open(target.address).await?;
        connection.turn(&self.question(0), OURS, 1, |_, _| {}).await?;
        target.stop().await?;
        Ok(self.upstream.asked())
    }

    /// Resets every conversation.
    pub async fn rewind(&self, who: Who) -> Result<()> {
        match who {
            Who::Direct | Who::Relay => Ok(()),
            Who::Node => {
                let sql = connect(&self.node_database).await?;
                sql.batch_execute(&format!("SELECT seed_conversations({HISTORY})"))
                    .await?;
                settle(&sql).await
            }
            Who::Ours => {
                self.sql
                    .batch_execute(&format!("SELECT bench_conversations({HISTORY})"))
                    .await?;
                settle(&self.sql).await
            }
        }
    }

    pub async fn settle(&self) -> Result<()> {
        settle(&self.sql).await
    }

    pub fn plan_count(&self) -> usize {
        self.plans.len()
    }

    pub fn plan(&self, number: usize) -> &str {
        &self.plans[number % self.plans.len()]
    }

    /// A message without values.
    pub fn question(&self, plan: usize) -> Vec<u8> {
        self.message(plan, "What should I look at next?")
    }

    /// A message that the model answers with a tool call.
    pub fn statement(&self, plan: usize, rent: usize) -> Vec<u8> {
        self.message(plan, &format!("{RENT}{rent} per month"))
    }

    /// Attaches to the running turn.
    pub fn attach(&self, plan: usize) -> Vec<u8> {
        let plan = plan % self.plans.len();
        format!(
            "GET /api/plans/{}/conversation/stream HTTP/1.1\r\nhost: localhost\r\ncookie: {}\r\n\r\n",
            self.plans[plan], self.cookies[plan]
        )
        .into_bytes()
    }

    fn message(&self, plan: usize, text: &str) -> Vec<u8> {
        let plan = plan % self.plans.len();
        let path = format!("/api/plans/{}/conversation", self.plans[plan]);
        post(&path, &self.cookies[plan], &format!(r#"{{"message":"{text}"}}"#))
    }

    /// CPU time of PostgreSQL; `None` if it runs on another machine.
    pub fn postgres_cpu(&self) -> Option<Duration> {
        process::cpu_of_family(self.postmaster?)
    }

    /// The position of the write-ahead log in bytes.
    pub async fn wal(&self) -> Result<f64> {
        let query = "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8";
        Ok(self.sql.query_one(query, &[]).await?.get(0))
    }

    /// The database's clock, for [`Self::turns`].
    pub async fn clock(&self) -> Result<f64> {
        let query = "SELECT extract(epoch FROM clock_timestamp())::float8";
        Ok(self.sql.query_one(query, &[]).await?.get(0))
    }

    /// Number of turns begun since then whose state is like this.
    pub async fn turns(&self, state: &str, since: f64) -> Result<i64> {
        let query = "SELECT count(*) FROM prompts WHERE state LIKE $1 AND created_at >= to_timestamp($2)";
        Ok(self.sql.query_one(query, &[&state, &since]).await?.get(0))
    }

    pub async fn setting(&self, name: &str) -> Result<String> {
        Ok(self.sql.query_one("SELECT current_setting($1)", &[&name]).await?.get(0))
    }
}

/// Runs VACUUM and CHECKPOINT, so that PostgreSQL has no pending work.
async fn settle(sql: &tokio_postgres::Client) -> Result<()> {
    sql.batch_execute("VACUUM ANALYZE").await?;
    sql.batch_execute("CHECKPOINT").await?;
    Ok(())
}

fn postmaster(backend: i32) -> Option<u32> {
    let backend = u32::try_from(backend).ok()?;
    let command = std::fs::read_to_string(format!("/proc/{backend}/comm")).ok()?;
    command
        .starts_with("postgres")
        .then(|| process::parent(backend))
        .flatten()
}

/// A request with a JSON body.
pub fn post(path: &str, cookie: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
