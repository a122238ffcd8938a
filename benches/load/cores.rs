//! CPU pinning: one CPU for the server, the rest for everything else, so that the bench does not compete with
//! the server.

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
        let stays = |pid: u32| {
            let mut command = Command::new("taskset");
            command
                .args(["-a", "-c", "-p", &rest, &pid.to_string()])
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let all = std::iter::once(std::process::id()).chain(postmaster).all(stays);
        if all { Self::Apart(count) } else { Self::Shared(count) }
    }

    /// The prefix of the server's command line.
    pub fn command(self, binary: &str) -> tokio::process::Command {
        match self {
            Self::Apart(count) => {
                let mut command = tokio::process::Command::new("taskset");
                command.args(["-c", &(count - 1).to_string(), binary]);
                command
            }
            Self::Shared(_) => tokio::process::Command::new(binary),
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
