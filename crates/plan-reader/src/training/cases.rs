//! What cases teach: which field each of their numbers changes, and which way.

use super::NUMBERS;
use super::labeled::Labeled;
use super::softmax::Example;
use crate::ear::spots::Spots;
use crate::ear::{FACTOR, NO_FACTOR, NO_TARGET, TARGET, class_of, none};
use crate::grammar::Message;
use crate::intent::change::operands::operands;
use crate::intent::change::way::{self, Way};
use crate::intent::fill::estimate::factor;
use crate::intent::fill::goal::{can_be_target, target_of};
use crate::intent::talked_about::TalkedAbout;
use crate::intent::time::{self, TimeQuestion};
use crate::intent::{Change, FieldChange, Intent, Slots};
use plan_model::number::Number;
use rust_decimal::Decimal;

/// "A third less" is labeled with four digits and more.
const NEAR: Decimal = Decimal::from_parts(1, 0, 0, false, 3);

/// A change that a number of the message makes: its place, the place of its field, and the ways that make it.
type Made = (usize, usize, Vec<Way>);

/// What a case teaches, of its numbers' fields and of their ways; nothing where a labeled change is made by none of its numbers.
pub(super) fn examples(one: &Labeled, message: &Message<'_>) -> (Vec<Example>, Vec<Example>) {
    let labels = one.slots.as_ref().map(Slots::all_changes).unwrap_or_default();
    let spots = operands(message, NUMBERS);
    let Some(made) = aligned(&labels, &spots, message).filter(|_| !labels.is_empty()) else {
        return (Vec::new(), Vec::new());
    };
    let ways = made.iter().map(|made| way_example(made, &spots, message));
    let ways = ways.collect();
    let fields = (0..spots.all.len()).map(|at| {
        let field = made.iter().find(|(of, ..)| *of == at).map(|(_, field, _)| *field);
        field_example(at, field, &spots, message)
    });
    (fields.collect(), ways)
}

/// The numbers of a product, each a factor or none; nothing where a labeled factor is no number of the message.
pub(super) fn factors(one: &Labeled, spots: &Spots<'_>) -> Vec<Example> {
    let slots = one.slots.as_ref().filter(|_| one.intent == Some(Intent::Estimate));
    let mut left = slots.map(|slots| slots.product.clone()).unwrap_or_default();
    if left.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for at in (0..spots.all.len()).filter(|at| !spots.all[*at].is_word) {
        let own = left.iter().position(|number| *number == factor(&spots.all[at]));
        own.map(|own| left.remove(own));
        out.push(Example {
            features: spots.features(at),
            choices: vec![(FACTOR, Vec::new()), (NO_FACTOR, Vec::new())],
            right: usize::from(own.is_none()),
        });
    }
    if left.is_empty() { out } else { Vec::new() }
}

/// The numbers of a goal, one of them its target or none; nothing where a labeled target is no number of the message.
pub(super) fn targets(one: &Labeled, message: &Message<'_>) -> Vec<Example> {
    let slots = one.slots.as_ref().filter(|_| one.intent == Some(Intent::Goal));
    let Some((metric, slots)) = slots.and_then(|slots| Some((slots.metric.as_ref()?, slots))) else {
        return Vec::new();
    };
    let spots = operands(message, NUMBERS);
    let target = slots.target.filter(|target| *target != Number::ZERO);
    let own = target.map(|target| {
        spots
            .all
            .iter()
            .position(|spot| target_of(metric, spot) == Some(target))
    });
    if own == Some(None) {
        return Vec::new();
    }
    let of = |at: usize| Example {
        features: spots.features(at),
        choices: vec![(TARGET, Vec::new()), (NO_TARGET, Vec::new())],
        right: usize::from(own != Some(Some(at))),
    };
    let can_be = |at: &usize| can_be_target(&spots.all[*at]);
    (0..spots.all.len()).filter(can_be).map(of).collect()
}

