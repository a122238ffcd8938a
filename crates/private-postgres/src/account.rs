//! The account that runs PostgreSQL: the current one, or an unprivileged one if that is root, which PostgreSQL refuses.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::PrivatePostgresError;

/// Environment variables that are passed on: paths of libraries and temporary files, never keys or passwords.
const KEPT_VARIABLES: [&str; 4] = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    uid: u32,
    gid: u32,
    /// True if the current user is root and PostgreSQL runs as this account.
    steps_down: bool,
}

impl Account {
    /// As root, the owner of existing `data` is preferred, so that data stays usable if the accounts change.
    pub(super) fn for_data(data: &Path) -> Result<Self, PrivatePostgresError> {
        let (uid, gid) = ids_of(None).ok_or(PrivatePostgresError::NoAccount)?;
        if uid != 0 {
            return Ok(Self {
                uid,
                gid,
                steps_down: false,
            });
        }
        let owner = fs::metadata(data)
            .ok()
            .map(|data| (data.uid(), data.gid()))
            // Never `nobody`: the server trusts its own account, and other services may run as that one.
            .filter(|(uid, _)| *uid != 0 && ids_of(Some("nobody")).is_none_or(|(nobody, _)| *uid != nobody));
        let (uid, gid) = owner
            .or_else(|| ids_of(Some("postgres")))
            .ok_or(PrivatePostgresError::NoAccount)?;
        Ok(Self {
            uid,
            gid,
            steps_down: true,
        })
    }

    pub(super) fn steps_down(&self) -> bool {
        self.steps_down
    }

    /// A command run as this account, in a neutral folder, without input and with a minimal environment.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir("/").stdin(Stdio::null());
        for name in KEPT_VARIABLES {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if self.steps_down {
            // Setting the uid as root also clears the supplementary groups.
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    /// Tried instead of computed, because group membership and access control lists count too.
    pub(super) fn can_enter(&self, folder: &Path) -> bool {
        let shell = self
            .command(Path::new("/bin/sh"))
            .args(["-c", ":"])
            .current_dir(folder)
            .status();
        shell.is_ok_and(|status| status.success())
    }

    /// Refuses a home that belongs to somebody else: its owner could exchange what is in it.
    pub(super) fn refuse_foreign(&self, home: &Path) -> Result<(), PrivatePostgresError> {
        let owner = fs::metadata(home)
            .map_err(PrivatePostgresError::io("read", home))?
            .uid();
        match owner == self.uid || owner == 0 {
            true => Ok(()),
            false => Err(PrivatePostgresError::Foreign {
                path: home.to_owned(),
                owner,
            }),
        }
    }

    /// Creates `folder` if it is missing, accessible for this account (and root) only.
    pub(super) fn own_folder(&self, folder: &Path) -> Result<(), PrivatePostgresError> {
        match DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(PrivatePostgresError::io("make the folder", folder)(error));
            }
            _ => {}
        }
        // Does not follow links: in a shared folder another user may have created one here.
        let seen = fs::symlink_metadata(folder).map_err(PrivatePostgresError::io("read", folder))?;
        let fresh_from_root = self.steps_down && seen.uid() == 0;
        if !seen.is_dir() || !(seen.uid() == self.uid || fresh_from_root) {
            return Err(PrivatePostgresError::Foreign {
                path: folder.to_owned(),
                owner: seen.uid(),
            });
        }
        if fresh_from_root {
            chown(folder, Some(self.uid), Some(self.gid)).map_err(PrivatePostgresError::io("give away", folder))?;
        }
        fs::set_permissions(folder, Permissions::from_mode(0o700))
            .map_err(PrivatePostgresError::io("close to others", folder))
    }
}

/// The ids of an account, or of this process, from `id`, which also knows accounts outside /etc/passwd.
fn ids_of(name: Option<&str>) -> Option<(u32, u32)> {
    let ask = |flag: &str| {
        let answer = Command::new("id")
            .arg(flag)
            .args(name)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        String::from_utf8(answer.stdout).ok()?.trim().parse().ok()
    };
    Some((ask("-u")?, ask("-g")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_never_runs_as_root() {
        let account = Account::for_data(Path::new("/nonexistent/data")).expect("an account");
        assert_ne!(account.uid, 0);
    }

    /// Only root can choose, so for others nothing is shown.
    #[test]
    fn data_of_nobody_is_not_served_as_nobody() {
        let (Some((0, _)), Some(nobody)) = (ids_of(None), ids_of(Some("nobody"))) else {
            return;
        };
        let data = std::env::temp_dir().join(format!("data-of-nobody-{}", std::process::id()));
        fs::create_dir(&data).expect("a folder");
        chown(&data, Some(nobody.0), Some(nobody.1)).expect("given away");
        let account = Account::for_data(&data);
        fs::remove_dir(&data).expect("removed");
        assert!(account.is_ok_and(|account| account.uid != nobody.0));
    }

    #[test]
    fn an_unknown_account_has_no_ids() {
        assert_eq!(ids_of(Some("no-such-account-here")), None);
    }

    #[test]
    fn keys_and_passwords_do_not_reach_the_server() {
        let account = Account {
            uid: 1,
            gid: 1,
            steps_down: false,
        };
        let command = account.command(Path::new("/usr/bin/env"));
        assert!(
            command
                .get_envs()
                .all(|(name, _)| KEPT_VARIABLES.iter().any(|kept| name == *kept))
        );
    }
}
