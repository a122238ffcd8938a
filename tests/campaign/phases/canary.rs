//! S10, S11, S28: secrets at the loudest log level, people's words at the usual one.

use crate::driver::Turn;
use crate::kinds::KINDS;
use crate::model::Script;
use crate::rng::Rng;
use crate::secrets::contains;
use crate::server::Server;
use crate::world::{EMAIL, PASSWORD, World};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const FIGURE: &str = "48151623";
const WORDS: &str = "lighthouse-of-zanzibar";
const WRONG_PASSWORD: &str = "wrong+canary/Jd5Uw8";

pub async fn run(world: &Arc<World>) {
    world.secrets.add("wrong password", WRONG_PASSWORD);
    let fallback = world.serve().await;
    for level in ["trace", "info"] {
        let mut start = world.start().with("RUST_LOG", level);
        if level == "trace" {
            start.log = world.dir.join("server-trace.log");
        }
        let server = match Server::start(&start).await {
            Ok(server) => server,
            Err(error) => return world.violation(format!("at {level}: {error}")),
        };
        speak(world, &server.base, level).await;
        knock(world, &server.base).await;
        if level == "info" {
            let log = server.log_text();
            for (what, needle) in [("words", WORDS), ("a figure", FIGURE), ("an e-mail address", EMAIL)] {
                if contains(log.as_bytes(), needle.as_bytes()) {
                    world.leak(format!("{what} in the log at INFO"));
                }
            }
        }
        world.fault("S10", &format!("everything said and refused with the log at {level}"));
    }
    world.strike(&fallback);
}

/// Good turns, echoes of the key, every refusal of the model.
async fn speak(world: &Arc<World>, base: &str, level: &str) {
    let mut rng = Rng::of(world.seed, level, 0);
    for kind in KINDS
        .iter()
        .filter(|kind| kind.row == "S10" || kind.name == "500" || kind.name == "429 after 86400")
    {
        let script = Script {
            fault: Some(kind),
            ..Script::default()
        };
        let turn = Turn::new(
            world,
            world.take_plan(),
            &mut rng,
            &format!("The {WORDS} costs ${FIGURE}."),
            script,
        );
        turn.attempt(base).await;
        world.model.heal(&turn.reference);
        turn.finish_later();
        let good = Turn::with_value(world, world.take_plan(), &mut rng, 3, 0);
        good.attempt(base).await;
        good.finish_later();
    }
}

/// What is refused at the door, and what is told to anybody.
async fn knock(world: &Arc<World>, base: &str) {
    for password in [PASSWORD, WRONG_PASSWORD] {
        let body = json!({"email": EMAIL, "password": password});
        let request = world.http.post(format!("{base}/api/auth/login")).json(&body);
        let Ok(response) = request.timeout(Duration::from_secs(10)).send().await else {
            continue;
        };
        if let Some(cookie) = response
            .headers()
            .get("set-cookie")
            .and_then(|value| value.to_str().ok())
        {
            let value = cookie.split([';', '=']).nth(1).unwrap_or_default();
            world.secrets.add("another cookie", value);
        }
        let text = response.text().await.unwrap_or_default();
        world.look_for_secrets("the answer to a login", text.as_bytes());
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
        let request = world.http.get(format!("{base}{path}")).header("cookie", world.cookie());
        let Ok(response) = request.timeout(Duration::from_secs(10)).send().await else {
            continue;
        };
        let text = response.text().await.unwrap_or_default();
        world.look_for_secrets(path, text.as_bytes());
        if path == "/metrics" && (text.contains(WORDS) || text.contains(FIGURE)) {
            world.leak("people's words in the metrics".into());
        }
    }
    let garbage = world
        .http
        .post(format!("{base}/api/auth/login"))
        .header("content-type", "application/json");
    if let Ok(response) = garbage.body(format!("{{\"email\": \"{WRONG_PASSWORD}\"")).send().await {
        world.look_for_secrets("a refusal", response.text().await.unwrap_or_default().as_bytes());
    }
}
