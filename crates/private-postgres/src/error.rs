//! Why the private PostgreSQL did not start, with messages that say what to do.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is described by its message")]
pub enum PrivatePostgresError {
    #[error("PostgreSQL is not installed. {REMEDIES}")]
    NotInstalled,

    #[error("PG_BIN_DIR is {}, which does not hold the programs initdb and postgres", .0.display())]
    WrongBinDir(PathBuf),

    #[error("PostgreSQL {major} in {} is too old, {floor} or newer is needed. {REMEDIES}", .dir.display())]
    TooOld { major: u32, dir: PathBuf, floor: u32 },

    #[error(
        "the data in {data} was written by PostgreSQL {was}, but only PostgreSQL {is} was found. Install PostgreSQL {was} \
         and start again; or carry the data over: start with {was}, run `pg_dumpall -h {run} -U postgres > plan-advisor.sql`, \
         stop, move {data} away, start with {is}, run `psql -h {run} -U postgres -f plan-advisor.sql postgres`",
        data = .data.display(), run = .run.display()
    )]
    OtherVersion {
        data: PathBuf,
        run: PathBuf,
        was: u32,
        is: u32,
    },

    #[error("{} does not hold the version of a PostgreSQL: {found:?}", .file.display())]
    UnknownVersion { file: PathBuf, found: String },

    #[error(
        "another plan-advisor{} is running on {}. Stop it, or choose another folder with PLAN_ADVISOR_HOME",
        .pid.as_ref().map(|pid| format!(" (process {pid})")).unwrap_or_default(), .home.display()
    )]
    InUse { home: PathBuf, pid: Option<String> },

    #[error("PostgreSQL does not run as root, and there is no account `postgres` to run it. {REMEDIES}")]
    NoAccount,

    #[error("{} belongs to another user (uid {owner}): start as that user, or choose another folder with PLAN_ADVISOR_HOME", .path.display())]
    Foreign { path: PathBuf, owner: u32 },

    #[error("{program} failed ({status}). The end of {}:\n{tail}", .log.display())]
    Failed {
        program: &'static str,
        status: String,
        log: PathBuf,
        tail: String,
    },

    #[error("{program} was not done after {after:?}. The end of {}:\n{tail}", .log.display())]
    TimedOut {
        program: &'static str,
        after: Duration,
        log: PathBuf,
        tail: String,
    },

    #[error("could not {doing} {}: {source}", .path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

/// The three alternatives if this machine has no usable PostgreSQL.
const REMEDIES: &str = "Install it (Debian, Ubuntu: `sudo apt-get install postgresql`; macOS: `brew install postgresql@17`), \
     or run everything in containers with `docker compose up`, or set DATABASE_URL to a PostgreSQL you have and run \
     `plan-advisor serve --migrate`";

impl PrivatePostgresError {
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_postgresql_names_three_ways_out() {
        let message = PrivatePostgresError::NotInstalled.to_string();
        for way in [
            "apt-get install postgresql",
            "brew install",
            "docker compose up",
            "DATABASE_URL",
        ] {
            assert!(message.contains(way), "{way} is missing in: {message}");
        }
        assert!(!message.contains('\n'), "one line: {message}");
    }

    #[test]
    fn another_major_version_names_dump_and_restore() {
        let error = PrivatePostgresError::OtherVersion {
            data: "/h/postgres".into(),
            run: "/h/run".into(),
            was: 15,
            is: 17,
        };
        let message = error.to_string();
        assert!(
            message.contains("pg_dumpall -h /h/run -U postgres > plan-advisor.sql"),
            "{message}"
        );
        assert!(
            message.contains("psql -h /h/run -U postgres -f plan-advisor.sql postgres"),
            "{message}"
        );
    }
}
