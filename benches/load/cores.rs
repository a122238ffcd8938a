//! CPU pinning: one CPU for the server, the rest for everything else, so that the bench does not compete with
//! the server.

use anyhow::{Result, ensure};
use std::process::{Command, Stdio};

/// The assignment of CPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    /// The server has the last CPU of this many to itself.
    Apart(usize),
    Shared(usize),
}

impl Cores {
    /// Moves this process and PostgreSQL to the other CPUs, if possible.
    pub fn divide(unpinned: bool, postmaster: Option<u32>) -> Self {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        if unpinned || count < 2 {
            return Self::Shared(count);
        }
        let rest = format!("0-{}", count - 2);
        let stays = |pid: u32| succeeds("taskset", &["-a", "-c", "-p", &rest, &pid.to_string()]);
        let all = std::iter::once(std::process::id()).chain(postmaster).all(stays);
        if all { Self::Apart(count) } else { Self::Shared(count) }
    }

    /// A command line of the server.
    pub fn command(self, words: &[&str]) -> tokio::process::Command {
        let last = self.count().saturating_sub(1).to_string();
        let prefix: &[&str] = match self {
            Self::Apart(_) => &["taskset", "-c", &last],
            Self::Shared(_) => &[],
        };
        let mut all = prefix.iter().chain(words);
        let mut command = tokio::process::Command::new(all.next().copied().unwrap_or_default());
        command.args(all);
        command
    }

    /// Lets the threads of this process run before PostgreSQL's on the CPUs that they share, so that no delay contains the time
    /// that the model and the readers wait for PostgreSQL. Processes that this one starts have the usual priority.
    pub fn prefer_this_process(self) -> Result<()> {
        ensure!(
            matches!(self, Self::Apart(_)),
            "--ahead needs a CPU for the server alone: it would wait for the readers"
        );
        let pid = std::process::id().to_string();
        let words = ["--reset-on-fork", "--all-tasks", "--fifo", "--pid", "1", &pid];
        ensure!(succeeds("chrt", &words), "--ahead needs chrt and the right to use it");
        Ok(())
    }

    fn count(self) -> usize {
        match self {
            Self::Apart(count) | Self::Shared(count) => count,
        }
    }

    pub fn describe(self) -> String {
        match self {
            Self::Apart(count) => {
                format!("{count} processors: one for the server, the rest for PostgreSQL, model and readers")
            }
            Self::Shared(count) => format!("{count} processors, shared by server, PostgreSQL, model and readers"),
        }
    }
}

fn succeeds(program: &str, words: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
