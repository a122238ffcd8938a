//! Softmax regression by `AdaGrad` (Duchi, Hazan and Singer, 2011), one thread, always in the same order.

use crate::ear::linear::SHARED;
use std::collections::{BTreeMap, HashMap};

/// What is known of one decision.
pub(super) struct Example {
    /// Features that each class weighs for itself.
    pub features: Vec<u32>,
    /// What can be chosen: the class, and features that all classes weigh alike.
    pub choices: Vec<(u8, Vec<u32>)>,
    /// The right choice.
    pub right: usize,
}

/// How it is learned.
pub(super) struct Plan {
    /// Times that all examples are seen.
    pub epochs: usize,
    /// The step.
    pub rate: f32,
    /// What is taken off a weight each time that it counts.
    pub decay: f32,
    /// Features of a hundred that are left out each time.
    pub left_out: u64,
    /// Features of fewer examples are left out.
    pub seen: usize,
    /// The largest weights that are kept.
    pub entries: usize,
}

/// What one step of a quantized weight is worth. Finer ones are no more accurate and make the file a quarter larger.
const STEP: f32 = 0.1;

struct Model {
    rows: HashMap<u32, u32>,
    /// How many examples have the feature of each row.
    counts: Vec<f32>,
    width: usize,
    weights: Vec<f32>,
    squares: Vec<f32>,
}

impl Model {
    fn rows_of(&self, features: &[u32]) -> Vec<usize> {
        let known = features.iter().filter_map(|feature| self.rows.get(feature));
        known.map(|row| *row as usize * self.width).collect()
    }

    fn step(&mut self, at: usize, gradient: f32, plan: &Plan) {
        let gradient = gradient + plan.decay * self.weights[at];
        self.squares[at] += gradient * gradient;
        self.weights[at] -= plan.rate * gradient / (self.squares[at].sqrt() + 1e-6);
    }
}

/// A feature with its quantized weight for each class that has one.
pub(super) type Row = (u32, Vec<(u8, i8)>);

/// The scale of the quantized weights, and each feature with them.
pub(super) fn learn(examples: &[Example], plan: &Plan) -> (f32, Vec<Row>) {
    let classes = examples
        .iter()
        .flat_map(|one| one.choices.iter().map(|(class, _)| *class));
    let shared = usize::from(classes.max().unwrap_or(0)) + 1;
    let mut mean = start(examples, plan, shared + 1);
    for seed in SEEDS {
        learn_in_order(examples, plan, (shared, seed), &mut mean.weights);
    }
    quantized(&mean, plan, shared)
}

/// What is learned differs with the order of the examples and the features that are left out: of several orders the mean is taken,
/// and of each the mean of its last weights (Polyak and Juditsky, 1992).
const SEEDS: [u64; 4] = [
    0x2545_f491_4f6c_dd1d,
    0x9e37_79b9_7f4a_7c15,
    0xd1b5_4a32_d192_ed03,
    0x94d0_49bb_1331_11eb,
];

/// Adds the mean of the weights behind the last half of the epochs.
fn learn_in_order(examples: &[Example], plan: &Plan, (shared, seed): (usize, u64), mean: &mut [f32]) {
    let mut model = start(examples, plan, shared + 1);
    let first = plan.epochs / 2;
    let share = 1.0 / ((plan.epochs - first) * SEEDS.len()) as f32;
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = seed;
    for epoch in 0..plan.epochs {
        for at in (1..order.len()).rev() {
            order.swap(at, (next(&mut random) % (at as u64 + 1)) as usize);
        }
        for at in &order {
            learn_one(&mut model, &examples[*at], plan, (shared, &mut random));
        }
        if epoch >= first {
            let weights = mean.iter_mut().zip(&model.weights);
            weights.for_each(|(mean, weight)| *mean += weight * share);
        }
    }
}

/// Marsaglia's xorshift (2003): the same numbers on every machine.
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

fn start(examples: &[Example], plan: &Plan, width: usize) -> Model {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for one in examples {
        for feature in &one.features {
            *counts.entry(*feature).or_default() += 1;
        }
        for feature in &one.choices[one.right].1 {
            *counts.entry(*feature).or_default() += plan.seen;
        }
        for feature in one.choices.iter().flat_map(|(_, features)| features) {
            *counts.entry(*feature).or_default() += 1;
        }
    }
    let known: Vec<(u32, usize)> = counts.into_iter().filter(|(_, count)| *count >= plan.seen).collect();
    let rows: HashMap<u32, u32> = known.iter().map(|(feature, _)| *feature).zip(0..).collect();
    let size = rows.len() * width;
    Model {
        rows,
        counts: known.iter().map(|(_, count)| *count as f32).collect(),
        width,
        weights: vec![0.0; size],
        squares: vec![0.0; size],
    }
}

fn learn_one(model: &mut Model, one: &Example, plan: &Plan, (shared, random): (usize, &mut u64)) {
    let mut rows = model.rows_of(&one.features);
    // Features are left out by chance, so that no single word decides and what holds for all fields alike is learned, too.
    rows.retain(|_| next(random) % 100 >= plan.left_out);
    let own: Vec<Vec<usize>> = one
        .choices
        .iter()
        .map(|(_, features)| model.rows_of(features))
        .collect();
    let sums: Vec<f32> = one
        .choices
        .iter()
        .zip(&own)
        .map(|((class, _), own)| {
            let of_class: f32 = rows.iter().map(|row| model.weights[row + usize::from(*class)]).sum();
            let of_all: f32 = own.iter().map(|row| model.weights[row + shared]).sum();
            of_class + of_all
        })
        .collect();
    let most = sums.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = sums.iter().map(|sum| (sum - most).exp()).collect();
    let all: f32 = odds.iter().sum();
    for (nth, (class, _)) in one.choices.iter().enumerate() {
        let gradient = odds[nth] / all - f32::from(u8::from(nth == one.right));
        // What is as good as decided teaches nothing.
        if gradient.abs() < 0.001 {
            continue;
        }
        for row in &rows {
            model.step(row + usize::from(*class), gradient, plan);
        }
        for row in &own[nth] {
            model.step(row + shared, gradient, plan);
        }
    }
}

/// The weights that matter most: a feature of many messages counts for more than one of two.
fn quantized(model: &Model, plan: &Plan, shared: usize) -> (f32, Vec<Row>) {
    let scale = STEP;
    let matters = |at: usize| model.weights[at].abs() * model.counts[at / model.width].sqrt();
    let is_seen = |at: usize| model.weights[at].abs() > scale / 2.0;
    let all = 0..model.weights.len();
    let mut sizes: Vec<f32> = all.filter(|at| is_seen(*at)).map(matters).collect();
    sizes.sort_by(|one, other| other.total_cmp(one));
    let least = sizes.get(plan.entries).copied().unwrap_or(0.0);
    let mut features: Vec<(&u32, &u32)> = model.rows.iter().collect();
    features.sort();
    let rows = features.into_iter().filter_map(|(feature, row)| {
        let from = *row as usize * model.width;
        let kept = (0..model.width).filter(|nth| is_seen(from + nth) && matters(from + nth) > least);
        let kept = kept.map(|nth| {
            let class = if nth == shared { SHARED } else { nth as u8 };
            let steps = (model.weights[from + nth] / scale).round().clamp(-127.0, 127.0);
            (class, steps as i8)
        });
        let kept: Vec<(u8, i8)> = kept.collect();
        (!kept.is_empty()).then_some((*feature, kept))
    });
    (scale, rows.collect())
}
