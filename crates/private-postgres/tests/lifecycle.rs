//! Tests with a real PostgreSQL, each with its own home folder.
#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use private_postgres::{Options, PrivatePostgres, PrivatePostgresError, Profile};

/// The home folder for [`launcher`] when a test runs this binary as another process.
const LAUNCHER_HOME: &str = "PLAN_ADVISOR_TEST_LAUNCHER_HOME";

#[test]
fn a_server_starts_without_a_port_keeps_its_data_and_stops() {
    let home = TempHome::new("starts");
    let server = PrivatePostgres::start(&Options::durable(home.path())).expect("started");
    assert!(!server.is_adopted());
    assert_eq!(sql(&server, "create table kept as select 42 as n"), "");
    assert_eq!(sql(&server, "show fsync"), "on");
    assert_eq!(sql(&server, "show listen_addresses"), "");
    assert_eq!(sql(&server, "show server_encoding"), "UTF8");
    server.stop();
    assert!(!home.path().join("postgres/postmaster.pid").exists());

    // Another process may have the pid of a file that a crash left.
    let mut other = Command::new("sleep").arg("60").spawn().expect("sleep");
    let stale = format!("{}\n{}\n", other.id(), home.path().join("postgres").display());
    fs::write(home.path().join("postgres/postmaster.pid"), stale).unwrap();

    let server = PrivatePostgres::start(&Options::durable(home.path())).expect("started again");
    assert!(!server.is_adopted());
    assert_eq!(sql(&server, "select n from kept"), "42");
    other.kill().and_then(|()| other.wait()).expect("killed");
}

#[test]
fn a_server_left_by_a_killed_process_is_adopted_and_stopped() {
    let home = TempHome::new("adopts");
    let mut launcher = Launcher::start(home.path());
    let left = home.postmaster();
    launcher.kill();

    let server = PrivatePostgres::start(&Options::test(home.path())).expect("adopted");
    assert!(server.is_adopted());
    assert_eq!(home.postmaster(), left);
    assert_eq!(sql(&server, "select 1"), "1");
    server.stop();
    assert!(!home.path().join("postgres/postmaster.pid").exists());
}

#[test]
fn a_server_that_may_lose_data_is_not_adopted_for_user_data() {
    let home = TempHome::new("replaces");
    Launcher::start(home.path()).kill();

    let server = PrivatePostgres::start(&Options::durable(home.path())).expect("started");
    assert!(!server.is_adopted());
    assert_eq!(sql(&server, "show fsync"), "on");
}

#[test]
fn a_second_process_on_one_home_is_refused() {
    let home = TempHome::new("refuses");
    let mut launcher = Launcher::start(home.path());

    let error = PrivatePostgres::start(&Options::test(home.path())).expect_err("refused");
    assert!(
        matches!(&error, PrivatePostgresError::InUse { pid: Some(pid), .. } if *pid == launcher.pid()),
        "{error}"
    );
    assert!(error.to_string().contains("PLAN_ADVISOR_HOME"), "{error}");

    launcher.kill();
    PrivatePostgres::start(&Options::test(home.path()))
        .expect("free again")
        .stop();
}

#[test]
fn what_was_committed_outlives_the_server_being_killed() {
    let home = TempHome::new("recovers");
    let server = PrivatePostgres::start(&Options {
        home: home.path().to_owned(),
        profile: Profile::Durable,
    })
    .expect("started");
    sql(&server, "create table kept as select 42 as n");
    let killed = Command::new("sh")
        .args(["-c", "kill -s KILL \"$1\"", "sh", &home.postmaster()])
        .status();
    assert!(killed.expect("sh").success());
    server.stop();

    let server = PrivatePostgres::start(&Options::durable(home.path())).expect("recovered");
    assert_eq!(sql(&server, "select n from kept"), "42");
}

#[test]
fn data_of_another_major_version_is_refused_and_untouched() {
    let home = TempHome::new("version");
    let data = home.path().join("postgres");
    fs::create_dir_all(&data).unwrap();
    fs::write(data.join("PG_VERSION"), "99\n").unwrap();

    let error = PrivatePostgres::start(&Options::durable(home.path())).expect_err("refused");
    assert!(
        matches!(error, PrivatePostgresError::OtherVersion { was: 99, .. }),
        "{error}"
    );
    assert_eq!(fs::read_dir(&data).unwrap().count(), 1);
}

#[test]
fn a_home_too_deep_for_a_socket_still_works() {
    let home = TempHome::new("deep");
    let server = PrivatePostgres::start(&Options::test(home.path().join("d".repeat(120)))).expect("started");
    assert_eq!(sql(&server, "select 1"), "1");
}

/// The process that other tests kill: starts the server of a home and waits. Does nothing when run as a test.
#[test]
fn launcher() {
    let Some(home) = std::env::var_os(LAUNCHER_HOME) else {
        return;
    };
    let server = PrivatePostgres::start(&Options::test(home)).expect("started");
    println!("launched {}", server.url("postgres"));
    loop {
        std::thread::park();
    }
}

struct Launcher(Child);

impl Launcher {
    fn start(home: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "launcher", "--nocapture"])
            .env(LAUNCHER_HOME, home);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("this test binary");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let launched = lines.any(|line| line.is_ok_and(|line| line.contains("launched ")));
        assert!(launched, "the other process did not start its server");
        Self(child)
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }

    /// SIGKILL: no destructor runs.
    fn kill(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("killed");
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A home folder that the server's account can access; removed on drop.
struct TempHome(PathBuf);

impl TempHome {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plan-advisor-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        // Independent of the umask: with an inaccessible folder the server would use /var/lib.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o711)).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn postmaster(&self) -> String {
        let file = fs::read_to_string(self.0.join("postgres/postmaster.pid")).unwrap();
        file.lines().next().unwrap().to_owned()
    }
}

impl Drop for TempHome {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The folder is kept for inspection, but nothing may keep running.
            drop(PrivatePostgres::start(&Options::test(&self.0)));
        } else {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }
}

fn sql(server: &PrivatePostgres, statement: &str) -> String {
    let mut psql = Command::new("psql");
    psql.args([
        "--no-psqlrc",
        "-qAt",
        "-v",
        "ON_ERROR_STOP=1",
        "-d",
        &server.url("postgres"),
        "-c",
        statement,
    ]);
    let output = psql.output().expect("psql, which comes with PostgreSQL");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
