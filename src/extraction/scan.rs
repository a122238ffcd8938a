//! Text to tokens: words in lower case, exact numbers, marks. One pass, no meaning yet.
//!
//! Characters that render as nothing are skipped; a number that had one inside or beside it is marked `odd`, and so is every
//! number of a text with bidirectional controls, because people cannot see what such a text says.

use crate::model::clean::is_invisible;
use rust_decimal::Decimal;

/// More digits than any amount has; longer runs are codes.
const MAX_DIGITS: u32 = 15;
const MAX_FRACTION: u32 = 8;

/// A number in digits, before anybody knows of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    pub value: Decimal,
    /// Written with thousands separators.
    pub grouped: bool,
    /// Digits behind the point.
    pub scale: u32,
    /// Digits before the point.
    pub whole: u32,
    /// ½ and its like.
    pub fraction: bool,
    /// Not an amount: too long, several points.
    pub code: bool,
    /// Cannot be trusted as it stands.
    pub odd: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Digits(Digits),
    Mark(char),
    /// End of a line.
    Break,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Bytes in the source.
    pub start: usize,
    pub end: usize,
    /// Nothing stands between the previous token and this one.
    pub joined: bool,
    /// The word began with a capital letter.
    pub capital: bool,
    pub kind: Kind,
    lower: (usize, usize),
}

/// The tokens of one text.
#[derive(Debug, Default)]
pub struct Scan {
    pub tokens: Vec<Token>,
    lower: String,
}

impl Scan {
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut scanner = Scanner {
            text,
            at: 0,
            joined: false,
            hidden: false,
            bidi: false,
            scan: Self::default(),
        };
        scanner.scan.lower.reserve(text.len());
        scanner.scan.tokens.reserve(text.len() / 4);
        scanner.run();
        let Scanner { bidi, mut scan, .. } = scanner;
        if bidi {
            for token in &mut scan.tokens {
                if let Kind::Digits(digits) = &mut token.kind {
                    digits.odd = true;
                }
            }
        }
        scan
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The word at `i` in lower case, empty where there is none.
    #[must_use]
    pub fn word(&self, i: usize) -> &str {
        self.tokens
            .get(i)
            .filter(|token| token.kind == Kind::Word)
            .map_or("", |token| &self.lower[token.lower.0..token.lower.1])
    }

    /// The word before `i`, empty where there is none.
    #[must_use]
    pub fn word_before(&self, i: usize) -> &str {
        i.checked_sub(1).map_or("", |i| self.word(i))
    }

