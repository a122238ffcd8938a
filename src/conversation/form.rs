//! Full or compact: which prompt a model gets.

/// How much the model is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PromptForm {
    /// Every field with its placeholder and its disclosed range, all values, every tool.
    #[default]
    Full,
    /// The labels of the fields and three tools; values and ranges are read by tool.
    Compact,
}

/// Tokens that a full prompt needs beside its prefix and the answer: the plan, a message, some history, results of tools.
const TOKENS_BESIDE: usize = 2_500;

/// Tokens that the full form leaves for an answer. Answers are shorter; a higher limit is for models that think.
const ANSWER: u32 = 1_024;

/// The form for a full prefix of so many tokens and a model with so many for question and answer, where that is known.
pub fn form(full: usize, context: Option<u32>, output: u32) -> PromptForm {
    match context.map(|context| context as usize) {
        Some(context) if context < full + TOKENS_BESIDE + output.min(ANSWER) as usize => PromptForm::Compact,
        Some(_) | None => PromptForm::Full,
    }
}

/// Tokens of the answer in a context of this size: at most a quarter of it.
pub fn output_tokens(context: Option<u32>, wanted: u32) -> u32 {
    context.map_or(wanted, |context| wanted.min(context / 4))
}

/// Whether a message of about so many tokens and its answer exceed a context of this size, even if nothing else were sent.
/// Estimates may be an eighth too high.
pub fn is_too_long(message: usize, context: Option<u32>, wanted_output: u32) -> bool {
    context.is_some_and(|tokens| message * 7 / 8 + output_tokens(context, wanted_output) as usize > tokens as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_too_long_only_where_the_size_is_known_and_surely_too_small() {
        assert!(!is_too_long(1_000_000, None, 1024));
        assert!(!is_too_long(3_500, Some(4_096), 1024));
        assert!(is_too_long(3_600, Some(4_096), 1024));
        assert!(!is_too_long(3_600, Some(8_192), 1024));
    }

    #[test]
    fn the_form_is_chosen_by_the_context() {
        let form = |context| form(3_500, context, output_tokens(context, 4096));
        assert_eq!(form(None), PromptForm::Full);
        assert_eq!(form(Some(4_096)), PromptForm::Compact);
        assert_eq!(
            form(Some(7_100)),
            PromptForm::Full,
            "a limit for thinking takes nothing away from the prompt's form"
        );
    }
}
