//! SQLSTATEs that may be gone when a statement is repeated.

/// What a retry has to know about a failed statement.
/// The codes: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transient {
    /// The server is stopping, stopped or starting, or accepts no writes: class 08, 57P, 25006. Or a pooler cannot log in to
    /// it: class 28, 3D000, 55000 (PgBouncer passes the refusal on as the answer to a statement; ours cause none of these).
    Disconnected,
    /// A lock or the time for the statement was not to be had: 40P01, 55P03, 57014.
    Contended,
    /// No disk space, memory or connections are left: class 53.
    OutOfResources,
}

impl Transient {
    /// Of the body of an `ErrorResponse`, possibly cut: fields that end in a zero byte, each with its name in the first
    /// (<https://www.postgresql.org/docs/current/protocol-error-fields.html>).
    pub(crate) fn of_response(body: &[u8]) -> Option<Self> {
        Self::of_code(code(body)?)
    }

    fn of_code(code: &[u8]) -> Option<Self> {
        match code {
            b"25006" | b"3D000" | b"55000" => Some(Self::Disconnected),
            b"40P01" | b"55P03" | b"57014" => Some(Self::Contended),
            [b'0' | b'2', b'8', ..] | [b'5', b'7', b'P', ..] => Some(Self::Disconnected),
            [b'5', b'3', ..] => Some(Self::OutOfResources),
            _ => None,
        }
    }
}

/// Whether the statement was refused because one before it in the same transaction had failed: 25P02.
pub(crate) fn follows_another(body: &[u8]) -> bool {
    code(body) == Some(b"25P02")
}

fn code(body: &[u8]) -> Option<&[u8]> {
    body.split(|byte| *byte == 0).find_map(|field| field.strip_prefix(b"C"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_recognized_by_its_code_in_any_language() {
        for (code, text, expected) in [
            ("57P01", "Verbindung wird abgebrochen", Some(Transient::Disconnected)),
            (
                "57P03",
                "データベースシステムは起動しています",
                Some(Transient::Disconnected),
            ),
            ("08006", "conexión perdida", Some(Transient::Disconnected)),
            ("25006", "lecture seule", Some(Transient::Disconnected)),
            ("55000", "accepte aucune connexion", Some(Transient::Disconnected)),
            ("28P01", "autenticazione fallita", Some(Transient::Disconnected)),
            ("55P03", "ロックを取得できませんでした", Some(Transient::Contended)),
            ("40P01", "Verklemmung entdeckt", Some(Transient::Contended)),
            ("57014", "Anweisung abgebrochen", Some(Transient::Contended)),
            ("53100", "kein Platz mehr", Some(Transient::OutOfResources)),
            ("53300", "zu viele Verbindungen", Some(Transient::OutOfResources)),
            ("42601", "lock timeout, deadlock detected", None),
        ] {
            let body = format!("SFEHLER\0VERROR\0C{code}\0M{text}\0Fx.c\0");
            assert_eq!(Transient::of_response(body.as_bytes()), expected, "{text}");
        }
        assert_eq!(Transient::of_response(b"SFEHLER\0VERR"), None);
    }
}
