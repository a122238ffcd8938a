//! The numbers of a text that somebody else has written, to compare them with those that are known.

use crate::lex::{Amount, Kind, Unit, Units, amounts, items, tokens};
use plan_model::language::Language;
use plan_model::number::Number;
use std::ops::Range;

/// The numbers of a text, in digits or in words, each in its own unit: `$4,200` is 4200, `six percent` is 6. "One" is none: it is
/// also an article. `None` where digits cannot be read as a number.
pub fn numbers(text: &str, language: Language) -> Option<Vec<Number>> {
    let units = match language {
        Language::English => Units::english(),
        Language::Spanish => Units::spanish(),
    };
    let read = tokens(text);
    let has_digits =
        |kind: &Kind, span: Range<usize>| matches!(kind, Kind::Odd) && text[span].chars().any(char::is_numeric);
    if read.iter().any(|token| has_digits(&token.kind, token.start..token.end)) {
        return None;
    }
    let found = amounts(&read, units).into_iter();
    let found = found.filter(|amount| !(amount.spoken && amount.value == 1.into()));
    let ends = found.flat_map(|amount| [Some(amount.value), amount.upper]);
    Some(ends.flatten().map(Number::new).collect())
}

/// Where the numbers of a list stand, each with its mark: "1)", "2.". Nothing where a text has no list.
pub fn list_marks(text: &str) -> Vec<Range<usize>> {
    let read = tokens(text);
    let marks = items(&read).into_iter();
    marks.map(|at| read[at].start..read[at + 1].end).collect()
}

/// A text with its numbers of several words in digits: "two hundred ninety thousand" as "290000", "ten and a half percent" as "10.5%".
pub fn in_digits(text: &str) -> String {
    let read = tokens(text);
    let of = |units| {
        amounts(&read, units)
            .into_iter()
            .filter(|amount| amount.spoken && amount.to - amount.from > 1)
    };
    let mut found: Vec<Amount> = of(Units::english()).chain(of(Units::spanish())).collect();
    found.sort_by_key(|amount| (amount.from, std::cmp::Reverse(amount.to)));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for amount in found {
        let (start, end) = (read[amount.from].start, read[amount.to - 1].end);
        let unit = match amount.unit {
            Unit::Bare | Unit::Money => "",
            Unit::Percent => "%",
            Unit::Months => " months",
            Unit::Years => " years",
            _ => continue,
        };
        if start < at || amount.upper.is_some() {
            continue;
        }
        out.push_str(&text[at..start]);
        out.push_str(&format!("{}{unit}", amount.value.normalize()));
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, language: Language) -> Option<Vec<String>> {
        Some(numbers(text, language)?.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn numbers_are_found_in_digits_and_in_words() {
        let english = |text| shown(text, Language::English).unwrap_or_default().join(" ");
        assert_eq!(
            english("Rent is $4,200 a month, the loan 280k over ten years."),
            "4200 280000 10"
        );
        assert_eq!(english("Six groomers, 28-32 dogs, and one van."), "6 28 32");
        assert_eq!(english("We know dogs."), "");
        let spanish = shown("Llevo doce años en esto y pago 1.500 de renta.", Language::Spanish);
        assert_eq!(spanish.unwrap_or_default().join(" "), "12 1500");
        let points = shown("La cuota es de 3.739,10 y la obra de $1.234.567,89.", Language::Spanish);
        assert_eq!(points.unwrap_or_default().join(" "), "3739.1 1234567.89");
        assert_eq!(english("Can I use my 401(k) or 401K for the 60k?"), "60000");
        assert_eq!(english("Sales of $401k."), "401000");
        let years = shown("Tardamos año y medio, o dos años y medio.", Language::Spanish);
        assert_eq!(years.unwrap_or_default().join(" "), "1.5 2.5");
        assert_eq!(
            english("It takes a year and a half, maybe 2 years and a half."),
            "1.5 2.5"
        );
        let article = shown("Nos subieron un cincuenta por ciento la luz.", Language::Spanish);
        assert_eq!(article.unwrap_or_default().join(" "), "50");
    }

    #[test]
    fn what_is_no_number_is_not_passed_over() {
        assert_eq!(shown("Open 1,50,000 hours", Language::English), None);
        assert_eq!(shown("La renta es 12.34,56", Language::Spanish), None);
    }

    #[test]
    fn numbers_of_several_words_are_written_in_digits() {
        for (text, expected) in [
            (
                "the loan should be two hundred ninety thousand, please",
                "the loan should be 290000, please",
            ),
            ("ten and a half percent it is", "10.5% it is"),
            ("two of the three, and one more", "two of the three, and one more"),
            ("dos mil quinientos de renta", "2500 de renta"),
            ("rent is 4,200", "rent is 4,200"),
        ] {
            assert_eq!(in_digits(text), expected);
        }
    }
}
