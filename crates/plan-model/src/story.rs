//! What the owner writes for a lender, beside the figures.

use super::clean;
use super::text_enum::text_enum;
use serde::{Deserialize, Serialize};
use validator::Validate;

/// Characters of one text.
pub const MAX_CHARS: u64 = 2_000;

text_enum! {
    /// Which of the texts.
    pub enum StoryPart {
        /// Who we are, and our experience.
        Team = "team",
        /// The business and its place.
        Business = "business",
        /// The market and the competitors.
        Market = "market",
        /// How customers come.
        Customers = "customers",
        /// What the loan is for, and what secures it.
        Loan = "loan",
        /// What may go wrong, and what is done about it.
        Risks = "risks",
    }
}

/// Six short texts. What is left out, or holds nothing that can be seen, is `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Validate, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({"team": "I managed a grooming salon for six years.", "loan": "Equipment and the first months' rent."}))]
pub struct Story {
    /// Who we are, and our experience.
    #[validate(length(max = "MAX_CHARS", message = "must have at most 2000 characters"))]
    #[schema(max_length = 2000)]
    pub team: Option<String>,
    /// The business and its place.
    #[validate(length(max = "MAX_CHARS", message = "must have at most 2000 characters"))]
    #[schema(max_length = 2000)]
    pub business: Option<String>,
    /// The market and the competitors.
    #[validate(length(max = "MAX_CHARS", message = "must have at most 2000 characters"))]
    #[schema(max_length = 2000)]
    pub market: Option<String>,
    /// How customers come.
    #[validate(length(max = "MAX_CHARS", message = "must have at most 2000 characters"))]
    #[schema(max_length = 2000)]
    pub customers: Option<String>,
    /// What the loan is for, and what secures it.
    #[validate(length(max = "MAX_CHARS", message = "must have at most 2000 characters"))]
    #[schema(max_length = 2000)]
    pub loan: Option<String>,
    /// What may go wrong, and what is done about it.
    #[validate(length(max = "MAX_CHARS", message = "must have at most 2000 characters"))]
    #[schema(max_length = 2000)]
    pub risks: Option<String>,
}

impl Story {
    /// None of the texts.
    pub const EMPTY: Self = Self {
        team: None,
        business: None,
        market: None,
        customers: None,
        loan: None,
        risks: None,
    };

    /// Name and text of each, in the order in which they are printed.
    pub fn texts(&self) -> [(&'static str, Option<&str>); 6] {
        [
            ("team", self.team.as_deref()),
            ("business", self.business.as_deref()),
            ("market", self.market.as_deref()),
            ("customers", self.customers.as_deref()),
            ("loan", self.loan.as_deref()),
            ("risks", self.risks.as_deref()),
        ]
    }

    /// With another text in one place.
    #[must_use]
    pub fn with(self, part: StoryPart, text: String) -> Self {
        let text = Some(text);
        match part {
            StoryPart::Team => Self { team: text, ..self },
            StoryPart::Business => Self { business: text, ..self },
            StoryPart::Market => Self { market: text, ..self },
            StoryPart::Customers => Self {
                customers: text,
                ..self
            },
            StoryPart::Loan => Self { loan: text, ..self },
            StoryPart::Risks => Self { risks: text, ..self },
        }
    }

    /// As it is stored: each text as [`clean::paragraphs`], nothing instead of an empty one.
    #[must_use]
    pub fn cleaned(self) -> Self {
        let cleaned = |text: Option<String>| {
            let text = clean::paragraphs(&text?);
            (!text.is_empty()).then_some(text)
        };
        Self {
            team: cleaned(self.team),
            business: cleaned(self.business),
            market: cleaned(self.market),
            customers: cleaned(self.customers),
            loan: cleaned(self.loan),
            risks: cleaned(self.risks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_paragraphs_and_every_script() {
        let story = Story {
            team: Some("  One.\r\nTwo.\u{b}Three.\n\n\n\nFour.\t\u{7}👩‍🍳 \u{202e}نص ".to_owned()),
            risks: Some(" \u{0}\n ".to_owned()),
            ..Story::default()
        };
        let cleaned = story.cleaned();
        assert_eq!(cleaned.team.as_deref(), Some("One.\nTwo.\nThree.\n\nFour. 👩‍🍳 نص"));
        assert_eq!(cleaned.risks, None);
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let of = |count: usize| Story {
            market: Some("🐩".repeat(count)),
            ..Story::default()
        };
        assert!(of(2_000).validate().is_ok());
        assert!(of(2_001).validate().is_err());
    }

    #[test]
    fn every_text_is_listed() {
        let listed = Story::default().texts().map(|(name, _)| name);
        let members = serde_json::to_value(Story::default()).expect("JSON");
        let members: Vec<&str> = members
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect();
        let mut sorted = listed.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, members);
    }
}
