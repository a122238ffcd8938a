//! F37 to F39: clients that disconnect at any byte, never read, or send fifty requests at once.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use futures_util::StreamExt;
use futures_util::future::ready;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    let count = if fixture.full { 1_000 } else { 90 };
    futures_util::stream::iter(0..count)
        .take_while(|_| ready(!fixture.time_is_up()))
        .map(|nth| leave(fixture, &server, nth))
        .buffer_unordered(12)
        .collect::<Vec<()>>()
        .await;
    for round in 0..if fixture.full { 12 } else { 2 } {
        fifty_at_once(fixture, &server, round).await;
    }
    never_read(fixture, &server).await;
    // Disconnected clients must leave nothing behind.
    let me = fixture.healthy(&server.base, Duration::from_secs(5)).await;
    fixture.expect(me.is_some(), || {
        "the server does not answer after the clients' faults".into()
    });
    fixture.unlist(&server);
}

fn request(fixture: &Fixture, server: &Server, turn: &Turn) -> Vec<u8> {
    let (path, body, address) = (turn.path(), turn.body().to_string(), server.address());
    fixture.ledger.asking(&turn.key);
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {}\r\nidempotency-key: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        fixture.cookie(),
        turn.key,
        body.len()
    )
    .into_bytes()
}

/// F37: the client disconnects somewhere in the request or in the answer, in one of three ways.
async fn leave(fixture: &Arc<Fixture>, server: &Server, nth: u64) {
    let mut rng = Rng::of(fixture.seed, "leave", nth);
    let pieces = usize::try_from(rng.between(1, 12)).unwrap_or(1);
    let pause = rng.between(0, 15);
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, pieces, pause);
    let bytes = request(fixture, server, &turn);
    let Ok(mut socket) = TcpStream::connect(server.address()).await else {
        return fixture.violation("no connection".into());
    };
    let in_request = rng.below(4) == 0;
    let part = if in_request {
        rng.place_in(bytes.len())
    } else {
        bytes.len()
    };
    let _ = socket.write_all(&bytes[..part]).await;
    let how = *rng.pick(&["closed", "half closed", "reset"]);
    let place = if in_request { "request" } else { "answer" };
    if !in_request {
        let mut left = rng.place_in(2_500);
        let mut buffer = vec![0; 512];
        while left > 0 {
            let space = left.min(buffer.len());
            match timeout(Duration::from_secs(5), socket.read(&mut buffer[..space])).await {
                Ok(Ok(count @ 1..)) => left -= count,
                _ => break,
            }
        }
    }
    match how {
        "reset" => {
            let _ = socket.set_zero_linger();
        }
        "half closed" => {
            let _ = socket.shutdown().await;
            sleep(Duration::from_millis(rng.between(1, 30))).await;
        }
        _ => {}
    }
    drop(socket);
    fixture.fault("F37", &format!("connection {how} within the {place}"));
    turn.finish_later();
}

/// F39: one key, fifty requests, one turn, one text.
async fn fifty_at_once(fixture: &Arc<Fixture>, server: &Server, round: u64) {
    let mut rng = Rng::of(fixture.seed, "fifty", round);
    let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, 8, 10);
    let outcomes = futures_util::future::join_all((0..50).map(|_| turn.attempt(&server.base))).await;
    fixture.faults("F39", "the same key at once", 50);
    let texts: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            Outcome::Done(done) => Some(done["fullResponse"].clone()),
            _ => None,
        })
        .collect();
    let same = texts.len() == 50 && texts.iter().all(|text| *text == texts[0]);
    fixture.expect(same, || format!("fifty at once: {} were done", texts.len()));
    // R3: a completed turn does not call the model again.
    let calls = fixture.model.calls(&turn.reference);
    turn.attempt(&server.base).await;
    fixture.expect(fixture.model.calls(&turn.reference) == calls, || {
        "a replay asked the model".into()
    });
    turn.finish_later();
}

/// F38: a client with a small buffer that never reads. The long form waits until it is dropped.
async fn never_read(fixture: &Arc<Fixture>, server: &Server) {
    let mut sockets = Vec::new();
    for nth in 0..if fixture.full { 40 } else { 6 } {
        let mut rng = Rng::of(fixture.seed, "never", nth);
        let long = Script {
            text: "a long answer. ".repeat(30_000),
            pieces: 200,
            ..Script::default()
        };
        let turn = Turn::new(fixture, fixture.take_plan(), &mut rng, "Tell me everything.", long);
        let socket = TcpSocket::new_v4().expect("a socket");
        let _ = socket.set_recv_buffer_size(4_096);
        let Ok(mut stream) = socket.connect(server.address().parse().expect("an address")).await else {
            continue;
        };
        let _ = stream.write_all(&request(fixture, server, &turn)).await;
        fixture.fault("F38", "answer of 450 kB that is never read");
        sockets.push(stream);
        turn.finish_later();
    }
    if !fixture.full {
        return;
    }
    sleep(Duration::from_secs(45)).await;
    for mut socket in sockets {
        let ended = timeout(Duration::from_secs(5), async {
            let mut buffer = vec![0; 65_536];
            let mut read = 0;
            while let Ok(count @ 1..) = socket.read(&mut buffer).await {
                read += count;
            }
            read
        });
        // After the drop only the bytes in the kernel's buffers are left to read.
        let read = ended.await.unwrap_or(usize::MAX);
        fixture.expect(read < 6_000_000, || "a client that never reads was not dropped".into());
    }
}
