//! Whether the advisor without a model answers the question that was asked: each labeled message is answered twice, as it is
//! read and as it is labeled, and the figures of the two answers are compared. The engine computes both.

use crate::cli::eval::workbench::Workbench;
use crate::offline::OfflineAdvisor;
use anyhow::{Context, Result};
use plan_eval::Case;
use plan_reader::{Heard, Intent, Slots};
use serde::Deserialize;
use std::collections::BTreeMap;
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
            let heard = Heard {
                intent,
                probability: 1.0,
                figure_probability: 1.0,
                slots: wanted.slots,
            };
            let (Ok((said, written)), Ok((expected, _))) = (
                bench.said(&OfflineAdvisor::new(), &case).await,
                bench.said(&OfflineAdvisor::hearing(heard), &case).await,
            ) else {
                continue;
            };
            let (figures, wanted) = (figures(&said), figures(&expected));
            let is_right = if wanted.is_empty() {
                said == expected
            } else {
                figures == wanted
            };
            if lists_misses && !is_right {
                let kind = intent.as_str();
                // Writing into a string never fails.
                let _ = writeln!(misses, "{kind}: {}\n  said:  {said}\n  right: {expected}", case.message);
            }
            count.right += usize::from(is_right);
            count.other_figures += usize::from(!is_right && !figures.is_empty());
            count.written += usize::from(written > 0);
        }
    }
    let wrote = counts.values().any(|count| count.written > 0);
    Ok((misses + &table(&counts), wrote))
}

/// Amounts, ratios, shares and months of an answer, in its order. What is in quotes is an example of how to ask.
fn figures(text: &str) -> Vec<String> {
    let quotes = |c: char| matches!(c, '“' | '”' | '«' | '»');
    let text: String = text.split(quotes).step_by(2).collect();
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | ':'));
    let words = words.map(|word| word.trim_end_matches(['.', ',', '?', '!']));
    let is_figure = |word: &&str| word.contains(|c: char| c.is_ascii_digit()) && word.contains(['$', '×', '%']);
    words.filter(is_figure).map(str::to_owned).collect()
}

fn table(counts: &BTreeMap<&'static str, Count>) -> String {
    let mut text = format!(
        "{:<14}{:>6}{:>8}{:>8}{:>18}{:>9}\n",
        "kind", "of", "right", "share", "other figures", "written"
    );
    let mut sum = Count::default();
    let row = |text: &mut String, kind: &str, count: Count| {
        let share = count.right * 100 / count.of.max(1);
        let Count {
            of,
            right,
            other_figures,
            written,
        } = count;
        // Writing into a string never fails.
        let _ = writeln!(
            text,
            "{kind:<14}{of:>6}{right:>8}{share:>7}%{other_figures:>18}{written:>9}"
        );
    };
    for (kind, count) in counts {
        row(&mut text, kind, *count);
        sum.of += count.of;
        sum.right += count.right;
        sum.other_figures += count.other_figures;
        sum.written += count.written;
    }
    row(&mut text, "all", sum);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_out_of_an_answer_in_their_order() {
        let text = "With rent at $4,950 instead of $4,500, coverage goes from 0.61× to 0.48×. (In year 1.) It is 12%!";
        assert_eq!(figures(text), ["$4,950", "$4,500", "0.61×", "0.48×", "12%"]);
        assert!(figures("Which number in month 6?").is_empty());
    }
}
