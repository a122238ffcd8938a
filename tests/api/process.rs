//! The real binary: killed in mid-answer, ended in good order, and asked what it needs.

use crate::support::database::TestDatabase;
use crate::support::mock_llm::{KEY, MockLlm};
use crate::support::{Client, Gate, TestApp, eventually, on_server, says, sets, soon};
use insta::assert_snapshot;
use serde_json::json;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

const RENT: &str = "operatingCosts.rentMonthly";

/// `plan-advisor serve`.
struct Process {
    child: Child,
    address: String,
    /// Its log behind the line that it listens.
    log: Arc<Mutex<String>>,
}

pub fn binary(database: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plan-advisor"));
    command
        .env_clear()
        .env("DATABASE_URL", database)
        .env("BIND_ADDR", "127.0.0.1:0")
        .env("ALLOW_DEMO_LOGINS", "true");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

impl Process {
    async fn serve(database: &TestDatabase, llm: &MockLlm) -> Self {
        Self::serve_with(database, llm, &[]).await
    }

    async fn serve_with(database: &TestDatabase, llm: &MockLlm, settings: &[(&str, &str)]) -> Self {
        let mut command = binary(&database.served_url());
        command.envs(settings.iter().copied());
        command
            .arg("serve")
            .env("LLM_BASE_URL", llm.base_url())
            .env("LLM_API_KEY", KEY)
            .env("LLM_MODEL", "mock-model");
        let mut child = command.spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let mut said = Vec::new();
        let address = loop {
            let line = soon("the server listens", lines.next_line()).await.expect("text");
            let line = line.unwrap_or_else(|| panic!("the server ended: {said:#?}"));
            if let Some((_, rest)) = line.split_once("Listening on http://") {
                break rest
                    .chars()
                    .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ':'))
                    .collect::<String>();
            }
            said.push(line);
        };
        // A full pipe must not stop it.
        let log = Arc::new(Mutex::new(String::new()));
        let written = Arc::clone(&log);
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let mut written = written.lock().expect("never poisoned");
                written.push_str(&line);
                written.push('\n');
            }
        });
        Self {
            log,
            child,
            address: address.trim_end_matches(':').to_owned(),
        }
    }

    async fn sam(&self) -> Client {
        let mut sam = Client::to(&format!("http://{}", self.address));
        assert_eq!(sam.log_in("sam@demo.test", TestApp::PASSWORD).await.status, 200);
        let plans = sam.get("/api/plans").await.data();
        sam.plan = plans[0]["id"].as_str().and_then(|id| id.parse().ok()).expect("a plan");
        sam
    }

    /// The same person at the process that took over.
    fn back(&self, client: &Client) -> Client {
        client.at_address(&format!("http://{}", self.address))
    }

    async fn kill(mut self) {
        self.child.kill().await.expect("it was running");
    }

    async fn signal(&self, name: &str) {
        let pid = self.child.id().expect("running").to_string();
        assert!(
            Command::new("kill")
                .args(["-s", name, &pid])
                .status()
                .await
                .expect("kill runs")
                .success()
        );
    }

    async fn ended(&mut self) -> Option<i32> {
        soon("the process ends", self.child.wait())
            .await
            .expect("a status")
            .code()
    }
}

async fn around() -> (TestDatabase, MockLlm) {
    let database = tokio::task::spawn_blocking(TestDatabase::seeded)
        .await
        .expect("a database");
    (database, on_server(MockLlm::start()).await)
}

#[tokio::test]
async fn the_log_at_its_loudest_holds_nobodys_words() {
    let (database, llm) = around().await;
    llm.always(says("Noted, the wizard of canary street."));
    let loud = "trace,tokio_postgres::query=trace,diesel=trace,hyper=trace,reqwest=trace";
    let mut server = Process::serve_with(&database, &llm, &[("RUST_LOG", loud)]).await;
    let sam = server.sam().await;
    sam.send("I am Frieda Canary, frieda@canary.test").await;
    sam.set(RENT, 48_151_623).await;
    assert_eq!(sam.history().await.len(), 2);
    let scenario = json!({"name": "Canary Lane", "overrides": {RENT: 400_000}});
    assert_eq!(sam.post(&sam.path("/scenarios"), &scenario).await.status, 201);
    // A refusal is logged at debug.
    assert_eq!(sam.get(&format!("/api/plans/{}", uuid::Uuid::nil())).await.status, 404);
    server.signal("TERM").await;
    assert_eq!(server.ended().await, Some(0));
    let log = Arc::clone(&server.log);
    eventually("the log was read to its end", async || {
        log.lock().expect("never poisoned").contains("NOT_FOUND")
    })
    .await;
    let log = log.lock().expect("never poisoned").clone();
    assert!(log.contains("DEBUG"), "it is loud: {log}");
    for canary in [
        "Frieda",
        "frieda@canary",
        "canary street",
        "48151623",
        "Canary Lane",
        "sam@demo.test",
        "$argon2id$",
    ] {
        let bytes: Vec<String> = canary.bytes().map(|byte| byte.to_string()).collect();
        for form in [canary.to_owned(), bytes.join(", ")] {
            let line = log.lines().find(|line| line.contains(&form));
            assert_eq!(line, None, "{canary}");
        }
    }
}

