//! A linear classifier over hashed features: whole weights, so that every machine adds them up to the same sums.

use crate::lex::Table;

/// The class whose weights count for every candidate alike.
pub(crate) const SHARED: u8 = u8::MAX;

/// Weights of one classifier, pruned and quantized.
#[derive(Debug, Default)]
pub(crate) struct Linear {
    /// What one step of a weight is worth.
    pub scale: f32,
    /// Where the weights of a feature stand.
    rows: Table<u32, (u32, u16)>,
    weights: Vec<(u8, i8)>,
}

impl Linear {
    /// Adds the weights of features to the sums of their classes.
    pub(crate) fn add(&self, features: &[u32], sums: &mut [i32; 256]) {
        for (class, weight) in features.iter().flat_map(|feature| self.row(*feature)) {
            sums[usize::from(*class)] += i32::from(*weight);
        }
    }

    /// The sum of what features add to any candidate.
    pub(crate) fn shared(&self, features: &[u32]) -> i32 {
        let weights = features.iter().flat_map(|feature| self.row(*feature));
        weights
            .filter(|(class, _)| *class == SHARED)
            .map(|(_, weight)| i32::from(*weight))
            .sum()
    }

    fn row(&self, feature: u32) -> &[(u8, i8)] {
        let (from, count) = self.rows.get(&feature).copied().unwrap_or_default();
        &self.weights[from as usize..from as usize + usize::from(count)]
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
        let mut out = Self {
            scale: f32::from_le_bytes(*scale),
            ..Self::default()
        };
        let (mask_size, mut rest) = rest.split_first()?;
        for _ in 0..u32::from_le_bytes(*count) {
            let (feature, behind) = rest.split_first_chunk()?;
            let (mask, behind) = behind.split_at_checked(usize::from(*mask_size))?;
            let bit = |place: &usize| mask[place / 8] >> (place % 8) & 1 == 1;
            let classes: Vec<u8> = (0..8 * mask.len()).filter(bit).map(class_at).collect();
            let (weights, behind) = behind.split_at_checked(classes.len())?;
            let from = u32::try_from(out.weights.len()).ok()?;
            let length = u16::try_from(classes.len()).ok()?;
            out.rows.insert(u32::from_le_bytes(*feature), (from, length));
            out.weights
                .extend(classes.into_iter().zip(weights.iter().map(|weight| *weight as i8)));
            rest = behind;
        }
        Some((out, rest))
    }
}

/// The class of a place in the mask of a feature; the first is of the weight that all classes share.
fn class_at(place: usize) -> u8 {
    place.checked_sub(1).map_or(SHARED, |class| class as u8)
}

/// Scale, number of features, bytes of a mask, then each feature with the mask of its classes and their weights. A feature has
/// weights for a third of the classes and more: masks take a quarter less room than the classes' numbers.
pub(crate) fn write(scale: f32, rows: &[(u32, Vec<(u8, i8)>)], out: &mut Vec<u8>) {
    let classes = rows.iter().flat_map(|(_, weights)| weights).map(|(class, _)| *class);
    let most = classes.filter(|class| *class != SHARED).max().unwrap_or(0);
    let mask_size = (usize::from(most) + 2).div_ceil(8);
    out.extend(scale.to_le_bytes());
    out.extend((rows.len() as u32).to_le_bytes());
    out.push(mask_size as u8);
    for (feature, weights) in rows {
        let at = |place: usize| weights.iter().find(|(class, _)| *class == class_at(place));
        let known: Vec<(usize, u8)> = (0..8 * mask_size)
            .filter_map(|place| Some((place, at(place)?.1 as u8)))
            .collect();
        let mut mask = vec![0; mask_size];
        for (place, _) in &known {
            mask[place / 8] |= 1 << (place % 8);
        }
        out.extend(feature.to_le_bytes());
        out.extend(mask);
        out.extend(known.into_iter().map(|(_, weight)| weight));
    }
}

/// Mixes what a feature is made of.
pub(crate) fn hash(kind: u32, one: u32, other: u32) -> u32 {
    let mut mixed = kind.wrapping_mul(0x9e37_79b1) ^ one;
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ other).rotate_left(13).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 15)
}

/// FNV-1a: words and paths as numbers.
pub(crate) fn hash_of(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |all, byte| {
        (all ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
