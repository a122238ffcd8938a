//! What was asked and what was heard, written to disk before each request and behind each event.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// One message with its key, and everything that was heard of it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    /// Letters that stand in the message, in the model's script and nowhere else.
    pub reference: String,
    pub plan: Uuid,
    pub text: String,
    pub attempts: u32,
    /// A head with 200 came: from then on the words must not be lost.
    pub taken: bool,
    pub turn: Option<Uuid>,
    /// The `done` event, from its first arrival on.
    pub done: Option<Value>,
    pub stopped: bool,
    /// How often the model may be asked for one attempt; `None` where faults make it ask again.
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

    /// Another request under this key is about to go out.
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

    /// Changes an entry.
    pub fn change<T>(&self, key: &str, change: impl FnOnce(&mut Entry) -> T) -> T {
        change(self.entries().get_mut(key).expect("a key of ours"))
    }

    pub fn all(&self) -> Vec<Entry> {
        self.entries().values().cloned().collect()
    }
}
