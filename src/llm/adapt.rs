//! What a provider has taught us about optional parameters it does not take. Remembered while the process lives.

use std::sync::{Mutex, PoisonError};

/// How the token limit is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TokenLimit {
    /// `max_tokens`, which nearly every server knows.
    #[default]
    Old,
    /// `max_completion_tokens`, which OpenAI's reasoning models want instead.
    New,
    Unsent,
}

/// The form of our requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dialect {
    pub token_limit: TokenLimit,
    pub without_temperature: bool,
    pub without_stream_options: bool,
}

impl Dialect {
    /// What to try after a refusal with this body: the first optional parameter that it names and that was sent.
    pub fn after_refusal(self, body: &str) -> Option<Self> {
        let param = named_param(body);
        let names = |name: &str| {
            param
                .as_deref()
                .map_or_else(|| mentions(body, name), |param| param.starts_with(name))
        };
        if self.token_limit == TokenLimit::Old && names("max_tokens") {
            return Some(Self {
                token_limit: TokenLimit::New,
                ..self
            });
        }
        if self.token_limit == TokenLimit::New && names("max_completion_tokens") {
            return Some(Self {
                token_limit: TokenLimit::Unsent,
                ..self
            });
        }
        if !self.without_stream_options && names("stream_options") {
            return Some(Self {
                without_stream_options: true,
                ..self
            });
        }
        (!self.without_temperature && names("temperature")).then_some(Self {
            without_temperature: true,
            ..self
        })
    }

    /// What two calls have learned, together.
    fn join(self, other: Self) -> Self {
        Self {
            token_limit: self.token_limit.max(other.token_limit),
            without_temperature: self.without_temperature || other.without_temperature,
            without_stream_options: self.without_stream_options || other.without_stream_options,
        }
    }

    fn describe(self) -> Vec<String> {
        let mut lines = Vec::new();
        match self.token_limit {
            TokenLimit::Old => {}
            TokenLimit::New => lines.push("max_tokens is sent as max_completion_tokens".to_owned()),
            TokenLimit::Unsent => lines.push("no token limit is sent".to_owned()),
        }
        if self.without_temperature {
            lines.push("temperature is not sent".to_owned());
        }
        if self.without_stream_options {
            lines.push(
                "stream_options is not sent: tokens are estimated unless the server counts them unasked".to_owned(),
            );
        }
        lines
    }
}

/// `error.param`, where the body has it.
fn named_param(body: &str) -> Option<String> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Body<'a> {
        #[serde(borrow)]
        error: super::wire::Object<Error<'a>>,
    }
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Error<'a> {
        #[serde(borrow)]
        param: super::wire::Word<'a>,
    }
    let body: Body = serde_json::from_str(body).ok()?;
    body.error.0?.param.get().map(str::to_owned)
}

/// Whether `name` stands in `text` as a word of its own.
fn mentions(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}

/// The dialect that works. A call that began before another one learned something takes nothing back.
#[derive(Debug, Default)]
pub(super) struct Adaptations(Mutex<Dialect>);

impl Adaptations {
    pub fn dialect(&self) -> Dialect {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn remember(&self, dialect: Dialect) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = known.join(dialect);
    }

    /// For people, one line each; empty when the server takes everything.
    pub fn describe(&self) -> Vec<String> {
        self.dialect().describe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_that_names_a_parameter_changes_that_parameter() {
        let plain = Dialect::default();
        let new = Dialect {
            token_limit: TokenLimit::New,
            ..plain
        };
        let cases = [
            (
                plain,
                r#"{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","param":"max_tokens"}}"#,
                Some(new),
            ),
            (plain, "Unsupported parameter: max_tokens", Some(new)),
            (
                new,
                "unknown field `max_completion_tokens`",
                Some(Dialect {
                    token_limit: TokenLimit::Unsent,
                    ..plain
                }),
            ),
            (
                plain,
                r#"{"error":{"param":"temperature","message":"max_tokens is fine"}}"#,
                Some(Dialect {
                    without_temperature: true,
                    ..plain
                }),
            ),
            (
                plain,
                r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}"#,
                Some(Dialect {
                    without_stream_options: true,
                    ..plain
                }),
            ),
            (
                plain,
                r#"{"error":{"param":"stream_options.include_usage"}}"#,
                Some(Dialect {
                    without_stream_options: true,
                    ..plain
                }),
            ),
            (plain, r#"{"error":{"param":"messages","message":"temperature"}}"#, None),
            (plain, "the temperatures are high", None),
            (
                Dialect {
                    without_temperature: true,
                    ..plain
                },
                "temperature",
                None,
            ),
            (plain, "", None),
        ];
        for (dialect, body, want) in cases {
            assert_eq!(dialect.after_refusal(body), want, "{body}");
        }
    }

    #[test]
    fn what_was_learned_can_be_read() {
        let adaptations = Adaptations::default();
        assert!(adaptations.describe().is_empty());
        adaptations.remember(Dialect {
            token_limit: TokenLimit::New,
            without_temperature: true,
            without_stream_options: true,
        });
        assert_eq!(adaptations.describe().len(), 3);
        adaptations.remember(Dialect::default());
        assert_eq!(
            adaptations.describe().len(),
            3,
            "a call that was still running takes nothing back"
        );
    }
}
