//! F42, F43, F52, F53, F56: revoked readers, slow senders, too many sockets, no memory, floods of logins.

use crate::client::Turn;
use crate::fixture::{EMAIL, Fixture};
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use futures_util::StreamExt;
use futures_util::future::join_all;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    tokio::join!(
        revoked_listeners(fixture, &server.base),
        slow_senders(fixture, &server),
        flood_of_logins(fixture, &server.base),
        few_sockets(fixture),
        short_of_memory(fixture)
    );
    fixture.unlist(&server);
}

/// F42: after a logout in mid-answer the stream breaks within five seconds; the turn goes on.
async fn revoked_listeners(fixture: &Arc<Fixture>, base: &str) {
    for round in 0..if fixture.full { 5 } else { 1 } {
        let mut rng = Rng::of(fixture.seed, "revoked", round);
        let Some(cookie) = log_in_beside_the_flood(fixture, base).await else {
            return fixture.violation("a second login failed".into());
        };
        let script = Script {
            pieces: 40,
            pause: 200,
            ..Script::default()
        };
        let turn = Turn::new(fixture, fixture.take_plan(), &mut rng, "Take your time.", script);
        fixture.ledger.asking(&turn.key);
        let request = fixture
            .http
            .post(format!("{base}{}", turn.path()))
            .header("cookie", &cookie)
            .header("idempotency-key", &turn.key);
        let Ok(response) = request.json(&turn.body()).send().await else {
            return fixture.violation("no stream".into());
        };
        // Beside the floods it may be refused; then there is nothing to break off.
        if !response.status().is_success() {
            fixture.violation(format!("no stream: {}", response.status()));
            turn.finish_later();
            continue;
        }
        let mut bytes = response.bytes_stream();
        let _ = bytes.next().await;
        let sent = Instant::now();
        let out = fixture
            .http
            .post(format!("{base}/api/auth/logout"))
            .header("cookie", &cookie)
            .send()
            .await;
        fixture.expect(out.is_ok_and(|response| response.status() == 204), || {
            "the logout".into()
        });
        // An answer of eight seconds may end by itself before an overloaded machine has logged out.
        if sent.elapsed() > Duration::from_secs(4) {
            turn.finish_later();
            continue;
        }
        let asked = Instant::now();
        let broke = timeout(Duration::from_secs(7), async {
            loop {
                match bytes.next().await {
                    Some(Ok(_)) => {}
                    Some(Err(_)) => return true,
                    None => return false,
                }
            }
        });
        fixture.fault("F42", "logged out while listening");
        let broke = broke.await == Ok(true);
        fixture.expect(broke, || {
            format!("{:?} behind a logout the stream was not broken off", asked.elapsed())
        });
        turn.finish_later();
    }
}

/// During the flood a correct password may get 503 and is retried.
async fn log_in_beside_the_flood(fixture: &Fixture, base: &str) -> Option<String> {
    for _ in 0..200 {
        if let Some(cookie) = fixture.another_login(base).await {
            return Some(cookie);
        }
        sleep(Duration::from_millis(100)).await;
    }
    None
}

/// F43: heads and bodies that never end are cut off.
async fn slow_senders(fixture: &Arc<Fixture>, server: &Server) {
    if !fixture.full {
        return;
    }
    let head = format!("POST /api/auth/login HTTP/1.1\r\nhost: {}\r\n", server.address());
    let body = format!("{head}content-type: application/json\r\ncontent-length: 400\r\n\r\n{{");
    let cases: Vec<(&str, String)> = (0..40)
        .map(|nth| {
            if nth % 2 == 0 {
                ("head", head.clone())
            } else {
                ("body", body.clone())
            }
        })
        .collect();
    let slow = cases.into_iter().map(|(what, bytes)| async move {
        let mut socket = TcpStream::connect(server.address()).await.ok()?;
        let begun = Instant::now();
        socket.write_all(bytes.as_bytes()).await.ok()?;
        let mut buffer = [0; 1_024];
        while begun.elapsed() < Duration::from_secs(14) {
            match timeout(Duration::from_secs(1), socket.read(&mut buffer)).await {
                Ok(Ok(0) | Err(_)) => return Some((what, begun.elapsed())),
                // A response counts like a closed connection.
                Ok(Ok(_)) => return Some((what, begun.elapsed())),
                Err(_) => {
                    let _ = socket.write_all(b"x").await;
                }
            }
        }
        None
    });
    let ended = join_all(slow).await;
    for outcome in ended {
        match outcome {
            Some((what, took)) => {
                fixture.fault("F43", &format!("{what} at a byte a second"));
                fixture.expect(took < Duration::from_secs(12), || {
                    format!("a slow {what} was cut after {took:?}")
                });
            }
            None => fixture.violation("a slow sender was never cut".into()),
        }
    }
}

/// F56: passwords are checked two at a time; a concurrent turn is not slowed down.
async fn flood_of_logins(fixture: &Arc<Fixture>, base: &str) {
    let mut rng = Rng::of(fixture.seed, "flood", 0);
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 5, 20);
    let count = if fixture.full { 200 } else { 40 };
    let body = json!({"email": EMAIL, "password": "guess-guess"});
    let guesses = join_all((0..count).map(|_| async {
        let sent = fixture
            .http
            .post(format!("{base}/api/auth/login"))
            .json(&body)
            .timeout(Duration::from_secs(30))
            .send()
            .await;
        sent.map_or(0, |response| response.status().as_u16())
    }));
    let (statuses, outcome) = tokio::join!(guesses, turn.attempt(base));
    fixture.faults("F56", "login with a wrong password, all at once", count);
    let fine = statuses.iter().all(|status| matches!(status, 401 | 429 | 503));
    fixture.expect(fine, || format!("a flood of logins came to {statuses:?}"));
    fixture.expect(matches!(outcome, Outcome::Done(_)), || {
        format!("beside a flood of logins: {outcome:?}")
    });
    turn.finish_later();
}

/// F52: more connections than file descriptors; the server recovers when they close.
async fn few_sockets(fixture: &Arc<Fixture>) {
    let server = match Server::start(&fixture.start().with_descriptors(48)).await {
        Ok(server) => server,
        Err(error) => return fixture.violation(format!("with few descriptors: {error}")),
    };
    let mut sockets = Vec::new();
    for _ in 0..100 {
        if let Ok(Ok(socket)) = timeout(Duration::from_millis(200), TcpStream::connect(server.address())).await {
            sockets.push(socket);
        }
    }
    fixture.fault("F52", "a hundred connections on 48 descriptors");
    sleep(Duration::from_millis(300)).await;
    drop(sockets);
    let back = fixture.healthy(&server.base, Duration::from_secs(5)).await;
    fixture.expect(back.is_some(), || "out of descriptors, and never back".into());
}

/// F53: a process near its memory limit starts no turn; the same message sent again is answered by another instance.
async fn short_of_memory(fixture: &Arc<Fixture>) {
    let server = match Server::start(&fixture.start().with("MEMORY_LIMIT_MIB", "1")).await {
        Ok(server) => server,
        Err(error) => return fixture.violation(format!("short of memory: {error}")),
    };
    for round in 0..if fixture.full { 20 } else { 3 } {
        let mut rng = Rng::of(fixture.seed, "memory", round);
        let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 5, 5);
        let outcome = turn.attempt(&server.base).await;
        fixture.fault("F53", "a message to a process near its memory limit");
        fixture.expect(matches!(outcome, Outcome::Refused { status: 503, .. }), || {
            format!("short of memory, a message came to {outcome:?}")
        });
        turn.finish_later();
    }
}
