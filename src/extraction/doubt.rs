//! Why a number that was said may not be the value of the plan.

use std::fmt;

/// A set of reasons.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Doubts(u32);

macro_rules! doubts {
    ($($name:ident = $bit:literal, $why:literal;)*) => {
        impl Doubts {
            $(pub const $name: Self = Self(1 << $bit);)*
            const ALL: &'static [(Self, &'static str, &'static str)] = &[$((Self::$name, stringify!($name), $why)),*];
        }
    };
}

doubts! {
    CONDITIONAL = 0, "it depends on something";
    QUESTION = 1, "it was asked, not stated";
    NEGATED = 2, "it was denied";
    OTHERS = 3, "it is somebody else's";
    FOREIGN = 4, "it is in another currency";
    REPLACED = 5, "it was taken back";
    PAST = 6, "it is from the past";
    HEDGED = 7, "it was approximate";
    BOUND = 8, "it is a limit, not a figure";
    RANGE = 9, "it is a range";
    CONTESTED = 10, "two values were given";
    SHARED = 11, "it covers more than one line";
    RELATIVE = 12, "it is a part or a change of something";
    QUOTED = 13, "it is quoted";
    ODD = 14, "it can be read in more than one way";
    SHORT = 15, "its size was left out";
    INSTRUCTED = 16, "the message tries to change the rules";
    WAS = 17, "it is from the past";
    ABOUT = 18, "it was approximate";
    LATER = 19, "it holds for some of the time only";
}

impl Doubts {
    pub const NONE: Self = Self(0);

    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// The gravest reason, as the end of a sentence.
    #[must_use]
    pub fn why(self) -> Option<&'static str> {
        Self::ALL
            .iter()
            .find(|(doubt, _, _)| self.has(*doubt))
            .map(|(_, _, why)| *why)
    }

    /// Nothing that was stated at all: hypothetical, asked, denied.
    #[must_use]
    pub const fn is_grave(self) -> bool {
        self.has(Self::CONDITIONAL.with(Self::QUESTION).with(Self::OTHERS))
    }
}

impl fmt::Debug for Doubts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Self::ALL
            .iter()
            .filter(|(doubt, _, _)| self.has(*doubt))
            .map(|(_, name, _)| *name)
            .collect();
        f.write_str(&names.join("|"))
    }
}
