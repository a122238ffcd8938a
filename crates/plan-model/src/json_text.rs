//! JSON strings as parts of JSON that is written piece by piece.

/// Appends a JSON string literal.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}

/// Appends the inside of a JSON string literal.
pub fn push_escaped(out: &mut String, text: &str) {
    let quoted = serde_json::Value::from(text).to_string();
    out.push_str(&quoted[1..quoted.len() - 1]);
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
