//! The demo's logins have a public password: where they may be, and under which names the demo answers.

use crate::process::binary;
use crate::support::TestApp;
use crate::support::database::TestDatabase;
use crate::support::raw::RawExchange;

/// Exit code and standard error.
async fn run(database: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = binary(database);
    let output = command
        .args(arguments)
        .env_remove("ALLOW_DEMO_LOGINS")
        .env("LLM_PROVIDER", "offline")
        .env("RUST_LOG", "warn")
        .output()
        .await
        .expect("it ran");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

async fn empty() -> TestDatabase {
    tokio::task::spawn_blocking(TestDatabase::empty)
        .await
        .expect("a database")
}

#[tokio::test]
async fn a_database_that_is_somebodys_gets_no_demo_logins() {
    let database = empty().await;
    let url = database.url();
    assert_eq!(run(&url, &["migrate"]).await.0, Some(0));
    database
        .run(
            "INSERT INTO users (id, email, display_name, role) \
             VALUES ('00000000-0000-7000-8000-000000000001', 'ann@example.com', 'Ann', 'platform_admin')",
        )
        .await;
    for command in ["seed", "demo"] {
        let (code, said) = run(&url, &[command]).await;
        assert_eq!(code, Some(2), "{command}: {said}");
        assert!(
            said.lines().count() == 1 && said.contains("--into-this-database"),
            "{command}: {said}"
        );
    }
    assert_eq!(database.count("SELECT count(*) FROM users").await, 1);

    assert_eq!(run(&url, &["seed", "--into-this-database"]).await.0, Some(0));
    let (code, said) = run(&url, &["serve"]).await;
    assert_eq!(code, Some(1), "{said}");
    let last = said.lines().last().expect("a line");
    assert!(
        last.contains("admin@demo.test") && last.contains("--allow-demo-logins"),
        "{said}"
    );
}

#[tokio::test]
async fn a_database_of_another_program_gets_no_demo_logins() {
    let database = empty().await;
    database.run("CREATE TABLE orders (id integer)").await;
    for command in ["seed", "demo"] {
        assert_eq!(run(&database.url(), &[command]).await.0, Some(2), "{command}");
    }
    assert_eq!(
        database
            .count("SELECT count(*) FROM pg_class WHERE relname = 'users' AND relkind = 'r'")
            .await,
        0
    );
}

#[tokio::test]
async fn the_demos_own_database_is_seeded_again_also_with_people_who_came_later() {
    let database = empty().await;
    let url = database.url();
    for command in ["migrate", "seed", "seed"] {
        let (code, said) = run(&url, &[command]).await;
        assert_eq!(code, Some(0), "{said}");
    }
    let add = "INSERT INTO users (id, email, display_name, role) \
               VALUES ('00000000-0000-7000-8000-000000000001', 'ann@example.com', 'Ann', 'platform_admin')";
    database.run(add).await;
    assert_eq!(run(&url, &["seed"]).await.0, Some(0));
    // Without the demo's people it has become Ann's.
    database.run("DELETE FROM users WHERE email <> 'ann@example.com'").await;
    assert_eq!(run(&url, &["seed"]).await.0, Some(2));
}

#[tokio::test]
async fn a_server_starts_once_no_demo_login_has_the_public_password() {
    let database = tokio::task::spawn_blocking(TestDatabase::seeded)
        .await
        .expect("a database");
    let url = database.url();
    database
        .run("UPDATE users SET password_hash = NULL WHERE email <> 'riley@demo.test'")
        .await;
    let (code, said) = run(&url, &["serve"]).await;
    assert_eq!(code, Some(1));
    assert!(said.contains("opens riley@demo.test:"), "{said}");
    database
        .run("UPDATE users SET disabled_at = now() WHERE email = 'riley@demo.test'")
        .await;
    // It goes on to the next thing that is wrong: an address that no machine here has.
    let mut command = binary(&url);
    command
        .args(["serve", "--bind-addr", "192.0.2.1:1"])
        .env_remove("ALLOW_DEMO_LOGINS");
    let output = command.env("LLM_PROVIDER", "offline").output().await.expect("it ran");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cannot listen on 192.0.2.1:1"), "{said}");
}

#[tokio::test]
async fn the_demo_answers_under_the_names_of_this_machine_only() {
    let demo = TestApp::builder().demo().spawn().await;
    let port = demo.main.address.port();
    let status = async |host: &str, path: &str| {
        let exchange = RawExchange::send_to(demo.main.address, &format!("GET {path} HTTP/1.1\r\n{host}\r\n")).await;
        exchange.status()
    };
    for host in [
        "localhost",
        "LOCALHOST",
        "127.0.0.1",
        "127.8.9.1",
        "[::1]",
        "demo.localhost",
    ] {
        assert_eq!(
            status(&format!("Host: {host}:{port}\r\n"), "/demo.json").await,
            200,
            "{host}"
        );
    }
    for host in [
        "evil.test",
        "localhost.evil.test",
        "127.0.0.1.nip.io",
        "192.0.2.2",
        "127.0.0.1@evil.test",
    ] {
        for path in ["/demo.json", "/", "/api/plans", "/healthz"] {
            let code = status(&format!("Host: {host}:{port}\r\n"), path).await;
            assert!(code == 403, "{host} {path}: {code}");
        }
    }
    assert_eq!(
        status("Host: localhost\r\nHost: evil.test\r\n", "/demo.json").await,
        403
    );
    assert_eq!(status("Host: localhost\r\n", "http://evil.test/demo.json").await, 403);
    assert_eq!(status("", "/demo.json").await, 403);

    let app = TestApp::spawn().await;
    let other = RawExchange::send_to(
        app.main.address,
        "GET /healthz HTTP/1.1\r\nHost: plans.example.com\r\n\r\n",
    )
    .await;
    assert!(other.head.starts_with("HTTP/1.1 200"), "{}", other.head);
}
