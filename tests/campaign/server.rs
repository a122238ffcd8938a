//! plan-advisor as a child process: started, asked whether it listens, and ended in every way there is.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How a process is started.
#[derive(Clone, Debug)]
pub struct Start {
    pub environment: Vec<(String, String)>,
    pub log: PathBuf,
    pub migrates: bool,
    /// File descriptors it may have; 0 = as many as we.
    pub descriptors: u32,
}

impl Start {
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    #[must_use]
    pub fn with_descriptors(self, descriptors: u32) -> Self {
        Self { descriptors, ..self }
    }

    #[must_use]
    pub fn migrating(self) -> Self {
        Self { migrates: true, ..self }
    }
}

/// A running process. Dropped: killed.
#[derive(Debug)]
pub struct Server {
    child: Child,
    pub base: String,
    pub log: PathBuf,
    /// From its start until it listened.
    pub ready_after: Duration,
}

impl Server {
    /// Starts one on a free port and waits until it listens. An error is what it said last.
    pub async fn start(start: &Start) -> Result<Self, String> {
        let begun = Instant::now();
        let log = File::create(&start.log).expect("a log");
        let mut command = Command::new("sh");
        let limit = if start.descriptors > 0 {
            format!("ulimit -n {}; ", start.descriptors)
        } else {
            String::new()
        };
        command
            .args([
                "-c",
                &format!("{limit}exec \"$0\" serve \"$@\""),
                env!("CARGO_BIN_EXE_plan-advisor"),
            ])
            .args(start.migrates.then_some("--migrate"))
            .env_clear()
            .envs(start.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        let child = command.spawn().expect("the binary starts");
        let mut server = Self {
            child,
            base: String::new(),
            log: start.log.clone(),
            ready_after: Duration::ZERO,
        };
        while begun.elapsed() < Duration::from_secs(20) {
            if let Some(address) = address_in(&start.log) {
                server.base = format!("http://{address}");
                server.ready_after = begun.elapsed();
                return Ok(server);
            }
            if let Ok(Some(status)) = server.child.try_wait() {
                return Err(format!("{status}: {}", last_line(&start.log)));
            }
            sleep(Duration::from_millis(5)).await;
        }
        Err(format!("does not listen: {}", last_line(&start.log)))
    }

    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// As a power cut.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-s", name, &pid]).status();
    }

    pub fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits for its end.
    pub async fn ended(&mut self, within: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + within;
        while Instant::now() < deadline {
            if let Some(status) = self.has_ended() {
                return Some(status);
            }
            sleep(Duration::from_millis(10)).await;
        }
        None
    }

    pub fn log_text(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn address_in(log: &Path) -> Option<String> {
    let text = std::fs::read_to_string(log).ok()?;
    let (_, rest) = text.split_once("Listening on http://")?;
    let address: String = rest
        .chars()
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ':'))
        .collect();
    // A line that is still being written ends in the middle of a port.
    rest.len()
        .gt(&address.len())
        .then(|| address.trim_end_matches(':').to_owned())
}

fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().last().unwrap_or_default().to_owned()
}
