//! Whose calls are measured, from the words of a command line.

use crate::recording::Recorded;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// Whose calls are measured.
pub enum Mode {
    /// The advisor that needs no model.
    Offline,
    /// A real model.
    Model,
    /// Calls that a model once made.
    Calls(Recorded),
    /// The worst model: it takes every trap and is sure of it.
    Traps,
}

impl Mode {
    /// The mode, and a suite given in the place of the file that only `calls` takes.
    ///
    /// # Errors
    /// One line for the person who typed the words.
    pub fn read(words: &[String]) -> Result<(Self, Option<PathBuf>)> {
        let file = words.get(1).map(PathBuf::from);
        Ok(match (words.first().map_or("offline", String::as_str), file) {
            ("offline", file) => (Self::Offline, file),
            ("model", file) => (Self::Model, file),
            ("traps", file) => (Self::Traps, file),
            ("calls", Some(file)) => (Self::Calls(Recorded::read(&file)?), None),
            ("calls", None) => bail!("--mode calls needs the file of the recorded calls"),
            (other, _) => bail!("there is no mode {other}: offline, model, calls FILE or traps"),
        })
    }

    /// The word that it was chosen by.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Model => "model",
            Self::Calls(_) => "calls",
            Self::Traps => "traps",
        }
    }
}
