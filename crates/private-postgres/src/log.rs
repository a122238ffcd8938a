//! PostgreSQL's log: its programs write to it, and errors quote its last lines.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use super::PrivatePostgresError;
use super::home::Home;

/// Starts a program that writes to the server's log; also returns the position in the log before its output.
pub(super) fn spawn_logged(
    command: &mut Command,
    home: &Home,
    program: &Path,
) -> Result<(Child, u64), PrivatePostgresError> {
    let log = home.open_log()?;
    let log_start = log
        .metadata()
        .map_err(PrivatePostgresError::io("read", home.log()))?
        .len();
    let again = log.try_clone().map_err(PrivatePostgresError::io("open", home.log()))?;
    let child = command
        .stdout(log)
        .stderr(again)
        .spawn()
        .map_err(PrivatePostgresError::io("start", program))?;
    Ok((child, log_start))
}

pub(super) fn failed(program: &'static str, status: String, home: &Home, log_start: u64) -> PrivatePostgresError {
    PrivatePostgresError::Failed {
        program,
        status,
        log: home.log().to_owned(),
        tail: log_tail(home.log(), log_start),
    }
}

pub(super) fn timed_out(program: &'static str, after: Duration, home: &Home, log_start: u64) -> PrivatePostgresError {
    PrivatePostgresError::TimedOut {
        program,
        after,
        log: home.log().to_owned(),
        tail: log_tail(home.log(), log_start),
    }
}

/// The last lines written since `start`.
fn log_tail(log: &Path, start: u64) -> String {
    let mut text = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        let start = start.max(file.metadata()?.len().saturating_sub(16 * 1024));
        file.seek(SeekFrom::Start(start))?;
        file.read_to_end(&mut text)
    });
    if let Err(error) = read {
        return format!("(not readable: {error})");
    }
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}
