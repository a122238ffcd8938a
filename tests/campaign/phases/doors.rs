//! F42, F43, F52, F56: what comes to the door: revoked listeners, slow senders, too many sockets, floods of logins.

use crate::driver::Turn;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::{EMAIL, World};
use futures_util::StreamExt;
use futures_util::future::join_all;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

pub async fn run(world: &Arc<World>) {
    let server = world.serve().await;
    tokio::join!(
        revoked_listeners(world, &server.base),
        slow_senders(world, &server),
        flood_of_logins(world, &server.base),
        few_sockets(world)
    );
    world.strike(&server);
}

/// F42: logged out in mid-answer, the stream breaks within five seconds; the turn goes on.
async fn revoked_listeners(world: &Arc<World>, base: &str) {
    for round in 0..if world.full { 5 } else { 1 } {
        let mut rng = Rng::of(world.seed, "revoked", round);
        let Some(cookie) = log_in_beside_the_flood(world, base).await else {
            return world.violation("a second login failed".into());
        };
        let script = Script {
            pieces: 40,
            pause: 200,
            ..Script::default()
        };
        let turn = Turn::new(world, world.take_plan(), &mut rng, "Take your time.", script);
        world.ledger.asking(&turn.key);
        let request = world
            .http
            .post(format!("{base}{}", turn.path()))
            .header("cookie", &cookie)
            .header("idempotency-key", &turn.key);
        let Ok(response) = request.json(&turn.body()).send().await else {
            return world.violation("no stream".into());
        };
        let mut bytes = response.bytes_stream();
        let _ = bytes.next().await;
        let out = world
            .http
            .post(format!("{base}/api/auth/logout"))
            .header("cookie", &cookie)
            .send()
            .await;
        world.expect(out.is_ok_and(|response| response.status() == 204), || {
            "the logout".into()
        });
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
        world.fault("F42", "logged out while listening");
        let broke = broke.await == Ok(true);
        world.expect(broke, || {
            format!("{:?} behind a logout the stream was not broken off", asked.elapsed())
        });
        turn.finish_later();
    }
}

/// While passwords are guessed, a right one may be asked to come again.
async fn log_in_beside_the_flood(world: &World, base: &str) -> Option<String> {
    for _ in 0..200 {
        if let Some(cookie) = world.another_login(base).await {
            return Some(cookie);
        }
        sleep(Duration::from_millis(100)).await;
    }
    None
}

/// F43: heads and bodies that never come to their end are cut.
async fn slow_senders(world: &Arc<World>, server: &Server) {
    if !world.full {
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
                // An answer is as good as an end.
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
                world.fault("F43", &format!("{what} at a byte a second"));
                world.expect(took < Duration::from_secs(12), || {
                    format!("a slow {what} was cut after {took:?}")
                });
            }
            None => world.violation("a slow sender was never cut".into()),
        }
    }
}

/// F56: passwords are checked two at a time; a turn beside the flood does not notice.
async fn flood_of_logins(world: &Arc<World>, base: &str) {
    let mut rng = Rng::of(world.seed, "flood", 0);
    let turn = Turn::with_value(world, world.take_plan(), &mut rng, 5, 20);
    let count = if world.full { 200 } else { 40 };
    let body = json!({"email": EMAIL, "password": "guess-guess"});
    let guesses = join_all((0..count).map(|_| async {
        let sent = world
            .http
            .post(format!("{base}/api/auth/login"))
            .json(&body)
            .timeout(Duration::from_secs(30))
            .send()
            .await;
        sent.map_or(0, |response| response.status().as_u16())
    }));
    let (statuses, outcome) = tokio::join!(guesses, turn.attempt(base));
    world.faults("F56", "login with a wrong password, all at once", count);
    let fine = statuses.iter().all(|status| matches!(status, 401 | 429 | 503));
    world.expect(fine, || format!("a flood of logins came to {statuses:?}"));
    world.expect(matches!(outcome, Outcome::Done(_)), || {
        format!("beside a flood of logins: {outcome:?}")
    });
    turn.finish_later();
}

/// F52: more connections than file descriptors; when they have gone all is as before.
async fn few_sockets(world: &Arc<World>) {
    let server = match Server::start(&world.start().with_descriptors(48)).await {
        Ok(server) => server,
        Err(error) => return world.violation(format!("with few descriptors: {error}")),
    };
    let mut sockets = Vec::new();
    for _ in 0..100 {
        if let Ok(Ok(socket)) = timeout(Duration::from_millis(200), TcpStream::connect(server.address())).await {
            sockets.push(socket);
        }
    }
    world.fault("F52", "a hundred connections on 48 descriptors");
    sleep(Duration::from_millis(300)).await;
    drop(sockets);
    let back = world.healthy(&server.base, Duration::from_secs(5)).await;
    world.expect(back.is_some(), || "out of descriptors, and never back".into());
}
