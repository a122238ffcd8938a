//! F44: nginx in front, configured as in docs/nginx.conf and with its default buffering. Long form only, with Debian's nginx.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::model::Script;
use crate::outcome::{Outcome, codes};
use crate::rng::Rng;
use crate::server::Server;
use crate::tools::tool;
use futures_util::StreamExt;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// Number of pieces of an answer, and milliseconds between them.
const PIECES: usize = 20;
const PAUSE: u64 = 150;

/// nginx with its defaults: buffering is on.
const WITH_DEFAULTS: &str = "server { listen 127.0.0.1:$PORT; location / { proxy_pass http://$ONE; } }";

pub async fn run(fixture: &Arc<Fixture>) {
    if !fixture.full {
        return;
    }
    let Some(nginx) = tool("nginx") else {
        return fixture.leave_out("F44", "nginx is not installed");
    };
    let starts = [fixture.start(), fixture.start()];
    let (one, mut two) = match tokio::join!(Server::start(&starts[0]), Server::start(&starts[1])) {
        (Ok(one), Ok(two)) => (one, two),
        failed => return fixture.violation(format!("behind nginx: {failed:?}")),
    };
    let documented = documented(two.address());
    for (name, sites) in [
        ("as documented", documented.as_str()),
        ("with its defaults", WITH_DEFAULTS),
    ] {
        let front = match Front::start(
            &nginx,
            &fixture.dir.join(format!("nginx-{name}").replace(' ', "-")),
            sites,
            one.address(),
        )
        .await
        {
            Ok(front) => front,
            Err(why) => return fixture.violation(format!("nginx {name}: {why}")),
        };
        fixture.enlist(&one);
        talk(fixture, &front.base, name).await;
        if name == "as documented" {
            one_instance_dies(fixture, &front.base, &mut two).await;
        }
        fixture.unlist(&one);
    }
}

/// The sample configuration with this machine's addresses and without TLS.
fn documented(other: &str) -> String {
    let sample = include_str!("../../../docs/nginx.conf");
    // Skips the first server block, which only redirects to https.
    let plain = |line: &&str| !line.trim().starts_with("ssl_");
    let kept: Vec<&str> = sample.lines().filter(plain).collect();
    let text = kept.join("\n");
    let (before, rest) = text.split_once("server {\n    listen 80;").unwrap_or((&text, ""));
    let (_, rest) = rest.split_once("\n}\n").unwrap_or(("", rest));
    format!("{before}{rest}")
        .replace("listen 443 ssl http2;", "listen 127.0.0.1:$PORT;")
        .replace("127.0.0.1:3001", "$ONE")
        .replace("127.0.0.1:3002", other)
}

/// The first words arrive long before the last, and answers are complete.
async fn talk(fixture: &Arc<Fixture>, base: &str, name: &str) {
    let mut rng = Rng::of(fixture.seed, name, 0);
    let slow = || Script {
        pieces: PIECES,
        pause: PAUSE,
        ..Script::default()
    };
    for _ in 0..3 {
        let turn = Turn::new(fixture, fixture.take_plan(), &mut rng, "Take your time.", slow());
        fixture.ledger.asking(&turn.key);
        let whole = Duration::from_millis(PAUSE * PIECES as u64);
        let (first, word, last) = when(fixture, base, &turn).await;
        fixture.fault("F44", &format!("answer through nginx {name}"));
        // A buffered answer would arrive all at once.
        fixture.expect(first <= word && last.saturating_sub(word) > whole / 2, || {
            format!("through nginx {name} the first byte came after {first:?}, the first word after {word:?}, the last after {last:?}")
        });
        turn.finish_later();
    }
    let turns: Vec<Turn> = (0..20)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), &mut rng, 6, 30))
        .collect();
    let outcomes = futures_util::future::join_all(turns.iter().map(|turn| turn.attempt(base))).await;
    fixture.faults("F44", &format!("answer through nginx {name}"), 20);
    let done = outcomes.iter().all(|outcome| matches!(outcome, Outcome::Done(_)));
    fixture.expect(done, || format!("through nginx {name}: {}", codes(&outcomes)));
    turns.into_iter().for_each(Turn::finish_later);
}

/// The times of the first byte, the first token and the end.
async fn when(fixture: &Fixture, base: &str, turn: &Turn) -> (Duration, Duration, Duration) {
    let asked = Instant::now();
    let request = fixture
        .http
        .post(format!("{base}{}", turn.path()))
        .header("cookie", fixture.cookie())
        .header("idempotency-key", &turn.key)
        .json(&turn.body());
    let (mut first, mut word) = (Duration::MAX, Duration::MAX);
    if let Ok(response) = request.send().await {
        let (mut bytes, mut received) = (response.bytes_stream(), String::new());
        while let Ok(Some(Ok(piece))) = timeout(Duration::from_secs(20), bytes.next()).await {
            first = first.min(asked.elapsed());
            received.push_str(&String::from_utf8_lossy(&piece));
            if received.contains("\"token\"") {
                word = word.min(asked.elapsed());
            }
        }
    }
    (first, word, asked.elapsed())
}

/// One of the two processes behind nginx is killed during answers; retries are answered by the other.
async fn one_instance_dies(fixture: &Arc<Fixture>, base: &str, two: &mut Server) {
    let mut rng = Rng::of(fixture.seed, "behind nginx", 0);
    let turns: Vec<Turn> = (0..12)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), &mut rng, 10, 60))
        .collect();
    let attempts = futures_util::future::join_all(turns.iter().map(|turn| turn.attempt(base)));
    let (_, ()) = tokio::join!(attempts, async {
        sleep(Duration::from_millis(rng.clone().between(100, 500))).await;
        two.kill();
    });
    fixture.fault("F44", "one of two processes behind nginx killed");
    for turn in turns {
        turn.finish_later();
    }
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 2, 0);
    let outcome = turn.attempt(base).await;
    fixture.expect(matches!(outcome, Outcome::Done(_)), || {
        format!("with one of two behind nginx: {outcome:?}")
    });
    turn.finish_later();
}

/// A running nginx. Stopped on drop.
struct Front {
    child: Child,
    base: String,
}

impl Front {
    async fn start(nginx: &str, dir: &Path, sites: &str, one: &str) -> Result<Self, String> {
        std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .map_err(|error| error.to_string())?
            .port();
        let sites = sites.replace("$PORT", &port.to_string()).replace("$ONE", one);
        let temporary =
            ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|what| format!("{what}_temp_path {what};"));
        let text = format!(
            "daemon off; worker_processes 1; pid nginx.pid; error_log error.log; events {{ worker_connections 512; }}\n\
             http {{ access_log off; {}\n{sites}\n}}\n",
            temporary.join(" ")
        );
        std::fs::write(dir.join("nginx.conf"), text).map_err(|error| error.to_string())?;
        let place = format!("{}/", dir.display());
        let mut command = Command::new(nginx);
        command.args(["-p", &place, "-c", "nginx.conf", "-e", "error.log"]);
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut front = Self {
            child: quiet.spawn().map_err(|error| error.to_string())?,
            base: format!("http://127.0.0.1:{port}"),
        };
        for _ in 0..200 {
            if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
                return Ok(front);
            }
            if matches!(front.child.try_wait(), Ok(Some(_))) {
                break;
            }
            sleep(Duration::from_millis(20)).await;
        }
        Err(std::fs::read_to_string(dir.join("error.log")).unwrap_or_default())
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        // SIGTERM, because SIGKILL would leave its workers running.
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-s", "TERM", &pid]).status();
        let _ = self.child.wait();
    }
}
