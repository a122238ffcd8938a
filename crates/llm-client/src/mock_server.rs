//! A fake provider on raw sockets: sends exact bytes, stalls, resets, and reports when the client has disconnected.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// What the server does once it has read a request.
#[derive(Clone)]
pub(super) enum Step {
    Send(Vec<u8>),
    /// Says nothing until the client goes.
    Silence,
    /// Says this again and again until the client goes.
    Repeat(String, Duration),
    Reset,
    Close,
}

/// One request as it came.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub head: String,
    pub body: String,
}

impl Request {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).expect("a JSON body")
    }
}

#[derive(Default)]
struct Seen {
    requests: Mutex<Vec<Request>>,
    connections: Mutex<usize>,
}

/// A running server; it ends with the test's runtime.
pub(super) struct MockServer {
    pub address: SocketAddr,
    seen: Arc<Seen>,
    gone: watch::Receiver<usize>,
    asked: watch::Receiver<usize>,
}

impl MockServer {
    /// Answers each request by its number.
    pub(crate) async fn start(script: impl Fn(usize) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::run(move |number, _| script(number)).await
    }

    /// Answers each request by what it asks.
    pub(crate) async fn answering(script: impl Fn(&Request) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::run(move |_, request| script(request)).await
    }

    async fn run(script: impl Fn(usize, &Request) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let seen = Arc::new(Seen::default());
        let (gone_sender, gone) = watch::channel(0);
        let (asked_sender, asked) = watch::channel(0);
        let (shared, script) = (Arc::clone(&seen), Arc::new(script));
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let _ = socket.set_nodelay(true);
                *shared.connections.lock().expect("lock") += 1;
                tokio::spawn(serve(
                    socket,
                    Arc::clone(&shared),
                    Arc::clone(&script),
                    gone_sender.clone(),
                    asked_sender.clone(),
                ));
            }
        });
        Self {
            address,
            seen,
            gone,
            asked,
        }
    }

    /// Always answers with these bytes.
    pub(crate) async fn always(response: Vec<u8>) -> Self {
        Self::start(move |_| vec![Step::Send(response.clone())]).await
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.seen.requests.lock().expect("lock").clone()
    }

    /// Waits until so many requests have come.
    pub(crate) async fn asked(&self, times: usize) {
        let mut count = self.asked.clone();
        let asked = count.wait_for(|count| *count >= times);
        tokio::time::timeout(Duration::from_secs(5), asked)
            .await
            .expect("asked in time")
            .expect("running");
    }

    pub(crate) fn connections(&self) -> usize {
        *self.seen.connections.lock().expect("lock")
    }

    /// Waits until a client has gone away in the middle of a script.
    pub(crate) async fn client_gone(&mut self) {
        let gone = self.gone.wait_for(|count| *count > 0);
        tokio::time::timeout(Duration::from_secs(1), gone)
            .await
            .expect("gone within a second")
            .expect("running");
    }
}

async fn serve(
    mut socket: TcpStream,
    seen: Arc<Seen>,
    script: Arc<impl Fn(usize, &Request) -> Vec<Step>>,
    gone: watch::Sender<usize>,
    asked: watch::Sender<usize>,
) {
    while let Some(request) = read_request(&mut socket).await {
        let number = {
            let mut requests = seen.requests.lock().expect("lock");
            requests.push(request.clone());
            requests.len() - 1
        };
        asked.send_modify(|count| *count = (*count).max(number + 1));
        for step in script(number, &request) {
            if !play(step, &mut socket, &gone).await {
                return;
            }
        }
    }
}

/// False when the connection is over.
async fn play(step: Step, socket: &mut TcpStream, gone: &watch::Sender<usize>) -> bool {
    let mut one = [0];
    match step {
        Step::Send(bytes) => return socket.write_all(&bytes).await.is_ok(),
        Step::Silence => {
            let _ = socket.read(&mut one).await;
            gone.send_modify(|count| *count += 1);
        }
        Step::Repeat(text, pause) => {
            while socket.write_all(text.as_bytes()).await.is_ok() {
                tokio::time::sleep(pause).await;
            }
            gone.send_modify(|count| *count += 1);
        }
        Step::Reset => {
            let _ = socket.set_zero_linger();
        }
        Step::Close => {}
    }
    false
}

async fn read_request(socket: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .to_lowercase()
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0usize) {
                return Some(Request {
                    head: head.to_owned(),
                    body: body.to_owned(),
                });
            }
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// A whole response.
pub(super) fn response(status: u16, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The head of a stream without an end, and these bytes of it.
pub(super) fn begun(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{body}").into_bytes()
}

/// A whole stream, each piece a frame of HTTP.
pub(super) fn streamed(pieces: &[&str]) -> Vec<u8> {
    let frames: String = pieces
        .iter()
        .map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()))
        .collect();
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n{frames}0\r\n\r\n")
        .into_bytes()
}