    #[must_use]
    pub fn mark(&self, i: usize) -> Option<char> {
        match self.tokens.get(i)?.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    #[must_use]
    pub fn digits(&self, i: usize) -> Option<Digits> {
        match self.tokens.get(i)?.kind {
            Kind::Digits(digits) => Some(digits),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_joined(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|token| token.joined)
    }

    /// Whether the words from `i` on are exactly these.
    #[must_use]
    pub fn follows(&self, i: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(k, word)| self.word(i + k) == *word)
    }

    /// A hyphen that ties the tokens beside it together.
    #[must_use]
    pub fn is_tie(&self, i: usize) -> bool {
        self.mark(i) == Some('-') && self.is_joined(i) && self.is_joined(i + 1)
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    joined: bool,
    hidden: bool,
    bidi: bool,
    scan: Scan,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The character behind the next one.
    fn second(&self) -> Option<char> {
        self.text[self.at..].chars().nth(1)
    }

    fn run(&mut self) {
        while let Some(c) = self.peek() {
            if is_invisible(c) {
                self.hide(c);
            } else if digit(c).is_some()
                || (c == '.' && !self.joined_to_number() && self.second().and_then(digit).is_some())
            {
                self.number();
            } else if c.is_alphabetic() {
                self.word();
            } else if c == '\n' || c == '\r' || c == '\u{2028}' || c == '\u{2029}' {
                self.push(c.len_utf8(), Kind::Break);
                self.joined = false;
            } else if c.is_whitespace() {
                self.at += c.len_utf8();
                (self.joined, self.hidden) = (false, false);
            } else {
                self.push(c.len_utf8(), vulgar(c).map_or(Kind::Mark(mark(c)), Kind::Digits));
            }
        }
    }

    fn hide(&mut self, c: char) {
        self.bidi |= matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        self.at += c.len_utf8();
        self.hidden = true;
        // Also behind a point or comma that may belong to the number.
        let tokens = &mut self.scan.tokens;
        let back = if matches!(
            tokens.last(),
            Some(Token {
                kind: Kind::Mark('.' | ','),
                joined: true,
                ..
            })
        ) {
            2
        } else {
            1
        };
        let last = tokens.len().checked_sub(back).and_then(|i| tokens.get_mut(i));
        if let Some(Token {
            kind: Kind::Digits(digits),
            ..
        }) = last
        {
            digits.odd |= self.joined;
        }
    }

    fn joined_to_number(&self) -> bool {
        self.joined
            && matches!(
                self.scan.tokens.last(),
                Some(Token {
                    kind: Kind::Digits(_),
                    ..
                })
            )
    }

    fn push(&mut self, bytes: usize, kind: Kind) {
        let start = self.at;
        self.at += bytes;
        self.push_from(start, kind, (0, 0), false);
    }

    fn push_from(&mut self, start: usize, kind: Kind, lower: (usize, usize), capital: bool) {
        self.scan.tokens.push(Token {
            start,
            end: self.at,
            joined: self.joined,
            capital,
            kind,
            lower,
        });
        (self.joined, self.hidden) = (true, false);
    }

    fn word(&mut self) {
        let (start, from) = (self.at, self.scan.lower.len());
        let capital = self.peek().is_some_and(char::is_uppercase);
        let mut end = start;
        while let Some(c) = self.peek() {
            if is_invisible(c) {
                self.bidi |= matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
            } else if c.is_alphabetic() || is_combining(c) {
                self.scan.lower.extend(c.to_lowercase());
                end = self.at + c.len_utf8();
            } else if is_apostrophe(c) && self.second().is_some_and(char::is_alphabetic) {
                self.scan.lower.push('\'');
            } else {
                break;
            }
            self.at += c.len_utf8();
        }
        self.at = end;
        self.push_from(start, Kind::Word, (from, self.scan.lower.len()), capital);
    }

    fn number(&mut self) {
        let start = self.at;
        let mut reader = NumberReader {
            odd: self.hidden,
            ..NumberReader::default()
        };
        let mut end = start;
        while let Some(c) = self.peek() {
            if let Some(value) = digit(c) {
                reader.digit(value);
                end = self.at + c.len_utf8();
            } else if is_invisible(c) {
                reader.odd = true;
                self.bidi |= matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
            } else if c == '.' && self.second().and_then(digit).is_some() {
                reader.point();
            } else if c == ',' && reader.may_group() && self.is_group() {
                reader.group();
            } else {
                break;
            }
            self.at += c.len_utf8();
        }
        self.at = end;
        self.push_from(start, Kind::Digits(reader.finish()), (0, 0), false);
    }

    /// Whether a comma is followed by exactly three digits.
    fn is_group(&self) -> bool {
        let mut next = self.text[self.at..].chars().skip(1);
        let mut is_digit = || next.next().and_then(digit).is_some();
        is_digit() && is_digit() && is_digit() && !is_digit()
    }
}

#[derive(Default)]
struct NumberReader {
    mantissa: i128,
    whole: u32,
    scale: u32,
    points: u32,
    groups: u32,
    odd: bool,
}

impl NumberReader {
    fn digit(&mut self, value: u32) {
        let count = if self.points == 0 {
            &mut self.whole
        } else {
            &mut self.scale
        };
        *count = count.saturating_add(1);
        if self.whole <= MAX_DIGITS && self.scale <= MAX_FRACTION {
            self.mantissa = self.mantissa * 10 + i128::from(value);
        }
    }

    fn point(&mut self) {
        self.points += 1;
    }

    /// A comma may follow one to three digits, or whole groups.
    fn may_group(&self) -> bool {
        self.points == 0
            && if self.groups == 0 {
                (1..=3).contains(&self.whole)
            } else {
                true
            }
    }

    fn group(&mut self) {
        self.groups += 1;
    }

    fn finish(self) -> Digits {
        let code = self.points > 1 || self.whole > MAX_DIGITS || self.scale > MAX_FRACTION;
        let value = if code {
            Decimal::ZERO
        } else {
            Decimal::try_from_i128_with_scale(self.mantissa, self.scale).unwrap_or_default()
        };
        Digits {
            value,
            grouped: self.groups > 0,
            scale: self.scale,
            whole: self.whole,
            fraction: false,
            code,
            odd: self.odd,
        }
    }
}

/// Decimal digits of the scripts people type in.
fn digit(c: char) -> Option<u32> {
    let zero = match c {
        '0'..='9' => '0',
        '\u{0660}'..='\u{0669}' => '\u{0660}',
        '\u{06F0}'..='\u{06F9}' => '\u{06F0}',
        '\u{0966}'..='\u{096F}' => '\u{0966}',
        '\u{09E6}'..='\u{09EF}' => '\u{09E6}',
        '\u{0E50}'..='\u{0E59}' => '\u{0E50}',
        '\u{FF10}'..='\u{FF19}' => '\u{FF10}',
        '\u{1D7CE}'..='\u{1D7FF}' => return Some((u32::from(c) - 0x1D7CE) % 10),
        _ => return None,
    };
    Some(u32::from(c) - u32::from(zero))
}

fn vulgar(c: char) -> Option<Digits> {
    let thousandths = match c {
        '½' => 500,
        '¼' => 250,
        '¾' => 750,
        '⅛' => 125,
        '⅜' => 375,
        '⅝' => 625,
        '⅞' => 875,
        '⅕' => 200,
        '⅖' => 400,
        '⅗' => 600,
        '⅘' => 800,
        _ => return None,
    };
    let value = Decimal::new(thousandths, 3).normalize();
    Some(Digits {
        value,
        grouped: false,
        scale: value.scale(),
        whole: 0,
        fraction: true,
        code: false,
        odd: false,
    })
}

/// One mark for the many that look alike.
fn mark(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{2013}' => '–',
        '\u{2014}' | '\u{2015}' => '—',
        '\u{FF04}' | '\u{FE69}' => '$',
        '\u{FF05}' | '\u{066A}' | '\u{FE6A}' => '%',
        '\u{FF08}' => '(',
        '\u{FF09}' => ')',
        '\u{FF0C}' => ',',
        '\u{FF0F}' => '/',
        '\u{FF1F}' | '\u{061F}' => '?',
        '“' | '„' | '«' => '“',
        '”' | '»' => '”',
        '\u{00D7}' => '×',
        '≈' | '\u{223C}' | '\u{FF5E}' => '~',
        _ => c,
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '`')
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}')
}
