//! The server process: starting or adopting it, waiting until it is ready, stopping it.

use std::fs;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tracing::{info, warn};

use super::binaries::Binaries;
use super::home::{Home, SOCKET};
use super::initdb::make_data;
use super::log::{failed, spawn_logged, timed_out};
use super::postmaster::{PidFile, command_line_of_server, send_signal};
use super::{PrivatePostgresError, Profile};

/// Usually below a second; the rest is for slow disks and for crash recovery.
const READY_DEADLINE: Duration = Duration::from_mins(2);
/// A fast shutdown writes one checkpoint.
const STOP_DEADLINE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(10);

/// A server that accepts connections. Stopped on drop.
#[derive(Debug)]
pub(super) struct Server {
    pid: u32,
    data: PathBuf,
    socket_dir: PathBuf,
    /// `None` for an adopted server, which is not our child process.
    child: Option<Child>,
}

impl Server {
    /// Adopts the server that a killed process left running on this home; `None` if there is none.
    ///
    /// Only safe under the lock of `home`.
    pub(super) fn adopt(home: &Home, profile: Profile) -> Result<Option<Self>, PrivatePostgresError> {
        let begun = Instant::now();
        while let Some(file) = PidFile::read(home.data()) {
            let Some(command_line) = command_line_of_server(file.pid, home.data()) else {
                // Left by a crash. PostgreSQL would refuse to start if an unrelated process has this pid now.
                PidFile::remove(home.data())?;
                return Ok(None);
            };
            if file.is_ready() {
                let socket_dir = file.socket_dir.unwrap_or_else(|| home.run().to_owned());
                let answers = UnixStream::connect(socket_dir.join(SOCKET)).is_ok();
                let server = Self {
                    pid: file.pid,
                    data: home.data().to_owned(),
                    socket_dir,
                    child: None,
                };
                if answers && profile_of(&command_line) == profile {
                    return Ok(Some(server));
                }
                info!(
                    pg.pid = server.pid,
                    "Replacing the PostgreSQL that was left running: it cannot serve this start"
                );
                drop(server);
                continue;
            }
            // The server is starting or stopping.
            if begun.elapsed() > READY_DEADLINE {
                return Err(timed_out("postgres", READY_DEADLINE, home, 0));
            }
            sleep(POLL);
        }
        Ok(None)
    }

    /// Starts a server on this home, with a new cluster if there is none, and waits until it accepts connections.
    pub(super) fn start(home: &Home, binaries: &Binaries, profile: Profile) -> Result<Self, PrivatePostgresError> {
        if home.data_version()?.is_none() {
            make_data(home, binaries, profile)?;
        }
        home.account().own_folder(home.data())?;
        home.account().own_folder(home.run())?;
        let begun = Instant::now();
        loop {
            match Self::try_start(home, binaries, profile) {
                // The backends of a killed server need a moment to exit.
                Err(PrivatePostgresError::Failed { tail, .. })
                    if tail.contains("shared memory block") && begun.elapsed() < READY_DEADLINE =>
                {
                    sleep(Duration::from_millis(200));
                }
                result => return result,
            }
        }
    }

    fn try_start(home: &Home, binaries: &Binaries, profile: Profile) -> Result<Self, PrivatePostgresError> {
        let mut command = home.account().command(&binaries.program("postgres"));
        command.arg("-D").arg(home.data()).arg("-k").arg(home.run());
        for setting in settings(profile) {
            command.args(["-c", setting]);
        }
        // Its own process group, so that Ctrl-C reaches only us: turns end first, then the database.
        command.process_group(0);
        let (child, log_start) = spawn_logged(&mut command, home, &binaries.program("postgres"))?;
        let begun = Instant::now();
        let mut server = Self {
            pid: child.id(),
            data: home.data().to_owned(),
            socket_dir: home.run().to_owned(),
            child: Some(child),
        };
        loop {
            if let Some(status) = server.exit_status() {
                return Err(failed("postgres", status, home, log_start));
            }
            // Ignore an old file with the pid of another process.
            if PidFile::read(home.data()).is_some_and(|file| file.pid == server.pid && file.is_ready()) {
                return Ok(server);
            }
            if begun.elapsed() > READY_DEADLINE {
                return Err(timed_out("postgres", READY_DEADLINE, home, log_start));
            }
            sleep(POLL);
        }
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    pub(super) fn is_adopted(&self) -> bool {
        self.child.is_none()
    }

    /// The exit status of the child; `None` while it runs, and for an adopted server.
    fn exit_status(&mut self) -> Option<String> {
        let status = self.child.as_mut()?.try_wait().ok()??;
        Some(status.to_string())
    }

    fn has_ended(&mut self) -> bool {
        if self.is_adopted() {
            command_line_of_server(self.pid, &self.data).is_none()
        } else {
            self.exit_status().is_some()
        }
    }

    fn ends_after(&mut self, signal: &str, deadline: Duration) -> bool {
        // Check first: the pid of a server that has ended may belong to another process.
        if self.has_ended() {
            return true;
        }
        send_signal(signal, self.pid);
        let begun = Instant::now();
        while begun.elapsed() < deadline {
            sleep(POLL);
            if self.has_ended() {
                return true;
            }
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fast shutdown (roll back, write a checkpoint), then immediate (recovery at the next start), then SIGKILL.
        for (signal, deadline) in [
            ("INT", STOP_DEADLINE),
            ("QUIT", Duration::from_secs(5)),
            ("KILL", Duration::from_secs(5)),
        ] {
            if self.ends_after(signal, deadline) {
                // Empty by now; created again at each start. It may be in a shared folder.
                let _ = fs::remove_dir(&self.socket_dir);
                return;
            }
            warn!(
                pg.pid = self.pid,
                "PostgreSQL did not stop within {deadline:?} of signal {signal}"
            );
        }
    }
}

/// No port is opened, and no data gets into the log: `terse` omits the details that quote rows.
fn settings(profile: Profile) -> impl Iterator<Item = &'static str> {
    let both = [
        "listen_addresses=",
        "port=5432",
        "unix_socket_permissions=0700",
        "cluster_name=plan-advisor",
        "timezone=UTC",
        "log_timezone=UTC",
        "log_error_verbosity=terse",
        "logging_collector=off",
        "log_destination=stderr",
    ];
    let own: &[&str] = match profile {
        Profile::Durable => &["shared_buffers=32MB", "max_connections=100"],
        Profile::Test => &[
            "shared_buffers=64MB",
            "max_connections=200",
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
        ],
    };
    both.into_iter().chain(own.iter().copied())
}

fn profile_of(command_line: &[u8]) -> Profile {
    let is_test = command_line
        .split(|byte| matches!(byte, 0 | b' '))
        .any(|word| word == b"fsync=off");
    if is_test { Profile::Test } else { Profile::Durable }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_data_is_synced_and_test_data_is_not() {
        let line = |profile| settings(profile).collect::<Vec<_>>().join("\0").into_bytes();
        assert_eq!(profile_of(&line(Profile::Durable)), Profile::Durable);
        assert_eq!(profile_of(&line(Profile::Test)), Profile::Test);
    }
}
