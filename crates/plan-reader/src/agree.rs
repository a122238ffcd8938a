//! Plain yes, plain no.

/// Whether a text is nothing but a yes: lower-cased, punctuation and "please" stripped.
pub fn is_yes(text: &str) -> bool {
    is_one_of(
        text,
        &[
            "yes",
            "y",
            "confirm",
            "do it",
            "go ahead",
            "ok",
            "sure",
            "yeah",
            "yep",
            "yup",
            "okay",
            "confirmed",
            "yes do it",
            "yes go ahead",
            "sure do it",
            "ok do it",
            "ok go ahead",
            "okay go ahead",
            "yes confirm",
            "yes sure",
            "yes ok",
            "sure go ahead",
            "yeah do it",
            "yeah go ahead",
            "yes yes",
        ],
    )
}

/// Whether a text is nothing but a no.
pub fn is_no(text: &str) -> bool {
    is_one_of(
        text,
        &[
            "no",
            "n",
            "cancel",
            "stop",
            "nevermind",
            "nah",
            "never mind",
            "nope",
            "no cancel",
            "no stop",
            "no thanks",
            "no thank you",
            "cancel it",
            "cancel that",
            "don't",
            "do not",
            "no don't",
            "no no",
        ],
    )
}

fn is_one_of(text: &str, answers: &[&str]) -> bool {
    text.len() <= 80 && answers.contains(&plain(text).as_str())
}

/// Lower case, one blank between words, no marks, no "please".
pub(crate) fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace('’', "'");
    let words = text
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty() && *word != "please");
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_answers_are_known() {
        for text in [
            "yes",
            "Yes, please!",
            "y",
            "Confirm.",
            "do it",
            "go ahead please",
            "OK",
            "Sure!!",
        ] {
            assert!(is_yes(text) && !is_no(text), "{text}");
        }
        for text in ["no", "N", "cancel", "stop", "never mind", "nevermind", "Nah."] {
            assert!(is_no(text) && !is_yes(text), "{text}");
        }
        for text in [
            "yes, but make it 4,500",
            "not yes",
            "maybe yes",
            "",
            "yesterday",
            "sure, what is rent?",
        ] {
            assert!(!is_yes(text), "{text}");
        }
    }
}
