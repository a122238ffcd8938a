//! What the oracle found.

/// The five zeros, each with what was found.
#[derive(Debug, Default)]
pub struct Findings {
    /// Acknowledged but not in the history, or words lost behind a 200.
    pub lost: Vec<String>,
    /// A key with more than one effect.
    pub duplicated: Vec<String>,
    /// Half turns, split states, malformed streams.
    pub partial: Vec<String>,
    /// Overwritten values, turns and sessions that hang.
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
