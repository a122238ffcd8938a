//! Searches for secrets in every encoding.

use std::sync::Mutex;

/// Names and byte patterns. Hits are recorded by name and place only.
#[derive(Debug, Default)]
pub struct Secrets {
    needles: Mutex<Vec<(String, Vec<u8>)>>,
}

impl Secrets {
    /// Adds a secret with its encodings.
    pub fn add(&self, name: &str, secret: &str) {
        let mut needles = self.needles.lock().expect("never poisoned");
        let mut add = |spelling: &str, needle: Vec<u8>| needles.push((format!("{name} ({spelling})"), needle));
        add("as it is", secret.as_bytes().to_vec());
        let url: String = secret.bytes().map(|byte| format!("%{byte:02X}")).collect();
        add("every byte in percent", url.into_bytes());
        let escaped = url_encoded(secret);
        if escaped != secret {
            add("URL", escaped.into_bytes());
        }
        let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        add("hex", hex.into_bytes());
        for shift in 0..3 {
            add("base64", base64_core(secret, shift).into_bytes());
        }
    }

    /// The names of the secrets that occur in these bytes.
    pub fn found_in(&self, bytes: &[u8]) -> Vec<String> {
        let needles = self.needles.lock().expect("never poisoned");
        needles
            .iter()
            .filter(|(_, needle)| contains(bytes, needle))
            .map(|(name, _)| name.clone())
            .collect()
    }
}

/// Substring search by first byte, because logs are large.
pub fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    let Some(first) = needle.first() else { return false };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        if rest[at..].starts_with(needle) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

fn url_encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let encode = |byte: u8| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(encode).collect()
}

/// The base64 characters that depend on the secret alone, given the number of bytes before it.
fn base64_core(secret: &str, shift: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = std::iter::repeat_n(0, shift).chain(secret.bytes()).collect();
    let bits = bytes.len() * 8;
    let sextet = |at: usize| {
        (0..6).fold(0, |value: usize, bit| {
            let place = at * 6 + bit;
            value << 1 | usize::from(bytes[place / 8] >> (7 - place % 8) & 1)
        })
    };
    let first = (shift * 8).div_ceil(6);
    (first..bits / 6).map(|at| char::from(ALPHABET[sextet(at)])).collect()
}
