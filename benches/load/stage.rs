//! The fixture of each measurement: its own database with users and plans, and the model server.

use crate::cores::Cores;
use crate::options::Options;
use crate::server::Server;
use crate::upstream::{RENT, Upstream};
use crate::{process, server};
use anyhow::{Context, Result};
use plan_advisor::http::layers::session::PLAIN_NAME;
use std::time::Duration;
use tokio_postgres::NoTls;

const DATABASE: &str = "plan_advisor_load";
/// Initial number of messages in each conversation.
const HISTORY: i32 = 10;

pub struct Stage {
    pub options: Options,
    pub database: String,
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

async fn connect(url: &str) -> Result<tokio_postgres::Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("TEST_DATABASE_URL")?;
    tokio::spawn(connection);
    Ok(client)
}

impl Stage {
    pub async fn set(options: Options, url: &str) -> Result<Self> {
        let plan_count = if options.quick { 1_000 } else { 5_000 };
        let admin = connect(url).await?;
        admin
            .execute(&format!("DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)"), &[])
            .await?;
        admin.execute(&format!("CREATE DATABASE {DATABASE}"), &[]).await?;
        let database = with_database(url, DATABASE);
        server::run(&database, "migrate").await?;
        server::run(&database, "seed").await?;
        let sql = connect(&database).await?;
        sql.batch_execute(include_str!("seed.sql")).await?;
        sql.batch_execute(&format!("SELECT bench_people({plan_count})")).await?;
        let rows = sql
            .query("SELECT plan::text, cookie FROM bench_sessions()", &[])
            .await?;
        let backend: i32 = sql.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
        let postmaster = postmaster(backend);
        let stage = Self {
            cores: Cores::divide(options.unpinned, postmaster),
            options,
            database,
            sql,
            upstream: Upstream::start().await?,
            plans: rows.iter().map(|row| row.get(0)).collect(),
            cookies: rows
                .iter()
                .map(|row| format!("{PLAIN_NAME}={}", row.get::<_, &str>(1)))
                .collect(),
            postmaster,
        };
        stage.rewind().await?;
        Ok(stage)
    }

    /// Resets every conversation.
    pub async fn rewind(&self) -> Result<()> {
        self.sql
            .batch_execute(&format!("SELECT bench_conversations({HISTORY})"))
            .await?;
        self.settle().await
    }

    /// Runs VACUUM and CHECKPOINT, so that PostgreSQL has no pending work.
    pub async fn settle(&self) -> Result<()> {
        self.sql.batch_execute("VACUUM ANALYZE").await?;
        self.sql.batch_execute("CHECKPOINT").await?;
        Ok(())
    }

    pub async fn serve(&self) -> Result<Server> {
        Server::start(&self.database, self.upstream.address, self.cores).await
    }

    pub fn plan_count(&self) -> usize {
        self.plans.len()
    }

    pub fn plan(&self, number: usize) -> &str {
        &self.plans[number % self.plans.len()]
    }

    /// The plan of one of the `clients`: each franchisee has ten turns, then the next one follows.
    pub fn plan_of(client: usize, clients: usize, turn: usize) -> usize {
        client + turn / 10 * clients
    }

    /// A message without values.
    pub fn question(&self, plan: usize) -> Vec<u8> {
        self.message(plan, "What should I look at next?")
    }

    /// A message that the model answers with a tool call.
    pub fn statement(&self, plan: usize, rent: usize) -> Vec<u8> {
        self.message(plan, &format!("{RENT}{rent} per month"))
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

    pub async fn setting(&self, name: &str) -> Result<String> {
        Ok(self.sql.query_one("SELECT current_setting($1)", &[&name]).await?.get(0))
    }
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
