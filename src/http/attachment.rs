//! The name under which a browser saves an answer (RFC 6266).

use axum::http::HeaderValue;
use plan_model::clean;
use std::fmt::Write;

/// Bytes of a name, which is what file systems count; the longest end of ours has 20.
const MAX_BYTES: usize = 200;

/// How the browser is to show an answer that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Saved.
    Saved,
    /// In the window, where the browser can.
    Inline,
}

/// `Content-Disposition` with a name of what every system can write, and beside it the plan's own name in whatever script, for browsers
/// that know better.
pub(crate) fn named(shown: Shown, plan: &str, rest: &str) -> HeaderValue {
    let kind = match shown {
        Shown::Saved => "attachment",
        Shown::Inline => "inline",
    };
    let plain = plain(plan);
    let plain = if plain.is_empty() { "plan" } else { &plain };
    let own = own(plan);
    let mut header = format!("{kind}; filename=\"{plain}-{rest}\"");
    // A document is kept, and then under the plan's own name.
    if !own.is_ascii() || rest.ends_with("pdf") {
        header += "; filename*=UTF-8''";
        for byte in format!("{own} {rest}").bytes() {
            match byte {
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'.' | b'_' | b'~' => header.push(char::from(byte)),
                // Writing to a string cannot fail.
                _ => drop(write!(header, "%{byte:02X}")),
            }
        }
    }
    HeaderValue::try_from(header).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

/// Lower-case letters and digits with hyphens between them.
fn plain(plan: &str) -> String {
    let safe: String = plan
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
            _ => '-',
        })
        .collect();
    let parts: Vec<_> = safe.split('-').filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

/// The name without what a file system refuses, cut at a character.
fn own(plan: &str) -> String {
    let label = clean::label(plan);
    let safe = label.chars().map(|c| match c {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '-',
        // Ours, between plan and scenario.
        '\u{2013}' => '-',
        c => c,
    });
    let mut name = String::new();
    for c in safe {
        if name.len() + c.len_utf8() > MAX_BYTES {
            break;
        }
        name.push(c);
    }
    name.trim_matches([' ', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(plan: &str) -> String {
        named(Shown::Saved, plan, "plan.xlsx")
            .to_str()
            .expect("ASCII")
            .to_owned()
    }

    #[test]
    fn a_plain_name_is_said_once() {
        assert_eq!(
            header("Sam's Salon #2"),
            "attachment; filename=\"sam-s-salon-2-plan.xlsx\""
        );
        assert_eq!(header("\"; x=\""), "attachment; filename=\"x-plan.xlsx\"");
    }

    #[test]
    fn every_script_is_kept_beside_it() {
        assert_eq!(
            header("Peña/Ñandú"),
            "attachment; filename=\"pe-a-and-plan.xlsx\"; filename*=UTF-8''Pe%C3%B1a-%C3%91and%C3%BA%20plan.xlsx"
        );
        assert_eq!(
            header("计划"),
            "attachment; filename=\"plan-plan.xlsx\"; filename*=UTF-8''%E8%AE%A1%E5%88%92%20plan.xlsx"
        );
        let hostile = header("../a\"b\r\nSet-Cookie: x=1;\u{202E}\\");
        assert!(!hostile.contains(['\r', '\n', '\\', '/']), "{hostile}");
        let long = header(&"é".repeat(300));
        assert_eq!(long.matches("%C3%A9").count(), MAX_BYTES / 2);
    }
}
