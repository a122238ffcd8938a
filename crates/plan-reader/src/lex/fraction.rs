//! Fractions as rates are quoted: `9½ %`, `9 1/4%`, `6-1/2`, `1/2 point`.

use rust_decimal::Decimal;

/// Denominators of quoted rates.
const PARTS: [u32; 5] = [2, 3, 4, 8, 16];

/// Digits of a whole number that a ratio follows behind a space: "suite 1204 1/2" is none.
const MOST_DIGITS: usize = 2;

/// What makes two numbers with a slash a share; by themselves they are a date.
const OF: [&str; 6] = ["%", "percent", "pct", "point", "pt", "por ciento"];

/// The value of the fraction at `at` with its whole number, and where it ends.
pub(super) fn read(text: &str, at: usize) -> Option<(Decimal, usize)> {
    let rest = &text[at..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return sign(rest).map(|(part, length)| (part, at + length));
    }
    if let Some((part, length)) = ratio(rest).filter(|(_, length)| is_share(&rest[*length..])) {
        return Some((part, at + length));
    }
    let behind = &rest[digits..];
    let is_short = digits <= MOST_DIGITS;
    let (between, part) = match sign(behind) {
        Some(part) => (0, part),
        None if is_short && behind.starts_with([' ', '-']) => (1, sign(&behind[1..]).or_else(|| ratio(&behind[1..]))?),
        None => return None,
    };
    let whole: Decimal = rest[..digits].parse().ok()?;
    Some((whole.checked_add(part.0)?, at + digits + between + part.1))
}

/// One sign, and its bytes.
fn sign(text: &str) -> Option<(Decimal, usize)> {
    let sign = text.chars().next()?;
    let (count, parts) = match sign {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        _ => return None,
    };
    Some((of(count, parts), sign.len_utf8()))
}

/// `3/4`, and its bytes. `1/4/2027` is a date, `3/4k` nothing that is written.
fn ratio(text: &str) -> Option<(Decimal, usize)> {
    let (count, rest) = text.split_once('/')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let behind = rest[digits..].chars().next();
    if behind.is_some_and(|c| c.is_alphanumeric() || c == '/') {
        return None;
    }
    let is_plain = (1..=2).contains(&count.len()) && count.bytes().all(|byte| byte.is_ascii_digit());
    let (count, parts) = (count.parse().ok().filter(|_| is_plain)?, rest[..digits].parse().ok()?);
    let is_part = PARTS.contains(&parts) && (1..parts).contains(&count);
    is_part.then(|| (of(count, parts), text.len() - rest.len() + digits))
}

fn of(count: u32, parts: u32) -> Decimal {
    (Decimal::from(count) / Decimal::from(parts)).round_dp(6)
}

fn is_share(behind: &str) -> bool {
    let behind = behind
        .trim_start_matches(' ')
        .trim_start_matches("of a ")
        .trim_start_matches("a ");
    OF.iter().any(|of| {
        behind
            .get(..of.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(of))
    })
}
