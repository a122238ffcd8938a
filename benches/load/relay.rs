//! The floor: a TCP relay that parses nothing, the least that a server between reader and model can cost.

use anyhow::{Context, Result};
use std::net::SocketAddr;
use tokio::io::copy_bidirectional_with_sizes;
use tokio::net::{TcpListener, TcpStream};

/// The first argument that makes this binary the relay, in a process of its own so that its CPU time is counted apart.
pub const MODE: &str = "relay";
const BUFFER: usize = 4096;

/// Relays from the first address to the second.
pub async fn run(mut addresses: impl Iterator<Item = String>) -> Result<()> {
    let mut next = || -> Result<SocketAddr> { Ok(addresses.next().context("relay FROM TO")?.parse()?) };
    let (from, to) = (next()?, next()?);
    let listener = TcpListener::bind(from).await?;
    loop {
        let (mut reader, _) = listener.accept().await?;
        tokio::spawn(async move {
            let Ok(mut model) = TcpStream::connect(to).await else {
                return;
            };
            let _ = (reader.set_nodelay(true), model.set_nodelay(true));
            let _ = copy_bidirectional_with_sizes(&mut reader, &mut model, BUFFER, BUFFER).await;
        });
    }
}
