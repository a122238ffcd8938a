//! Numbers in digits.

use super::fraction;
use rust_decimal::Decimal;

/// A number in digits, as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    /// With its attached magnitude: 4.2k is 4200.
    pub value: Decimal,
    /// Written with separators, a point or a magnitude: `4,200`, `9.5`, `4k`.
    pub marked: bool,
    /// Digits behind the point.
    pub decimals: usize,
    pub suffix: Suffix,
}

/// What is written directly behind the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suffix {
    None,
    /// k, m, mil
    Magnitude,
    /// 3x
    Times,
    /// 3rd
    Ordinal,
}

/// A million times the largest value of a field. What is at least as large is no amount, so that nothing that is done with an
/// amount overflows: months, percent and thousands together are a factor of less than 10^7, and a decimal holds 10^28.
pub(super) const TOO_LARGE: Decimal = Decimal::from_parts(0xA764_0000, 0x0DE0_B6B3, 0, false, 0);

/// Reads the figure at `at`, with all that is glued to it, and where it ends. What is not written properly is no figure as a
/// whole.
pub(super) fn read(text: &str, at: usize) -> (Option<Figure>, usize) {
    let fraction = fraction::read(text, at);
    let after = fraction.map_or_else(|| at + run(&text[at..]), |(_, end)| end);
    let letters = glued(&text[after..], char::is_alphanumeric);
    let (suffix, length) = (&text[after..after + letters], letters);
    let odd = |end: usize| (None, end);
    // Everything that is glued together; looked for only where it matters, so that no text is searched again and again.
    let whole = || {
        let belongs = |c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | ':' | ',');
        let end = after + glued(&text[after..], belongs);
        &text[at..at + text[at..end].trim_end_matches(['-', '/', ':', ',']).len()]
    };
    if is_code(text, at) || is_compound(&text[after + length..], whole) {
        return odd((at + whole().len()).max(after + length));
    }
    let comma = || decimal_comma(&text[at..after], &text[after..]);
    // Three digits behind a point would be thousands elsewhere; an eighth is none.
    let read = fraction.map(|(value, _)| (value, true, 2));
    let Some((value, marked, decimals)) = read
        .or_else(|| parse(&text[at..after]))
        .or_else(comma)
        .or_else(|| points(&text[at..after]))
    else {
        return odd(after + length);
    };
    let figure = |factor: i64, suffix: Suffix| {
        let marked = marked || suffix == Suffix::Magnitude;
        let value = value.saturating_mul(Decimal::from(factor)).min(TOO_LARGE);
        Some(Figure {
            value,
            marked,
            decimals,
            suffix,
        })
    };
    let end = after + length;
    match suffix.to_ascii_lowercase().as_str() {
        "" => (figure(1, Suffix::None), after),
        "k" => (figure(1_000, Suffix::Magnitude), end),
        "m" | "mm" => (figure(1_000_000, Suffix::Magnitude), end),
        "x" => (figure(1, Suffix::Times), end),
        "st" | "nd" | "rd" | "th" if !marked => (figure(1, Suffix::Ordinal), end),
        // "12months", "5pct": the word is read by itself.
        word if word.len() >= 2 && word.bytes().all(|b| b.is_ascii_lowercase()) && word != "am" && word != "pm" => {
            (figure(1, Suffix::None), after)
        }
        _ => odd(end),
    }
}

/// `5,5 %` and `12,75 percent`: one comma with one or two digits behind it, before a percent sign.
fn decimal_comma(run: &str, behind: &str) -> Option<(Decimal, bool, usize)> {
    let (_, decimals) = run.split_once(',').filter(|(_, rest)| (1..=2).contains(&rest.len()))?;
    let behind = behind.trim_start_matches(' ');
    let word: String = behind
        .chars()
        .take(10)
        .take_while(|c| c.is_ascii_alphabetic() || *c == ' ')
        .collect();
    let is_percent = behind.starts_with('%')
        || ["percent", "pct", "por ciento"]
            .iter()
            .any(|percent| word.to_ascii_lowercase().starts_with(percent));
    let value = run.replace(',', ".").parse::<Decimal>().ok().filter(|_| is_percent)?;
    Some((value.normalize(), true, decimals.len()))
}

/// `3.739,10`, as elsewhere: thousands by points and one comma with two digits behind it. Nothing else is written so.
fn points(run: &str) -> Option<(Decimal, bool, usize)> {
    let (whole, decimals) = run.split_once(',').filter(|(_, rest)| rest.len() == 2)?;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (whole.contains('.') && is_digits(decimals)).then(|| parse(&format!("{}.{decimals}", whole.replace('.', ","))))?
}

/// "yr2" is year 2, "q2" is a code.
pub(super) fn is_counted(word: &str) -> bool {
    matches!(word, "y" | "yr" | "year" | "m" | "mo" | "month")
}

/// Digits with points and commas between them.
fn run(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    while is_digit(end) || (matches!(bytes.get(end), Some(b'.' | b',')) && is_digit(end + 1)) {
        end += 1;
    }
    end
}

fn glued(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.chars().take_while(|c| belongs(*c)).map(char::len_utf8).sum()
}

/// Behind `#`, or a letter and a dash: `#4200`, `FF-48000`.
fn is_code(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    match before.next() {
        Some('#' | '/' | ':') => true,
        Some('-') => before.next().is_some_and(char::is_alphabetic),
        Some(c) if c.is_ascii_alphabetic() => {
            let letters = text[..at].len() - text[..at].trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
            !is_counted(&text[at - letters..at].to_ascii_lowercase())
        }
        Some(c) => c.is_alphanumeric(),
        None => false,
    }
}

/// `10/15`, `2:30`, `555-0142`, `2024-09-17`. One dash between two plain numbers is a range: `28-32`.
fn is_compound<'a>(behind: &str, whole: impl Fn() -> &'a str) -> bool {
    let mut chars = behind.chars();
    let (mark, digit) = (chars.next(), chars.next());
    let digit = digit.is_some_and(|c| c.is_ascii_digit());
    match mark {
        Some('/' | ':') => digit,
        Some('-') if digit => {
            let parts: Vec<&str> = whole().split('-').collect();
            let plain = |part: &str| !part.starts_with('0') && part.bytes().filter(u8::is_ascii_digit).count() <= 6;
            let number =
                |part: &str| parse(part.trim_end_matches(|c: char| !c.is_ascii_digit())).map(|(value, ..)| value);
            match parts[..] {
                [low, high] if plain(low) && plain(high) => number(low) >= number(high),
                _ => true,
            }
        }
        _ => false,
    }
}

/// Value, whether it is marked, digits behind the point.
fn parse(digits: &str) -> Option<(Decimal, bool, usize)> {
    // Nobody's plan has such a number, and a decimal has no room for a half behind 29 digits.
    if digits.len() > 20 {
        return None;
    }
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let grouped = whole.contains(',');
    let is_grouped = !grouped || ((1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3));
    let padded = first.len() > 1 && first.starts_with('0') || (grouped && first == "0");
    if !is_grouped || padded || decimals.contains(['.', ',']) {
        return None;
    }
    let plain = format!("{}.{decimals}0", whole.replace(',', ""));
    let plain = if plain.starts_with('.') {
        format!("0{plain}")
    } else {
        plain
    };
    let value = plain.parse::<Decimal>().ok()?.normalize();
    Some((value, grouped || !decimals.is_empty(), decimals.len()))
}
