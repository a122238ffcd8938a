//! How the answer to a second look is read.

/// What the reviewer says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The person plainly says it.
    Stated,
    /// Hedged, a range, conditional, a question; or there is no answer.
    Unsure,
    /// It is not what the person says.
    Wrong,
}

impl Verdict {
    fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "stated" => Self::Stated,
            "unsure" => Self::Unsure,
            "wrong" => Self::Wrong,
            _ => return None,
        })
    }
}

/// One verdict for each of `n` claims. A claim with two different verdicts is `Unsure`.
pub fn parse(answer: &str, n: usize) -> Vec<Verdict> {
    let mut verdicts: Vec<Option<Verdict>> = vec![None; n];
    for line in answer.lines() {
        let Some((number, verdict)) = verdict_of(line) else {
            continue;
        };
        let Some(slot) = number.checked_sub(1).and_then(|at| verdicts.get_mut(at)) else {
            continue;
        };
        *slot = Some(match *slot {
            Some(other) if other != verdict => Verdict::Unsure,
            _ => verdict,
        });
    }
    verdicts
        .into_iter()
        .map(|verdict| verdict.unwrap_or(Verdict::Unsure))
        .collect()
}

/// `1 stated`, `1. stated`, `- 1: **stated**`, `Claim 1 = stated`: a number and one of the three words, and no other of them.
fn verdict_of(line: &str) -> Option<(usize, Verdict)> {
    let mut words = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let first = words.next()?;
    let number = if first.eq_ignore_ascii_case("claim") {
        words.next()?
    } else {
        first
    };
    let number = number.parse().ok()?;
    let mut verdicts = words.by_ref().map(Verdict::parse);
    let verdict = verdicts.next()??;
    // "1 stated wrong" says both.
    match verdicts.flatten().any(|other| other != verdict) {
        true => Some((number, Verdict::Unsure)),
        false => Some((number, verdict)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_leniently_and_by_number() {
        let read = |answer: &str| parse(answer, 3);
        let expected = vec![Verdict::Stated, Verdict::Wrong, Verdict::Unsure];
        assert_eq!(read("1 stated\n2 wrong\n3 unsure"), expected);
        assert_eq!(read("2: Wrong\n**1.** `STATED`\n"), expected);
        assert_eq!(
            read("Claim 1 = stated\n- 2) wrong, it is the landlord's\nThe third one is stated."),
            expected
        );
    }

    #[test]
    fn what_was_not_asked_or_not_readable_is_unsure() {
        assert_eq!(parse("7 stated\n0 stated\n-1 stated\nstated", 1), vec![Verdict::Stated]);
        assert_eq!(parse("7 stated\n0 stated\nstated\nyes\n", 1), vec![Verdict::Unsure]);
        assert_eq!(parse("1 stated\n1 wrong", 1), vec![Verdict::Unsure]);
        assert_eq!(parse("1 stated or wrong", 1), vec![Verdict::Unsure]);
        assert_eq!(parse("99999999999999999999999 stated", 2), vec![Verdict::Unsure; 2]);
        assert_eq!(parse("1 stated", 0), vec![]);
    }
}
