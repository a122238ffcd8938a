//! Sends a message, reads its stream, holds it against the protocol, and sends it again until it has ended.

use crate::ledger::Entry;
use crate::model::Script;
use crate::outcome::{Outcome, Told};
use crate::rng::Rng;
use crate::sse::{Frame, SseParser};
use crate::world::World;
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

/// A stream that says nothing for this long has broken its promise of a sign of life every 15 seconds.
const SILENCE: Duration = Duration::from_secs(20);

/// One message on its way.
#[derive(Clone)]
pub struct Turn {
    pub world: Arc<World>,
    pub key: String,
    pub reference: String,
    pub plan: Uuid,
    text: String,
    /// A 500, or silence, is the right answer to what is done here.
    pub our_fault: Arc<AtomicBool>,
}

/// Fields the turns talk about: path, how a person says it, least and most dollars.
const FIELDS: [(&str, &str, u64, u64); 3] = [
    ("operatingCosts.rentMonthly", "My rent is", 2_000, 9_000),
    ("operatingCosts.utilitiesMonthly", "We pay for utilities", 300, 1_500),
    ("operatingCosts.marketingMonthly", "Our marketing budget is", 300, 2_500),
];

impl Turn {
    /// A turn in which the model records a value and then speaks.
    pub fn with_value(world: &Arc<World>, plan: Uuid, rng: &mut Rng, pieces: usize, pause: u64) -> Self {
        let (path, words, low, high) = *rng.pick(&FIELDS);
        let dollars = rng.between(low, high);
        let tool = Some((path, dollars.to_string()));
        Self::new(
            world,
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

    /// A turn with a script of its own. An empty text of the script is filled.
    pub fn new(world: &Arc<World>, plan: Uuid, rng: &mut Rng, words: &str, mut script: Script) -> Self {
        let reference = rng.letters(14);
        let key = format!("key-{:016x}", rng.next());
        if script.text.is_empty() {
            let told: Vec<String> = (0..rng.between(8, 30)).map(|_| rng.letters(6)).collect();
            script.text = format!("Noted under {reference}: {}.", told.join(" "));
        }
        script.pieces = script.pieces.max(1);
        script.seed = rng.next();
        let calls_per_attempt = script
            .fault
            .is_none()
            .then_some(if script.tool.is_some() { 2 } else { 1 });
        world.model.script(&reference, script);
        let text = format!("{words} (ref {reference})");
        world.ledger.open(Entry {
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
        world.turns.fetch_add(1, Ordering::Relaxed);
        Self {
            world: Arc::clone(world),
            key,
            reference,
            plan,
            text,
            our_fault: Arc::default(),
        }
    }

    /// What breaks here may make the app ask the model again within an attempt.
    pub fn asking_again(self) -> Self {
        self.world
            .ledger
            .change(&self.key, |entry| entry.calls_per_attempt = None);
        self
    }

    /// Waits until the model has been asked: behind the claim, before the commit.
    pub async fn reached_the_model(&self) {
        let asked = Instant::now();
        while self.world.model.calls(&self.reference) == 0 && asked.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(5)).await;
        }
    }

    pub fn path(&self) -> String {
        format!("/api/plans/{}/conversation", self.plan)
    }

    pub fn body(&self) -> Value {
        json!({"message": self.text})
    }

    /// Sends it once and reads what comes.
    pub async fn attempt(&self, base: &str) -> Outcome {
        let world = &self.world;
        if world.ledger.asking(&self.key) > 1 {
            world.retries.fetch_add(1, Ordering::Relaxed);
        }
        let request = world
            .http
            .post(format!("{base}{}", self.path()))
            .header("cookie", world.cookie())
            .header("idempotency-key", &self.key)
            .json(&self.body());
        let Ok(Ok(response)) = timeout(Duration::from_secs(40), request.send()).await else {
            return Outcome::Broken;
        };
        let status = response.status().as_u16();
        if status != 200 {
            let says_when = response.headers().contains_key("retry-after");
            world.expect(status != 503 || says_when, || {
                format!("a 503 for {} does not say when to come again", self.key)
            });
            let text = response.text().await.unwrap_or_default();
            world.look_for_secrets("an error", text.as_bytes());
            let body: Value = serde_json::from_str(&text).unwrap_or_default();
            let code = body["error"]["code"].as_str().unwrap_or_default().to_owned();
            if status >= 500 && status != 503 && !self.our_fault.load(Ordering::Relaxed) {
                world.violation(format!("{status} {code} for {}", self.key));
            }
            return Outcome::Refused { status, code };
        }
        self.world.ledger.change(&self.key, |entry| entry.taken = true);
        self.read(response).await
    }

    async fn read(&self, response: reqwest::Response) -> Outcome {
        let mut parser = SseParser::default();
        let mut told = Told::default();
        let mut bytes = response.bytes_stream();
        loop {
            match timeout(SILENCE, bytes.next()).await {
                // A process that was put to sleep says nothing.
                Err(_) if self.our_fault.load(Ordering::Relaxed) => return Outcome::Broken,
                Err(_) => {
                    self.world
                        .violation(format!("a stream of {} was silent for {SILENCE:?}", self.key));
                    return Outcome::Broken;
                }
                Ok(Some(Err(_))) => return told.outcome().unwrap_or(Outcome::Broken),
                Ok(None) => break,
                Ok(Some(Ok(piece))) => {
                    self.world.look_for_secrets("a stream", &piece);
                    for frame in parser.feed(&piece) {
                        if let Err(wrong) = self.take(&frame, &mut told) {
                            self.world.violation(format!("{wrong} in the stream of {}", self.key));
                        }
                    }
                }
            }
        }
        if parser.comments.is_empty() {
            self.world
                .violation(format!("a stream of {} without its first comment", self.key));
        }
        // A body that ends in good order has told how the turn ended. The end is missing where another attempt took over.
        told.outcome().unwrap_or(Outcome::Failed {
            code: "ENDED_WITHOUT_END".into(),
        })
    }

    /// Notes one event and checks its place in the protocol.
    fn take(&self, frame: &Frame, told: &mut Told) -> Result<(), String> {
        let json: Value = serde_json::from_str(&frame.data).map_err(|error| format!("{error}"))?;
        self.world.ledger.heard(&self.key, &json);
        if told.end.is_some() {
            return Err("an event behind the end".into());
        }
        let (turn, _) = frame.id.split_once(':').ok_or("an id that is none of ours")?;
        let turn: Uuid = turn.parse().map_err(|_| "an id without a turn")?;
        let known = self
            .world
            .ledger
            .change(&self.key, |entry| *entry.turn.get_or_insert(turn));
        if known != turn {
            return Err(format!("turn {turn} where {known} was heard before"));
        }
        match json["type"].as_str() {
            Some("token") => told
                .text
                .push_str(json["content"].as_str().ok_or("a token without content")?),
            Some("done") => {
                if json["fullResponse"] != told.text {
                    return Err("the tokens joined are not the answer".into());
                }
                self.note_done(&json)?;
                told.end = Some(json);
            }
            Some("error") => {
                if json["code"] == "STOPPED" {
                    self.world.ledger.change(&self.key, |entry| entry.stopped = true);
                }
                told.end = Some(json);
            }
            other => return Err(format!("an event of type {other:?}")),
        }
        Ok(())
    }

    /// A second `done` under the same key must say the same.
    fn note_done(&self, json: &Value) -> Result<(), String> {
        let before = self.world.ledger.change(&self.key, |entry| {
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

    /// Sends it again and again, to whoever lives, until it is done or stopped.
    pub async fn finish(&self, within: Duration) -> bool {
        let deadline = Instant::now() + within;
        let mut pause = 20;
        while Instant::now() < deadline {
            let outcome = match self.world.base() {
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

    /// Finishes it on the side; the plan is free again behind it.
    pub fn finish_later(self) {
        let world = Arc::clone(&self.world);
        world.later.spawn({
            let world = Arc::clone(&world);
            async move {
                let begun = Instant::now();
                if self.finish(Duration::from_secs(300)).await {
                    let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                    world.slowest.fetch_max(took, Ordering::Relaxed);
                    world.give_back(self.plan);
                } else {
                    world.violation(format!("{} could not be finished", self.key));
                }
            }
        });
    }
}
