//! SQLSTATEs of errors.
//!
//! diesel-async 0.9 passes on the text of most errors but not their SQLSTATE, and the text depends on the server's
//! `lc_messages`. Every error passes [`super::watch`] first, which keeps the code of each text that matters here.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Texts kept in the process: far more than there are errors under way at one time.
const KEPT: usize = 256;

/// Bytes of a text that are kept and compared.
const COMPARED: usize = 256;

static SEEN: Mutex<VecDeque<(Vec<u8>, Trouble)>> = Mutex::new(VecDeque::new());

/// What a retry has to know about a failed statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The server is stopping, stopped or starting, or accepts no writes: class 08, 57P, 25006. Or a pooler cannot log in to
    /// it: class 28, 3D000, 55000 (PgBouncer passes the refusal on as the answer to a statement; ours cause none of these).
    Gone,
    /// A lock or the time for the statement was not to be had: 40P01, 55P03, 57014.
    Busy,
    /// No disk space, memory or connections are left: class 53.
    Full,
}

impl Trouble {
    fn of(code: &[u8]) -> Option<Self> {
        match code {
            b"25006" | b"3D000" | b"55000" => Some(Self::Gone),
            b"40P01" | b"55P03" | b"57014" => Some(Self::Busy),
            _ if [&b"08"[..], b"28", b"57P"].iter().any(|class| code.starts_with(class)) => Some(Self::Gone),
            _ if code.starts_with(b"53") => Some(Self::Full),
            _ => None,
        }
    }
}

/// Reads the body of an `ErrorResponse`, possibly cut, and keeps its code for [`of_text`].
pub fn keep(error: &[u8]) -> Option<Trouble> {
    let field = |name: u8| {
        error
            .split(|byte| *byte == 0)
            .find_map(|field| field.strip_prefix(&[name]))
    };
    let trouble = Trouble::of(field(b'C')?);
    let text = compared(field(b'M').unwrap_or_default());
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.retain(|(known, _)| known != text);
    if let Some(trouble) = trouble {
        seen.truncate(KEPT - 1);
        seen.push_front((text.to_vec(), trouble));
    }
    trouble
}

/// What the error with this text means, where it is one of those that matter.
pub fn of_text(message: &str) -> Option<Trouble> {
    let text = compared(message.as_bytes());
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.iter()
        .find_map(|(known, trouble)| (known == text).then_some(*trouble))
}

fn compared(text: &[u8]) -> &[u8] {
    &text[..text.len().min(COMPARED)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_recognized_by_its_code_in_any_language() {
        let long = "x".repeat(2 * COMPARED);
        for (code, text, trouble) in [
            ("57P01", "Verbindung wird abgebrochen", Some(Trouble::Gone)),
            ("08006", "conexión perdida", Some(Trouble::Gone)),
            ("25006", "lecture seule", Some(Trouble::Gone)),
            ("55000", "accepte aucune connexion", Some(Trouble::Gone)),
            ("28P01", "autenticazione fallita", Some(Trouble::Gone)),
            ("55P03", "ロックを取得できませんでした", Some(Trouble::Busy)),
            ("40P01", "Verklemmung entdeckt", Some(Trouble::Busy)),
            ("57014", "Anweisung abgebrochen", Some(Trouble::Busy)),
            ("53100", "kein Platz mehr", Some(Trouble::Full)),
            ("53200", long.as_str(), Some(Trouble::Full)),
            ("42601", "lock timeout, deadlock detected", None),
        ] {
            let body = format!("SFEHLER\0VERROR\0C{code}\0M{text}\0Fx.c\0");
            let cut = &body.as_bytes()[..body.len().min(COMPARED + 32)];
            assert_eq!(keep(cut), trouble, "{text}");
            assert_eq!(of_text(text), trouble, "{text}");
        }
    }

    #[test]
    fn the_latest_code_of_a_text_counts_and_the_number_of_texts_is_bounded() {
        keep(b"C57014\0Mthe same text\0");
        keep(b"C53100\0Mthe same text\0");
        assert_eq!(of_text("the same text"), Some(Trouble::Full));
        keep(b"C42601\0Mthe same text\0");
        assert_eq!(of_text("the same text"), None);
        for at in 0..2 * KEPT {
            keep(format!("C53100\0Mtext {at}\0").as_bytes());
        }
        assert_eq!(of_text("text 0"), None);
        assert!(SEEN.lock().expect("not poisoned").len() <= KEPT);
    }
}
