//! The client: sends a message, checks its stream against the protocol, and retries until the turn has ended.

use crate::fixture::Fixture;
use crate::ledger::Entry;
use crate::model::Script;
use crate::outcome::{Outcome, Received};
use crate::rng::Rng;
use crate::sse::{Frame, SseParser};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

/// A stream must send at least a comment every 15 seconds; longer silence is a violation.
const SILENCE: Duration = Duration::from_secs(20);

/// A message and its retries.
#[derive(Clone)]
pub struct Turn {
    pub fixture: Arc<Fixture>,
    pub key: String,
    pub reference: String,
    pub plan: Uuid,
    text: String,
    /// Set if a 500 or silence is an expected response to the injected fault.
    pub our_fault: Arc<AtomicBool>,
}

/// Fields of the turns: path, phrase, lowest and highest amount in dollars.
const FIELDS: [(&str, &str, u64, u64); 3] = [
    ("operatingCosts.rentMonthly", "My rent is", 2_000, 9_000),
    ("operatingCosts.utilitiesMonthly", "We pay for utilities", 300, 1_500),
    (
        "operatingCosts.localMarketingMinimumMonthly",
        "Our marketing budget is",
        300,
        2_500,
    ),
];

impl Turn {
    /// A turn in which the model calls the tool and then answers.
    pub fn with_value(fixture: &Arc<Fixture>, plan: Uuid, rng: &mut Rng, pieces: usize, pause: u64) -> Self {
        let (path, words, low, high) = *rng.pick(&FIELDS);
        let dollars = rng.between(low, high);
        let tool = Some((path, dollars.to_string()));
        Self::new(
            fixture,
            plan,
            rng,
            &format!("{words} ${dollars} a month."),
            Script {
                tool,
                pieces,
                pause,
                ..Script::default()
            },
        )
    }

    /// A turn with its own script. An empty text is filled in.
    pub fn new(fixture: &Arc<Fixture>, plan: Uuid, rng: &mut Rng, words: &str, mut script: Script) -> Self {
        let reference = rng.letters(14);
        let key = format!("key-{:016x}", rng.next());
        if script.text.is_empty() {
            let received: Vec<String> = (0..rng.between(8, 30)).map(|_| rng.letters(6)).collect();
            script.text = format!("Noted under {reference}: {}.", received.join(" "));
        }
        script.pieces = script.pieces.max(1);
        script.seed = rng.next();
        let calls_per_attempt = script
            .fault
            .is_none()
            .then_some(if script.tool.is_some() { 2 } else { 1 });
        fixture.model.script(&reference, script);
        let text = format!("{words} (ref {reference})");
        fixture.ledger.open(Entry {
            key: key.clone(),
            reference: reference.clone(),
            plan,
            text: text.clone(),
            attempts: 0,
            taken: false,
            turn: None,
            done: None,
            stopped: false,
            calls_per_attempt,
        });
        fixture.turns.fetch_add(1, Ordering::Relaxed);
        Self {
            fixture: Arc::clone(fixture),
            key,
            reference,
            plan,
            text,
            our_fault: Arc::default(),
        }
    }

    /// Allows repeated model calls within an attempt, for faults that cause them.
    pub fn asking_again(self) -> Self {
        self.fixture
            .ledger
            .change(&self.key, |entry| entry.calls_per_attempt = None);
        self
    }

