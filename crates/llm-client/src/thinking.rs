//! Hides the `<think>…</think>` with which some models begin their answer, where the server does not part it from the text:
//! <https://github.com/deepseek-ai/DeepSeek-R1/issues/342>. Pure.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Where in the answer we are.
#[derive(Debug, Default)]
pub enum Thinking {
    /// Nothing but what may still become the opening tag has come; it is held back here.
    #[default]
    Unknown,
    Maybe(String),
    /// Inside; the end of the hidden text, which may hold a part of the closing tag.
    Inside(String),
    /// Behind the closing tag, before the first visible character.
    Behind,
    /// The answer itself.
    Visible,
}

impl Thinking {
    /// Appends to `out` what of `text` may be seen; true when something was hidden.
    pub fn filter(&mut self, text: &str, out: &mut String) -> bool {
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
                if let Some(inside) = start.strip_prefix(OPEN) {
                    let inside = inside.to_owned();
                    *self = Self::Inside(String::new());
                    self.filter(&inside, out);
                    return true;
                }
                if !OPEN.starts_with(start) {
                    out.push_str(held);
                    *self = Self::Visible;
                }
                false
            }
            Self::Inside(tail) => {
                tail.push_str(text);
                if let Some(end) = tail.find(CLOSE) {
                    let behind = tail[end + CLOSE.len()..].to_owned();
                    *self = Self::Behind;
                    self.filter(&behind, out);
                } else {
                    let keep = tail.char_indices().rev().nth(CLOSE.len() - 2).map_or(0, |(at, _)| at);
                    tail.drain(..keep);
                }
                true
            }
        }
    }

    /// The answer has ended: what was held back and turned out to be no tag.
    pub fn finish(&mut self, out: &mut String) {
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
            ("<thinking>", "<thinking>"),
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
