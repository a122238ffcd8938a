//! F37 to F39: clients that leave at any byte, never read, or ask fifty times at once.

use crate::driver::Turn;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
use futures_util::StreamExt;
use futures_util::future::ready;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

pub async fn run(world: &Arc<World>) {
    let server = world.serve().await;
    let count = if world.full { 1_000 } else { 90 };
    futures_util::stream::iter(0..count)
        .take_while(|_| ready(!world.time_is_up()))
        .map(|nth| leave(world, &server, nth))
        .buffer_unordered(12)
        .collect::<Vec<()>>()
        .await;
    for round in 0..if world.full { 12 } else { 2 } {
        fifty_at_once(world, &server, round).await;
    }
    never_read(world, &server).await;
    // Whoever left has left nothing behind.
    let me = world.healthy(&server.base, Duration::from_secs(5)).await;
    world.expect(me.is_some(), || {
        "the server does not answer after the clients' faults".into()
    });
    world.strike(&server);
}

fn request(world: &World, server: &Server, turn: &Turn) -> Vec<u8> {
    let (path, body, address) = (turn.path(), turn.body().to_string(), server.address());
    world.ledger.asking(&turn.key);
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {}\r\nidempotency-key: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        world.cookie(),
        turn.key,
        body.len()
    )
    .into_bytes()
}

/// F37: somewhere in the request or in the answer the client goes away, in one of three ways.
async fn leave(world: &Arc<World>, server: &Server, nth: u64) {
    let mut rng = Rng::of(world.seed, "leave", nth);
    let pieces = usize::try_from(rng.between(1, 12)).unwrap_or(1);
    let pause = rng.between(0, 15);
    let turn = Turn::with_value(world, world.take_plan(), &mut rng, pieces, pause);
    let bytes = request(world, server, &turn);
    let Ok(mut socket) = TcpStream::connect(server.address()).await else {
        return world.violation("no connection".into());
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
            let room = left.min(buffer.len());
            match timeout(Duration::from_secs(5), socket.read(&mut buffer[..room])).await {
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
    world.fault("F37", &format!("connection {how} within the {place}"));
    turn.finish_later();
}

/// F39: one key, fifty requests, one turn, one text.
async fn fifty_at_once(world: &Arc<World>, server: &Server, round: u64) {
    let mut rng = Rng::of(world.seed, "fifty", round);
    let turn = Turn::with_value(world, world.take_plan(), &mut rng, 8, 10);
    let outcomes = futures_util::future::join_all((0..50).map(|_| turn.attempt(&server.base))).await;
    world.faults("F39", "the same key at once", 50);
    let texts: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            Outcome::Done(done) => Some(done["fullResponse"].clone()),
            _ => None,
        })
        .collect();
    let same = texts.len() == 50 && texts.iter().all(|text| *text == texts[0]);
    world.expect(same, || format!("fifty at once: {} were done", texts.len()));
    // R3: what is completed is not asked again.
    let calls = world.model.calls(&turn.reference);
    turn.attempt(&server.base).await;
    world.expect(world.model.calls(&turn.reference) == calls, || {
        "a replay asked the model".into()
    });
    turn.finish_later();
}

/// F38: a client with a small buffer that never reads. In the long form until it is dropped.
async fn never_read(world: &Arc<World>, server: &Server) {
    let mut sockets = Vec::new();
    for nth in 0..if world.full { 40 } else { 6 } {
        let mut rng = Rng::of(world.seed, "never", nth);
        let long = Script {
            text: "a long answer. ".repeat(30_000),
            pieces: 200,
            ..Script::default()
        };
        let turn = Turn::new(world, world.take_plan(), &mut rng, "Tell me everything.", long);
        let socket = TcpSocket::new_v4().expect("a socket");
        let _ = socket.set_recv_buffer_size(4_096);
        let Ok(mut stream) = socket.connect(server.address().parse().expect("an address")).await else {
            continue;
        };
        let _ = stream.write_all(&request(world, server, &turn)).await;
        world.fault("F38", "answer of 450 kB never read");
        sockets.push(stream);
        turn.finish_later();
    }
    if !world.full {
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
        // Where it was dropped, only what the kernel held is left.
        let read = ended.await.unwrap_or(usize::MAX);
        world.expect(read < 6_000_000, || "a client that never reads was not dropped".into());
    }
}
