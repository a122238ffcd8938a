//! HTTP over a bare socket: for what a well-behaved client never does, and for looking at the bytes.

use super::app::soon;
use super::client::Client;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection with a request on its way.
#[derive(Debug)]
pub struct RawExchange {
    socket: TcpStream,
    /// What came and was not yet handed out.
    buffer: Vec<u8>,
    pub head: String,
}

impl RawExchange {
    /// Sends a request as its client would and reads the head of the answer.
    pub async fn send(client: &Client, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let mut exchange = Self::begin(client, method, path, headers, body).await;
        exchange.read_head().await;
        exchange
    }

    /// Sends a request and does not wait for anything.
    pub async fn begin(client: &Client, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let mut socket = soon("a connection", TcpStream::connect(client.address()))
            .await
            .expect("a connection");
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", client.address());
        if let Some(cookie) = &client.cookie {
            request.push_str(&format!("cookie: {cookie}\r\n"));
        }
        if !body.is_empty() {
            request.push_str(&format!(
                "content-type: application/json\r\ncontent-length: {}\r\n",
                body.len()
            ));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        socket
            .write_all(format!("{request}\r\n{body}").as_bytes())
            .await
            .expect("written");
        Self {
            socket,
            buffer: Vec::new(),
            head: String::new(),
        }
    }

    /// Sends bytes that no client makes and reads the head of the answer.
    pub async fn send_to(address: SocketAddr, request: &str) -> Self {
        let mut socket = soon("a connection", TcpStream::connect(address))
            .await
            .expect("a connection");
        socket.write_all(request.as_bytes()).await.expect("written");
        let mut exchange = Self {
            socket,
            buffer: Vec::new(),
            head: String::new(),
        };
        exchange.read_head().await;
        exchange
    }

    async fn fill(&mut self) -> bool {
        soon("bytes", self.socket.read_buf(&mut self.buffer))
            .await
            .is_ok_and(|count| count > 0)
    }

    async fn take_line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let line: Vec<u8> = self.buffer.drain(..end + 2).collect();
                return Some(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            if !self.fill().await {
                return None;
            }
        }
    }

    async fn read_head(&mut self) {
        while let Some(line) = self.take_line().await.filter(|line| !line.is_empty()) {
            self.head.push_str(&line);
            self.head.push('\n');
        }
    }

    pub fn status(&self) -> u16 {
        self.head
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .expect("a status line")
    }

    /// The next chunk of a chunked body; `None` at its proper end.
    ///
    /// # Panics
    /// Where the connection ends before the body does.
    pub async fn chunk(&mut self) -> Option<Vec<u8>> {
        let size = self.take_line().await.expect("a chunk's size");
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16).expect("a size");
        while self.buffer.len() < size + 2 {
            assert!(self.fill().await, "the connection ended within a chunk");
        }
        let chunk: Vec<u8> = self.buffer.drain(..size).collect();
        self.buffer.drain(..2);
        (size > 0).then_some(chunk)
    }

    /// The whole rest of a chunked body.
    pub async fn body(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(chunk) = self.chunk().await {
            all.extend(chunk);
        }
        all
    }

    /// Goes away without a word, as a lost network does.
    pub fn reset(self) {
        let _ = self.socket.set_zero_linger();
    }
}
