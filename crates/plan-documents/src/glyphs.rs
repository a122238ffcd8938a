//! Characters that cannot be printed.

use std::collections::BTreeSet;

/// Visible characters of a text that no font has, each once.
pub(crate) fn lacking(text: &str, has: impl Fn(char) -> bool) -> String {
    let letters: BTreeSet<char> = text.chars().filter(|letter| !letter.is_ascii()).collect();
    let seen = letters.into_iter().filter(|letter| !is_invisible(*letter));
    seen.filter(|letter| !has(*letter)).collect()
}

/// What asks for no glyph of its own: blanks, controls, and what Unicode calls default ignorable (UAX #44), such as joiners, marks of
/// direction and variation selectors.
fn is_invisible(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::lacking;

    #[test]
    fn each_character_without_a_glyph_is_listed_once_and_invisible_ones_are_not() {
        let has = |letter: char| letter < '\u{2e80}';
        assert_eq!(lacking("Ann 犬 é 犬 \u{200d}\u{fe0f}\u{3000}🐩 “x”", has), "犬🐩");
        assert_eq!(lacking("Sam's salon", |_| false), "");
    }
}
