//! Growth rates are told apart by a year that stands somewhere near: "5% growth in year two, 4% in year three".

use super::clause::Clause;
use super::lexicon::Mention;
use super::scan::Scan;
use crate::model::field::Field;

/// Gives growth mentions their year, and turns the years of such sentences into mentions of their own.
pub fn resolve(scan: &Scan, fields: &[Field], clauses: &[Clause], mentions: &mut Vec<Mention>) {
    if !mentions.iter().any(|mention| mention.growth) {
        return;
    }
    let mut found: Vec<Mention> = Vec::new();
    let mut active = None;
    for clause in clauses {
        let range = mentions.partition_point(|hit| hit.first < clause.first)
            ..mentions.partition_point(|hit| hit.first < clause.next);
        let (mut years, mut i) = (Vec::new(), clause.first);
        while i < clause.next {
            match year_at(scan, i) {
                Some((year, next)) => {
                    years.push((year, i, next));
                    i = next;
                }
                None => i += 1,
            }
        }
        let here = &mut mentions[range];
        if here.iter().any(|mention| mention.growth) {
            active = Some(clause.sentence);
        }
        let field = |year: i64| {
            fields
                .iter()
                .position(|field| field.path.as_str() == format!("revenue.year{year}GrowthRate"))
        };
        for mention in here.iter_mut().filter(|mention| mention.growth) {
            if let [(year, _, _)] = years[..] {
                mention.fields = field(year).into_iter().collect();
            }
        }
        if active == Some(clause.sentence) {
            let free = |first: usize| {
                !here
                    .iter()
                    .any(|mention| (mention.first..mention.next).contains(&first))
            };
            found.extend(
                years
                    .into_iter()
                    .filter(|(_, first, _)| free(*first))
                    .filter_map(|(year, first, next)| {
                        let (start, end) = (scan.tokens[first].start, scan.tokens[next - 1].end);
                        Some(Mention {
                            start,
                            end,
                            first,
                            next,
                            fields: vec![field(year)?],
                            growth: false,
                        })
                    }),
            );
        }
    }
    mentions.append(&mut found);
    mentions.sort_by_key(|mention| mention.first);
}

/// "year 2", "year two", "second year", "2nd year".
fn year_at(scan: &Scan, i: usize) -> Option<(i64, usize)> {
    let number = |at: usize| {
        let words = [
            ("one", "first"),
            ("two", "second"),
            ("three", "third"),
            ("four", "fourth"),
            ("five", "fifth"),
        ];
        (1..=5).find(|&n| {
            let (cardinal, ordinal) = words[n - 1];
            scan.word(at) == cardinal
                || scan.word(at) == ordinal
                || scan
                    .digits(at)
                    .is_some_and(|digits| digits.value == rust_decimal::Decimal::from(n))
        })
    };
    if matches!(scan.word(i), "year" | "yr") {
        let at = i + 1 + usize::from(scan.is_tie(i + 1));
        return number(at).map(|n| (n as i64, at + 1));
    }
    let suffix = matches!(scan.word(i + 1), "st" | "nd" | "rd" | "th") && scan.is_joined(i + 1);
    let ordinal = matches!(scan.word(i), "first" | "second" | "third" | "fourth" | "fifth") || suffix;
    let at = i + 1 + usize::from(suffix);
    (ordinal && matches!(scan.word(at), "year" | "yr" | "year's"))
        .then(|| number(i))
        .flatten()
        .map(|n| (n as i64, at + 1))
}