    /// Waits until the model has been called: after the claim, before the commit.
    pub async fn reached_the_model(&self) {
        let asked = Instant::now();
        while self.fixture.model.calls(&self.reference) == 0 && asked.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(5)).await;
        }
    }

    pub fn path(&self) -> String {
        format!("/api/plans/{}/conversation", self.plan)
    }

    pub fn body(&self) -> Value {
        json!({"message": self.text})
    }

    /// Sends the message once and reads the response.
    pub async fn attempt(&self, base: &str) -> Outcome {
        let fixture = &self.fixture;
        if fixture.ledger.asking(&self.key) > 1 {
            fixture.retries.fetch_add(1, Ordering::Relaxed);
        }
        let request = fixture
            .http
            .post(format!("{base}{}", self.path()))
            .header("cookie", fixture.cookie())
            .header("idempotency-key", &self.key)
            .json(&self.body());
        let Ok(Ok(response)) = timeout(Duration::from_secs(40), request.send()).await else {
            return Outcome::Broken;
        };
        let status = response.status().as_u16();
        if status != 200 {
            let says_when = response.headers().contains_key("retry-after");
            fixture.expect(status != 503 || says_when, || {
                format!("a 503 for {} does not say when to come again", self.key)
            });
            let text = response.text().await.unwrap_or_default();
            fixture.look_for_secrets("an error", text.as_bytes());
            let body: Value = serde_json::from_str(&text).unwrap_or_default();
            let code = body["error"]["code"].as_str().unwrap_or_default().to_owned();
            if status >= 500 && status != 503 && !self.our_fault.load(Ordering::Relaxed) {
                fixture.violation(format!("{status} {code} for {}", self.key));
            }
            return Outcome::Refused { status, code };
        }
        self.fixture.ledger.change(&self.key, |entry| entry.taken = true);
        self.read(response).await
    }

    async fn read(&self, response: reqwest::Response) -> Outcome {
        let mut parser = SseParser::default();
        let mut received = Received::default();
        let mut bytes = response.bytes_stream();
        loop {
            match timeout(SILENCE, bytes.next()).await {
                // Expected of a process that was stopped.
                Err(_) if self.our_fault.load(Ordering::Relaxed) => return Outcome::Broken,
                Err(_) => {
                    self.fixture
                        .violation(format!("a stream of {} was silent for {SILENCE:?}", self.key));
                    return Outcome::Broken;
                }
                Ok(Some(Err(_))) => return received.outcome().unwrap_or(Outcome::Broken),
                Ok(None) => break,
                Ok(Some(Ok(piece))) => {
                    self.fixture.look_for_secrets("a stream", &piece);
                    for frame in parser.feed(&piece) {
                        if let Err(wrong) = self.take(&frame, &mut received) {
                            self.fixture.violation(format!("{wrong} in the stream of {}", self.key));
                        }
                    }
                }
            }
        }
        if parser.comments.is_empty() {
            self.fixture
                .violation(format!("a stream of {} without its first comment", self.key));
        }
        // A body that ends cleanly contains a terminal event, unless another attempt took over.
        received.outcome().unwrap_or(Outcome::Failed {
            code: "ENDED_WITHOUT_END".into(),
        })
    }

    /// Records one event and checks the order of events.
    fn take(&self, frame: &Frame, received: &mut Received) -> Result<(), String> {
        let json: Value = serde_json::from_str(&frame.data).map_err(|error| format!("{error}"))?;
        self.fixture.ledger.heard(&self.key, &json);
        if received.end.is_some() {
            return Err("an event behind the end".into());
        }
        let (turn, _) = frame.id.split_once(':').ok_or("an id that is none of ours")?;
        let turn: Uuid = turn.parse().map_err(|_| "an id without a turn")?;
        let known = self
            .fixture
            .ledger
            .change(&self.key, |entry| *entry.turn.get_or_insert(turn));
        if known != turn {
            return Err(format!("turn {turn} where {known} was heard before"));
        }
        match json["type"].as_str() {
            Some("token") => received
                .text
                .push_str(json["content"].as_str().ok_or("a token without content")?),
            Some("done") => {
                if json["fullResponse"] != received.text {
                    return Err("the tokens joined are not the answer".into());
                }
                self.note_done(&json)?;
                received.end = Some(json);
            }
            Some("error") => {
                if json["code"] == "STOPPED" {
                    self.fixture.ledger.change(&self.key, |entry| entry.stopped = true);
                }
                received.end = Some(json);
            }
            other => return Err(format!("an event of type {other:?}")),
        }
        Ok(())
    }

    /// A second `done` under the same key must be equal to the first.
    fn note_done(&self, json: &Value) -> Result<(), String> {
        let before = self.fixture.ledger.change(&self.key, |entry| {
            entry.done.get_or_insert_with(|| json.clone()).clone()
        });
        let same = ["turnId", "fullResponse", "extractedValues", "usage"]
            .iter()
            .all(|name| before[name] == json[name]);
        if same {
            Ok(())
        } else {
            Err("another end than the one heard before".into())
        }
    }

    /// Retries at any available server until the turn is done or stopped.
    pub async fn finish(&self, within: Duration) -> bool {
        let deadline = Instant::now() + within;
        let mut pause = 20;
        while Instant::now() < deadline {
            let outcome = match self.fixture.base() {
                Some(base) => self.attempt(&base).await,
                None => Outcome::Broken,
            };
            match outcome {
                Outcome::Done(_) => return true,
                Outcome::Failed { code } if code == "STOPPED" => return true,
                _ => {}
            }
            sleep(Duration::from_millis(pause)).await;
            pause = (pause * 2).min(500);
        }
        false
    }

    /// Finishes it in the background, then returns the plan.
    pub fn finish_later(self) {
        let fixture = Arc::clone(&self.fixture);
        fixture.later.spawn({
            let fixture = Arc::clone(&fixture);
            async move {
                let begun = Instant::now();
                if self.finish(Duration::from_secs(300)).await {
                    let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                    fixture.slowest.fetch_max(took, Ordering::Relaxed);
                    fixture.give_back(self.plan);
                } else {
                    fixture.violation(format!("{} could not be finished", self.key));
                }
            }
        });
    }
}
