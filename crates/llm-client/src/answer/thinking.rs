//! Hides the thoughts with which some models begin their answer, where the server does not part them from the text. Pure.

/// How thoughts begin and end, by family of models. Anything else is text.
const TAGS: [(&str, &str); 15] = [
    // DeepSeek R1, Qwen: https://github.com/deepseek-ai/DeepSeek-R1/issues/342
    ("<think>", "</think>"),
    // https://github.com/QwenLM/qwen-code/issues/3228
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    // https://github.com/vercel/ai/issues/14720
    ("<reasoning>", "</reasoning>"),
    // Gemma 4: https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2013
    ("<|channel>thought", "<channel|>"),
    // gpt-oss: https://github.com/Augustas11/macprovider/issues/743
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    (
        "<|start|>assistant<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
    ),
    ("<|channel|>commentary<|message|>", "<|channel|>final<|message|>"),
    // No thoughts, only the mark of the answer.
    ("<|channel|>final<|message|>", ""),
    ("<|start|>assistant<|channel|>final<|message|>", ""),
    ("<|start|>assistant<|message|>", ""),
    ("<|channel|>final <|constrain|>json<|message|>", ""),
    // Magistral: its model card
    ("[THINK]", "[/THINK]"),
    // ByteDance Seed-OSS: its model card
    ("<seed:think>", "</seed:think>"),
    // Kimi-VL: its model card
    ("◁think▷", "◁/think▷"),
];

/// What ends a text in harmony's channels: <https://cookbook.openai.com/articles/openai-harmony>.
const HARMONY_ENDS: [&str; 3] = ["<|return|>", "<|end|>", "<|call|>"];

/// Where in the answer we are.
#[derive(Debug)]
pub(crate) enum Thinking {
    /// Nothing but what may still become an opening tag has come, be it the first or another behind a closed one; it is held
    /// back here.
    Maybe {
        held: String,
        is_harmony: bool,
        /// Thoughts have ended before it.
        is_behind: bool,
    },
    /// Inside; the closing tag, and the end of the hidden text, which may hold a part of it.
    Inside(&'static str, String),
    /// The answer itself.
    Visible,
    /// The answer itself, in harmony's form; what may still become its end is held back.
    Harmony(String),
}

impl Default for Thinking {
    fn default() -> Self {
        Self::Maybe {
            held: String::new(),
            is_harmony: false,
            is_behind: false,
        }
    }
}

impl Thinking {
    /// Appends to `out` what of `text` may be seen; true when something was hidden.
    pub(crate) fn filter(&mut self, text: &str, out: &mut String) -> bool {
        match self {
            Self::Visible => {
                out.push_str(text);
                false
            }
            Self::Harmony(held) => {
                held.push_str(text);
                show_harmony(held, out)
            }
            Self::Maybe {
                held,
                is_harmony,
                is_behind,
            } => {
                held.push_str(text);
                let start = held.trim_start();
                // Some models write `<Thinking>`.
                let lower = start.to_ascii_lowercase();
                let begins = |open: &str| start.starts_with(open) || (open.starts_with('<') && lower.starts_with(open));
                let found = TAGS.iter().find(|(open, _)| begins(open));
                let opened = found.map(|(open, close)| (*open, &start[open.len()..], *close));
                if let Some((open, inside, close)) = opened {
                    let inside = inside.to_owned();
                    let is_harmony = open.starts_with("<|") && close != "<channel|>";
                    *self = match close {
                        // No thoughts, only the mark of the answer.
                        "" => Self::behind(is_harmony),
                        close => Self::Inside(close, String::new()),
                    };
                    self.filter(&inside, out);
                    return true;
                }
                if TAGS
                    .iter()
                    .any(|(open, _)| open.starts_with(start) || open.starts_with(&lower))
                {
                    return false;
                }
                // The blanks behind thoughts belong to them.
                let visible = if *is_behind { start } else { held.as_str() }.to_owned();
                *self = match is_harmony {
                    true => Self::Harmony(String::new()),
                    false => Self::Visible,
                };
                self.filter(&visible, out)
            }
            Self::Inside(close, tail) => {
                tail.push_str(text);
                let end = tail.find(*close).or_else(|| tail.to_ascii_lowercase().find(*close));
                if let Some(end) = end {
                    let behind = tail[end + close.len()..].to_owned();
                    *self = Self::behind(close.starts_with("<|"));
                    self.filter(&behind, out);
                } else {
                    let keep = tail
                        .char_indices()
                        .rev()
                        .nth(close.len().saturating_sub(2))
                        .map_or(0, |(at, _)| at);
                    tail.drain(..keep);
                }
                true
            }
        }
    }

