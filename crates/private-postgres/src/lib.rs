//! A private PostgreSQL: found on this machine, started without port or password, stopped with the process.
//!
//! The server listens on a Unix socket in a folder that only its account may enter. Everything is in one home folder:
//! `postgres/` (the data), `run/` (the socket), `postgres.log` and `lock`. This crate uses no SQL and never downloads
//! PostgreSQL. All functions block: call them through `spawn_blocking`.

#![deny(missing_docs, unreachable_pub)]
// The examples of the README are tests.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod account;
mod binaries;
mod error;
mod home;
mod initdb;
mod log;
mod postmaster;
mod server;

use std::path::{Path, PathBuf};
use std::time::Instant;

use tracing::info;

pub use error::PrivatePostgresError;

use self::binaries::Places;
use self::home::Home;
use self::server::Server;

/// The durability of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// User data: every commit is flushed to disk.
    Durable,
    /// Temporary data: fast, and lost if the machine crashes.
    Test,
}

/// Where the server lives, and for what.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder for data, socket and log; created if missing. A relative path counts from the current folder.
    pub home: PathBuf,
    /// How durable the data is.
    pub profile: Profile,
}

impl Options {
    /// For data that must survive a crash of the machine.
    pub fn durable(home: impl Into<PathBuf>) -> Self {
        Self {
            home: home.into(),
            profile: Profile::Durable,
        }
    }

    /// For data that nobody needs afterwards.
    pub fn test(home: impl Into<PathBuf>) -> Self {
        Self {
            home: home.into(),
            profile: Profile::Test,
        }
    }
}

/// A running private PostgreSQL. Stopped on drop; the next start adopts one that a killed process left running.
#[derive(Debug)]
pub struct PrivatePostgres {
    // Declared before `home`, so that the server stops before the lock is released.
    server: Server,
    home: Home,
}

impl PrivatePostgres {
    /// Starts the server of this home folder, or adopts the one that a killed process left running.
    ///
    /// As root the server runs as the account `postgres`. Where that account cannot enter
    /// `options.home`, the home is `/var/lib/plan-advisor` instead, and [`PrivatePostgres::moved_from`] returns the other.
    ///
    /// # Errors
    /// If no PostgreSQL with a usable version is installed, if another process uses the home folder, or if the
    /// server does not become ready. After an error nothing keeps running.
    pub fn start(options: &Options) -> Result<Self, PrivatePostgresError> {
        let begun = Instant::now();
        let found = binaries::find(&Places::from_environment())?;
        let home = Home::open(&options.home, Path::new(home::FALLBACK))?;
        let binaries = binaries::choose(&found, &home)?;
        let server = match Server::adopt(&home, options.profile)? {
            Some(server) => server,
            None => Server::start(&home, binaries, options.profile)?,
        };
        info!(
            pg.pid = server.pid(),
            pg.adopted = server.is_adopted(),
            "PostgreSQL {} in {} is ready after {} ms",
            binaries.major,
            home.path().display(),
            begun.elapsed().as_millis(),
        );
        Ok(Self { server, home })
    }

    /// The connection URL of one database, as superuser `postgres`, over the socket.
    ///
    /// A new server has the database `postgres` only; the caller creates others.
    pub fn url(&self, database: &str) -> String {
        let socket_dir = self.server.socket_dir().as_os_str().as_encoded_bytes();
        format!(
            "postgresql://postgres@{}/{}",
            percent_encode(socket_dir),
            percent_encode(database.as_bytes())
        )
    }

    /// The home folder in use, absolute.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The requested home folder, if another one is used.
    pub fn moved_from(&self) -> Option<&Path> {
        self.home.moved_from()
    }

    /// The path of the server's log.
    pub fn log(&self) -> &Path {
        self.home.log()
    }

    /// Whether the server was already running, left by a process that was killed.
    pub fn is_adopted(&self) -> bool {
        self.server.is_adopted()
    }

    /// Stops the server: open transactions are rolled back, committed data is on disk. The data stays.
    pub fn stop(self) {
        drop(self);
    }
}

/// Encodes everything outside the unreserved set, so that a path can replace the host name in a URL.
fn percent_encode(bytes: &[u8]) -> String {
    let encode = |&byte: &u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    bytes.iter().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_folder_fits_into_the_host_of_a_url() {
        assert_eq!(percent_encode("/tmp/a b/ü".as_bytes()), "%2Ftmp%2Fa%20b%2F%C3%BC");
    }
}
