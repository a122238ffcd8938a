//! Words, figures and marks with their bytes. Case, accents and typographic marks are evened out; nothing else is.

use super::figure::{self, Figure};

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A lower-case word without accents, or one symbol such as an emoji.
    Word(String),
    Figure(Figure),
    /// One mark; `…` is any ellipsis, `_` a leader of dots, `*` a bullet.
    Mark(char),
    /// Not readable: mixed scripts, invisible characters, malformed numbers.
    Odd,
}

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// No space before it.
    pub glued: bool,
    /// The first of its line.
    pub line: bool,
    /// Begins with a capital letter.
    pub capital: bool,
}

impl Token {
    pub(crate) fn word(&self) -> &str {
        match &self.kind {
            Kind::Word(word) => word,
            _ => "",
        }
    }

    pub(crate) fn figure(&self) -> Option<&Figure> {
        match &self.kind {
            Kind::Figure(figure) => Some(figure),
            _ => None,
        }
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// Cuts a text into tokens; each byte is looked at a bounded number of times.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(text.len() / 4 + 4);
    let (mut at, mut line, mut glued) = (0, true, false);
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            line |= c == '\n';
            glued = false;
            at += c.len_utf8();
            continue;
        }
        let (kind, end) = next(text, at, c, glued);
        let capital = c.is_uppercase();
        let token = Token {
            kind,
            start: at,
            end,
            glued,
            line,
            capital,
        };
        at = end;
        (line, glued) = (false, true);
        // "build-out" and "ten-year" are two words.
        let is_hyphen = token.is_mark('-') && token.glued && text[end..].starts_with(char::is_alphabetic);
        if is_hyphen
            && out
                .last()
                .is_some_and(|before| matches!(before.kind, Kind::Word(_) | Kind::Figure(_)))
        {
            glued = false;
            continue;
        }
        out.push(token);
    }
    out
}

fn next(text: &str, at: usize, c: char, glued: bool) -> (Kind, usize) {
    let rest = &text[at..];
    let is_figure = c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()));
    if is_figure {
        return figure(text, at);
    }
    if c.is_alphabetic() {
        return word(text, at);
    }
    if c == '.' || c == '…' {
        return dots(text, at);
    }
    if let Some((ending, length)) = Some(rest).filter(|_| glued && is_apostrophe(c)).and_then(ending) {
        return (Kind::Word(ending), at + length);
    }
    let end = at + c.len_utf8();
    let mark = |mark| (Kind::Mark(mark), end);
    match c {
        '\'' | '’' | '‘' => mark('\''),
        '“' | '”' | '«' | '»' => mark('"'),
        '–' | '—' | '−' => mark('-'),
        '•' | '·' | '▪' | '●' => mark('*'),
        '½' | '¼' | '¾' | '⅓' | '⅔' | '⅛' | '⅜' | '⅝' | '⅞' => figure(text, at),
        '€' => (Kind::Word("eur".to_owned()), end),
        '£' => (Kind::Word("gbp".to_owned()), end),
        '¥' => (Kind::Word("jpy".to_owned()), end),
        '×' => (Kind::Word("x".to_owned()), end),
        c if c.is_ascii_graphic() => mark(c),
        c if is_emoji(c) => (Kind::Word(c.to_string()), emoji_end(text, end)),
        '¿' | '¡' => mark(c),
        // "rent is 4​200" with a zero-width space is not a plain number.
        _ => (Kind::Odd, end),
    }
}

/// Savings that are called by a number: "can I use my 401k?"
const ACCOUNTS: [&str; 4] = ["401k", "401(k)", "403b", "403(b)"];

fn account(text: &str, at: usize) -> Option<(Kind, usize)> {
    let name = ACCOUNTS.iter().find(|name| {
        let said = text.get(at..at + name.len());
        let ends = !text[at..].chars().nth(name.len()).is_some_and(char::is_alphanumeric);
        said.is_some_and(|said| said.eq_ignore_ascii_case(name)) && ends
    })?;
    let is_amount = text[..at].ends_with('$');
    (!is_amount).then(|| (Kind::Word((*name).to_owned()), at + name.len()))
}

fn figure(text: &str, at: usize) -> (Kind, usize) {
    if let Some(account) = account(text, at) {
        return account;
    }
    let (figure, end) = figure::read(text, at);
    (figure.map_or(Kind::Odd, Kind::Figure), end)
}

/// Letters of one script. "don't" stays one word, other endings stand for themselves: "owner's" is "owner" and "'s".
fn word(text: &str, at: usize) -> (Kind, usize) {
    let letters = text.as_bytes()[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic());
    let plain_end = at + letters.count();
    // Nearly every word: nothing but letters of ASCII, and behind it a mark or a space.
    let next = text.as_bytes().get(plain_end);
    if next.is_none_or(|next| next.is_ascii() && !next.is_ascii_digit() && *next != b'\'') {
        return (Kind::Word(text[at..plain_end].to_ascii_lowercase()), plain_end);
    }
    let mut out = String::new();
    let (mut end, mut odd) = (at, false);
    for (i, c) in text[at..].char_indices() {
        let end_here = at + i + c.len_utf8();
        if is_apostrophe(c) {
            if !(out.ends_with('n') && text[end_here..].starts_with(['t', 'T'])) {
                break;
            }
            out.push('\'');
        } else if let Some(letter) = fold(c) {
            out.push(letter);
        } else if c.is_ascii_digit() && figure::is_counted(&out) {
            break;
        } else if c.is_alphanumeric() || is_invisible(c) {
            odd = true;
        } else {
            break;
        }
        end = end_here;
    }
    (if odd { Kind::Odd } else { Kind::Word(out) }, end)
}

/// The ending that an apostrophe begins: "'s", "'re".
fn ending(rest: &str) -> Option<(String, usize)> {
    let letters: String = rest.chars().skip(1).take_while(|c| c.is_alphanumeric()).collect();
    let length = rest.chars().next().map_or(0, char::len_utf8) + letters.len();
    let letters = letters.to_ascii_lowercase();
    matches!(letters.as_str(), "s" | "re" | "m" | "ve" | "ll" | "d").then(|| (format!("'{letters}"), length))
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// The ASCII lower-case letter of a Latin letter.
fn fold(c: char) -> Option<char> {
    Some(match c {
        'a'..='z' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        'á' | 'à' | 'â' | 'ä' | 'Á' => 'a',
        'é' | 'è' | 'ê' | 'É' => 'e',
        'í' | 'ì' | 'Í' => 'i',
        'ó' | 'ò' | 'ö' | 'Ó' => 'o',
        'ú' | 'ù' | 'ü' | 'Ú' | 'Ü' => 'u',
        'ñ' | 'Ñ' => 'n',
        _ => return None,
    })
}

/// `...` hesitates, `.....` leads to a number, `.` ends.
fn dots(text: &str, at: usize) -> (Kind, usize) {
    let length = text[at..]
        .chars()
        .take_while(|c| matches!(c, '.' | '…'))
        .map(char::len_utf8)
        .sum::<usize>();
    // A point before a digit belongs to the number.
    let end = at + length;
    let mark = match length {
        1 => '.',
        2..=3 => '…',
        _ => '_',
    };
    (Kind::Mark(mark), end)
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '©' | '®')
}

/// Behind the marks that only shape an emoji.
fn emoji_end(text: &str, end: usize) -> usize {
    let shapes = text[end..]
        .chars()
        .take_while(|c| matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}'));
    end + shapes.map(char::len_utf8).sum::<usize>()
}

fn is_invisible(c: char) -> bool {
    plan_model::clean::is_invisible(c)
}
