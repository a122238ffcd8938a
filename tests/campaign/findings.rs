//! The findings of the oracle.

/// The five counts that must be zero, with details.
#[derive(Debug, Default)]
pub struct Findings {
    /// Acknowledged turns missing in the history, or messages lost after a 200.
    pub lost: Vec<String>,
    /// Keys with more than one effect.
    pub duplicated: Vec<String>,
    /// Partial turns, inconsistent states, malformed streams.
    pub partial: Vec<String>,
    /// Overwritten values, turns and transactions that never end.
    pub stale: Vec<String>,
    pub leaked: Vec<String>,
}

impl Findings {
    pub fn all(&self) -> [(&'static str, &[String]); 5] {
        [
            ("lost", &self.lost),
            ("duplicated", &self.duplicated),
            ("partial", &self.partial),
            ("stale", &self.stale),
            ("leaked", &self.leaked),
        ]
    }

    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        self.all().iter().map(|(name, found)| (*name, found.len())).collect()
    }

    pub fn is_clean(&self) -> bool {
        self.all().iter().all(|(_, found)| found.is_empty())
    }
}
