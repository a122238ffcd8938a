//! The ledger of requests and events, written to disk before each request and after each event.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// One message with its key, and everything received for it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    /// Letters that occur in the message and in the model's script, and nowhere else.
    pub reference: String,
    pub plan: Uuid,
    pub text: String,
    pub attempts: u32,
    /// A response head with 200 was received: from then on the message must not be lost.
    pub taken: bool,
    pub turn: Option<Uuid>,
    /// The first `done` event received.
    pub done: Option<Value>,
    pub stopped: bool,
    /// How often the model may be called for one attempt; `None` if the faults cause retries.
    pub calls_per_attempt: Option<u32>,
}

/// All entries, in memory and on disk.
pub struct Ledger {
    entries: Mutex<HashMap<String, Entry>>,
    file: Mutex<File>,
}

impl Ledger {
    pub fn create(path: &Path) -> Self {
        let file = Mutex::new(File::create(path).expect("the ledger"));
        Self {
            entries: Mutex::default(),
            file,
        }
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, line: &Value) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(file, "{line}").expect("the ledger can be written");
    }

    pub fn open(&self, entry: Entry) {
        self.write(&json!({"new": entry.key, "plan": entry.plan, "text": entry.text}));
        self.entries().insert(entry.key.clone(), entry);
    }

    /// Counts a request under this key that is about to be sent. Returns the number of attempts.
    pub fn asking(&self, key: &str) -> u32 {
        let attempt = self.change(key, |entry| {
            entry.attempts += 1;
            entry.attempts
        });
        self.write(&json!({"ask": key, "attempt": attempt}));
        attempt
    }

    pub fn heard(&self, key: &str, what: &Value) {
        self.write(&json!({"key": key, "heard": what}));
    }

    pub fn change<T>(&self, key: &str, change: impl FnOnce(&mut Entry) -> T) -> T {
        change(self.entries().get_mut(key).expect("a key of ours"))
    }

    pub fn all(&self) -> Vec<Entry> {
        self.entries().values().cloned().collect()
    }
}
