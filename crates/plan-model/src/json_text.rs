//! JSON strings, written by hand where it happens for every token or for whole prompts.

use std::fmt::Write;

/// How many bytes are looked at together. The compiler makes a few instructions of a block.
const BLOCK: usize = 32;

/// Appends a JSON string literal.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}

/// Appends the inside of a JSON string literal.
pub fn push_escaped(out: &mut String, text: &str) {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    let mut written = 0;
    for (nth, block) in blocks.iter().enumerate() {
        // No early end inside a block: that is what lets it be done at once.
        if block.iter().fold(false, |any, byte| any | is_special(*byte)) {
            push_block(out, text, nth * BLOCK, block, &mut written);
        }
    }
    push_block(out, text, blocks.len() * BLOCK, rest, &mut written);
    out.push_str(&text[written..]);
}

/// Escapes what is special in a block at `start`; up to where `text` has been written is kept in `written`.
fn push_block(out: &mut String, text: &str, start: usize, block: &[u8], written: &mut usize) {
    for (at, byte) in (start..).zip(block) {
        if !is_special(*byte) {
            continue;
        }
        out.push_str(&text[*written..at]);
        *written = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
    }
}

/// Whether a byte must be escaped in a JSON string.
fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_written_as_json(text in "(\\PC|[\\x00-\\x20\"\\\\\u{2028}]|[a-z]{20}){0,12}") {
            let mut json = String::new();
            push_string(&mut json, &text);
            prop_assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), text);
        }
    }
}
