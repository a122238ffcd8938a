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
pub fn push_escaped(out: &mut String, mut text: &str) {
    loop {
        let (plain, rest) = text.split_at(plain_length(text.as_bytes()));
        out.push_str(plain);
        let Some(special) = rest.bytes().next() else { return };
        match special {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
        text = &rest[1..];
    }
}

/// Bytes in front of the first that cannot stand in a JSON string as it is.
fn plain_length(bytes: &[u8]) -> usize {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let is_special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    // No early end inside a block: that is what lets it be done at once.
    let holds_special = |block: &[u8; BLOCK]| block.iter().fold(false, |any, byte| any | is_special(byte));
    let clean = blocks.iter().take_while(|block| !holds_special(block)).count() * BLOCK;
    let tail = blocks.get(clean / BLOCK).map_or(rest, <[u8; BLOCK]>::as_slice);
    clean + tail.iter().position(is_special).unwrap_or(tail.len())
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
