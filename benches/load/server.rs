//! The server process: the release binary with an operator's settings.

use crate::client::Connection;
use crate::cores::Cores;
use crate::process;
use anyhow::{Context, Result, bail, ensure};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

const BINARY: &str = env!("CARGO_BIN_EXE_plan-advisor");
const START_WITHIN: Duration = Duration::from_secs(20);
const STOP_WITHIN: Duration = Duration::from_secs(30);

/// A running server; killed on drop.
pub struct Server {
    pub address: SocketAddr,
    pub pid: u32,
    /// Time from the start of the process to the first response.
    pub started_in: Duration,
    child: Child,
}

/// The folder for results and the server's log.
pub fn folder() -> Result<PathBuf> {
    let target = PathBuf::from(BINARY)
        .parent()
        .and_then(|release| release.parent().map(|target| target.join("bench")));
    let folder = target.context("the binary has no folder")?;
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The binary with a clean environment.
fn command(database: &str, cores: Cores) -> Result<Command> {
    let log = std::fs::File::options()
        .create(true)
        .append(true)
        .open(folder()?.join("server.log"))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut command = cores.command(BINARY);
    command
        .env_clear()
        .env("PATH", path)
        .env("DATABASE_URL", database)
        .env("RUST_LOG", "warn");
    command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .kill_on_drop(true);
    Ok(command)
}

/// Runs a command of the binary to its end.
pub async fn run(database: &str, name: &str) -> Result<()> {
    let status = command(database, Cores::Shared(1))?.arg(name).status().await?;
    ensure!(status.success(), "plan-advisor {name} failed; see server.log");
    Ok(())
}

impl Server {
    pub async fn start(database: &str, upstream: SocketAddr, cores: Cores) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = command(database, cores)?;
        command.args(["serve", "--migrate"]);
        command.env("BIND_ADDR", address.to_string());
        command
            .env("LLM_BASE_URL", format!("http://{upstream}/v1"))
            .env("LLM_API_KEY", "bench");
        for limit in [
            "TURNS_PER_MINUTE",
            "RUNNING_TURNS_PER_USER",
            "STREAMS_PER_USER",
            "WRITES_PER_MINUTE",
            "LOGINS_PER_15_MINUTES",
        ] {
            command.env(format!("RATE_LIMIT_{limit}"), "0");
        }
        let begun = Instant::now();
        let child = command.spawn()?;
        let pid = child.id().context("the server has no process")?;
        let mut server = Self {
            address,
            pid,
            started_in: Duration::ZERO,
            child,
        };
        while !server.is_healthy().await {
            if let Some(status) = server.child.try_wait()? {
                bail!("the server ended with {status}; see server.log");
            }
            ensure!(
                begun.elapsed() < START_WITHIN,
                "the server does not answer; see server.log"
            );
            sleep(Duration::from_millis(1)).await;
        }
        server.started_in = begun.elapsed();
        Ok(server)
    }

    async fn is_healthy(&self) -> bool {
        let Ok(mut connection) = Connection::open(self.address).await else {
            return false;
        };
        let request = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", self.address);
        connection.call(request.as_bytes()).await.is_ok()
    }

    /// CPU time so far.
    pub fn cpu(&self) -> Duration {
        process::cpu(self.pid).unwrap_or_default()
    }

    /// Time spent waiting for a CPU so far.
    pub fn waited(&self) -> Duration {
        process::waited(self.pid).unwrap_or_default()
    }

    /// Stops it gracefully, so that the next one sees no other instance.
    pub async fn stop(mut self) -> Result<()> {
        Command::new("kill")
            .args(["-TERM", &self.pid.to_string()])
            .status()
            .await?;
        timeout(STOP_WITHIN, self.child.wait())
            .await
            .context("the server does not end")??;
        Ok(())
    }
}
