//! plan-advisor as a child process: start, wait until it listens, stop in various ways.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The settings of a process.
#[derive(Clone, Debug)]
pub struct Start {
    pub environment: Vec<(String, String)>,
    pub log: PathBuf,
    pub migrates: bool,
    /// Limit for file descriptors; 0: inherited.
    pub descriptors: u32,
    /// A wrapper program with its arguments.
    pub by: Vec<String>,
    /// Makes the log a pipe that is not read once the process listens.
    pub unread: bool,
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
    pub fn by(self, words: &[&str]) -> Self {
        let by = words.iter().map(|word| (*word).to_owned()).collect();
        Self { by, ..self }
    }

    #[must_use]
    pub fn unread(self) -> Self {
        Self { unread: true, ..self }
    }

    #[must_use]
    pub fn migrating(self) -> Self {
        Self { migrates: true, ..self }
    }
}

/// A running process. Killed on drop.
#[derive(Debug)]
pub struct Server {
    child: Child,
    pub base: String,
    pub log: PathBuf,
    /// Time from the start until it listened.
    pub ready_after: Duration,
    /// Keeps the reading end of the pipe open.
    _unread: Option<JoinHandle<Option<ChildStderr>>>,
}

impl Server {
    /// Starts it on a free port and waits until it listens. An error holds its last output.
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
            .args(["-c", &format!("{limit}exec \"$@\""), "sh"])
            .args(&start.by)
            .args([env!("CARGO_BIN_EXE_plan-advisor"), "serve"])
            .args(start.migrates.then_some("--migrate"))
            .env_clear()
            .env("ALLOW_DEMO_LOGINS", "true")
            .envs(start.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(if start.unread {
                Stdio::piped()
            } else {
                Stdio::from(log.try_clone().expect("a second handle"))
            });
        let mut child = command.spawn().expect("the binary starts");
        let unread = child.stderr.take().map(|pipe| read_until_it_listens(pipe, log));
        let mut server = Self {
            child,
            base: String::new(),
            log: start.log.clone(),
            ready_after: Duration::ZERO,
            _unread: unread,
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

    /// Kills it (SIGKILL).
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

    /// Waits until it exits.
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
    // An incomplete line may end in the middle of the port.
    rest.len()
        .gt(&address.len())
        .then(|| address.trim_end_matches(':').to_owned())
}

/// Copies the log until the process listens, then keeps the pipe open without reading it.
fn read_until_it_listens(mut pipe: ChildStderr, mut log: File) -> JoinHandle<Option<ChildStderr>> {
    std::thread::spawn(move || {
        let (mut said, mut piece) = (String::new(), [0; 1_024]);
        loop {
            let count = pipe.read(&mut piece).ok().filter(|count| *count > 0)?;
            log.write_all(&piece[..count]).ok()?;
            said.push_str(&String::from_utf8_lossy(&piece[..count]));
            let listens = said.split_once("Listening on http://");
            if listens.is_some_and(|(_, rest)| rest.contains('\n')) {
                return Some(pipe);
            }
        }
    })
}

fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().last().unwrap_or_default().to_owned()
}
