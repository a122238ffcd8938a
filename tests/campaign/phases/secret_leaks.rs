//! S10, S11, S28: no secrets and no users' text in logs, also at TRACE.

use crate::client::Turn;
use crate::fixture::{EMAIL, Fixture, PASSWORD};
use crate::kinds::Kind;
use crate::model::Script;
use crate::rng::Rng;
use crate::secrets::contains;
use crate::server::Server;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const FIGURE: &str = "48151623";
const WORDS: &str = "lighthouse-of-zanzibar";
const WRONG_PASSWORD: &str = "wrong+canary/Jd5Uw8";

pub async fn run(fixture: &Arc<Fixture>) {
    fixture.secrets.add("wrong password", WRONG_PASSWORD);
    let fallback = fixture.serve().await;
    for level in ["trace", "info"] {
        let mut start = fixture.start().with("RUST_LOG", level);
        if level == "trace" {
            start.log = fixture.dir.join("server-trace.log");
        }
        let server = match Server::start(&start).await {
            Ok(server) => server,
            Err(error) => return fixture.violation(format!("at {level}: {error}")),
        };
        speak(fixture, &server.base, level).await;
        knock(fixture, &server.base).await;
        use_tokens(fixture, &server.base).await;
        let log = server.log_text();
        for (what, needle) in [("words", WORDS), ("a figure", FIGURE), ("an e-mail address", EMAIL)] {
            // As text, and as the list of bytes that a library makes of a statement's parameter.
            let bytes: Vec<String> = needle.bytes().map(|byte| byte.to_string()).collect();
            if contains(log.as_bytes(), needle.as_bytes()) || contains(log.as_bytes(), bytes.join(", ").as_bytes()) {
                fixture.leak(format!("{what} in the log at {level}"));
            }
        }
        fixture.fault("S10", &format!("all requests and refusals with the log at {level}"));
    }
    fixture.unlist(&fallback);
}

/// Successful turns, echoes of the key, every refusal of the model.
async fn speak(fixture: &Arc<Fixture>, base: &str, level: &str) {
    let mut rng = Rng::of(fixture.seed, level, 0);
    for kind in [
        Kind::RetryInADay,
        Kind::Status500,
        Kind::EchoesTheKey,
        Kind::EchoesTheKeyInItsText,
    ] {
        let script = Script {
            fault: Some(kind),
            ..Script::default()
        };
        let turn = Turn::new(
            fixture,
            fixture.take_plan(),
            &mut rng,
            &format!("The {WORDS} costs ${FIGURE}."),
            script,
        );
        turn.attempt(base).await;
        fixture.model.heal(&turn.reference);
        turn.finish_later();
        let good = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 3, 0);
        good.attempt(base).await;
        good.finish_later();
    }
}

/// Refused requests, and the endpoints without a login.
async fn knock(fixture: &Arc<Fixture>, base: &str) {
    for password in [PASSWORD, WRONG_PASSWORD] {
        let body = json!({"email": EMAIL, "password": password});
        let request = fixture.http.post(format!("{base}/api/auth/login")).json(&body);
        let Ok(response) = request.timeout(Duration::from_secs(10)).send().await else {
            continue;
        };
        if let Some(cookie) = response
            .headers()
            .get("set-cookie")
            .and_then(|value| value.to_str().ok())
        {
            let value = cookie.split([';', '=']).nth(1).unwrap_or_default();
            fixture.secrets.add("another cookie", value);
        }
        let text = response.text().await.unwrap_or_default();
        fixture.look_for_secrets("the answer to a login", text.as_bytes());
    }
    for path in [
        "/metrics",
        "/healthz",
        "/readyz",
        "/api/status",
        "/openapi.yaml",
        "/api/nowhere",
        "/api/prompts?limit=5",
    ] {
        let request = fixture
            .http
            .get(format!("{base}{path}"))
            .header("cookie", fixture.cookie());
        let Ok(response) = request.timeout(Duration::from_secs(10)).send().await else {
            continue;
        };
        let text = response.text().await.unwrap_or_default();
        fixture.look_for_secrets(path, text.as_bytes());
        if path == "/metrics" && (text.contains(WORDS) || text.contains(FIGURE)) {
            fixture.leak("people's words in the metrics".into());
        }
    }
    let garbage = fixture
        .http
        .post(format!("{base}/api/auth/login"))
        .header("content-type", "application/json");
    if let Ok(response) = garbage.body(format!("{{\"email\": \"{WRONG_PASSWORD}\"")).send().await {
        fixture.look_for_secrets("a refusal", response.text().await.unwrap_or_default().as_bytes());
    }
}

/// An access token that is made, used, sent where it does not belong, and revoked.
async fn use_tokens(fixture: &Arc<Fixture>, base: &str) {
    let address = format!("{base}/api/me/tokens");
    // Who signed in longer ago has to prove it again, and the campaign's own login is as old as the campaign.
    let Some(cookie) = fixture.another_login(base).await else {
        return fixture.violation("a second login failed".into());
    };
    let made = fixture.http.post(&address).header("cookie", &cookie);
    let made = made.json(&json!({"name": "Canary", "scopes": ["read"], "expiresInDays": 1}));
    let made: Value = match made.send().await {
        Ok(response) => response.json().await.unwrap_or_default(),
        Err(error) => return fixture.violation(format!("no access token was made: {error}")),
    };
    let (Some(token), Some(id)) = (made["data"]["secret"].as_str(), made["data"]["id"].as_str()) else {
        return fixture.violation(format!("no access token was made: {made}"));
    };
    fixture.secrets.add("access token", &token[token.len() - 43..]);
    let last = if token.ends_with('A') { 'B' } else { 'A' };
    let wrong = format!("{}{last}", &token[..token.len() - 1]);
    for (path, header, status) in [
        ("/api/plans".to_owned(), token, 200),
        ("/api/me/tokens".to_owned(), token, 403),
        ("/api/plans".to_owned(), &wrong, 401),
        (format!("/api/plans?access_token={token}"), token, 400),
        (format!("/api/nowhere/{token}?x={token}"), "none", 400),
    ] {
        let request = fixture.http.get(format!("{base}{path}"));
        let request = request.header("authorization", format!("Bearer {header}"));
        let Ok(response) = request.timeout(Duration::from_secs(10)).send().await else {
            fixture.violation("a request with an access token has no answer".into());
            continue;
        };
        let found = response.status().as_u16();
        fixture.expect(found == status, || {
            format!("with an access token: {found} instead of {status}")
        });
        fixture.look_for_secrets(
            "an answer to a token",
            response.text().await.unwrap_or_default().as_bytes(),
        );
    }
    let revoke = fixture.http.delete(format!("{address}/{id}"));
    let revoked = revoke.header("cookie", fixture.cookie()).send().await;
    fixture.expect(revoked.is_ok_and(|response| response.status() == 204), || {
        "an access token was not revoked".into()
    });
}
