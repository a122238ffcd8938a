//! Names of files that are saved (RFC 6266): in every script for those that read `filename*`, in ASCII for the others.

use axum::http::HeaderValue;
use plan_model::clean;
use std::fmt::Write;

/// Characters of a name, without its end.
const LONGEST: usize = 80;

/// How the browser is to show an answer that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Saved.
    Saved,
    /// In the window, where the browser can.
    Inline,
}

/// `Content-Disposition` of a file that is called `<name> <rest>`; `rest` is ours, with the file's type.
pub(crate) fn named(shown: Shown, name: &str, rest: &str) -> HeaderValue {
    let kind = match shown {
        Shown::Saved => "attachment",
        Shown::Inline => "inline",
    };
    let label = label(name);
    let ascii = ascii(&label);
    let (plain, every) = (file(&ascii, rest), file(&label, rest));
    let value = format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{}", encoded(&every));
    HeaderValue::try_from(value).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

fn file(name: &str, rest: &str) -> String {
    match name {
        "" => rest.to_owned(),
        name => format!("{name} {rest}"),
    }
}

/// One line without what some system refuses in the name of a file.
fn label(name: &str) -> String {
    let allowed = |c: char| if r#"/\:*?"<>|"#.contains(c) { ' ' } else { c };
    let short: String = clean::label(name).chars().map(allowed).take(LONGEST).collect();
    clean::label(&short).trim_matches(['.', ' ']).to_owned()
}

/// What is left of it in ASCII.
fn ascii(label: &str) -> String {
    let kept = label.chars().map(|c| {
        if c.is_ascii_alphanumeric() || "-_.,&()".contains(c) {
            c
        } else {
            ' '
        }
    });
    let kept: String = kept.collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// RFC 8187: what is no `attr-char` in percent-encoded UTF-8.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> String {
        let value = super::named(Shown::Saved, name, "package.pdf");
        value.to_str().expect("ASCII").to_owned()
    }

    #[test]
    fn every_script_is_kept_for_those_who_read_it() {
        assert_eq!(
            named("Sam's salon"),
            "attachment; filename=\"Sam s salon package.pdf\"; filename*=UTF-8''Sam%27s%20salon%20package.pdf"
        );
        assert_eq!(
            named("Peluquería ñ 犬"),
            "attachment; filename=\"Peluquer a package.pdf\"; filename*=UTF-8''Peluquer%C3%ADa%20%C3%B1%20%E7%8A%AC%20package.pdf"
        );
        assert_eq!(
            named("犬の店"),
            "attachment; filename=\"package.pdf\"; filename*=UTF-8''%E7%8A%AC%E3%81%AE%E5%BA%97%20package.pdf"
        );
    }

    #[test]
    fn no_name_ends_the_header_or_leaves_its_folder() {
        let name = named("../a\"b\r\nSet-Cookie: x=1;\u{202E}\\");
        assert!(name.starts_with("attachment; filename=\"a b Set-Cookie x 1"), "{name}");
        assert!(!name.contains(['\r', '\n', '\\', '/']), "{name}");
        assert_eq!(
            named(""),
            "attachment; filename=\"package.pdf\"; filename*=UTF-8''package.pdf"
        );
        assert!(named(&"🐩".repeat(200)).len() < 1_200);
    }
}
