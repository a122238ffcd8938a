//! A PostgreSQL server process: its `postmaster.pid`, its command line, and signals to it.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tracing::warn;

use super::PrivatePostgresError;

/// The content of `postmaster.pid`. PostgreSQL writes it line by line, so later lines may be missing.
#[derive(Debug)]
pub(super) struct PidFile {
    pub(super) pid: u32,
    pub(super) socket_dir: Option<PathBuf>,
    status: Option<String>,
}

impl PidFile {
    fn path(data: &Path) -> PathBuf {
        data.join("postmaster.pid")
    }

    pub(super) fn read(data: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(Self::path(data)).ok()?)
    }

    /// The server may have removed the file itself meanwhile.
    pub(super) fn remove(data: &Path) -> Result<(), PrivatePostgresError> {
        let path = Self::path(data);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(PrivatePostgresError::io("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let line = |number: usize| {
            text.lines()
                .nth(number - 1)
                .map(str::trim)
                .filter(|line| !line.is_empty())
        };
        Some(Self {
            pid: line(1)?.parse().ok()?,
            socket_dir: line(5).map(PathBuf::from),
            status: line(8).map(str::to_owned),
        })
    }

    pub(super) fn is_ready(&self) -> bool {
        self.status.as_deref() == Some("ready")
    }
}

/// The command line of this process, if it is a running server on `data`.
pub(super) fn command_line_of_server(pid: u32, data: &Path) -> Option<Vec<u8>> {
    let line = if Path::new("/proc/self/cmdline").exists() {
        fs::read(format!("/proc/{pid}/cmdline")).ok()?
    } else {
        Command::new("ps")
            .args(["-ww", "-o", "command=", "-p", &pid.to_string()])
            .output()
            .ok()?
            .stdout
    };
    let data = data.as_os_str().as_bytes();
    line.windows(data.len()).any(|part| part == data).then_some(line)
}

/// Through the shell, because its `kill` is built in and minimal systems have no other.
pub(super) fn send_signal(signal: &str, pid: u32) {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", r#"kill -s "$1" "$2""#, "sh", signal, &pid.to_string()])
        .stderr(Stdio::null());
    if let Err(error) = shell.status() {
        warn!(pg.pid = pid, "Signal {signal} could not be sent to PostgreSQL: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "4711\n/h/postgres\n1795301397\n5432\n/h/run\n\n  1181  98304\nready   \n";

    #[test]
    fn a_server_is_ready_when_the_eighth_line_says_so() {
        let file = PidFile::parse(FILE).expect("a process id");
        assert_eq!(
            (file.pid, file.socket_dir.as_deref()),
            (4711, Some(Path::new("/h/run")))
        );
        assert!(file.is_ready());
        assert!(
            !PidFile::parse(&FILE.replace("ready", "starting"))
                .expect("a process id")
                .is_ready()
        );
    }

    #[test]
    fn a_half_written_file_is_not_ready_yet() {
        for end in 0..FILE.len() - "ready   \n".len() {
            assert!(PidFile::parse(&FILE[..end]).is_none_or(|file| !file.is_ready()));
        }
    }

    #[test]
    fn a_process_that_is_not_our_server_is_not_taken_for_it() {
        assert_eq!(
            command_line_of_server(std::process::id(), Path::new("/h/postgres")),
            None
        );
    }
}
