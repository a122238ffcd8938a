//! Finds an installed PostgreSQL in the usual places, newest first.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::PrivatePostgresError;
use super::home::Home;

/// The oldest PostgreSQL the migrations are tested with.
const FLOOR: u32 = 15;

/// Folders with one subfolder per version, and the prefix of its name.
const VERSIONED: [(&str, &str, &str); 6] = [
    ("/usr/lib/postgresql", "", "bin"),
    ("/opt/homebrew/opt", "postgresql", "bin"),
    ("/usr/local/opt", "postgresql", "bin"),
    ("/home/linuxbrew/.linuxbrew/opt", "postgresql", "bin"),
    ("/Applications/Postgres.app/Contents/Versions", "", "bin"),
    ("/usr", "pgsql-", "bin"),
];

/// A folder with `initdb` and `postgres`, and their major version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binaries {
    pub(super) dir: PathBuf,
    pub(super) major: u32,
}

impl Binaries {
    fn probe(dir: &Path) -> Option<Self> {
        // Resolves the link, so that /usr/bin/initdb leads to the folder with the other programs.
        let dir = fs::canonicalize(dir.join("initdb")).ok()?.parent()?.to_owned();
        let version = output_of(&dir.join("postgres"), "--version")?;
        Some(Self {
            major: major_of(&version)?,
            dir,
        })
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

/// Places to search besides the well-known folders.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// `PG_BIN_DIR`: if set, nothing else is searched.
    named: Option<PathBuf>,
    path: Option<OsString>,
}

impl Places {
    pub(super) fn from_environment() -> Self {
        let named = std::env::var_os("PG_BIN_DIR")
            .filter(|dir| !dir.is_empty())
            .map(PathBuf::from);
        Self {
            named,
            path: std::env::var_os("PATH"),
        }
    }

    fn folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        folders.extend(output_of(Path::new("pg_config"), "--bindir").map(|dir| PathBuf::from(dir.trim())));
        folders.extend(self.path.iter().flat_map(std::env::split_paths));
        for (parent, prefix, below) in VERSIONED {
            folders.extend(
                newest_first(Path::new(parent), prefix)
                    .into_iter()
                    .map(|dir| dir.join(below)),
            );
        }
        folders
    }
}

/// Every installed PostgreSQL, the preferred one first; never empty.
pub(super) fn find(places: &Places) -> Result<Vec<Binaries>, PrivatePostgresError> {
    if let Some(dir) = &places.named {
        let named = Binaries::probe(dir).ok_or_else(|| PrivatePostgresError::WrongBinDir(dir.clone()))?;
        return Ok(vec![named]);
    }
    let mut found: Vec<Binaries> = Vec::new();
    for binaries in places.folders().iter().filter_map(|dir| Binaries::probe(dir)) {
        if !found.contains(&binaries) {
            found.push(binaries);
        }
    }
    if found.is_empty() {
        Err(PrivatePostgresError::NotInstalled)
    } else {
        Ok(found)
    }
}

/// The PostgreSQL with the version of the data in `home`; for new data the first that is new enough.
pub(super) fn choose<'a>(found: &'a [Binaries], home: &Home) -> Result<&'a Binaries, PrivatePostgresError> {
    fitting(found, home.data_version()?, home)
}

fn fitting<'a>(found: &'a [Binaries], wanted: Option<u32>, home: &Home) -> Result<&'a Binaries, PrivatePostgresError> {
    let new_enough = || found.iter().filter(|binaries| binaries.major >= FLOOR);
    if let Some(fits) = new_enough().find(|binaries| wanted.is_none_or(|major| binaries.major == major)) {
        return Ok(fits);
    }
    match (wanted, new_enough().next(), found.first()) {
        (Some(was), Some(other), _) => Err(PrivatePostgresError::OtherVersion {
            data: home.data().to_owned(),
            run: home.run().to_owned(),
            was,
            is: other.major,
        }),
        (_, _, Some(old)) => Err(PrivatePostgresError::TooOld {
            major: old.major,
            dir: old.dir.clone(),
            floor: FLOOR,
        }),
        (_, _, None) => Err(PrivatePostgresError::NotInstalled),
    }
}

/// `postgres (PostgreSQL) 17.2 (Debian 17.2-1)` and `postgres (PostgreSQL) 18beta1` give 17 and 18.
fn major_of(version: &str) -> Option<u32> {
    let number = version.split_once("(PostgreSQL)")?.1.trim_start();
    let digits = number.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn newest_first(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let version = name.strip_prefix(prefix)?.trim_start_matches('@');
            let digits = version.split('.').next().unwrap_or_default();
            // Homebrew's folder without a number is its newest version.
            let number = if digits.is_empty() && !prefix.is_empty() {
                u32::MAX
            } else {
                digits.parse().ok()?
            };
            Some((number, entry.path()))
        })
        .collect();
    versions.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    versions.into_iter().map(|(_, path)| path).collect()
}

fn output_of(program: &Path, argument: &str) -> Option<String> {
    let output = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then_some(String::from_utf8(output.stdout).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(major: u32) -> Binaries {
        Binaries {
            dir: format!("/usr/lib/postgresql/{major}/bin").into(),
            major,
        }
    }

    #[test]
    fn the_major_version_is_read_from_what_postgres_prints() {
        assert_eq!(
            major_of("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(major_of("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(major_of("psql 15"), None);
    }

    #[test]
    fn versions_are_tried_newest_first_by_number() {
        let parent = std::env::temp_dir().join(format!("plan-advisor-versions-{}", std::process::id()));
        for name in ["pg@9", "pg@16", "pg@15", "pg", "other"] {
            fs::create_dir_all(parent.join(name)).expect("a folder");
        }
        let names: Vec<_> = newest_first(&parent, "pg")
            .iter()
            .filter_map(|p| Some(p.file_name()?.to_owned()))
            .collect();
        assert_eq!(names, ["pg", "pg@16", "pg@15", "pg@9"]);
        fs::remove_dir_all(&parent).expect("removed");
    }

    #[test]
    fn existing_data_chooses_its_own_version_even_if_a_newer_one_is_there() {
        let found = [installed(17), installed(15)];
        let home = Home::sketch("/h");
        assert_eq!(fitting(&found, None, &home).expect("newest").major, 17);
        assert_eq!(fitting(&found, Some(15), &home).expect("its own").major, 15);
    }

    #[test]
    fn data_of_another_version_and_an_old_server_are_refused() {
        let home = Home::sketch("/h");
        let (new, old) = ([installed(17)], [installed(13)]);
        let other = fitting(&new, Some(16), &home);
        assert!(
            matches!(other, Err(PrivatePostgresError::OtherVersion { was: 16, is: 17, .. })),
            "{other:?}"
        );
        let old = fitting(&old, None, &home);
        assert!(
            matches!(
                old,
                Err(PrivatePostgresError::TooOld {
                    major: 13,
                    floor: 15,
                    ..
                })
            ),
            "{old:?}"
        );
    }

    #[test]
    fn a_wrong_pg_bin_dir_is_named_instead_of_searching_on() {
        let places = Places {
            named: Some("/nonexistent".into()),
            path: None,
        };
        assert!(matches!(find(&places), Err(PrivatePostgresError::WrongBinDir(_))));
    }
}
