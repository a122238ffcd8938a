//! The words by which values are named right or wrong: data, beside the code (`words.txt`).

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word says of the values that stand with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Yes,
    Use,
    No,
    PlainNo,
    Later,
    Now,
    Others,
    All,
    But,
    Count,
    Filler,
    Asks,
    Lead,
    More,
    Back,
    Case,
    Joins,
    First,
    Second,
    Third,
    Last,
    Thousand,
    Year,
    Month,
    Percent,
    Period,
    Too,
    Strong,
    Doubt,
    Turns,
    Keep,
    Only,
    Order,
}

const SECTIONS: [(&str, Class); 33] = [
    ("yes", Class::Yes),
    ("use", Class::Use),
    ("no", Class::No),
    ("plain no", Class::PlainNo),
    ("later", Class::Later),
    ("now", Class::Now),
    ("others", Class::Others),
    ("all", Class::All),
    ("but", Class::But),
    ("count", Class::Count),
    ("filler", Class::Filler),
    ("asks", Class::Asks),
    ("lead", Class::Lead),
    ("more", Class::More),
    ("back", Class::Back),
    ("case", Class::Case),
    ("joins", Class::Joins),
    ("first", Class::First),
    ("second", Class::Second),
    ("third", Class::Third),
    ("last", Class::Last),
    ("thousand", Class::Thousand),
    ("year", Class::Year),
    ("month", Class::Month),
    ("percent", Class::Percent),
    ("period", Class::Period),
    ("too", Class::Too),
    ("strong", Class::Strong),
    ("doubt", Class::Doubt),
    ("turns", Class::Turns),
    ("keep", Class::Keep),
    ("only", Class::Only),
    ("order", Class::Order),
];

static WORDS: LazyLock<HashMap<&str, Vec<Class>>> = LazyLock::new(|| {
    let mut words: HashMap<&str, Vec<Class>> = HashMap::new();
    let mut class = None;
    for line in include_str!("words.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            class = SECTIONS
                .iter()
                .find(|(section, _)| *section == name)
                .map(|(_, class)| *class);
        } else if let Some(class) = class {
            line.split_whitespace()
                .for_each(|word| words.entry(word).or_default().push(class));
        }
    }
    words
});

/// Whether a word, as `bare` leaves it, is of a class.
pub(super) fn is(word: &str, class: Class) -> bool {
    WORDS.get(word).is_some_and(|classes| classes.contains(&class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_known() {
        let sections = include_str!("words.txt")
            .lines()
            .filter_map(|line| line.strip_prefix('['));
        let known = |section: &str| {
            SECTIONS
                .iter()
                .any(|(name, _)| section.strip_suffix(']') == Some(*name))
        };
        assert!(sections.clone().all(known));
        assert_eq!(sections.count(), SECTIONS.len());
    }
}
