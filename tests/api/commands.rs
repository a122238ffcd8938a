//! People by command: `plan-advisor user …` on a database that a server uses.

use crate::invitations::PASSWORD;
use crate::process::binary;
use crate::support::TestApp;
use serde_json::json;
use std::process::Stdio;
use tokio::io::AsyncWriteExt;

/// What a command printed, or the line it complained with.
pub async fn run(app: &TestApp, arguments: &[&str], input: &str) -> Result<String, String> {
    run_on(&app.database.served_url(), arguments, input).await
}

async fn run_on(database: &str, arguments: &[&str], input: &str) -> Result<String, String> {
    let mut command = binary(database);
    command.arg("user").args(arguments);
    let mut child = command
        .env("PUBLIC_URL", "https://plans.example.com/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A command that refuses its arguments does not read.
    let _ = stdin.write_all(format!("{input}\n").as_bytes()).await;
    drop(stdin);
    let output = child.wait_with_output().await.expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        let complaint = text(&output.stderr);
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        Err(complaint)
    }
}

#[track_caller]
fn complains(result: &Result<String, String>, about: &str) {
    let complaint = result.as_ref().expect_err("it was refused");
    assert!(complaint.contains(about), "{complaint}");
}

async fn audited(app: &TestApp, kind: &str, email: &str) -> i64 {
    let query = format!(
        "SELECT count(*) FROM audit_events JOIN users u ON u.id = effective_user_id \
         WHERE kind = '{kind}' AND actor_id IS NULL AND email = '{email}'"
    );
    app.database.count(&query).await
}

#[tokio::test]
async fn the_first_administrator_is_invited_by_command() {
    let app = TestApp::spawn().await;
    let invite = ["invite", "--email", "Ann@Example.com", "--role", "platform_admin"];
    let lost = run(&app, &invite, "").await.expect("a link");
    let link = run(&app, &invite, "")
        .await
        .expect("another, because the first was lost");
    let token = |link: &str| {
        let token = link.strip_prefix("https://plans.example.com/?view=invitation#token=");
        token.unwrap_or_else(|| panic!("{link}")).to_owned()
    };
    let accept = async |link: &str| {
        let body = json!({"token": token(link), "displayName": "Ann", "password": PASSWORD});
        app.anonymous().post("/api/auth/invitations/accept", &body).await
    };
    assert_eq!(accept(&lost).await.status, 404);
    let opened = accept(&link).await.data();
    assert_eq!(
        (&opened["email"], &opened["role"]),
        (&json!("ann@example.com"), &json!("platform_admin"))
    );

    complains(&run(&app, &invite, "").await, "has an account already");
    for (arguments, complaint) in [
        (
            &["invite", "--email", "ann", "--role", "franchisee"][..],
            "must be an e-mail address",
        ),
        (
            &["invite", "--email", "b@example.com", "--role", "franchisor_admin"],
            "needs --brand",
        ),
        (
            &[
                "invite",
                "--email",
                "b@example.com",
                "--role",
                "franchisee",
                "--brand",
                "nobody",
            ],
            "there is no brand",
        ),
        (
            &[
                "invite",
                "--email",
                "b@example.com",
                "--role",
                "platform_admin",
                "--brand",
                "x",
            ],
            "has no brand",
        ),
    ] {
        complains(&run(&app, arguments, "").await, complaint);
    }
}

#[tokio::test]
async fn people_are_disabled_enabled_and_listed_by_command() {
    let app = TestApp::spawn().await;
    assert_eq!(
        run(&app, &["disable", "Sam@Demo.test"], "").await.as_deref(),
        Ok("sam@demo.test is disabled.")
    );
    assert_eq!(app.sam.get("/api/plans").await.status, 401);
    assert_eq!(audited(&app, "user_disabled", "sam@demo.test").await, 1);
    let again = run(&app, &["disable", "sam@demo.test"], "").await;
    assert_eq!(again.as_deref(), Ok("sam@demo.test is disabled already."));

    let listed = run(&app, &["list", "--role", "franchisee"], "").await.expect("a list");
    let lines: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["EMAIL", "NAME", "ROLE", "BRAND", "DISABLED"]);
    assert_eq!(lines.len(), 4, "{listed}");
    assert_eq!((lines[1][0], lines[1].last()), ("riley@demo.test", Some(&"no")));
    assert_eq!((lines[2][0], lines[2].last()), ("sam@demo.test", Some(&"yes")));
    let starts = |line: &str| line.find("franchisee");
    let columns: Vec<_> = listed.lines().skip(1).map(starts).collect();
    assert!(
        columns.iter().all(|column| *column == columns[0] && column.is_some()),
        "{listed}"
    );
    assert_eq!(run(&app, &["list"], "").await.expect("a list").lines().count(), 6);

    assert_eq!(
        run(&app, &["enable", "sam@demo.test"], "").await.as_deref(),
        Ok("sam@demo.test is enabled.")
    );
    assert_eq!(
        app.anonymous().log_in("sam@demo.test", TestApp::PASSWORD).await.status,
        200
    );
    complains(
        &run(&app, &["disable", "admin@demo.test"], "").await,
        "the last platform administrator",
    );
}

