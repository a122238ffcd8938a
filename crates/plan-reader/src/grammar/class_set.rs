//! Classes of words, and sets of them.

/// A class of words or one mark, by its number.
pub(super) type Class = u8;

/// One bit for each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassSet([u64; 4]);

impl ClassSet {
    pub(crate) fn insert(&mut self, class: Class) {
        self.0[usize::from(class >> 6)] |= 1 << (class & 63);
    }

    pub(crate) fn contains(&self, class: Class) -> bool {
        self.0[usize::from(class >> 6)] >> (class & 63) & 1 == 1
    }

    pub(crate) fn insert_all(&mut self, other: &Self) {
        for (all, more) in self.0.iter_mut().zip(other.0) {
            *all |= more;
        }
    }

    pub(crate) fn has_any(&self, other: &Self) -> bool {
        let shared = self
            .0
            .iter()
            .zip(other.0)
            .fold(0, |all, (one, other)| all | one & other);
        shared != 0
    }
}

impl FromIterator<Class> for ClassSet {
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        let mut out = Self::default();
        classes.into_iter().for_each(|class| out.insert(class));
        out
    }
}
