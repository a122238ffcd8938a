//! Whether the advisor without a model answers the question that was asked: each labeled message is answered twice, as it is
//! read and as it is labeled, and the figures of the two answers are compared. The engine computes both.

use crate::cli::eval::workbench::Workbench;
use crate::offline::{self, OfflineAdvisor};
use anyhow::{Context, Result};
use plan_eval::Case;
use plan_reader::{Heard, Intent, Slots, wants};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

/// What a labeled message wants. Lines of values are measured elsewhere.
#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    intent: Option<Intent>,
    #[serde(default)]
    slots: Slots,
}

/// Counts of one kind of message.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    of: usize,
    right: usize,
    /// Answered with less than was asked for, but with nothing else: most of them ask back.
    less: usize,
    /// Answered with figures of another question, and said to be a guess.
    guesses: usize,
    /// Answered with figures of another question.
    other_figures: usize,
    written: usize,
}

/// Measures all suites and gives the table, before it with `lists_misses` each message with another answer than the right one; the
/// flag says whether a message that states nothing has written something.
///
/// # Errors
/// Where a suite cannot be read.
pub(super) async fn measure(bench: &Workbench, suites: &[PathBuf], lists_misses: bool) -> Result<(String, bool)> {
    let mut misses = String::new();
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for path in suites {
        let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (case, wanted): (Case, Wanted) = (serde_json::from_str(line)?, serde_json::from_str(line)?);
            let Some(intent) = wanted
                .intent
                .filter(|intent| !matches!(intent, Intent::State | Intent::Correct))
            else {
                continue;
            };
            let count = counts.entry(intent.as_str()).or_default();
            count.of += 1;
            let labeled = OfflineAdvisor::hearing(Heard::known(intent, wanted.slots));
            let (Ok((said, written)), Ok((expected, _))) = (
                bench.said(&OfflineAdvisor::new(), &case).await,
                bench.said(&labeled, &case).await,
            ) else {
                continue;
            };
            // A yes to the advisor's own question writes what the question named.
            let agrees = intent == Intent::Accept && written > 0;
            let mut outcome = match agrees {
                true => Outcome::Right,
                false => Outcome::of(&said, &expected),
            };
            // A label has the message's own changes: it does not say whether those of the case before stay.
            if intent == Intent::WhatIf && outcome != Outcome::Right {
                let goes_on = bench.said(&labeled.going_on(), &case).await;
                if goes_on.is_ok_and(|(expected, _)| Outcome::of(&said, &expected) == Outcome::Right) {
                    outcome = Outcome::Right;
                }
            }
            let writes = written > 0 && !agrees;
            if lists_misses && (writes || outcome != Outcome::Right) {
                let kind = intent.as_str();
                let mark = match (writes, outcome) {
                    (true, _) => "*",
                    (_, Outcome::OtherFigures) => "!",
                    (_, Outcome::Guess) => "?",
                    _ => "",
                };
                // Writing into a string never fails.
                let _ = writeln!(
                    misses,
                    "{mark}{kind}: {}\n  heard: {}\n  said:  {said}\n  right: {expected}",
                    case.message,
                    heard_of(bench, &case)
                );
            }
            match outcome {
                Outcome::Right => count.right += 1,
                Outcome::Less => count.less += 1,
                Outcome::Guess => count.guesses += 1,
                Outcome::OtherFigures => count.other_figures += 1,
            }
            count.written += usize::from(writes);
        }
    }
    let wrote = counts.values().any(|count| count.written > 0);
    Ok((misses + &table(&counts), wrote))
}

/// What a message was heard to want, in one line.
fn heard_of(bench: &Workbench, case: &Case) -> String {
    let heard = wants(&case.texts(), bench.vocabulary());
    let slots = serde_json::to_string(&heard.slots).unwrap_or_default();
    let (intent, likely, figure) = (heard.intent.as_str(), heard.alike, heard.figure_probability);
    format!("{intent} {likely:.2} × {figure:.2} {slots}")
}

/// How an answer compares with the one to the labeled question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Right,
    Less,
    Guess,
    OtherFigures,
}

impl Outcome {
    /// The order of figures says nothing: of two changes either may be named first. A message that asks for more is labeled with one
    /// question: the answer to that one must be among what is said.
    fn of(said: &str, expected: &str) -> Self {
        let (figures_said, figures_expected) = (figures(said), figures(expected));
        let has_answer = expected.split("\n\n").all(|paragraph| said.contains(paragraph.trim()));
        let has_figures = !figures_expected.is_empty() && figures_said == figures_expected;
        match has_answer || has_figures {
            true => Self::Right,
            false if figures_said.is_subset(&figures_expected) => Self::Less,
            false if offline::is_guess(said) => Self::Guess,
            false => Self::OtherFigures,
        }
    }
}

/// Amounts, ratios, shares and months of an answer. What is in quotes is an example of how to ask.
fn figures(text: &str) -> BTreeSet<String> {
    let quotes = |c: char| matches!(c, '“' | '”' | '«' | '»');
    let text: String = text.split(quotes).step_by(2).collect();
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | ':'));
    let words = words.map(|word| word.trim_end_matches(['.', ',', '?', '!']));
    let is_figure = |word: &&str| word.contains(|c: char| c.is_ascii_digit()) && word.contains(['$', '×', '%']);
    words.filter(is_figure).map(str::to_owned).collect()
}

fn table(counts: &BTreeMap<&'static str, Count>) -> String {
    let mut text = format!(
        "{:<14}{:>6}{:>8}{:>8}{:>12}{:>10}{:>16}{:>9}\n",
        "kind", "of", "right", "share", "less", "guesses", "other figures", "written"
    );
    let mut sum = Count::default();
    let row = |text: &mut String, kind: &str, count: Count| {
        let share = count.right * 100 / count.of.max(1);
        let Count {
            of,
            right,
            less,
            guesses,
            other_figures,
            written,
        } = count;
        // Writing into a string never fails.
        let _ = writeln!(
            text,
            "{kind:<14}{of:>6}{right:>8}{share:>7}%{less:>12}{guesses:>10}{other_figures:>16}{written:>9}"
        );
    };
    for (kind, count) in counts {
        row(&mut text, kind, *count);
        sum.of += count.of;
        sum.right += count.right;
        sum.less += count.less;
        sum.guesses += count.guesses;
        sum.other_figures += count.other_figures;
        sum.written += count.written;
    }
    row(&mut text, "all", sum);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(figures: &[&str]) -> BTreeSet<String> {
        figures.iter().map(|&figure| figure.to_owned()).collect()
    }

    #[test]
    fn figures_are_read_out_of_an_answer() {
        let text = "With rent at $4,950 instead of $4,500, coverage goes from 0.61× to 0.48×. (In year 1.) It is 12%!";
        assert_eq!(figures(text), set(&["$4,950", "$4,500", "0.61×", "0.48×", "12%"]));
        assert!(figures("Which number in month 6?").is_empty());
    }

    #[test]
    fn an_answer_without_a_figure_of_another_question_is_no_wrong_one() {
        let wanted = "It is $1, because of $2.";
        assert_eq!(Outcome::of("$2, so $1.", wanted), Outcome::Right);
        assert_eq!(Outcome::of("Which one?", wanted), Outcome::Less);
        assert_eq!(Outcome::of("It is $1, because of $3.", wanted), Outcome::OtherFigures);
        assert_eq!(Outcome::of("Which one?", "That is done."), Outcome::Less);
        assert_eq!(Outcome::of("That is done.", "That is done."), Outcome::Right);
    }
}
