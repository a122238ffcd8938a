//! The outcomes of requests.

use serde_json::Value;

/// The outcome of one request.
#[derive(Clone, Debug)]
pub enum Outcome {
    Done(Value),
    /// The stream ended with an `error` event.
    Failed {
        code: String,
    },
    /// A status other than 200.
    Refused {
        status: u16,
        code: String,
    },
    /// The connection failed or broke.
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

/// The content of a stream so far.
#[derive(Default)]
pub struct Received {
    pub text: String,
    pub end: Option<Value>,
}

impl Received {
    /// The terminal event, once received.
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

/// A summary of outcomes for messages.
pub fn codes(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(Outcome::code).collect::<Vec<_>>().join(" ")
}

/// How many are done, and how many were refused with 503.
pub fn done_and_refused(outcomes: &[Outcome]) -> (usize, usize) {
    let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
    (
        count(|outcome| matches!(outcome, Outcome::Done(_))),
        count(|outcome| matches!(outcome, Outcome::Refused { status: 503, .. })),
    )
}
