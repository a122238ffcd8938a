//! Whether a server's sentence repeats what it was asked. What people write must not be taken for what the server says.

use std::ops::Range;

/// So many words in a row are no coincidence.
const RUN: usize = 6;
/// So many words are told from others without their neighbors.
const TELLING: usize = 3;

/// The words of a request, one blank between them.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Echo {
    all: String,
    /// Each message of a person.
    people: Vec<String>,
}

impl Echo {
    /// Adds a text of the request.
    pub(crate) fn push(&mut self, text: &str) {
        push_words(&mut self.all, text);
    }

    /// Adds a message of a person.
    pub(crate) fn push_person(&mut self, text: &str) {
        self.push(text);
        let mut words = String::new();
        push_words(&mut words, text);
        self.people.push(words);
    }

    /// Whether a sentence holds a long piece of what a person wrote.
    pub(crate) fn is_in(&self, sentence: &str) -> bool {
        self.repeats(sentence, RUN, TELLING)
    }

    /// Whether a sentence may hold anything of what a person wrote.
    pub(crate) fn is_near(&self, sentence: &str) -> bool {
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let mut numbers = words(sentence).map(|(_, word)| word).filter(|word| is_number(word));
        self.repeats(sentence, TELLING, 1)
            || numbers.any(|number| self.people.iter().any(|text| text.contains(&format!(" {number} "))))
    }

    /// Whether it has `run` words in a row of a message, or a whole message of at least `whole` words.
    fn repeats(&self, sentence: &str, run: usize, whole: usize) -> bool {
        let words: Vec<&str> = words(sentence).map(|(_, word)| word).collect();
        let runs: Vec<String> = words.windows(run).map(|run| run.join(" ")).collect();
        let sentence = format!(" {} ", words.join(" ").to_lowercase());
        self.people.iter().any(|text| {
            let is_whole = text.split_whitespace().count() >= whole && sentence.contains(text.as_str());
            is_whole || runs.iter().any(|run| has(text, run))
        })
    }

    /// Whether this part of a sentence stands in the request: by itself where it is several words, else with one beside it.
    pub(crate) fn has(&self, sentence: &str, part: Range<usize>) -> bool {
        if self.all.is_empty() {
            return false;
        }
        let words: Vec<(usize, &str)> = words(sentence).collect();
        let is_inside = |(at, word): &(usize, &str)| *at < part.end && at + word.len() > part.start;
        let Some(first) = words.iter().position(is_inside) else {
            return false;
        };
        let last = words.iter().rposition(is_inside).unwrap_or(first);
        let has = |from: usize, to: usize| {
            let run: Vec<&str> = words[from..=to].iter().map(|(_, word)| *word).collect();
            has(&self.all, &run.join(" "))
        };
        let (before, behind) = (first.checked_sub(1), (last + 1 < words.len()).then_some(last + 1));
        if last - first + 1 >= TELLING || (before.is_none() && behind.is_none()) {
            return has(first, last);
        }
        before.is_some_and(|before| has(before, last)) || behind.is_some_and(|behind| has(first, behind))
    }
}

/// A server may have cut what it repeats, in the middle of a word or of a number.
fn has(text: &str, run: &str) -> bool {
    // The text begins with a blank.
    text.contains(&format!(" {}", run.to_lowercase()))
}

fn push_words(all: &mut String, text: &str) {
    if all.is_empty() {
        all.push(' ');
    }
    for (_, word) in words(text) {
        all.push_str(&word.to_lowercase());
        all.push(' ');
    }
}

/// The words of a text, each with its place.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(is_between)
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echo(text: &str) -> Echo {
        let mut echo = Echo::default();
        echo.push_person(text);
        echo
    }

    #[test]
    fn a_part_counts_with_its_neighbor_and_several_words_count_alone() {
        let sentence = "unsupported parameter: temperature";
        let name = sentence.find("temperature").expect("is there")..sentence.len();
        assert!(!echo("What about the temperature in the shop?").has(sentence, name.clone()));
        assert!(echo("It said: parameter \u{201c}Temperature\u{201d}!").has(sentence, name.clone()));
        assert!(!echo("").has(sentence, name));
        assert!(echo("the maximum context length is 256 tokens").has("maximum context length is 256", 0..29));
        assert!(!echo("the maximum context length is 512 tokens").has("maximum context length is 256", 0..29));
        let cut = "rejected: maximum context length is 2048";
        assert!(echo("maximum context length is 20489999 tokens").has(cut, 10..cut.len()));
    }

    #[test]
    fn six_words_in_a_row_are_an_echo() {
        let said = "My rent is $4,200 a month and rising";
        assert!(echo(said).is_in("Invalid value: 'My rent is $4,200 a month'"));
        assert!(!echo(said).is_in("the rent is due"));
    }
}
