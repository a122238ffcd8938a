//! The private PostgreSQL of `demo`: found on this machine, started without a port or a password, stopped with us.
//!
//! The server listens on a Unix socket in a folder only its own account may enter. Everything lives in one home folder:
//! `postgres/` (the data), `run/` (the socket), `postgres.log` and `lock`. Nothing here speaks SQL, and PostgreSQL is
//! never downloaded. All of it is blocking code: call it through `spawn_blocking`.

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

pub use error::EmbeddedError;

use self::binaries::Places;
use self::home::Home;
use self::server::Server;

/// What the server promises for the data it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// User data: every commit reaches the disk.
    Durable,
    /// Throw-away data: fast, and lost when the machine stops.
    Test,
}

#[derive(Debug, Clone)]
pub struct Options {
    /// The folder for data, socket and log; made when missing. A relative path counts from the current folder.
    pub home: PathBuf,
    pub profile: Profile,
}

impl Options {
    #[must_use]
    pub fn durable(home: impl Into<PathBuf>) -> Self {
        Self {
            home: home.into(),
            profile: Profile::Durable,
        }
    }

    #[must_use]
    pub fn test(home: impl Into<PathBuf>) -> Self {
        Self {
            home: home.into(),
            profile: Profile::Test,
        }
    }
}

/// A running private PostgreSQL. Dropping it stops the server; a killed process leaves it for the next start to adopt.
#[derive(Debug)]
pub struct Embedded {
    // Stopped before `home` is dropped: the lock must outlive the server.
    server: Server,
    home: Home,
}

impl Embedded {
    /// Starts the server of this home folder, or adopts the one a killed process left behind.
    ///
    /// As root the server runs as the account `postgres`, else `nobody`. Where that account cannot enter
    /// `options.home`, the home is `/var/lib/plan-advisor` instead and [`Embedded::moved_from`] tells.
    ///
    /// # Errors
    /// When no PostgreSQL of a fitting version is installed, when another process uses the home folder, or when the
    /// server does not become ready. Nothing keeps running after an error.
    pub fn start(options: &Options) -> Result<Self, EmbeddedError> {
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
    /// A fresh server has the database `postgres`; others are the caller's to create.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        let socket_dir = self.server.socket_dir().as_os_str().as_encoded_bytes();
        format!(
            "postgresql://postgres@{}/{}",
            percent_encode(socket_dir),
            percent_encode(database.as_bytes())
        )
    }

    /// The home folder in use, absolute.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The home folder that was asked for, when another had to be taken.
    #[must_use]
    pub fn moved_from(&self) -> Option<&Path> {
        self.home.moved_from()
    }

    /// The server's own log.
    #[must_use]
    pub fn log(&self) -> &Path {
        self.home.log()
    }

    /// Whether the server was already running, left by a process that was killed.
    #[must_use]
    pub fn is_adopted(&self) -> bool {
        self.server.is_adopted()
    }

    /// Stops the server: open transactions are rolled back, committed data is on disk. The data stays.
    pub fn stop(self) {
        drop(self);
    }
}

/// Everything outside the unreserved set, so that a whole path fits where a host name stands.
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
