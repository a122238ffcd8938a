//! Whether the second look is taken: as configured, and with `LLM_REVIEW=auto` only by a model that was found fit.

use ring::digest::{SHA256, digest};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by all turns of this process.
#[derive(Debug)]
pub struct ReviewSwitch {
    is_on: AtomicBool,
    /// The operator left it to us.
    is_measured: AtomicBool,
    server: String,
}

impl ReviewSwitch {
    /// `is_measured`: off until the model at this address was found fit; else on.
    pub fn new(is_measured: bool, server: &str) -> Self {
        Self {
            is_on: AtomicBool::new(!is_measured),
            is_measured: AtomicBool::new(is_measured),
            server: server.to_owned(),
        }
    }

    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Whether the model has to show that it is fit.
    pub fn is_measured(&self) -> bool {
        self.is_measured.load(Ordering::Relaxed)
    }

    /// The model was found fit, or not.
    pub fn found(&self, is_fit: bool) {
        self.is_on.store(is_fit, Ordering::Relaxed);
    }

    /// Takes the model for fit without asking it.
    pub fn assume_fit(&self) {
        self.is_measured.store(false, Ordering::Relaxed);
        self.found(true);
    }

    /// What the model is known by in the database: the same name at another address is another model.
    pub fn key(&self, model: &str) -> String {
        let hash = digest(&SHA256, self.server.as_bytes());
        let mut key = format!("{model} ");
        for byte in hash.as_ref().iter().take(8) {
            let _ = write!(key, "{byte:02x}");
        }
        key
    }
}