#[tokio::test]
async fn killed_in_mid_answer_nothing_acknowledged_is_lost_and_one_call_retries_the_rest() {
    let (database, llm) = around().await;
    let gate = Gate::new();
    llm.script([
        sets(RENT, 4200, "high"),
        says("Noted."),
        sets("operatingCosts.utilitiesMonthly", 700, "high"),
        says("And the").wait(&gate),
    ]);
    let first = Process::serve(&database, &llm).await;
    let sam = first.sam().await;
    let acknowledged = sam.post_with_key("My rent is $4,200", "k1").await.stream().rest().await;
    let before = sam.conversation().await;
    let mut cut = sam.post_with_key("Utilities are $700", "k2").await.stream();
    cut.until("And the").await;
    let lost = cut.turn();

    first.kill().await;
    let second = Process::serve(&database, &llm).await;

    let sam = second.back(&sam);
    assert_eq!(
        sam.conversation().await,
        before,
        "what was said to be done is done, and nothing of the rest is there"
    );
    assert_eq!(sam.held(RENT).await.0, 420_000);
    let prompts = sam.prompts().await;
    assert_eq!(
        (&prompts[0]["id"], &prompts[0]["state"], &prompts[0]["input"]),
        (&json!(lost), &json!("running"), &json!("Utilities are $700"))
    );
    database
        .run("UPDATE prompts SET lease_until = now() - interval '1 second' WHERE state = 'running'")
        .await;
    llm.script([
        sets("operatingCosts.utilitiesMonthly", 700, "high"),
        says("Noted, too."),
    ]);
    let again = sam
        .post_with_key("Utilities are $700", "k2")
        .await
        .stream()
        .rest()
        .await;
    assert_eq!(
        (again.id(), again.last().attempt, again.text().as_str()),
        (lost, 2, "Noted, too.")
    );
    assert_eq!(sam.history().await.len(), 4);
    assert_eq!(sam.held("operatingCosts.utilitiesMonthly").await.0, 70_000);
    let replay = sam.post_with_key("My rent is $4,200", "k1").await.stream().rest().await;
    assert_eq!((replay.id(), replay.done()), (acknowledged.id(), acknowledged.done()));
    second.kill().await;
}

#[tokio::test]
async fn asked_to_end_it_lets_the_running_turn_finish() {
    let (database, llm) = around().await;
    let gate = Gate::new();
    llm.script([says("One").wait(&gate).says(" two.")]);
    let mut process = Process::serve(&database, &llm).await;
    let sam = process.sam().await;
    assert_eq!(sam.get("/readyz").await.status, 200);
    let mut stream = sam.open("Count").await;
    stream.until("One").await;

    process.signal("TERM").await;

    eventually("it is no longer ready", async || sam.get("/readyz").await.status == 503).await;
    let refused = sam.post_message("Another", &[]).await.reply();
    assert_snapshot!(refused.refusal(), @"503 UNAVAILABLE: The server is restarting. Try again in a moment.");
    gate.open();
    assert_eq!(stream.rest().await.text(), "One two.");
    assert_eq!(process.ended().await, Some(0));
    let stored = "SELECT jsonb_array_length(messages) FROM ai_conversations";
    assert_eq!(database.count(stored).await, 2);
    assert_eq!(
        database.count("SELECT count(*) FROM instances").await,
        0,
        "it has said goodbye"
    );
}

