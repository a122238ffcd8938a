//! The home folder of the private PostgreSQL, with its data, socket and log, and the lock against a second
//! process.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tracing::warn;

use super::PrivatePostgresError;
use super::account::Account;

/// The home as root if PostgreSQL's account cannot enter the requested one (for example a checkout below /root).
pub(super) const FALLBACK: &str = "/var/lib/plan-advisor";

/// The name of PostgreSQL's socket; the port in it is never opened.
pub(super) const SOCKET: &str = ".s.PGSQL.5432";

/// `sun_path` without the terminating NUL: 108 bytes on Linux, 104 on macOS and BSD.
const LONGEST_SOCKET_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// The log is rotated beyond this size; one older generation is kept.
const LONGEST_LOG_BYTES: u64 = 10 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct Home {
    path: PathBuf,
    moved_from: Option<PathBuf>,
    account: Account,
    data: PathBuf,
    run: PathBuf,
    log: PathBuf,
    /// The kernel releases it when the process ends, in any way.
    _lock: Option<File>,
}

impl Home {
    /// Creates and locks the home folder: `wanted`, or `fallback` if the server's account cannot enter `wanted`.
    pub(super) fn open(wanted: &Path, fallback: &Path) -> Result<Self, PrivatePostgresError> {
        let wanted = std::path::absolute(wanted).map_err(PrivatePostgresError::io("find", wanted))?;
        let account = Account::for_data(&wanted.join("postgres"))?;
        if !account.steps_down() || account.can_enter(nearest_existing(&wanted)) {
            return Self::open_as(&wanted, account);
        }
        warn!(
            "The account that runs PostgreSQL (root may not) cannot enter {}: the data is kept in {} instead",
            wanted.display(),
            fallback.display()
        );
        let home = Self::open_as(fallback, Account::for_data(&fallback.join("postgres"))?)?;
        Ok(Self {
            moved_from: Some(wanted),
            ..home
        })
    }

