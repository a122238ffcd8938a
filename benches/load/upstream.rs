//! The mock model server: OpenAI's chat completions, with a timestamp in every token and one script for all requests.

use crate::http::{head_length, header};
use crate::{stats, token};
use anyhow::Result;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};

/// A chunk up to its text, as long as OpenAI's.
pub const BEFORE_TEXT: &str = concat!(
    r#"data: {"id":"chatcmpl-BenchBenchBenchBenchBenchBenc","object":"chat.completion.chunk","created":1760000000,"#,
    r#""model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_44709d6fcb","#,
    r#""choices":[{"index":0,"delta":{"content":""#
);
const AFTER_TEXT: &str =
    "\"},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null,\"obfuscation\":\"Xk2mQ9\"}\n\n";
const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
/// Counts about as many tokens as a request of plan-advisor has.
const ENDING: &str = concat!(
    r#"data: {"id":"chatcmpl-Bench","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o-2024-08-06","#,
    r#""choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}"#,
    "\n\n",
    r#"data: {"id":"chatcmpl-Bench","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o-2024-08-06","#,
    r#""choices":[],"usage":{"prompt_tokens":5900,"completion_tokens":100,"total_tokens":6000}}"#,
    "\n\ndata: [DONE]\n\n"
);

/// The beginning of messages that the model answers with a tool call; the amount follows.
pub const RENT: &str = "My rent is $";

/// The script of every answer.
#[derive(Debug, Clone, Copy)]
pub struct Script {
    pub tokens: usize,
    /// Delay before the first token.
    pub first: Duration,
    /// Interval between tokens; zero: all at once, each with its own write.
    pub pace: Duration,
    /// Whether a tool call that records the rent comes first.
    pub calls_tool: bool,
    /// After this many tokens, tokens come slowly until [`Upstream::release`].
    pub hold_after: Option<usize>,
}

impl Script {
    pub const fn burst(tokens: usize) -> Self {
        Self {
            tokens,
            first: Duration::ZERO,
            pace: Duration::ZERO,
            calls_tool: false,
            hold_after: None,
        }
    }
}

type Hook = Box<dyn Fn() + Send>;

struct Shared {
    script: Mutex<Script>,
    /// Called for every request.
    on_request: Mutex<Option<Hook>>,
    /// When held answers were released, and the time between the ends of two of them.
    released: watch::Sender<Option<(Instant, Duration)>>,
    open: AtomicUsize,
    /// Length of the last request.
    asked: AtomicUsize,
    /// Number of held answers since the script was set.
    held: AtomicUsize,
}

/// A running model server.
#[derive(Clone)]
pub struct Upstream {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

impl Upstream {
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let shared = Arc::new(Shared {
            script: Mutex::new(Script::burst(1)),
            on_request: Mutex::default(),
            released: watch::Sender::new(None),
            open: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
            held: AtomicUsize::new(0),
        });
        let upstream = Self {
            address: listener.local_addr()?,
            shared: Arc::clone(&shared),
        };
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move { serve(socket, &shared).await });
            }
        });
        Ok(upstream)
    }

    pub fn follow(&self, script: Script) {
        self.shared.released.send_replace(None);
        self.shared.held.store(0, Ordering::Relaxed);
        *self.shared.script.lock().unwrap_or_else(PoisonError::into_inner) = script;
    }

    pub fn on_request(&self, hook: Option<Hook>) {
        *self.shared.on_request.lock().unwrap_or_else(PoisonError::into_inner) = hook;
    }

    /// Releases held answers one after another; without time between them all at once.
    pub fn release(&self, apart: Duration) {
        self.shared.released.send_replace(Some((Instant::now(), apart)));
    }

    /// Length of the last request, with its head.
    pub fn asked(&self) -> usize {
        self.shared.asked.load(Ordering::Relaxed)
    }

    /// Number of running answers.
    pub fn open(&self) -> usize {
        self.shared.open.load(Ordering::Relaxed)
    }
}

