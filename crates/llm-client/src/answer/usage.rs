//! Token counts under all the names that providers have for them.

use super::wire::{Int, Object};
use plan_model::usage::Usage;
use serde::Deserialize;

/// A provider's count.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RawUsage {
    prompt_tokens: Int,
    completion_tokens: Int,
    total_tokens: Int,
    input_tokens: Int,
    output_tokens: Int,
    prompt_tokens_details: Object<Details>,
    input_tokens_details: Object<Details>,
    completion_tokens_details: Object<Details>,
    output_tokens_details: Object<Details>,
    /// DeepSeek's name.
    prompt_cache_hit_tokens: Int,
    /// Anthropic's names; proxies pass them on in other formats too.
    cache_read_input_tokens: Int,
    cache_creation_input_tokens: Int,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Details {
    cached_tokens: Int,
    cache_write_tokens: Int,
    reasoning_tokens: Int,
    thinking_tokens: Int,
}

/// llama.cpp's own count, used where `usage` is missing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Timings {
    prompt_n: Int,
    cache_n: Int,
    predicted_n: Int,
}

/// A count that can be true: not negative, not absurd.
fn count(value: Int) -> Option<i64> {
    value.0.filter(|n| (0..=1_000_000_000).contains(n))
}

impl RawUsage {
    /// The usage, if this says anything at all.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let prompt = count(self.prompt_tokens).or(count(self.input_tokens)).unwrap_or(0);
        let completion = count(self.completion_tokens).or(count(self.output_tokens)).unwrap_or(0);
        let total = count(self.total_tokens).unwrap_or(0).max(prompt + completion);
        let reasoning = self.reasoning();
        // xAI counts the reasoning beside the answer.
        let completion = match reasoning {
            Some(reasoning) if reasoning > completion && total >= prompt + completion + reasoning => {
                completion + reasoning
            }
            _ => completion,
        };
        (total > 0).then_some(Usage {
            prompt_tokens: prompt,
            completion_tokens: completion,
            total_tokens: total,
            cached_prompt_tokens: self.cached(),
            cache_write_tokens: self.written(),
            reasoning_tokens: reasoning,
            estimated: false,
        })
    }

    /// The same for Anthropic's own format, where the input is counted without what went through the cache.
    pub(crate) fn beside_cache(&self) -> Option<Usage> {
        let mut usage = self.usage()?;
        let through_cache = self.cached().unwrap_or(0) + self.written().unwrap_or(0);
        usage.prompt_tokens += through_cache;
        usage.total_tokens += through_cache;
        Some(usage)
    }

    fn input(&self) -> impl Iterator<Item = &Details> {
        [&self.prompt_tokens_details, &self.input_tokens_details]
            .into_iter()
            .filter_map(|details| details.0.as_ref())
    }

    fn output(&self) -> impl Iterator<Item = &Details> {
        [&self.completion_tokens_details, &self.output_tokens_details]
            .into_iter()
            .filter_map(|details| details.0.as_ref())
    }

    fn cached(&self) -> Option<i64> {
        let nested = self.input().find_map(|details| count(details.cached_tokens));
        nested
            .or(count(self.cache_read_input_tokens))
            .or(count(self.prompt_cache_hit_tokens))
    }

    fn written(&self) -> Option<i64> {
        let nested = self.input().find_map(|details| count(details.cache_write_tokens));
        nested.or(count(self.cache_creation_input_tokens))
    }

    fn reasoning(&self) -> Option<i64> {
        self.output()
            .find_map(|details| count(details.reasoning_tokens).or(count(details.thinking_tokens)))
    }
}

impl Timings {
    /// The usage, if an answer was counted.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let cached = count(self.cache_n);
        let prompt = count(self.prompt_n).unwrap_or(0) + cached.unwrap_or(0);
        let completion = count(self.predicted_n)?;
        Some(Usage {
            prompt_tokens: prompt,
            completion_tokens: completion,
            total_tokens: prompt + completion,
            cached_prompt_tokens: cached,
            ..Usage::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_cannot_be_true_are_no_counts() {
        let usage = |json: &str| serde_json::from_str::<RawUsage>(json).expect(json).usage();
        assert_eq!(usage("{}"), None);
        assert_eq!(usage(r#"{"prompt_tokens":null,"total_tokens":-5}"#), None);
        assert_eq!(
            usage(r#"{"prompt_tokens":1e18,"completion_tokens":1000000000000000000}"#),
            None
        );
        let some = |p, c, t| {
            Some(Usage {
                prompt_tokens: p,
                completion_tokens: c,
                total_tokens: t,
                ..Usage::default()
            })
        };
        assert_eq!(usage(r#"{"prompt_tokens":"7","completion_tokens":2.0}"#), some(7, 2, 9));
        assert_eq!(
            usage(r#"{"input_tokens":7,"output_tokens":2,"total_tokens":20}"#),
            some(7, 2, 20)
        );
        assert_eq!(
            usage(r#"{"prompt_tokens":7,"completion_tokens":-1,"total_tokens":3}"#),
            some(7, 0, 7)
        );
    }

    #[test]
    fn parts_of_the_counts_are_read_by_every_name() {
        let usage = |json: &str| serde_json::from_str::<RawUsage>(json).expect(json);
        let parts = |usage: Usage| {
            let Usage {
                prompt_tokens,
                completion_tokens,
                total_tokens,
                ..
            } = usage;
            (
                (prompt_tokens, completion_tokens, total_tokens),
                (
                    usage.cached_prompt_tokens,
                    usage.cache_write_tokens,
                    usage.reasoning_tokens,
                ),
            )
        };
        let openai = usage(
            r#"{"prompt_tokens":90,"completion_tokens":20,"total_tokens":110,"prompt_tokens_details":{"cached_tokens":64},"completion_tokens_details":{"reasoning_tokens":12}}"#,
        );
        assert_eq!(
            parts(openai.usage().expect("counts")),
            ((90, 20, 110), (Some(64), None, Some(12)))
        );
        let responses = usage(
            r#"{"input_tokens":90,"output_tokens":20,"total_tokens":110,"input_tokens_details":{"cached_tokens":64,"cache_write_tokens":0},"output_tokens_details":{"reasoning_tokens":12}}"#,
        );
        assert_eq!(
            parts(responses.usage().expect("counts")),
            ((90, 20, 110), (Some(64), Some(0), Some(12)))
        );
        let anthropic = usage(
            r#"{"input_tokens":10,"output_tokens":20,"cache_read_input_tokens":64,"cache_creation_input_tokens":16}"#,
        );
        assert_eq!(
            parts(anthropic.beside_cache().expect("counts")),
            ((90, 20, 110), (Some(64), Some(16), None))
        );
        let xai = usage(
            r#"{"prompt_tokens":90,"completion_tokens":5,"total_tokens":395,"completion_tokens_details":{"reasoning_tokens":300}}"#,
        );
        assert_eq!(
            parts(xai.usage().expect("counts")),
            ((90, 305, 395), (None, None, Some(300)))
        );
    }
}
