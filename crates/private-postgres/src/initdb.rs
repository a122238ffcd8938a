//! Creates the files of a new cluster.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::binaries::Binaries;
use super::home::Home;
use super::log::{failed, spawn_logged, timed_out};
use super::{PrivatePostgresError, Profile};

/// Usually some seconds; the rest is for slow disks.
const DEADLINE: Duration = Duration::from_mins(2);
const POLL: Duration = Duration::from_millis(10);

/// Creates the files of a new cluster completely or not at all.
pub(super) fn make_data(home: &Home, binaries: &Binaries, profile: Profile) -> Result<(), PrivatePostgresError> {
    let fresh = home.path().join("postgres.new");
    let mut result = initdb(home, binaries, profile, &fresh, "C.UTF-8");
    if matches!(result, Err(PrivatePostgresError::Failed { .. })) {
        // Older versions of macOS lack C.UTF-8; the collation is the same.
        result = initdb(home, binaries, profile, &fresh, "C");
    }
    result?;
    fs::rename(&fresh, home.data()).map_err(PrivatePostgresError::io("put into place", home.data()))
}

fn initdb(
    home: &Home,
    binaries: &Binaries,
    profile: Profile,
    into: &Path,
    locale: &str,
) -> Result<(), PrivatePostgresError> {
    if into.exists() {
        fs::remove_dir_all(into).map_err(PrivatePostgresError::io("clear", into))?;
    }
    home.account().own_folder(into)?;
    let mut command = home.account().command(&binaries.program("initdb"));
    command
        .arg("-D")
        .arg(into)
        .arg("--locale")
        .arg(locale)
        .args(["-U", "postgres", "-E", "UTF8"]);
    command.args(["--auth-local=trust", "--auth-host=reject", "--no-instructions"]);
    if profile == Profile::Test {
        command.arg("--no-sync");
    }
    let (mut child, log_start) = spawn_logged(&mut command, home, &binaries.program("initdb"))?;
    let begun = Instant::now();
    loop {
        match child
            .try_wait()
            .map_err(PrivatePostgresError::io("wait for", &binaries.program("initdb")))?
        {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(failed("initdb", status.to_string(), home, log_start)),
            None if begun.elapsed() > DEADLINE => {
                // Ignore errors: the incomplete folder is removed at the next start.
                let _ = child.kill().and_then(|()| child.wait());
                return Err(timed_out("initdb", DEADLINE, home, log_start));
            }
            None => sleep(POLL),
        }
    }
}