async fn serve(mut socket: TcpStream, shared: &Shared) {
    let _ = socket.set_nodelay(true);
    let mut buffer = Vec::new();
    while let Some(is_chat) = read_request(&mut socket, &mut buffer).await {
        let written = if is_chat {
            if let Some(hook) = &*shared.on_request.lock().unwrap_or_else(PoisonError::into_inner) {
                hook();
            }
            shared.asked.store(buffer.len(), Ordering::Relaxed);
            shared.open.fetch_add(1, Ordering::Relaxed);
            let written = answer(&mut socket, shared, &buffer).await;
            shared.open.fetch_sub(1, Ordering::Relaxed);
            written
        } else {
            let models = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{\"data\":[]}";
            socket.write_all(models.as_bytes()).await
        };
        if written.is_err() {
            return;
        }
    }
}

/// Reads one request; `None` if the connection is closed.
async fn read_request(socket: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<bool> {
    buffer.clear();
    let mut whole = None;
    while whole.is_none_or(|(length, _)| buffer.len() < length) {
        if socket.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
        if whole.is_none()
            && let Some(length) = head_length(buffer)
        {
            let head = String::from_utf8_lossy(&buffer[..length]);
            let body: usize = header(&head, "content-length")
                .and_then(|text| text.parse().ok())
                .unwrap_or(0);
            whole = Some((length + body, head.starts_with("POST ")));
        }
    }
    whole.map(|(_, is_chat)| is_chat)
}

fn chunk(payload: &str) -> String {
    format!("{:x}\r\n{payload}\r\n", payload.len())
}

async fn answer(socket: &mut TcpStream, shared: &Shared, request: &[u8]) -> std::io::Result<()> {
    let script = *shared.script.lock().unwrap_or_else(PoisonError::into_inner);
    if script.calls_tool
        && let Some(call) = tool_call(request)
    {
        return socket.write_all(call.as_bytes()).await;
    }
    let begun = Instant::now();
    let blank = " ".repeat(token::LENGTH);
    let mut frame = chunk(&format!("{BEFORE_TEXT}{blank}{AFTER_TEXT}")).into_bytes();
    let place = frame.len() - AFTER_TEXT.len() - 2 - token::LENGTH;
    socket.write_all(HEAD.as_bytes()).await?;
    let mut hold_after = script.hold_after;
    let place_in_line = hold_after.map_or(0, |_| shared.held.fetch_add(1, Ordering::Relaxed));
    for number in 0..script.tokens {
        if hold_after.is_some_and(|held| number >= held) {
            if drip(shared, place_in_line).await {
                hold_after = None;
            }
        } else if script.hold_after.is_none() && !(script.first.is_zero() && script.pace.is_zero()) {
            let after = script.pace * u32::try_from(number).unwrap_or(u32::MAX);
            sleep_until(begun + script.first + after).await;
        }
        token::stamp(&mut frame[place..place + token::LENGTH], stats::now());
        socket.write_all(&frame).await?;
    }
    socket.write_all(format!("{}0\r\n\r\n", chunk(ENDING)).as_bytes()).await
}

/// The tool call for the rent in the request; `None` if the tool has been called already.
fn tool_call(request: &[u8]) -> Option<String> {
    let last = |text: &str| request.windows(text.len()).rposition(|part| part == text.as_bytes());
    if last(r#""role":"tool""#).is_some() {
        return None;
    }
    let amount = &request[last(RENT)? + RENT.len()..];
    let digits = amount.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rent = String::from_utf8_lossy(&amount[..digits]);
    let begin = r#"data: {"id":"chatcmpl-Bench","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o","choices":[{"index":0,"delta":"#;
    let arguments = format!(r#"{{\"path\":\"operatingCosts.rentMonthly\",\"value\":{rent},\"confidence\":\"high\"}}"#);
    let payload = format!(
        "{begin}{{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\
         \"function\":{{\"name\":\"set_financial_field\",\"arguments\":\"{arguments}\"}}}}]}},\"finish_reason\":null}}]}}\n\n\
         {begin}{{}},\"finish_reason\":\"tool_calls\"}}]}}\n\ndata: [DONE]\n\n"
    );
    Some(format!("{HEAD}{}0\r\n\r\n", chunk(&payload)))
}

/// Waits between tokens of a held answer, for less than the gap timeout. True once it may end.
async fn drip(shared: &Shared, place_in_line: usize) -> bool {
    let at_most = Instant::now() + Duration::from_secs(8);
    let mut released = shared.released.subscribe();
    let Ok(Ok(released_at)) = timeout_at(at_most, released.wait_for(Option::is_some))
        .await
        .map(|at| at.map(|at| *at))
    else {
        return false;
    };
    let place = u32::try_from(place_in_line).unwrap_or(u32::MAX);
    let due = released_at.map_or(at_most, |(at, apart)| at + apart * place);
    sleep_until(due.min(at_most)).await;
    due <= at_most
}
