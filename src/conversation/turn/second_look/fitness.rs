//! Whether a model is fit for the second look: six fixed claims, three stated and three wrong.

use super::{Claimed, ModelReviewer, Reviewer};
use crate::conversation::engine::ReviewSettings;
use llm_client::{Asker, Llm};
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

/// What the second look of a model is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fitness {
    Usable,
    /// It is of no use, and does no harm.
    ConfirmsNothing,
    ConfirmsWrong,
    ConfirmsAll,
}

impl Fitness {
    /// Asks the model; `None` where it does not answer in full and in time.
    pub(crate) async fn measure(llm: &dyn Llm, settings: &ReviewSettings) -> Option<Self> {
        let reviewer = ModelReviewer {
            llm,
            settings,
            asker: Asker::program(),
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
        reviewed.verdicts.as_deref().map(Self::of)
    }

    fn of(verdicts: &[Verdict]) -> Self {
        let stated = |is_stated: bool| {
            let claims = CLAIMS.iter().zip(verdicts).filter(|(claim, _)| claim.4 == is_stated);
            claims.filter(|(_, verdict)| **verdict == Verdict::Stated).count()
        };
        match (stated(true), stated(false)) {
            (3, 3) => Self::ConfirmsAll,
            (_, 1..) => Self::ConfirmsWrong,
            (0, 0) => Self::ConfirmsNothing,
            _ => Self::Usable,
        }
    }

    /// Whether it may take the second look.
    pub(crate) fn is_fit(self) -> bool {
        matches!(self, Self::Usable | Self::ConfirmsNothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_reader::review::parse;

    #[test]
    fn a_reviewer_that_says_yes_to_everything_is_not_fit() {
        let of = |answer: &str| Fitness::of(&parse(answer, CLAIMS.len()));
        let right = "1 stated\n2 wrong\n3 stated\n4 wrong\n5 stated\n6 wrong";
        assert_eq!(of(right), Fitness::Usable);
        assert_eq!(of("1 stated\n3 stated\n5 unsure"), Fitness::Usable);
        let all = "1 stated\n2 stated\n3 stated\n4 stated\n5 stated\n6 stated";
        assert_eq!(of(all), Fitness::ConfirmsAll);
        assert_eq!(of("1 stated\n2 stated"), Fitness::ConfirmsWrong);
        assert_eq!(of("ok"), Fitness::ConfirmsNothing);
        assert!(!of(all).is_fit() && !of("1 stated\n2 stated").is_fit() && of("ok").is_fit());
    }
}
