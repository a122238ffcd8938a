//! Streams as real servers send them, and worse. Each is one test: played whole, line by line, byte by byte, with CRLF
//! and CR, and cut at every byte. The table in `docs/PROVIDERS.md` is made of these.

mod endings;
mod failures;
mod framing;
mod recorded;
mod texts;
mod tools;
mod usages;

use super::{ApiKind, Completion, FinishReason, LlmError, reader::AnswerReader};
use plan_model::usage::Usage;
use proptest::prelude::*;

/// One test for each quirk, and a row for each in the documentation.
macro_rules! quirks {
    ($($name:ident: $who:literal, $does:literal, $case:expr;)*) => {
        $(#[test] fn $name() { $case.check(); })*
        pub(super) const ROWS: &[(&str, &str, &str)] = &[$((stringify!($name), $who, $does)),*];
    };
}
use quirks;

/// A stream and what must come of it.
struct Case {
    stream: Vec<u8>,
    text: &'static str,
    calls: Vec<(&'static str, &'static str)>,
    finish: FinishReason,
    usage: Option<(i64, i64, i64)>,
    ignored: u32,
    fails: Option<&'static str>,
}

fn case(stream: impl Into<Vec<u8>>) -> Case {
    Case {
        stream: stream.into(),
        text: "",
        calls: Vec::new(),
        finish: FinishReason::Stop,
        usage: None,
        ignored: 0,
        fails: None,
    }
}

/// A stream of well-formed events with these data.
fn events(data: &[&str]) -> Case {
    case(data.iter().map(|data| format!("data: {data}\n\n")).collect::<String>())
}

impl Case {
    fn says(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }

    fn calls(mut self, name: &'static str, arguments: &'static str) -> Self {
        self.calls.push((name, arguments));
        self.finish = FinishReason::ToolCalls;
        self
    }

    fn ends(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    fn counts(mut self, prompt: i64, completion: i64, total: i64) -> Self {
        self.usage = Some((prompt, completion, total));
        self
    }

    fn ignores(mut self, frames: u32) -> Self {
        self.ignored = frames;
        self
    }

    fn fails(mut self, class: &'static str) -> Self {
        self.fails = Some(class);
        self
    }

    fn check(&self) {
        let whole = [self.stream.as_slice()];
        self.check_pieces("whole", &whole);
        self.check_pieces(
            "line by line",
            &self.stream.split_inclusive(|b| *b == b'\n').collect::<Vec<_>>(),
        );
        self.check_pieces("byte by byte", &self.stream.chunks(1).collect::<Vec<_>>());
        if !self.stream.contains(&b'\r') {
            for end in ["\r\n", "\r"] {
                let other: Vec<u8> = self
                    .stream
                    .iter()
                    .flat_map(|b| {
                        if *b == b'\n' {
                            end.as_bytes()
                        } else {
                            std::slice::from_ref(b)
                        }
                    })
                    .copied()
                    .collect();
                self.check_pieces(end, &[&other]);
                self.check_pieces(end, &other.chunks(1).collect::<Vec<_>>());
            }
        }
        self.check_cuts();
    }

    fn check_pieces(&self, how: &str, pieces: &[&[u8]]) {
        let (text, result) = play(pieces);
        match (result, self.fails) {
            (Ok(completion), None) => self.check_completion(how, &text, &completion),
            (Err(error), Some(class)) => {
                assert_eq!(error.class(), class, "{how}");
                assert!(text.starts_with(self.text), "{how}: {text:?} shown before it failed");
            }
            (Ok(completion), Some(class)) => panic!("{how}: {text:?} {completion:?} instead of {class}"),
            (Err(error), None) => panic!("{how}: {error:?} behind {text:?}"),
        }
    }

    fn check_completion(&self, how: &str, text: &str, completion: &Completion) {
        assert_eq!(text, self.text, "{how}");
        let calls: Vec<(&str, &str)> = completion
            .tool_calls
            .iter()
            .map(|call| (call.name.as_str(), call.arguments.as_str()))
            .collect();
        assert_eq!(calls, self.calls, "{how}");
        let mut ids: Vec<&str> = completion.tool_calls.iter().map(|call| call.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert!(
            ids.len() == calls.len() && ids.iter().all(|id| !id.is_empty()),
            "{how}: ids {ids:?}"
        );
        assert_eq!(completion.finish, self.finish, "{how}");
        let usage = self
            .usage
            .map(|(prompt_tokens, completion_tokens, total_tokens)| Usage {
                prompt_tokens,
                completion_tokens,
                total_tokens,
                ..Usage::default()
            });
        let counted = completion.usage.map(|usage| Usage {
            cached_prompt_tokens: None,
            cache_write_tokens: None,
            reasoning_tokens: None,
            ..usage
        });
        assert_eq!(counted, usage, "{how}");
        assert_eq!(completion.ignored_frames, self.ignored, "{how}: ignored frames");
    }

    /// Before the end mark every cut is an error; behind it the answer may be taken, and then it is the right one.
    fn check_cuts(&self) {
        let end_mark = self.end_mark();
        for cut in 0..self.stream.len() {
            let (text, result) = play(&[&self.stream[..cut]]);
            assert!(
                self.fails.is_some() || self.text.starts_with(&text),
                "cut at {cut} shows {text:?}"
            );
            let Ok(completion) = result else { continue };
            assert!(cut >= end_mark, "cut at {cut} of {end_mark} is taken for whole");
            if self.fails.is_none() {
                let goes_on = self.stream[end_mark..].windows(10).any(|w| w == b"\"content\":");
                assert!(text == self.text || goes_on, "cut at {cut} loses text");
                assert!(
                    completion.tool_calls.len() == self.calls.len(),
                    "cut at {cut} loses calls"
                );
            }
        }
    }

    /// The end of the first line that says the answer is whole; of a JSON document, its own end.
    fn end_mark(&self) -> usize {
        let is_document = matches!(self.stream.trim_ascii_start().first(), Some(b'{' | b'['));
        if is_document {
            return self.stream.trim_ascii_end().len();
        }
        let mut offset = 0;
        for line in self.stream.split_inclusive(|b| matches!(b, b'\n' | b'\r')) {
            let text = String::from_utf8_lossy(line).replace(": ", ":");
            let ends = text.contains("[DONE]")
                || text
                    .split("\"finish_reason\":\"")
                    .skip(1)
                    .any(|rest| !rest.starts_with('"'));
            if ends {
                return offset + line.trim_ascii_end().len();
            }
            offset += line.len();
        }
        self.stream.len()
    }
}

/// Reads an answer in these pieces; the text shown, and how it ended.
fn play(pieces: &[&[u8]]) -> (String, Result<Completion, LlmError>) {
    play_as(ApiKind::Chat, pieces)
}

fn play_as(api: ApiKind, pieces: &[&[u8]]) -> (String, Result<Completion, LlmError>) {
    let mut reader = AnswerReader::new(api);
    let mut shown = String::new();
    for piece in pieces {
        let fed = reader.feed(piece);
        shown.push_str(&reader.take_text());
        if let Err(error) = fed {
            return (shown, Err(error));
        }
    }
    let ended = reader.end();
    shown.push_str(&reader.take_text());
    let finished = ended.and_then(|()| reader.finish());
    (
        shown.clone(),
        finished.map(|(rest, completion)| (shown + &rest, completion)),
    )
        .flatten_text()
}

trait FlattenText {
    fn flatten_text(self) -> (String, Result<Completion, LlmError>);
}

impl FlattenText for (String, Result<(String, Completion), LlmError>) {
    fn flatten_text(self) -> (String, Result<Completion, LlmError>) {
        match self.1 {
            Ok((text, completion)) => (text, Ok(completion)),
            Err(error) => (self.0, Err(error)),
        }
    }
}

fn rows() -> Vec<&'static (&'static str, &'static str, &'static str)> {
    let all = [
        framing::ROWS,
        texts::ROWS,
        tools::ROWS,
        usages::ROWS,
        endings::ROWS,
        failures::ROWS,
    ];
    all.into_iter().flatten().collect()
}

#[test]
fn the_table_in_the_documentation_is_made_of_these_tests() {
    let table: String = rows()
        .iter()
        .map(|(name, who, does)| format!("| {} | {who} | {does} | `{name}` |\n", name.replace('_', " ")))
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/PROVIDERS.md");
    let docs = std::fs::read_to_string(path).expect("docs/PROVIDERS.md is there");
    assert!(docs.contains(&table), "put this table into docs/PROVIDERS.md:\n{table}");
}

#[test]
fn there_are_at_least_sixty() {
    assert!(rows().len() >= 60, "{}", rows().len());
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = play(&[b"data: ", &bytes, b"\n\n"]);
        let _ = play(&[&bytes]);
    }

    #[test]
    fn no_json_makes_it_panic_and_pieces_change_nothing(
        words in proptest::collection::vec(0usize..WORDS.len(), 0..40), cut in 0usize..300,
    ) {
        let text: String = words.iter().map(|word| WORDS[*word]).collect();
        let stream = format!("data: {text}\n\ndata: [DONE]\n\n");
        let cut = cut.min(stream.len());
        let (whole, one) = play(&[stream.as_bytes()]);
        let (parts, two) = play(&[&stream.as_bytes()[..cut], &stream.as_bytes()[cut..]]);
        prop_assert_eq!(whole, parts);
        prop_assert_eq!(one.ok(), two.ok());
    }
}

const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "-1",
    "1e99",
    "\"\"",
    "\"a\"",
    "\"choices\":",
    "\"delta\":",
    "\"content\":",
    "\"tool_calls\":",
    "\"function\":",
    "\"name\":",
    "\"arguments\":",
    "\"index\":",
    "\"finish_reason\":",
    "\"usage\":",
    "\\",
    "\"\\ud800\"",
    "\n",
    "\n\ndata: ",
    "NaN",
    "\u{e9}",
    "{\"choices\":[{\"delta\":{\"content\":\"x\"}}]}",
    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}",
];