#[tokio::test]
async fn asked_twice_it_ends_at_once() {
    let (database, llm) = around().await;
    llm.script([says("One").hang()]);
    let mut process = Process::serve(&database, &llm).await;
    let sam = process.sam().await;
    let mut stream = sam.open("Count").await;
    stream.until("One").await;
    process.signal("INT").await;
    eventually("it is no longer ready", async || sam.get("/readyz").await.status == 503).await;
    process.signal("INT").await;
    assert_eq!(process.ended().await, Some(1));
}

#[tokio::test]
async fn what_it_lacks_is_said_in_one_line() {
    let run = async |arguments: &[&str], database: &str| {
        let output = binary(database).args(arguments).output().await.expect("it ran");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, text) = run(&["serve"], "").await;
    assert_ne!(code, Some(0));
    assert!(text.contains("DATABASE_URL is not set"), "{text}");
    let (code, text) = run(&["serve", "--llm-temperature", "3"], "postgresql://nowhere").await;
    assert_ne!(code, Some(0));
    assert!(text.contains("must be a number from 0 to 2"), "{text}");

    let empty = tokio::task::spawn_blocking(TestDatabase::empty)
        .await
        .expect("a database");
    let gone = empty.url().replace("/test_", "/no_test_");
    for arguments in [&["user", "list"][..], &["migrate"], &["seed"]] {
        let (_, text) = run(arguments, &gone).await;
        assert!(
            text.contains("does not exist (SQLSTATE 3D000)"),
            "{arguments:?}: {text}"
        );
    }
    let (code, text) = run(&["serve"], &empty.url()).await;
    assert_ne!(code, Some(0));
    assert!(text.contains("of the migrations: run `plan-advisor migrate`"), "{text}");
    assert_eq!(run(&["migrate"], &empty.url()).await.0, Some(0));
    empty
        .run("DELETE FROM __diesel_schema_migrations WHERE version = '20261125000080'")
        .await;
    let (code, text) = run(&["serve"], &empty.url()).await;
    assert_ne!(code, Some(0));
    assert!(text.contains("lacks 1 of the migrations"), "{text}");
}

#[tokio::test]
async fn an_empty_setting_is_unset_and_a_switch_takes_the_usual_words() {
    let said = async |settings: &[(&str, &str)]| {
        let output = binary("").arg("serve").envs(settings.iter().copied()).output().await;
        String::from_utf8_lossy(&output.expect("it ran").stderr).into_owned()
    };
    for empty in ["", " "] {
        for name in [
            "LLM_TEMPERATURE",
            "PUBLIC_URL",
            "LLM_CONTEXT_TOKENS",
            "LLM_REASONING_EFFORT",
            "SESSION_SECURE_COOKIE",
            "RATE_LIMIT_WRITES_PER_MINUTE",
            "OIDC_ONLY",
            "BIND_ADDR",
            "ALLOW_DEMO_LOGINS",
            "TRUSTED_PROXIES",
        ] {
            let text = said(&[(name, empty)]).await;
            assert!(text.contains("DATABASE_URL is not set"), "{name}={empty:?}: {text}");
        }
    }
    for word in ["1", "yes", "on", "True", "0", "no", "OFF", "false"] {
        let text = said(&[
            ("LLM_LOG_RAW", word),
            ("OIDC_ALLOW_SIGNUP", "no"),
            ("SESSION_SECURE_COOKIE", word),
        ])
        .await;
        assert!(text.contains("DATABASE_URL is not set"), "{word}: {text}");
    }
    assert!(said(&[("LLM_LOG_RAW", "perhaps")]).await.contains("perhaps"));
}

#[tokio::test]
async fn people_are_removed_by_command_only_when_it_is_confirmed() {
    let (database, _) = around().await;
    let remove = async |arguments: &[&str]| {
        let mut command = binary(&database.served_url());
        let output = command
            .args(["user", "remove"])
            .args(arguments)
            .output()
            .await
            .expect("it ran");
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (done, text) = remove(&["riley@demo.test"]).await;
    assert!(!done && text.contains("--yes"), "{text}");
    let (done, text) = remove(&["admin@demo.test", "--yes"]).await;
    assert!(!done && text.contains("the last platform administrator"), "{text}");
    let (done, text) = remove(&["nobody@demo.test", "--yes"]).await;
    assert!(!done && text.contains("there is no"), "{text}");
    assert_eq!(remove(&["riley@demo.test", "--yes"]).await, (true, String::new()));
    let left = "SELECT count(*) FROM users WHERE email = 'riley@demo.test'";
    assert_eq!(database.count(left).await, 0);
}
