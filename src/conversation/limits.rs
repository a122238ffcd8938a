//! Limits per user over all instances: turns per minute, concurrent turns, open streams, tokens per day. Zero switches a
//! limit off. The database counts them with the statement that claims a turn.

use crate::config::LimitsConfig;
use crate::store::user_limits::TurnAllowance;

/// The configured limits of turns.
pub struct TurnLimits {
    pub allowance: TurnAllowance,
    /// Tokens a person may spend in a day, UTC.
    pub daily_tokens: i64,
    /// Held back for a running turn until its usage is known.
    pub reservation: i64,
}

impl TurnLimits {
    pub fn new(config: &LimitsConfig, max_output_tokens: u32) -> Self {
        let limit = |limit: u32| i32::try_from(limit).unwrap_or(i32::MAX);
        Self {
            allowance: TurnAllowance {
                per_minute: limit(config.rate_limit_turns_per_minute),
                running: limit(config.rate_limit_running_turns_per_user),
            },
            daily_tokens: config.token_budget_per_user_per_day.max(0),
            // The prompt of a whole plan is about 12,000 tokens; a tool round asks twice.
            reservation: 24_000 + 2 * i64::from(max_output_tokens),
        }
    }
}
