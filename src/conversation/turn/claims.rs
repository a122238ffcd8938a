//! Looks over a finished answer for words that the Franchise Rule makes dangerous (16 CFR 436.9). Nothing is held back: a
//! code goes to log and metrics, never the text, so that operators see when a model needs another prompt.

/// Phrases that state or promise results, with the code each is reported under. Lower case, single spaces.
const PHRASES: [(&str, &str); 14] = [
    ("franchisees typically", "typical_results"),
    ("franchisees usually", "typical_results"),
    ("franchisees on average", "typical_results"),
    ("typical franchisee", "typical_results"),
    ("average franchisee", "typical_results"),
    ("most franchisees make", "typical_results"),
    ("you will make", "promised_results"),
    ("you will earn", "promised_results"),
    ("you can expect to make", "promised_results"),
    ("you can expect to earn", "promised_results"),
    ("you should expect to make", "promised_results"),
    ("guaranteed", "guarantee"),
    ("i guarantee", "guarantee"),
    ("we guarantee", "guarantee"),
];

/// The codes an answer earns, each once. Only brands without an Item 19 block are looked at.
pub(crate) fn flags(answer: &str, has_item19: bool) -> Vec<&'static str> {
    if has_item19 {
        return Vec::new();
    }
    let answer = answer.to_lowercase();
    let answer = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut codes: Vec<_> = PHRASES
        .iter()
        .filter(|(phrase, _)| answer.contains(phrase))
        .map(|(_, code)| *code)
        .collect();
    codes.dedup();
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_flagged_and_plain_answers_are_not() {
        assert_eq!(
            flags("Franchisees  typically\nsee $60,000 and you will make more.", false),
            ["typical_results", "promised_results"]
        );
        assert_eq!(flags("That is guaranteed.", false), ["guarantee"]);
        assert!(flags("Your rent is $4,200 a month. What do you pay for insurance?", false).is_empty());
        assert!(flags("Franchisees typically see", true).is_empty());
        assert!(flags(plan_engine::describe::FOOTER, false).is_empty());
    }
}
