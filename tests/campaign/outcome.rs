//! What requests come to.

use serde_json::Value;

/// What one request came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    Done(Value),
    /// An `error` event.
    Failed {
        code: String,
    },
    /// A status without a stream.
    Refused {
        status: u16,
        code: String,
    },
    /// The connection broke, or there was none.
    Broken,
}

impl Outcome {
    pub fn code(&self) -> &str {
        match self {
            Self::Failed { code } | Self::Refused { code, .. } => code,
            Self::Done(_) => "done",
            Self::Broken => "broken",
        }
    }
}

/// What a stream has said so far.
#[derive(Default)]
pub struct Told {
    pub text: String,
    pub end: Option<Value>,
}

impl Told {
    /// How it ended, where it has.
    pub fn outcome(&mut self) -> Option<Outcome> {
        let end = self.end.take()?;
        Some(match end["type"].as_str() {
            Some("done") => Outcome::Done(end),
            _ => Outcome::Failed {
                code: end["code"].as_str().unwrap_or_default().to_owned(),
            },
        })
    }
}

/// What they came to, in a line that can be read.
pub fn codes(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(Outcome::code).collect::<Vec<_>>().join(" ")
}

/// How many are done, and how many were told to come again.
pub fn done_and_refused(outcomes: &[Outcome]) -> (usize, usize) {
    let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
    (
        count(|outcome| matches!(outcome, Outcome::Done(_))),
        count(|outcome| matches!(outcome, Outcome::Refused { status: 503, .. })),
    )
}
