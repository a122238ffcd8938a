//! Limits per user over all instances: turns per minute, concurrent turns, tokens per day. Zero switches a limit off. The
//! transaction that claims a turn counts them.

use crate::config::LimitsConfig;
use crate::store::turns::prompts::claim::TurnLimits;

/// The configured limits of turns.
pub(crate) fn turn_limits(config: &LimitsConfig, max_output_tokens: u32) -> TurnLimits {
    TurnLimits {
        per_minute: i32::try_from(config.rate_limit_turns_per_minute).unwrap_or(i32::MAX),
        running: config.rate_limit_running_turns_per_user.into(),
        daily_tokens: config.token_budget_per_user_per_day.max(0),
        // The prompt of a whole plan is about 12,000 tokens; a tool round asks twice.
        reservation: 24_000 + 2 * i64::from(max_output_tokens),
    }
}
