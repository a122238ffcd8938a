//! A server process under test: ours with an operator's settings, or a peer.

use crate::client::Connection;
use crate::cores::Cores;
use crate::process;
use anyhow::{Context, Result, bail, ensure};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

/// The binary that cargo builds for this bench.
pub const BUILT: &str = env!("CARGO_BIN_EXE_plan-advisor");
/// Long enough for a start under valgrind.
const START_WITHIN: Duration = Duration::from_secs(90);
const STOP_WITHIN: Duration = Duration::from_secs(60);

/// A running server; killed on drop.
pub struct Server {
    pub address: SocketAddr,
    pub pid: u32,
    /// Time from the start of the process to the first response.
    pub started_in: Duration,
    child: Child,
}

/// The folder for results and the servers' log.
pub fn folder() -> Result<PathBuf> {
    let target = Path::new(BUILT)
        .parent()
        .and_then(|release| release.parent().map(|target| target.join("bench")));
    let folder = target.context("the binary has no folder")?;
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A command line with a clean environment, on the server's CPU.
pub fn command(words: &[&str], cores: Cores) -> Result<Command> {
    let log = std::fs::File::options()
        .create(true)
        .append(true)
        .open(folder()?.join("server.log"))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut command = cores.command(words);
    command.env_clear().env("PATH", path);
    command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .kill_on_drop(true);
    Ok(command)
}

/// Runs a command of the binary to its end.
pub async fn run(binary: &Path, database: &str, name: &str) -> Result<()> {
    let mut command = command(&[&binary.to_string_lossy(), name], Cores::Shared(1))?;
    let status = command.env("DATABASE_URL", database).status().await?;
    ensure!(status.success(), "plan-advisor {name} failed; see server.log");
    Ok(())
}

/// The settings of `plan-advisor serve`, without limits that a bench would reach.
pub fn settings(command: &mut Command, database: &str, upstream: SocketAddr, address: SocketAddr) {
    command
        .env("DATABASE_URL", database)
        .env("ALLOW_DEMO_LOGINS", "true")
        .env("RUST_LOG", "warn")
        .env("BIND_ADDR", address.to_string())
        .env("LLM_BASE_URL", format!("http://{upstream}/v1"))
        .env("LLM_API_KEY", "bench")
        .env("MAX_CONNECTIONS", "50000");
    for limit in [
        "TURNS_PER_MINUTE",
        "RUNNING_TURNS_PER_USER",
        "STREAMS_PER_USER",
        "WRITES_PER_MINUTE",
        "LOGINS_PER_15_MINUTES",
    ] {
        command.env(format!("RATE_LIMIT_{limit}"), "0");
    }
}

/// A free address of this machine.
pub fn free() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

impl Server {
    /// Starts a server and waits for its first answer.
    pub async fn start(mut command: Command, address: SocketAddr) -> Result<Self> {
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

    /// Resident memory in KiB.
    pub fn resident(&self) -> f64 {
        process::resident(self.pid).unwrap_or(f64::NAN)
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
