//! Random numbers of a run: all of them follow from the seed and the caller's name.

/// `SplitMix64`: short, and good enough to choose where to cut.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for one caller: the same seed and name give the same numbers, whatever runs concurrently.
    pub fn of(seed: u64, place: &str, nth: u64) -> Self {
        let mut hash = seed ^ 0x9e37_79b9_7f4a_7c15;
        for byte in place.bytes().chain(nth.to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self(hash)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to `limit` − 1.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    pub fn place_in(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or_default()
    }

    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.place_in(of.len())]
    }

    /// Letters only: digits in a message would be read as amounts.
    pub fn letters(&mut self, count: usize) -> String {
        (0..count)
            .map(|_| char::from(b"bcdfghjklmnpqrstvwxz"[self.place_in(20)]))
            .collect()
    }
}

/// A seed from the operating system.
pub fn fresh_seed() -> u64 {
    let id = uuid::Uuid::new_v4().as_u64_pair();
    (id.0 ^ id.1) & 0xffff_ffff
}
