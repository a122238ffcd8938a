//! A scripted model server with OpenAI's protocol: correct, faulty or hostile. It counts every call.
//!
//! A message carries `(ref letters)`; the script under those letters decides the answer, until `heal` is called.

use crate::kinds::{Case, Kind};
use crate::rng::Rng;
use crate::wire::{Step, plain, reply};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// The script of one turn.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Path and value of the tool call that comes first.
    pub tool: Option<(&'static str, String)>,
    /// The text of the answer.
    pub text: String,
    /// Number of pieces of the text, and the pause before each in milliseconds.
    pub pieces: usize,
    pub pause: u64,
    /// The fault to play.
    pub fault: Option<Kind>,
    pub seed: u64,
}

#[derive(Default)]
struct Shared {
    scripts: Mutex<HashMap<String, Script>>,
    calls: Mutex<HashMap<String, u32>>,
    /// Requests without a `(ref …)`.
    unmatched: AtomicU64,
    /// Connections to the target of the redirect.
    canary_hits: AtomicU64,
}

pub struct Model {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Model {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let canary = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let elsewhere = canary.local_addr().expect("bound");
        let shared = Arc::new(Shared::default());
        let watching = Arc::clone(&shared);
        tokio::spawn(async move {
            while canary.accept().await.is_ok() {
                watching.canary_hits.fetch_add(1, Ordering::Relaxed);
            }
        });
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serve(socket, Arc::clone(&serving), elsewhere));
            }
        });
        Self { address, shared }
    }

    pub fn script(&self, reference: &str, script: Script) {
        lock(&self.shared.scripts).insert(reference.to_owned(), script);
    }

    /// Answers this turn correctly from now on.
    pub fn heal(&self, reference: &str) {
        if let Some(script) = lock(&self.shared.scripts).get_mut(reference) {
            script.fault = None;
        }
    }

    pub fn calls(&self, reference: &str) -> u32 {
        lock(&self.shared.calls).get(reference).copied().unwrap_or(0)
    }

    pub fn canary_hits(&self) -> u64 {
        self.shared.canary_hits.load(Ordering::Relaxed)
    }

    pub fn unmatched(&self) -> u64 {
        self.shared.unmatched.load(Ordering::Relaxed)
    }
}

/// The letters of the last `(ref …)` in the user messages.
fn reference(request: &Value) -> Option<String> {
    let messages = request["messages"].as_array()?;
    let said = messages.iter().rev().find(|message| message["role"] == "user")?;
    let text = said["content"].as_str()?;
    let start = text.rfind("(ref ")? + "(ref ".len();
    text[start..].split(')').next().map(str::to_owned)
}

/// Whether the server asks for a verdict on the values of a call.
fn is_second_look(request: &Value) -> bool {
    let task = request["messages"][0]["content"].as_str();
    task.is_some_and(|task| task == plan_reader::review::SYSTEM)
}

/// The verdicts of a model that is fit for the second look on the claims that the program asks it itself, in no turn.
fn fit() -> Script {
    Script {
        text: "1 stated\n2 wrong\n3 stated\n4 wrong\n5 stated\n6 wrong".to_owned(),
        pieces: 1,
        ..Script::default()
    }
}

async fn serve(mut socket: TcpStream, shared: Arc<Shared>, elsewhere: SocketAddr) {
    let _ = socket.set_nodelay(true);
    let Some((head, body)) = read_request(&mut socket).await else {
        return;
    };
    if !head.starts_with("POST") {
        let _ = socket
            .write_all(reply(200, "application/json", "{\"object\":\"list\",\"data\":[]}").as_slice())
            .await;
        return;
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let Some(reference) = reference(&request) else {
        if is_second_look(&request) {
            return perform(socket, plain(&fit(), 0)).await;
        }
        shared.unmatched.fetch_add(1, Ordering::Relaxed);
        let _ = socket.write_all(&reply(400, "application/json", "{}")).await;
        return;
    };
    let mut script = lock(&shared.scripts).get(&reference).cloned().unwrap_or_default();
    let call = if is_second_look(&request) {
        // The reference makes a message more than a plain sentence. A faulty provider is faulty here, too.
        (script.tool, script.text, script.pieces) = (None, "1 stated".to_owned(), 1);
        0
    } else {
        let mut calls = lock(&shared.calls);
        let count = calls.entry(reference.clone()).or_default();
        *count += 1;
        *count
    };
    let asked = Asked {
        round: rounds_so_far(&request),
        authorization: header(&head, "authorization").unwrap_or_default(),
        elsewhere,
        rng: Rng::of(script.seed, "model", u64::from(call)),
    };
    let steps = match script.fault {
        Some(kind) => (kind.fault().steps)(Case { script: &script, asked }),
        None => plain(&script, asked.round),
    };
    perform(socket, steps).await;
}

/// The facts of a request that a script depends on.
#[derive(Debug)]
pub struct Asked {
    /// Number of the model's answers in this turn so far.
    pub round: usize,
    pub authorization: String,
    pub elsewhere: SocketAddr,
    pub rng: Rng,
}

fn rounds_so_far(request: &Value) -> usize {
    let empty = Vec::new();
    let messages = request["messages"].as_array().unwrap_or(&empty);
    let since = messages
        .iter()
        .rposition(|message| message["role"] == "user")
        .unwrap_or(0);
    messages[since..]
        .iter()
        .filter(|message| message["role"] == "assistant")
        .count()
}

fn header(head: &str, name: &str) -> Option<String> {
    head.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

async fn read_request(socket: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length: usize = header(&head, "content-length")
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    while bytes.len() < end + length {
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some((head, bytes.split_off(end)))
}

async fn perform(mut socket: TcpStream, steps: Vec<Step>) {
    for step in steps {
        let done = match step {
            Step::Send(bytes) => socket.write_all(&bytes).await,
            Step::Pause(millis) => {
                sleep(Duration::from_millis(millis)).await;
                Ok(())
            }
            Step::Stall(comment) => return stall(socket, comment).await,
            Step::Endless(bytes) => {
                while socket.write_all(&bytes).await.is_ok() {}
                return;
            }
            Step::Reset => {
                let _ = socket.set_zero_linger();
                return;
            }
        };
        if done.is_err() {
            return;
        }
    }
    let _ = socket.shutdown().await;
}

/// Sends nothing, or only comments, until the client disconnects.
async fn stall(mut socket: TcpStream, comment: Option<&'static str>) {
    let mut nothing = [0; 64];
    loop {
        tokio::select! {
            read = socket.read(&mut nothing) => if !matches!(read, Ok(1..)) { return },
            () = sleep(Duration::from_millis(200)) => {
                if let Some(comment) = comment && socket.write_all(comment.as_bytes()).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Arguments of `set_financial_field`.
pub fn arguments(path: &str, value: &str) -> String {
    let value: Value = serde_json::from_str(value).unwrap_or(json!(value));
    json!({"path": path, "value": value, "confidence": "high"}).to_string()
}