    fn open_as(path: &Path, account: Account) -> Result<Self, PrivatePostgresError> {
        if !path.exists() {
            fs::create_dir_all(path).map_err(PrivatePostgresError::io("make the folder", path))?;
            // Set explicitly, independent of the umask. The server's account may pass through to its own folders, but
            // not list.
            let mode = if account.steps_down() { 0o711 } else { 0o700 };
            fs::set_permissions(path, Permissions::from_mode(mode)).map_err(PrivatePostgresError::io("open", path))?;
        }
        let path = fs::canonicalize(path).map_err(PrivatePostgresError::io("find", path))?;
        account.refuse_foreign(&path)?;
        let lock = lock(&path)?;
        Ok(Self {
            data: path.join("postgres"),
            log: path.join("postgres.log"),
            run: run_folder(&path, &account),
            path,
            moved_from: None,
            account,
            _lock: Some(lock),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn moved_from(&self) -> Option<&Path> {
        self.moved_from.as_deref()
    }

    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    /// The folder for the next server's socket; created at its start. An adopted server reports its own.
    pub(super) fn run(&self) -> &Path {
        &self.run
    }

    pub(super) fn log(&self) -> &Path {
        &self.log
    }

    /// The major version of the data; `None` if there is none yet.
    pub(super) fn data_version(&self) -> Result<Option<u32>, PrivatePostgresError> {
        let file = self.data.join("PG_VERSION");
        let found = match fs::read_to_string(&file) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(PrivatePostgresError::io("read", &file)(error)),
        };
        found
            .trim()
            .parse()
            .map(Some)
            .map_err(|_| PrivatePostgresError::UnknownVersion { file, found })
    }

    /// Opens the log for appending.
    pub(super) fn open_log(&self) -> Result<File, PrivatePostgresError> {
        if fs::metadata(&self.log).is_ok_and(|log| log.len() > LONGEST_LOG_BYTES) {
            let older = self.log.with_extension("log.1");
            fs::rename(&self.log, &older).map_err(PrivatePostgresError::io("put aside", &self.log))?;
        }
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW)
            .open(&self.log);
        log.map_err(PrivatePostgresError::io("open", &self.log))
    }

    /// A home without files, for tests that need only paths.
    #[cfg(test)]
    pub(super) fn sketch(path: &str) -> Self {
        let path = PathBuf::from(path);
        Self {
            moved_from: None,
            account: Account::for_data(&path).expect("an account"),
            data: path.join("postgres"),
            run: path.join("run"),
            log: path.join("postgres.log"),
            path,
            _lock: None,
        }
    }
}

/// Held while the file is open. The pid inside is only for the error message.
fn lock(home: &Path) -> Result<File, PrivatePostgresError> {
    let path = home.join("lock");
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(0o600)
        // Whoever prepared the folder may have put a link here, to a file that we would empty.
        .custom_flags(libc::O_NOFOLLOW)
        .open(&path)
        .map_err(PrivatePostgresError::io("open", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut pid = String::new();
            let read = file.read_to_string(&mut pid).is_ok();
            let pid = Some(pid.trim().to_owned()).filter(|pid| read && !pid.is_empty());
            return Err(PrivatePostgresError::InUse {
                home: home.to_owned(),
                pid,
            });
        }
        Err(TryLockError::Error(error)) => return Err(PrivatePostgresError::io("lock", &path)(error)),
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .map_err(PrivatePostgresError::io("write", &path))?;
    Ok(file)
}

/// `run` below the home, or a shorter path derived from the home if the socket's path would be too long.
fn run_folder(home: &Path, account: &Account) -> PathBuf {
    let run = home.join("run");
    if fits_a_socket(&run) {
        return run;
    }
    let mut hasher = DefaultHasher::new();
    home.hash(&mut hasher);
    let name = format!("plan-advisor-{:016x}", hasher.finish());
    let personal = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    personal
        .filter(|folder| !account.steps_down() && folder.is_dir())
        .map(|folder| folder.join(&name))
        .filter(|run| fits_a_socket(run))
        .unwrap_or_else(|| Path::new("/tmp").join(&name))
}

/// PostgreSQL parses the setting as a list with commas and quotes, so a path with one of these cannot be used.
fn fits_a_socket(run: &Path) -> bool {
    let bytes = run.as_os_str().as_bytes();
    bytes.len() + 1 + SOCKET.len() <= LONGEST_SOCKET_PATH && !bytes.iter().any(|byte| matches!(byte, b',' | b'"'))
}

fn nearest_existing(path: &Path) -> &Path {
    path.ancestors().find(|path| path.exists()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_somebody_put_into_the_home_is_not_followed() {
        let folder = std::env::temp_dir().join(format!("private-postgres-links-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let precious = folder.join("precious");
        for name in ["lock", "postgres.log"] {
            fs::write(&precious, "precious").expect("written");
            let _ = fs::remove_file(folder.join(name));
            std::os::unix::fs::symlink(&precious, folder.join(name)).expect("a link");
        }
        assert!(lock(&folder).is_err(), "the lock is a link");
        let home = Home {
            log: folder.join("postgres.log"),
            ..Home::sketch("/nonexistent")
        };
        assert!(home.open_log().is_err(), "the log is a link");
        assert_eq!(fs::read_to_string(&precious).expect("still there"), "precious");
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn a_home_of_somebody_else_is_refused() {
        let folder = std::env::temp_dir().join(format!("private-postgres-foreign-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let account = Account::for_data(Path::new("/nonexistent")).expect("an account");
        assert!(account.refuse_foreign(&folder).is_ok());
        // Only root can give a folder away.
        if std::os::unix::fs::chown(&folder, Some(54_321), None).is_ok() {
            assert!(matches!(
                account.refuse_foreign(&folder),
                Err(PrivatePostgresError::Foreign { owner: 54_321, .. })
            ));
        }
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn the_socket_moves_to_a_short_folder_when_its_path_would_not_fit() {
        let account = Account::for_data(Path::new("/nonexistent")).expect("an account");
        let fitting = PathBuf::from(format!(
            "/{}",
            "a".repeat(LONGEST_SOCKET_PATH - "/run/".len() - SOCKET.len() - 1)
        ));
        assert_eq!(run_folder(&fitting, &account), fitting.join("run"));

        let too_long = PathBuf::from(format!("{}a", fitting.display()));
        let run = run_folder(&too_long, &account);
        assert!(!run.starts_with(&too_long) && fits_a_socket(&run), "{}", run.display());
        assert_eq!(
            run,
            run_folder(&too_long, &account),
            "the same home finds the same folder again"
        );
    }

    #[test]
    fn as_root_a_home_the_server_cannot_enter_is_left_for_the_fallback() {
        let place = std::env::temp_dir().join(format!("plan-advisor-home-{}", std::process::id()));
        let (closed, fallback) = (place.join("closed"), place.join("fallback"));
        fs::create_dir_all(&closed).expect("folders");
        fs::set_permissions(&place, Permissions::from_mode(0o711)).expect("passable");
        fs::set_permissions(&closed, Permissions::from_mode(0o700)).expect("closed");

        let home = Home::open(&closed.join("home"), &fallback).expect("a home");

        if home.account().steps_down() {
            assert_eq!(
                (home.path(), home.moved_from()),
                (&*fallback, Some(&*closed.join("home")))
            );
            assert!(home.account().can_enter(home.path()));
        } else {
            assert_eq!((home.path(), home.moved_from()), (&*closed.join("home"), None));
        }
        fs::remove_dir_all(&place).expect("removed");
    }

    #[test]
    fn a_folder_that_postgresql_would_read_as_a_list_is_avoided() {
        assert!(!fits_a_socket(Path::new("/a,b/run")));
    }
}