#[tokio::test]
async fn a_password_is_set_by_command_or_by_a_link_from_it() {
    let app = TestApp::spawn().await;
    let set = ["password", "sam@demo.test", "--password-stdin"];
    for (input, complaint) in [
        ("", "must have 10 to 128 characters"),
        ("orbit-92!", "must have 10 to 128 characters"),
        ("password123", "is easy to guess"),
        ("kettle\torbit-92", "control characters"),
    ] {
        complains(&run(&app, &set, input).await, complaint);
    }
    assert_eq!(app.sam.get("/api/plans").await.status, 200);
    run(&app, &set, PASSWORD).await.expect("it is set");
    assert_eq!(app.sam.get("/api/plans").await.status, 401);
    assert_eq!(audited(&app, "password_changed", "sam@demo.test").await, 1);
    assert_eq!(app.anonymous().log_in("sam@demo.test", PASSWORD).await.status, 200);

    let link = run(&app, &["reset-link", "sam@demo.test"], "").await.expect("a link");
    let token = link
        .strip_prefix("https://plans.example.com/?view=password-reset#token=")
        .expect(&link);
    let body = json!({"token": token, "next": "orbit-kettle-29 snow"});
    assert_eq!(
        app.anonymous().post("/api/auth/password-reset", &body).await.status,
        204
    );
    assert_eq!(audited(&app, "password_reset_issued", "sam@demo.test").await, 1);

    run(&app, &["disable", "sam@demo.test"], "")
        .await
        .expect("it is disabled");
    complains(&run(&app, &set, PASSWORD).await, "is disabled");
    complains(&run(&app, &["reset-link", "sam@demo.test"], "").await, "is disabled");
}

#[tokio::test]
async fn a_person_is_added_by_command() {
    let app = TestApp::spawn().await;
    let add = |email, role| {
        [
            "add",
            "--email",
            email,
            "--name",
            "Ann Lee",
            "--role",
            role,
            "--password-stdin",
        ]
    };
    assert_eq!(
        run(&app, &add("Ann@Example.com", "franchisee"), PASSWORD)
            .await
            .as_deref(),
        Ok("ann@example.com was added.")
    );
    assert_eq!(audited(&app, "user_added", "ann@example.com").await, 1);
    assert_eq!(app.anonymous().log_in("ann@example.com", PASSWORD).await.status, 200);
    complains(
        &run(&app, &add("ann@example.com", "franchisee"), PASSWORD).await,
        "exists already",
    );
    complains(
        &run(&app, &add("bob@example.com", "franchisor_admin"), PASSWORD).await,
        "needs --brand",
    );
    complains(
        &run(&app, &add("bob@example.com", "franchisee"), "ann lee 12").await,
        "is easy to guess",
    );
}

#[tokio::test]
async fn a_command_that_finds_nobody_or_no_database_says_so_in_one_line() {
    let app = TestApp::spawn().await;
    for arguments in [
        &["disable", "who@demo.test"][..],
        &["enable", "who@demo.test"],
        &["reset-link", "who@demo.test"],
        &["password", "who@demo.test", "--password-stdin"],
        &["remove", "who@demo.test", "--yes"],
    ] {
        complains(&run(&app, arguments, PASSWORD).await, "there is no who@demo.test");
    }
    // Port 1 is never listened on here.
    for arguments in [
        &["list"][..],
        &["disable", "sam@demo.test"],
        &["reset-link", "sam@demo.test"],
    ] {
        let away = run_on("postgres://x@127.0.0.1:1/x", arguments, "").await;
        complains(&away, "the database cannot be reached");
    }
}
