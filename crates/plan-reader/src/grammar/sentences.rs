//! Cuts a message into sentences: lines, bullets, table rows, what stands between full stops and semicolons.

use crate::lex::{Kind, Token};
use std::ops::Range;

/// Tokens that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub tokens: Range<usize>,
    /// Ends with a question mark.
    pub asks: bool,
    /// Inside quotation marks that another sentence opened.
    pub quoted: bool,
    /// Ends with a colon: it announces what follows.
    pub announces: bool,
    /// An empty line stands before it, or it is the first.
    pub paragraph: bool,
}

/// Lines longer than this may be wrapped: a small letter continues them.
const WRAPPED: usize = 50;

/// The sentences of a message. Lines of an e-mail that is answered (`>`), and all behind a signature's `--` or a forwarded
/// message, are not the user's words.
pub(super) fn sentences(text: &str, tokens: &[Token]) -> Vec<Sentence> {
    let mut out = Vec::new();
    let (mut from, mut at, mut in_quotes) = (0, 0, false);
    let mut quoted = false;
    let mut close = |range: Range<usize>, asks: bool, quoted: bool| {
        let start = skip_bullet(tokens, &range);
        let mut end = range.end;
        let mut announces = false;
        while end > start && matches!(tokens[end - 1].kind, Kind::Mark(',' | ':' | '-' | '…' | '*')) {
            end -= 1;
            announces |= tokens[end].is_mark(':');
        }
        if start < end {
            out.push(Sentence {
                paragraph: is_paragraph(text, tokens, range.start),
                tokens: start..end,
                asks,
                quoted,
                announces,
            });
        }
    };
    while at < tokens.len() {
        let token = &tokens[at];
        if token.line && at > 0 && !is_wrapped(text, tokens, at) {
            close(from..at, false, quoted);
            (from, quoted) = (at, in_quotes);
        }
        if token.line && is_reply(tokens, at) {
            at = next_line(tokens, at);
            from = at;
            continue;
        }
        if token.line && is_end(text, tokens, at) {
            from = tokens.len();
            break;
        }
        if token.is_mark('"') {
            in_quotes = !in_quotes;
        }
        if ends_sentence(tokens, from, at) {
            let end = at;
            let asks =
                token.is_mark('?') || (at + 1 < tokens.len() && tokens[at + 1].glued && tokens[at + 1].is_mark('?'));
            while tokens
                .get(at + 1)
                .is_some_and(|next| next.glued && matches!(next.kind, Kind::Mark('!' | '?' | '.' | ')' | '"')))
            {
                in_quotes ^= tokens[at + 1].is_mark('"');
                at += 1;
            }
            close(from..end, asks, quoted);
            (from, quoted) = (at + 1, in_quotes);
        }
        at += 1;
    }
    close(from..tokens.len(), false, quoted);
    out
}

/// A full stop, unless it belongs to an abbreviation.
fn ends_sentence(tokens: &[Token], from: usize, at: usize) -> bool {
    let Kind::Mark(mark) = tokens[at].kind else {
        return false;
    };
    let is_last = tokens
        .get(at + 1)
        .is_none_or(|next| !next.glued || !matches!(next.kind, Kind::Word(_) | Kind::Figure(_) | Kind::Odd));
    match mark {
        ';' | '!' | '?' => true,
        '.' if at > from => {
            let word = tokens[at - 1].word();
            let short = matches!(
                word,
                "mr" | "mrs"
                    | "ms"
                    | "dr"
                    | "no"
                    | "vs"
                    | "approx"
                    | "st"
                    | "e"
                    | "i"
                    | "p"
                    | "a"
                    | "inc"
                    | "etc"
                    | "incl"
            );
            // A number of a list: "1. Rent".
            let is_bullet = at == from + 1 && tokens[from].line && is_counter(&tokens[from]);
            is_last && !(short && tokens.get(at + 1).is_some_and(|next| !next.line)) && !is_bullet
        }
        _ => false,
    }
}

fn is_counter(token: &Token) -> bool {
    match &token.kind {
        Kind::Figure(figure) => !figure.marked && figure.value < rust_decimal::Decimal::from(31),
        Kind::Word(word) => word.len() == 1,
        _ => false,
    }
}

/// Behind the bullet, the number or the letter of a list.
fn skip_bullet(tokens: &[Token], range: &Range<usize>) -> usize {
    let at = range.start;
    if at >= range.end || !tokens[at].line {
        return at;
    }
    let is =
        |at: usize, marks: &str| at < range.end && matches!(tokens[at].kind, Kind::Mark(mark) if marks.contains(mark));
    if is(at, "*-+") && tokens.get(at + 1).is_some_and(|next| !next.glued) {
        return at + 1;
    }
    let numbered = is_counter(&tokens[at]) && is(at + 1, ".)") && tokens[at + 1].glued;
    let lettered = is(at, "(") && at + 2 < range.end && is_counter(&tokens[at + 1]) && is(at + 2, ")");
    if lettered {
        at + 3
    } else if numbered {
        at + 2
    } else {
        at
    }
}

/// A long line without an end, continued by a small letter.
fn is_wrapped(text: &str, tokens: &[Token], at: usize) -> bool {
    let before = &tokens[at - 1];
    let line = text[..before.end].rfind('\n').map_or(0, |newline| newline + 1);
    let ended = matches!(before.kind, Kind::Mark('.' | '!' | '?' | ':' | ';'));
    let small = matches!(tokens[at].kind, Kind::Word(_)) && !tokens[at].capital;
    let blank = text[before.end..tokens[at].start].matches('\n').count() > 1;
    small && !ended && !blank && before.end - line >= WRAPPED
}

fn is_paragraph(text: &str, tokens: &[Token], at: usize) -> bool {
    at == 0 || text[tokens[at - 1].end..tokens[at].start].matches('\n').count() > 1
}

/// A line of the message that is answered.
fn is_reply(tokens: &[Token], at: usize) -> bool {
    tokens[at].is_mark('>')
}

fn next_line(tokens: &[Token], at: usize) -> usize {
    let lines = tokens.iter().enumerate().skip(at + 1);
    lines
        .into_iter()
        .find(|(_, token)| token.line)
        .map_or(tokens.len(), |(at, _)| at)
}

/// What follows is a signature's end, or another person's message.
fn is_end(text: &str, tokens: &[Token], at: usize) -> bool {
    let line = text[tokens[at].start..].lines().next().unwrap_or_default().trim();
    let lower = line.to_ascii_lowercase();
    line == "--" || (line.starts_with("---") && lower.contains("message"))
}
