//! Refuses new passwords that are easy to guess: common ones, patterns, and words that everybody knows of the person.

use zxcvbn::{Score, zxcvbn};

/// Words of this service, which many would take: the documented list of context-specific words (ASVS 6.1.2).
const OF_THE_SERVICE: [&str; 8] = [
    "plan",
    "advisor",
    "planadvisor",
    "franchise",
    "franchisee",
    "franchisor",
    "business",
    "demo-password-1",
];

/// The fewest attempts that guessing must take, in zxcvbn's scale: a million. Throttled logins allow 960 a day to one network, and 288 to
/// each of many.
const LEAST: Score = Score::Two;

/// Why a password was refused, as the end of a sentence that begins with the field's name.
pub(crate) const EASY_TO_GUESS: &str =
    "is easy to guess: take several words that do not belong together, without your name";

/// Characters that must be left of a password without the words that are known.
const OWN_CHARACTERS: usize = 8;

/// Whether few attempts would find the password. `about` is what others know: the e-mail address, the name, the brand.
///
/// Takes a millisecond for a usual password and up to a tenth of a second for a long one.
pub(crate) fn is_easy_to_guess(password: &str, about: &[&str]) -> bool {
    let words = about.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let known = words.chain(OF_THE_SERVICE).filter(|word| word.chars().count() > 2);
    let mut known: Vec<String> = known.map(str::to_lowercase).collect();
    known.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let own = known
        .iter()
        .fold(password.to_lowercase(), |own, word| own.replace(word, ""));
    if own.chars().filter(|c| c.is_alphanumeric()).count() < OWN_CHARACTERS && own.len() < password.len() {
        return true;
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    zxcvbn(password, &known).score() < LEAST
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: [&str; 3] = ["riley.hart@example.com", "Riley Hart", "Willow & Wag Grooming"];

    #[test]
    fn what_everybody_tries_first_is_refused() {
        for password in [
            "1234567890",
            "password123",
            "Password1234",
            "qwertyuiop",
            "aaaaaaaaaaaa",
            "abcdefghij",
            "P@ssw0rd12",
            "iloveyou12",
            "basketball",
            "rileyhart1",
            "RileyHart2026",
            "riley.hart@example.com",
            "willow&wag1",
            "doggrooming",
            "franchise12",
            "planadvisor1",
            "demo-password-1",
            "2026-11-23",
            "0987654321",
        ] {
            assert!(is_easy_to_guess(password, &ABOUT), "{password}");
        }
    }

    #[test]
    fn any_composition_is_good_where_it_is_not_obvious() {
        for password in [
            "correct horse battery",
            "kettle-orbit-92",
            "ñandú y tres limones",
            "ggh7rq0vlx",
            "水曜日に犬を三匹洗う店",
            "Maple street floods often",
        ] {
            assert!(!is_easy_to_guess(password, &ABOUT), "{password}");
        }
        assert!(!is_easy_to_guess(&"lorem ipsum dolor sit amet ".repeat(5), &ABOUT));
    }
}
