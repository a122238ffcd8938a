//! Numbers that are no amounts: phone numbers, dates, times, addresses, item numbers, codes.

use super::scan::Scan;
use super::vocabulary::{is_dating, is_month_name, is_no_street_name, is_reference, is_street, is_suffix};
use rust_decimal::Decimal;

/// Whether the number that begins at `i` names something instead of measuring it.
#[must_use]
pub fn is_noise(scan: &Scan, i: usize) -> bool {
    let dollars = scan.mark(i.wrapping_sub(1)) == Some('$');
    if dollars {
        return scan.digits(i).is_some_and(|digits| digits.code);
    }
    let Some(digits) = scan.digits(i) else {
        return is_reference(scan.word_before(i))
            || matches!(scan.word_before(i), "year" | "years") && !after_every(scan, i);
    };
    let plain = !digits.grouped && digits.scale == 0;
    digits.code
        || is_tied_code(scan, i)
        || (plain && (digits.whole >= 10 || is_reference(scan.word_before(i)) || is_year_number(scan, i)))
        || (plain && (is_chain(scan, i) || is_date(scan, i) || is_address(scan, i) || is_loan_program(scan, i)))
}

/// `Q3`, `v2`, `#42`, `4B`, `1.2.3`, `A4-200`, `4e3`.
fn is_tied_code(scan: &Scan, i: usize) -> bool {
    let before = scan.word_before(i);
    let tied_word = scan.is_joined(i)
        && !before.is_empty()
        && !matches!(before, "usd" | "us" | "eur" | "gbp" | "cad" | "aud" | "mxn" | "rs");
    let tied_mark = scan.is_joined(i)
        && matches!(scan.mark(i.wrapping_sub(1)), Some('#' | '@' | '_' | '\\' | '^' | '='))
        && scan.mark(i.wrapping_sub(1)) != Some('=');
    let odd_comma =
        scan.mark(i + 1) == Some(',') && scan.is_joined(i + 1) && scan.is_joined(i + 2) && scan.digits(i + 2).is_some();
    let exponent = scan.word(i + 1) == "e"
        && scan.is_joined(i + 1)
        && (scan.digits(i + 2).is_some() || scan.mark(i + 2).is_some());
    let after_comma = scan.is_joined(i)
        && scan.mark(i.wrapping_sub(1)) == Some(',')
        && i >= 2
        && scan.is_joined(i - 1)
        && scan.digits(i - 2).is_some();
    let letter = scan.word(i + 1);
    let letter = scan.is_joined(i + 1) && !letter.is_empty() && !is_suffix(letter);
    tied_word || tied_mark || odd_comma || after_comma || exponent || letter
}

/// "year 2", "in 2026", "since 2019".
fn is_year_number(scan: &Scan, i: usize) -> bool {
    let Some(digits) = scan.digits(i) else { return false };
    let before = scan.word_before(i);
    let two_before = if i >= 2 { scan.word(i - 2) } else { "" };
    let slash = i >= 2 && scan.mark(i - 2) == Some('/');
    if matches!(before, "year" | "yr" | "years") && digits.whole <= 2 {
        return !slash && !after_every(scan, i);
    }
    let calendar = digits.whole == 4 && digits.value >= Decimal::from(1900) && digits.value <= Decimal::from(2100);
    let dated = is_dating(before);
    let after_day = scan.mark(i.wrapping_sub(1)) == Some(',')
        && i >= 3
        && scan.digits(i - 2).is_some()
        && is_month_name(scan.word(i - 3));
    calendar && (after_day || dated || is_month_name(before) || is_month_name(two_before))
}

/// "a year 4,200": the period of one amount before the next.
fn after_every(scan: &Scan, i: usize) -> bool {
    i >= 2
        && matches!(
            scan.word(i - 2),
            "a" | "per" | "each" | "every" | "last" | "this" | "next"
        )
}

/// `555-123-4567`, `2026-05-01`, `555-1234`, `24/7`, `5/1`, `9:30`, `(555) 123-4567`, `7(a)`.
fn is_chain(scan: &Scan, i: usize) -> bool {
    let link = |at: usize| {
        matches!(scan.mark(at), Some('-' | '/' | ':' | '–'))
            && scan.is_joined(at)
            && scan.is_joined(at + 1)
            && scan.digits(at + 1).is_some()
    };
    let whole = |at: usize| {
        scan.digits(at)
            .map_or(0, |digits| if digits.grouped { 0 } else { digits.whole })
    };
    let back = i >= 2 && link(i - 1) && scan.digits(i - 2).is_some();
    let ahead = link(i + 1);
    let area = scan.mark(i.wrapping_sub(1)) == Some('(')
        && scan.mark(i + 1) == Some(')')
        && whole(i) == 3
        && whole(i + 2) == 3
        && whole(i + 4) == 4;
    let spaced = (whole(i) == 3 && whole(i + 1) == 3 && whole(i + 2) == 4)
        || (i > 0 && whole(i - 1) == 3 && whole(i) == 3 && whole(i + 1) == 4)
        || (i > 1 && whole(i - 2) == 3 && whole(i - 1) == 3 && whole(i) == 4);
    let mark = if ahead {
        scan.mark(i + 1)
    } else if back {
        scan.mark(i - 1)
    } else {
        None
    };
    let (first, second) = if ahead { (i, i + 2) } else { (i.wrapping_sub(2), i) };
    let long = (ahead && link(i + 3)) || (back && (ahead || (i >= 4 && link(i - 3) && scan.digits(i - 4).is_some())));
    let letter =
        scan.mark(i + 1) == Some('(') && scan.is_joined(i + 1) && scan.word(i + 2).len() == 1 && scan.is_joined(i + 2);
    match mark {
        _ if letter || long || area || spaced => true,
        Some('-') => whole(first) == 3 && whole(second) == 4,
        Some('/') => whole(first) <= 2 && whole(second) <= 4,
        Some(':') => true,
        _ => false,
    }
}

/// "May 1", "March 3rd", "15 June".
fn is_date(scan: &Scan, i: usize) -> bool {
    let Some(digits) = scan.digits(i) else { return false };
    let day = digits.whole <= 2 && digits.value <= Decimal::from(31) && !digits.value.is_zero();
    let clear = |at: usize| {
        let word = scan.word(at);
        is_month_name(word) && (!matches!(word, "may" | "march" | "mar" | "dec") || scan.tokens[at].capital)
    };
    let before = i.checked_sub(1).is_some_and(|at| is_month_name(scan.word(at)));
    let ordinal = scan.is_joined(i + 1) && matches!(scan.word(i + 1), "th" | "st" | "nd" | "rd");
    day && ((before && scan.mark(i + 1) != Some('%')) || clear(i + 1) || (ordinal && scan.word(i + 2) != "month"))
}

/// "123 Main St", "4200 N. Elm Avenue".
fn is_address(scan: &Scan, i: usize) -> bool {
    for at in i + 1..i + 5 {
        let word = scan.word(at);
        if at > i + 1 && is_street(word) {
            return true;
        }
        let dot = scan.mark(at) == Some('.') && scan.is_joined(at);
        if !dot && (word.is_empty() || is_no_street_name(word)) {
            return false;
        }
    }
    false
}

/// "504 loan", "7a loan", "401k".
fn is_loan_program(scan: &Scan, i: usize) -> bool {
    let Some(digits) = scan.digits(i) else { return false };
    let value = digits.value;
    (value == Decimal::from(504) && matches!(scan.word(i + 1), "loan" | "program"))
        || (value == Decimal::from(401) && scan.word(i + 1) == "k")
}
