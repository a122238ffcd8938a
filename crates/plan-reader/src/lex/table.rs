//! Tables of the vocabulary. What they hold comes from our own files and from brands, never from the texts that are looked up
//! in them, so that a quick hash that anyone can predict does no harm.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table that no user's text gets into.
pub(crate) type Table<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// Mixes eight bytes in one multiplication. Keys are words of a few letters, and small numbers.
#[derive(Clone, Copy, Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    fn mix(&mut self, part: u64) {
        // An odd number without a pattern: the fraction of the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        for eight in eights {
            self.mix(u64::from_le_bytes(*eight));
        }
        self.mix(match (rest.first_chunk(), rest.last_chunk()) {
            (Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
            }
            _ => rest.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
        });
    }

    fn write_u8(&mut self, n: u8) {
        self.mix(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.mix(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.mix(n.into());
    }

    /// The table looks at the highest bits and at the lowest; the multiplication leaves the lowest weak.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}
