//! A linear classifier over hashed features: whole weights, so that every machine adds them up to the same sums.

use crate::lex::Table;

/// The class whose weights count for every candidate alike.
pub(crate) const SHARED: u8 = u8::MAX;

/// Weights of one classifier, pruned and quantized.
#[derive(Debug, Default)]
pub(crate) struct Linear {
    /// What one step of a weight is worth.
    pub scale: f32,
    /// Of each feature which row of the weights is its own.
    rows: Table<u32, u32>,
    /// Weights of a row, the first one of all classes alike.
    width: usize,
    weights: Vec<i8>,
}

impl Linear {
    /// Adds the weights of features to the sums of their classes.
    pub(crate) fn add(&self, features: &[u32], sums: &mut [i32; 256]) {
        for row in features.iter().filter_map(|feature| self.row(*feature)) {
            for (sum, weight) in sums.iter_mut().zip(&row[1..]) {
                *sum += i32::from(*weight);
            }
        }
    }

    /// How likely each of some classes is among them.
    pub(crate) fn among(&self, features: &[u32], classes: &[u8]) -> Vec<f32> {
        let mut sums = [0; 256];
        self.add(features, &mut sums);
        let sums: Vec<i32> = classes.iter().map(|class| sums[usize::from(*class)]).collect();
        self.probabilities(&sums)
    }

    /// How likely each of some choices is: its class by the features, and what speaks for itself.
    pub(crate) fn choose<'c>(&self, features: &[u32], choices: impl Iterator<Item = (u8, &'c [u32])>) -> Vec<f32> {
        let mut sums = [0; 256];
        self.add(features, &mut sums);
        let sum = |(class, own): (u8, &[u32])| sums[usize::from(class)] + self.shared(own);
        self.probabilities(&choices.map(sum).collect::<Vec<i32>>())
    }

    /// The sum of what features add to any candidate.
    pub(crate) fn shared(&self, features: &[u32]) -> i32 {
        let rows = features.iter().filter_map(|feature| self.row(*feature));
        rows.map(|row| i32::from(row[0])).sum()
    }

    fn row(&self, feature: u32) -> Option<&[i8]> {
        let from = *self.rows.get(&feature)? as usize * self.width;
        Some(&self.weights[from..from + self.width])
    }

    /// Probabilities of sums, in thousandths so that no machine's last digit matters.
    pub(crate) fn probabilities(&self, sums: &[i32]) -> Vec<f32> {
        let most = sums.iter().copied().max().unwrap_or(0);
        let odds: Vec<f64> = sums
            .iter()
            .map(|sum| (f64::from(sum - most) * f64::from(self.scale)).exp())
            .collect();
        let all: f64 = odds.iter().sum();
        odds.iter()
            .map(|odds| ((odds / all * 1000.0).round() / 1000.0) as f32)
            .collect()
    }

    /// Reads what [`fn@write`] wrote, and what is left behind it.
    pub(crate) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (scale, rest) = bytes.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let (width, rest) = rest.split_first()?;
        let (count, width) = (u32::from_le_bytes(*count) as usize, usize::from(*width));
        let (mut rows, mut feature, mut rest) = (Table::default(), 0, rest);
        for row in 0..count {
            let (steps, behind) = read_steps(rest)?;
            feature += steps;
            rows.insert(feature, row as u32);
            rest = behind;
        }
        let (weights, rest) = rest.split_at_checked(count * width)?;
        let out = Self {
            scale: f32::from_le_bytes(*scale),
            rows,
            width,
            weights: weights.iter().map(|weight| *weight as i8).collect(),
        };
        Some((out, rest))
    }
}

/// A number in groups of seven bits, the lowest first.
fn read_steps(bytes: &[u8]) -> Option<(u32, &[u8])> {
    const MOST: usize = 5;
    let length = 1 + bytes.iter().take(MOST).position(|byte| *byte < 0x80)?;
    let (own, rest) = bytes.split_at(length);
    let steps = own.iter().rev().fold(0, |all, byte| all << 7 | u32::from(byte & 0x7f));
    Some((steps, rest))
}

fn write_steps(mut steps: u32, out: &mut Vec<u8>) {
    while steps >= 0x80 {
        out.push(steps as u8 | 0x80);
        steps >>= 7;
    }
    out.push(steps as u8);
}

/// Scale, number of features, weights of each, the steps from feature to feature, then their weights, that of all classes alike
/// first. Most are zero: the file is packed as a whole.
pub(crate) fn write(scale: f32, rows: &[(u32, Vec<(u8, i8)>)], out: &mut Vec<u8>) {
    let classes = rows.iter().flat_map(|(_, weights)| weights).map(|(class, _)| *class);
    let most = classes.filter(|class| *class != SHARED).max().unwrap_or(0);
    let width = usize::from(most) + 2;
    out.extend(scale.to_le_bytes());
    out.extend((rows.len() as u32).to_le_bytes());
    out.push(width as u8);
    let mut last = 0;
    for (feature, _) in rows {
        write_steps(feature - last, out);
        last = *feature;
    }
    for (_, weights) in rows {
        let mut row = vec![0; width];
        for (class, weight) in weights {
            row[usize::from(class.wrapping_add(1))] = *weight as u8;
        }
        out.extend(row);
    }
}

/// Bits of a feature: of a hundred thousand, few share one by chance, and their steps take little room in the file.
const BITS: u32 = 23;

/// Mixes what a feature is made of.
pub(crate) fn hash(kind: u32, one: u32, other: u32) -> u32 {
    let mut mixed = kind.wrapping_mul(0x9e37_79b1) ^ one;
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ other).rotate_left(13).wrapping_mul(0xc2b2_ae35);
    (mixed ^ (mixed >> 15)) >> (u32::BITS - BITS)
}

/// FNV-1a: words and paths as numbers.
pub(crate) fn hash_of(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |all, byte| {
        (all ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