    /// Behind thoughts, or behind the mark of the answer.
    fn behind(is_harmony: bool) -> Self {
        Self::Maybe {
            held: String::new(),
            is_harmony,
            is_behind: true,
        }
    }

    /// The answer has ended: what was held back and turned out to be no tag.
    pub(crate) fn finish(&mut self, out: &mut String) {
        match self {
            Self::Maybe {
                held, is_behind: true, ..
            } => out.push_str(held.trim_start()),
            Self::Maybe { held, .. } | Self::Harmony(held) => out.push_str(held),
            Self::Inside(..) | Self::Visible => {}
        }
        *self = Self::Visible;
    }
}

/// Shows what cannot be the beginning of an end any more; true when an end was hidden.
fn show_harmony(held: &mut String, out: &mut String) -> bool {
    let before = held.len();
    for end in HARMONY_ENDS {
        *held = held.replace(end, "");
    }
    let is_hidden = held.len() < before;
    let may_end = |at: &usize| HARMONY_ENDS.iter().any(|end| end.starts_with(&held[*at..]));
    let keep = held.match_indices('<').map(|(at, _)| at).find(may_end);
    out.push_str(&held[..keep.unwrap_or(held.len())]);
    held.drain(..keep.unwrap_or(held.len()));
    is_hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&str]) -> String {
        let (mut thinking, mut out) = (Thinking::default(), String::new());
        for piece in pieces {
            thinking.filter(piece, &mut out);
        }
        thinking.finish(&mut out);
        out
    }

    #[test]
    fn thoughts_are_hidden_in_whatever_pieces_they_come() {
        let cases = [
            ("<think>hm</think>\n\nHi <b>", "Hi <b>"),
            ("\n<think>a < b </thin</think>Hi", "Hi"),
            ("<think></think>Hi", "Hi"),
            ("<think>é never closed", ""),
            ("Hi <think>x</think>", "Hi <think>x</think>"),
            ("<thi", "<thi"),
            ("  Hi", "  Hi"),
            ("<thinking>hm</thinking>Hi", "Hi"),
            ("<thought>hm</thought>Hi", "Hi"),
            ("<reasoning>a</think>b</reasoning> Hi", "Hi"),
            ("<|channel>thought\nhm<channel|>Hi", "Hi"),
            (
                "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hi",
                "Hi",
            ),
            (
                "<|channel|>commentary<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hi",
                "Hi",
            ),
            ("<|channel|>final<|message|>Hi", "Hi"),
            ("<|start|>assistant<|channel|>final<|message|>Hi", "Hi"),
            ("<|channel|>other", "<|channel|>other"),
            ("[THINK]hm[/THINK]Hi", "Hi"),
            ("<seed:think>hm</seed:think>Hi", "Hi"),
            ("◁think▷hm◁/think▷Hi", "Hi"),
            ("<think>a</think>\n<think>b</think>\nHi <think>", "Hi <think>"),
            ("<think>a</think>\n<thi", "<thi"),
            ("<|channel|>final<|message|>Hi <|end|>", "Hi "),
            ("<|channel|>final<|message|>Hi <|en", "Hi <|en"),
            (
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary<|message|>b<|end|><|start|>assistant<|channel|>final<|message|>1 < 2<|return|>",
                "1 < 2",
            ),
            ("Hi <|end|>", "Hi <|end|>"),
            ("[THIS] is text", "[THIS] is text"),
            ("<thinkable>", "<thinkable>"),
            ("<Thinking>hm</Thinking>Hi", "Hi"),
            ("<|channel|>final <|constrain|>json<|message|>Hi", "Hi"),
            ("", ""),
        ];
        for (text, want) in cases {
            assert_eq!(shown(&[text]), want, "{text}");
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let pieces: Vec<&str> = chars.iter().map(String::as_str).collect();
            assert_eq!(shown(&pieces), want, "{text} char by char");
        }
    }
}