/// The times that a question may be about, and the one that it is about; nothing where that is none of them.
pub(super) fn time(one: &Labeled, message: &Message<'_>, before: &TalkedAbout<'_>) -> Option<Example> {
    let intent = one
        .intent
        .filter(|intent| matches!(intent, Intent::Figure | Intent::Why))?;
    let slots = one.slots.as_ref().filter(|slots| time::has_one(slots.line.as_ref()))?;
    let line = slots.line.as_ref();
    let question = TimeQuestion::of(message, intent, line, before);
    let candidates = question.choices();
    let meant = (slots.year, slots.month);
    let exact = candidates.iter().position(|one| one.time == meant);
    let same = || candidates.iter().position(|one| time::is_same(line, one.time, meant));
    Some(Example {
        right: exact.or_else(same)?,
        features: question.features(),
        choices: candidates.into_iter().map(|one| (one.class, one.features)).collect(),
    })
}

/// For each label the first number that makes it, each number for one label.
fn aligned(labels: &[FieldChange], spots: &Spots<'_>, message: &Message<'_>) -> Option<Vec<Made>> {
    let vocabulary = message.vocabulary;
    let mut out: Vec<Made> = Vec::new();
    for label in labels {
        let field = vocabulary.position(label.field.as_str())?;
        let (described, range) = (&vocabulary.fields()[field], vocabulary.range(field));
        let makes = |at: usize| {
            let right = |way: &&Way| {
                let change = way.change(spots, at, described, range);
                change.is_some_and(|change| is_near(change, label.change))
            };
            Way::ALL.iter().filter(right).copied().collect::<Vec<Way>>()
        };
        let is_free = |at: &usize| !out.iter().any(|(used, ..)| used == at);
        let known = |at: usize| {
            let ways = makes(at);
            (!ways.is_empty()).then_some((at, field, ways))
        };
        let nearest = (0..spots.all.len()).filter(is_free).filter_map(known);
        // Of several the one whose name stands nearest.
        let steps = |(at, ..): &Made| spots.steps_to_field(*at, field);
        // "No growth in years 4 and 5": one number of several fields.
        let again = || {
            out.iter()
                .find(|(_, _, _)| described.is_growth())
                .and_then(|(at, ..)| known(*at))
        };
        let found = nearest.min_by_key(steps);
        match found {
            Some(made) => out.push(made),
            None => {
                again()?;
            }
        }
    }
    Some(out)
}

fn is_near(one: Change, other: Change) -> bool {
    match (one, other) {
        (Change::Times(one), Change::Times(other)) => (one.decimal() - other.decimal()).abs() <= NEAR,
        (one, other) => one == other,
    }
}

fn field_example(at: usize, field: Option<usize>, spots: &Spots<'_>, message: &Message<'_>) -> Example {
    let fits = spots.changed(at);
    let right = field.and_then(|field| fits.iter().position(|(of, _)| *of == field));
    let right = right.unwrap_or(fits.len());
    let of_fields = fits.into_iter().map(|(field, features)| {
        let class = class_of(message.vocabulary.fields()[field].path.as_str());
        (class.unwrap_or(none() + 1), features)
    });
    Example {
        features: spots.features_of_change(at),
        choices: of_fields.chain([(none(), spots.features_of_no_change(at))]).collect(),
        right,
    }
}

fn way_example((at, field, right): &Made, spots: &Spots<'_>, message: &Message<'_>) -> Example {
    let described = &message.vocabulary.fields()[*field];
    let range = message.vocabulary.range(*field);
    let can_be = |way: &&Way| way.change(spots, *at, described, range).is_some();
    let ways: Vec<Way> = Way::ALL.iter().filter(can_be).copied().collect();
    Example {
        features: way::features(spots, message, *at, described),
        right: ways.iter().position(|way| right.contains(way)).unwrap_or(0),
        choices: ways.into_iter().map(|way| (way as u8, Vec::new())).collect(),
    }
}
