//! Finds out by its behavior whether a pooler stands before PostgreSQL that may run every transaction of a connection on
//! another server process (PgBouncer's `pool_mode = transaction`), and whether prepared statements survive that.
//!
//! A statement is prepared on one connection. Others then open a transaction each and so keep the server process that was
//! used, until the first connection's next transaction has run: on the same process (no pooler, or one that keeps a
//! session's process), on another one, or not at all. Only what was seen counts against a pooler, so that other clients of
//! a busy one, or a server without a free connection, cannot make a good one look bad.

use crate::connect::Connector;
use crate::error::{Error, Result};
use diesel::ConnectionResult;
use std::time::Duration;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, SimpleQueryMessage, Statement};
use uuid::Uuid;

/// Connections that keep a process. One is enough at an idle pooler, which hands out the process that was used last; a busy
/// one may give it to somebody else, and behind a load balancer there may be several poolers.
const HOLDERS: usize = 4;

/// How long a transaction waits for a process: a hundred times what opening one takes. One that gets none in this time says nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// For everything together: five connections, each with its own limit, in the usual case of milliseconds.
const LIMIT: Duration = Duration::from_secs(10);

/// A statement without an answer for so long closes its connection.
const ANSWER_LIMIT: Duration = Duration::from_secs(6);

/// A server process: process ids alone come again.
const PROCESS: &str = "concat(pg_backend_pid(), ' ', \
    (SELECT extract(epoch FROM backend_start) FROM pg_stat_get_activity(pg_backend_pid())))";

/// What became of prepared statements when a transaction ran on another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statements {
    /// They were there.
    Kept,
    /// They were not, or were another client's.
    Lost,
    /// There was no other process within the time.
    Untested,
}

/// How transactions of one connection are distributed over server processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// None, or by session: a connection keeps its process.
    Session,
    /// By transaction: nothing of a session can be relied on.
    Transaction(Statements),
}

impl std::fmt::Display for Pooling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Session => "transaction mode no, prepared statements kept yes",
            Self::Transaction(Statements::Kept) => "transaction mode yes, prepared statements kept yes",
            Self::Transaction(Statements::Untested) => "transaction mode yes, prepared statements kept unknown",
            Self::Transaction(Statements::Lost) => "transaction mode yes, prepared statements kept no",
        })
    }
}

/// What a transaction on the first connection showed.
enum Seen {
    /// It ran on this process.
    Ran(String),
    /// The prepared statement was not there, or was another one.
    Lost,
    /// It got no process in time.
    Nothing,
}

/// Looks at what the URL leads to. Takes some milliseconds and up to five connections.
///
/// # Errors
/// [`Error::Unavailable`] if that could not be found out.
pub async fn probe(url: &str) -> Result<Pooling> {
    let connector = Connector::new(url).map_err(|error| Error::Unavailable(Box::new(error)))?;
    let late = |_| Error::Unavailable(format!("the pooler could not be looked at within {LIMIT:?}").into());
    timeout(LIMIT, look(&connector)).await.map_err(late)?
}

async fn look(connector: &Connector) -> Result<Pooling> {
    let client = open(connector).await.map_err(unavailable)?;
    let mark = Uuid::now_v7().to_string();
    let Some((statement, home)) = prepare(&client, &mark).await? else {
        return Ok(Pooling::Transaction(Statements::Lost));
    };
    let (mut holders, mut pooling) = (Vec::new(), Pooling::Session);
    for _ in 0..HOLDERS {
        // No connection is left, or no process in time: what was seen so far has to do.
        let Ok(holder) = open(connector).await else { break };
        let held = timeout(PATIENCE, hold(&holder)).await;
        holders.push(holder);
        let Ok(Ok(held)) = held else { break };
        if held == home {
            pooling = Pooling::Transaction(Statements::Untested);
        }
        let seen = timeout(PATIENCE, run(&client, &statement, &mark)).await;
        match seen.unwrap_or(Ok(Seen::Nothing))? {
            Seen::Lost => pooling = Pooling::Transaction(Statements::Lost),
            Seen::Ran(process) if process != home => pooling = Pooling::Transaction(Statements::Kept),
            Seen::Ran(_) => continue,
            Seen::Nothing => {}
        }
        break;
    }
    for holder in holders {
        // A pooler closes the process of a client that goes away within a transaction.
        let _ = timeout(PATIENCE, holder.batch_execute("COMMIT")).await;
    }
    Ok(pooling)
}

async fn open(connector: &Connector) -> ConnectionResult<Client> {
    let (client, _) = connector.client(Some(ANSWER_LIMIT)).await?;
    Ok(client)
}

/// Prepares the statement, and says on which process. `None`: its name was taken there, by a client that has it as well.
async fn prepare(client: &Client, mark: &str) -> Result<Option<(Statement, String)>> {
    client.batch_execute("BEGIN").await.map_err(unavailable)?;
    let statement = match client.prepare(&format!("SELECT {PROCESS}, '{mark}'::text")).await {
        Ok(statement) => statement,
        Err(error) if is_loss(&error) => return Ok(None),
        Err(error) => return Err(unavailable(error)),
    };
    let seen = run(client, &statement, mark).await?;
    client.batch_execute("COMMIT").await.map_err(unavailable)?;
    Ok(match seen {
        Seen::Ran(process) => Some((statement, process)),
        Seen::Lost | Seen::Nothing => None,
    })
}

/// Opens a transaction and says which process it keeps.
async fn hold(client: &Client) -> std::result::Result<String, tokio_postgres::Error> {
    let answers = client.simple_query(&format!("BEGIN; SELECT {PROCESS}")).await?;
    let process = answers.iter().find_map(|answer| match answer {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    Ok(process.unwrap_or_default())
}

/// Executes the prepared statement in a transaction of its own.
async fn run(client: &Client, statement: &Statement, mark: &str) -> Result<Seen> {
    match client.query(statement, &[]).await {
        Ok(rows) => {
            let text = |column| rows.first()?.try_get::<_, String>(column).ok();
            Ok(match (text(0), text(1)) {
                (Some(process), Some(found)) if found == mark => Seen::Ran(process),
                _ => Seen::Lost,
            })
        }
        Err(error) if is_loss(&error) => Ok(Seen::Lost),
        Err(error) => Err(unavailable(error)),
    }
}

/// The statement does not exist, exists already, or is another client's with other parameters.
fn is_loss(error: &tokio_postgres::Error) -> bool {
    let Some(error) = error.as_db_error() else { return false };
    match *error.code() {
        SqlState::INVALID_SQL_STATEMENT_NAME | SqlState::DUPLICATE_PSTATEMENT => true,
        // PgBouncer uses this code for its own errors, which name no routine of PostgreSQL's source.
        SqlState::PROTOCOL_VIOLATION => error.routine().is_some(),
        _ => false,
    }
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Unavailable(Box::new(error))
}
