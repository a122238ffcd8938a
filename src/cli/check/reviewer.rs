//! Whether the model is fit for the second look: six fixed claims, three stated and three wrong.

use crate::config::{LlmConfig, LlmReview};
use crate::conversation::TurnSettings;
use crate::conversation::turn::second_look::{Claimed, ModelReviewer, Reviewer};
use llm_client::Llm;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_reader::Texts;
use plan_reader::review::{Claim, Verdict};

const MESSAGE: &str = "The landlord asked for $5,100 a month, but we signed our lease at $4,350 a month. Utilities cost us $620 a month. \
My friend pays $900 a month for insurance; ours is $410 a month. If we ever sold $80,000 a month, we would hire.";

/// Path, label, cents, as the reviewer reads it, and whether the message states it.
const CLAIMS: [(&str, &str, i64, &str, bool); 6] = [
    (
        "operatingCosts.rentMonthly",
        "Rent per month",
        435_000,
        "$4,350 per month",
        true,
    ),
    (
        "operatingCosts.rentMonthly",
        "Rent per month",
        510_000,
        "$5,100 per month",
        false,
    ),
    (
        "operatingCosts.utilitiesMonthly",
        "Utilities per month",
        62_000,
        "$620 per month",
        true,
    ),
    (
        "operatingCosts.insuranceMonthly",
        "Insurance per month",
        90_000,
        "$900 per month",
        false,
    ),
    (
        "operatingCosts.insuranceMonthly",
        "Insurance per month",
        41_000,
        "$410 per month",
        true,
    ),
    (
        "revenue.monthlyAuv",
        "Mature monthly sales",
        8_000_000,
        "$80,000 per month",
        false,
    ),
];

/// What the second look is worth, in words, and whether it may stay on. `None` where none is taken.
pub async fn fitness(llm: &dyn Llm, config: &LlmConfig) -> Option<(&'static str, bool)> {
    if config.review == LlmReview::Off {
        return None;
    }
    let settings = TurnSettings::new(config, llm.can_review()).review?;
    let reviewer = ModelReviewer {
        llm,
        settings: &settings,
    };
    let claims = CLAIMS.map(|(path, label, cents, value, _)| Claimed {
        field: FieldPath::from_static(path),
        value: Number::whole(cents),
        claim: Claim {
            label: label.to_owned(),
            value: value.to_owned(),
        },
    });
    let reviewed = reviewer.review(&claims, &Texts::of(MESSAGE)).await;
    Some(judged(reviewed.verdicts.as_deref()))
}

fn judged(verdicts: Option<&[Verdict]>) -> (&'static str, bool) {
    let Some(verdicts) = verdicts else {
        return (
            "does not answer in full and in time: what is not plain waits for the franchisee",
            true,
        );
    };
    let stated = |is_stated: bool| {
        let claims = CLAIMS.iter().zip(verdicts).filter(|(claim, _)| claim.4 == is_stated);
        claims.filter(|(_, verdict)| **verdict == Verdict::Stated).count()
    };
    match (stated(true), stated(false)) {
        (3, 3) => ("says yes to everything: set LLM_REVIEW=off", false),
        (_, 1..) => ("confirms wrong values: set LLM_REVIEW=off", false),
        (0, 0) => ("confirms nothing: what is not plain waits for the franchisee", true),
        _ => ("usable", true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_reader::review::parse;

    #[test]
    fn a_reviewer_that_says_yes_to_everything_is_not_fit() {
        let of = |answer: &str| judged(Some(&parse(answer, CLAIMS.len())));
        assert_eq!(
            of("1 stated\n2 wrong\n3 stated\n4 wrong\n5 stated\n6 wrong"),
            ("usable", true)
        );
        assert_eq!(of("1 stated\n3 stated\n5 unsure"), ("usable", true));
        assert_eq!(
            of("1 stated\n2 stated\n3 stated\n4 stated\n5 stated\n6 stated"),
            ("says yes to everything: set LLM_REVIEW=off", false)
        );
        assert!(!of("1 stated\n2 stated").1);
        assert!(of("ok").1);
        assert!(judged(None).1);
    }
}
