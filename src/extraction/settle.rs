//! What holds across all values of one turn.

use super::judge::{Judgement, Outcome};
use super::words::{Origin, Words};
use crate::model::extracted::Confidence;
use crate::model::field::Field;

/// Settles values that meet at one field. Call it once, when the turn's last value is judged, before anything is written.
///
/// - The same value again: the first one counts, the later ones are `Unchanged`.
/// - Two values from one text with words of correction between them: the later one counts, the earlier is `Superseded`.
/// - Two values from one text without such words: both are proposed.
/// - Values from different texts: the latest text counts, its `note` names the earlier value.
/// - A value without evidence never touches one that has it.
pub fn resolve_turn(judgements: &mut [Judgement], fields: &[Field], words: &Words<'_>) {
    for later in 1..judgements.len() {
        for earlier in 0..later {
            if judgements[earlier].field == judgements[later].field {
                meet(judgements, earlier, later, fields, words);
            }
        }
    }
}

fn meet(judgements: &mut [Judgement], earlier: usize, later: usize, fields: &[Field], words: &Words<'_>) {
    let (a, b) = (&judgements[earlier], &judgements[later]);
    if a.outcome == Outcome::Superseded || b.outcome == Outcome::Superseded {
        return;
    }
    if a.value == b.value {
        let (drop, outcome) = match (a.outcome, b.outcome) {
            (Outcome::Propose, Outcome::Apply) => (earlier, Outcome::Superseded),
            (_, Outcome::Unchanged) => return,
            _ => (later, Outcome::Unchanged),
        };
        judgements[drop].outcome = outcome;
        return;
    }
    let (Some(first), Some(second)) = (&a.evidence, &b.evidence) else {
        return;
    };
    // Which of the two was said later, whatever order the calls came in.
    let said = |evidence: &super::judge::Evidence| (evidence.source, evidence.number.0);
    let (old, new) = if said(first) <= said(second) {
        (earlier, later)
    } else {
        (later, earlier)
    };
    let (from, to) = if old == earlier {
        (first, second)
    } else {
        (second, first)
    };
    let replaced = from.source != to.source || corrected(from.source, from.number.1, to.number.1, fields, words);
    if !replaced {
        contest(&mut judgements[old]);
        contest(&mut judgements[new]);
        return;
    }
    let settled = judgements[new].outcome != Outcome::Propose || judgements[old].outcome != Outcome::Apply;
    if settled {
        let text = judgements[old].kind.show(judgements[old].value);
        judgements[old].outcome = Outcome::Superseded;
        judgements[old].note = Some("You gave another value later.".to_owned());
        judgements[new]
            .note
            .get_or_insert_with(|| format!("Replaces {text} from before."));
    } else {
        // The later words are in doubt and take the earlier ones back all the same.
        contest(&mut judgements[old]);
    }
}

fn contest(judgement: &mut Judgement) {
    if judgement.outcome == Outcome::Apply {
        judgement.outcome = Outcome::Propose;
    }
    judgement.confidence = judgement.confidence.min(Confidence::Tentative);
    judgement.note = Some("Needs your word: two values were given.".to_owned());
}

/// Whether words of correction stand between two numbers of one text.
fn corrected(origin: Origin, from: usize, to: usize, fields: &[Field], words: &Words<'_>) -> bool {
    let part = words.heard(fields).parts.iter().find(|part| part.origin == origin);
    part.is_some_and(|part| {
        let corrections = &part.reading.corrections;
        let at = corrections.partition_point(|&at| at < from);
        corrections.get(at).is_some_and(|&at| at < to)
    })
}
