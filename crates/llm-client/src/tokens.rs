//! How many tokens a text has, about. Every model cuts text in its own way; this stays within 15 % of the usual ones for
//! what a turn sends and receives, and costs a small part of writing the request: it runs over all that a turn sends.

/// What a run of characters is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// Letters outside ASCII take more tokens, and so do the letters next to them.
    Foreign,
    /// One token each for some models, one token for three of them for others.
    Digits,
    Marks,
    Line,
    Space,
}

/// An estimate of the tokens of a text.
pub fn tokens(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut halves, mut at) = (0, 0);
    while let Some(first) = bytes.get(at) {
        // Most of a text are words of small letters, each with a blank behind it, or a single mark and a blank, which costs
        // what a word of one letter does.
        let letters = small_letters(&bytes[at..]);
        let known = letters + usize::from(letters == 0 && kind_of_ascii(*first) == Kind::Marks);
        if known > 0 && bytes.get(at + known) == Some(&b' ') {
            halves += halves_of(Kind::Word, known);
            at += known + 1;
            continue;
        }
        let (kind, run, length) = ascii_run(&bytes[at..], letters).unwrap_or_else(|| run_of(&text[at..]));
        halves += halves_of(kind, run);
        at += length;
    }
    halves.div_ceil(2)
}

/// With how many small letters of ASCII a text begins, perhaps behind a capital one. Some of them where they are more than
/// sixteen or near the end of the text.
fn small_letters(bytes: &[u8]) -> usize {
    // A letter with this bit is a small one.
    let letters = small_of_eight(bytes, 0x20);
    match letters {
        8 => 8 + small_of_eight(&bytes[8..], 0),
        _ => letters,
    }
}

/// How many of the first eight bytes of a text are small letters of ASCII. None where it has less; `set` are bits that the
/// first byte gets.
fn small_of_eight(bytes: &[u8], set: u64) -> usize {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    let Some(eight) = bytes.first_chunk() else { return 0 };
    let eight = u64::from_le_bytes(*eight) | set;
    // The highest bit of each byte: whether it is above "a", or above "z". A sum that overflows only spoils what is behind
    // a byte that is no letter.
    let (from_a, behind_z) = (eight.wrapping_add(EACH * 0x1f), eight.wrapping_add(EACH * 0x05));
    let others = (!from_a | behind_z | eight) & (EACH * 0x80);
    others.trailing_zeros() as usize / 8
}

/// The first run of a text as [`run_of`] gives it, where it is of ASCII only. The first `letters` are known to be one word.
fn ascii_run(bytes: &[u8], letters: usize) -> Option<(Kind, usize, usize)> {
    let kind = kind_of_ascii(*bytes.first()?);
    let known = letters.max(1);
    let more = bytes[known..].iter();
    let run = known
        + match kind {
            Kind::Word => more.take_while(|byte| byte.is_ascii_lowercase()).count(),
            _ => more.take_while(|byte| kind_of_ascii(**byte) == kind).count(),
        };
    let ends = match bytes.get(run) {
        // A capital letter behind a small one begins another word.
        Some(next) if kind == Kind::Word && run == 1 => next.is_ascii() && !next.is_ascii_alphabetic(),
        Some(next) => next.is_ascii(),
        None => true,
    };
    (ends && kind != Kind::Foreign).then_some((kind, run, run))
}

/// The first run of a text that is not empty: its kind, its characters and its bytes.
fn run_of(text: &str) -> (Kind, usize, usize) {
    let mut kind = text.chars().next().map_or(Kind::Space, kind_of);
    let (mut run, mut length, mut is_after_small) = (0, 0, false);
    for c in text.chars() {
        match (kind, kind_of(c)) {
            (Kind::Word, Kind::Foreign) => kind = Kind::Foreign,
            (Kind::Foreign, Kind::Word) => {}
            (Kind::Word, Kind::Word) if is_after_small && c.is_ascii_uppercase() => break,
            (known, next) if known == next => {}
            _ => break,
        }
        run += 1;
        length += c.len_utf8();
        is_after_small = c.is_ascii_lowercase();
    }
    (kind, run, length)
}

fn kind_of_ascii(byte: u8) -> Kind {
    match byte {
        b'\n' | b'\r' => Kind::Line,
        b'A'..=b'Z' | b'a'..=b'z' => Kind::Word,
        b'0'..=b'9' => Kind::Digits,
        b' ' | b'\t' | 0x0b | 0x0c => Kind::Space,
        0x80.. => Kind::Foreign,
        _ => Kind::Marks,
    }
}

fn kind_of(c: char) -> Kind {
    match c {
        _ if c.is_ascii() => kind_of_ascii(c as u8),
        _ if c.is_alphabetic() => Kind::Foreign,
        _ if c.is_numeric() => Kind::Digits,
        _ if c.is_whitespace() => Kind::Space,
        _ => Kind::Marks,
    }
}

/// Half tokens of a run. A blank belongs to the word behind it.
fn halves_of(kind: Kind, run: usize) -> usize {
    match kind {
        _ if run == 0 => 0,
        // The next line without its division, for most words.
        Kind::Word if run < 8 => 2,
        Kind::Word => 2 * (1 + (run - 1) / 7),
        Kind::Foreign => 2 * run.div_ceil(3),
        Kind::Digits => run + run.div_ceil(3),
        Kind::Marks => 2 * run.div_ceil(4),
        Kind::Line => 2,
        Kind::Space => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same count, run by run and letter by letter.
    fn slowly(mut text: &str) -> usize {
        let mut halves = 0;
        while !text.is_empty() {
            let (kind, run, length) = run_of(text);
            halves += halves_of(kind, run);
            text = &text[length..];
        }
        halves.div_ceil(2)
    }

    proptest! {
        #[test]
        fn many_letters_at_once_count_as_each_by_itself(text in "([a-zA-Z]{0,12}[ \\n.,é½ñ9{}@`\\[—]{0,3}){0,12}", any in "\\PC*") {
            prop_assert_eq!(tokens(&text), slowly(&text));
            prop_assert_eq!(tokens(&any), slowly(&any));
        }
    }

    #[test]
    fn words_marks_and_numbers_count_as_models_cut_them() {
        for (text, expected) in [
            ("", 0),
            ("rent", 1),
            ("The rent is due. ", 5),
            ("franchisees", 2),
            ("rentMonthly", 2),
            ("IRR", 1),
            ("$4,200", 5),
            ("número", 2),
            ("a\n\nb", 3),
            ("a    b", 2),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }
}
