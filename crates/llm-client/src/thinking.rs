//! Hides the thoughts with which some models begin their answer, where the server does not part them from the text. Pure.

/// How thoughts begin and end, by family of models. Anything else is text.
const TAGS: [(&str, &str); 11] = [
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
    // Magistral: its model card
    ("[THINK]", "[/THINK]"),
];

/// Where in the answer we are.
#[derive(Debug, Default)]
pub(crate) enum Thinking {
    /// Nothing but what may still become the opening tag has come; it is held back here.
    #[default]
    Unknown,
    Maybe(String),
    /// Inside; the closing tag, and the end of the hidden text, which may hold a part of it.
    Inside(&'static str, String),
    /// Behind the closing tag, before the first visible character.
    Behind,
    /// The answer itself.
    Visible,
}

impl Thinking {
    /// Appends to `out` what of `text` may be seen; true when something was hidden.
    pub(crate) fn filter(&mut self, text: &str, out: &mut String) -> bool {
        match self {
            Self::Visible => {
                out.push_str(text);
                false
            }
            Self::Behind => {
                let visible = text.trim_start();
                if !visible.is_empty() {
                    *self = Self::Visible;
                    out.push_str(visible);
                }
                false
            }
            Self::Unknown => {
                *self = Self::Maybe(String::new());
                self.filter(text, out)
            }
            Self::Maybe(held) => {
                held.push_str(text);
                let start = held.trim_start();
                let opened = TAGS
                    .iter()
                    .find_map(|(open, close)| Some((start.strip_prefix(open)?, *close)));
                if let Some((inside, close)) = opened {
                    let inside = inside.to_owned();
                    *self = Self::Inside(close, String::new());
                    self.filter(&inside, out);
                    return true;
                }
                if !TAGS.iter().any(|(open, _)| open.starts_with(start)) {
                    out.push_str(held);
                    *self = Self::Visible;
                }
                false
            }
            Self::Inside(close, tail) => {
                tail.push_str(text);
                if let Some(end) = tail.find(*close) {
                    let behind = tail[end + close.len()..].to_owned();
                    *self = Self::Behind;
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

    /// The answer has ended: what was held back and turned out to be no tag.
    pub(crate) fn finish(&mut self, out: &mut String) {
        if let Self::Maybe(held) = self {
            out.push_str(held);
        }
        *self = Self::Visible;
    }
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
            ("[THIS] is text", "[THIS] is text"),
            ("<thinkable>", "<thinkable>"),
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
