//! Whether the model is fit for the second look, in words.

use crate::config::{LlmConfig, LlmReview};
use crate::conversation::TurnSettings;
use crate::conversation::turn::second_look::Fitness;
use llm_client::Llm;

/// What the second look is worth, in words, and whether the configuration may stay so. `None` where none is taken.
pub(super) async fn fitness(llm: &dyn Llm, config: &LlmConfig) -> Option<(String, bool)> {
    if config.review == LlmReview::Off {
        return None;
    }
    let settings = TurnSettings::new(config, llm.can_review()).review?;
    Some(judged(Fitness::measure(llm, &settings).await, config.review))
}

fn judged(fitness: Option<Fitness>, review: LlmReview) -> (String, bool) {
    let found = match fitness {
        None => "does not answer in full and in time: what is not plain waits for the franchisee",
        Some(Fitness::Usable) => "usable",
        Some(Fitness::ConfirmsNothing) => "confirms nothing: what is not plain waits for the franchisee",
        Some(Fitness::ConfirmsWrong) => "confirms wrong values",
        Some(Fitness::ConfirmsAll) => "says yes to everything",
    };
    if fitness.is_none_or(Fitness::is_fit) {
        return (found.to_owned(), true);
    }
    match review {
        LlmReview::Always => (format!("{found}: set LLM_REVIEW=off"), false),
        LlmReview::Auto | LlmReview::Off => (
            format!(
                "{found}: LLM_REVIEW=auto takes none with this model; set LLM_REVIEW_MODEL to another one, or LLM_REVIEW=off"
            ),
            true,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_not_fit_is_named_and_only_a_setting_that_keeps_it_is_wrong() {
        for unfit in [Fitness::ConfirmsAll, Fitness::ConfirmsWrong] {
            assert!(!judged(Some(unfit), LlmReview::Always).1);
            let (said, is_sound) = judged(Some(unfit), LlmReview::Auto);
            assert!(is_sound && said.contains("LLM_REVIEW=auto takes none"), "{said}");
        }
        assert_eq!(
            judged(Some(Fitness::Usable), LlmReview::Auto),
            ("usable".to_owned(), true)
        );
        assert!(judged(None, LlmReview::Always).1);
    }
}
