use clap::Args;

/// `RATE_LIMIT_*`, `MAX_PLANS_PER_USER`, `TOKEN_BUDGET_PER_USER_PER_DAY`, `MEMORY_LIMIT_MIB`, `RETENTION_DAYS_*`; 0 disables a limit.
#[derive(Debug, Clone, Args)]
pub struct LimitsConfig {
    /// Turns a user may start per minute
    #[arg(
        long = "rate-limit-turns-per-minute",
        env = "RATE_LIMIT_TURNS_PER_MINUTE",
        default_value_t = 30
    )]
    pub rate_limit_turns_per_minute: u32,
    /// Turns of a user that may run at once
    #[arg(
        long = "rate-limit-running-turns-per-user",
        env = "RATE_LIMIT_RUNNING_TURNS_PER_USER",
        default_value_t = 8
    )]
    pub rate_limit_running_turns_per_user: u32,
    /// Open streams of a user
    #[arg(
        long = "rate-limit-streams-per-user",
        env = "RATE_LIMIT_STREAMS_PER_USER",
        default_value_t = 64
    )]
    pub rate_limit_streams_per_user: u32,
    /// Failed logins per account and address in 15 minutes
    #[arg(
        long = "rate-limit-logins-per-15-minutes",
        env = "RATE_LIMIT_LOGINS_PER_15_MINUTES",
        default_value_t = 10
    )]
    pub rate_limit_logins_per_15_minutes: u32,
    /// Failed logins per address, or per network of IPv6, in 15 minutes
    #[arg(
        long = "rate-limit-failed-logins-per-address-per-15-minutes",
        env = "RATE_LIMIT_FAILED_LOGINS_PER_ADDRESS_PER_15_MINUTES",
        default_value_t = 300
    )]
    pub rate_limit_failed_logins_per_address_per_15_minutes: u32,
    /// Requests of a user per minute that write, turns not counted
    #[arg(
        long = "rate-limit-writes-per-minute",
        env = "RATE_LIMIT_WRITES_PER_MINUTE",
        default_value_t = 600
    )]
    pub rate_limit_writes_per_minute: u32,
    /// Requests of a user per minute that read, in each process
    #[arg(
        long = "rate-limit-reads-per-minute",
        env = "RATE_LIMIT_READS_PER_MINUTE",
        default_value_t = 600
    )]
    pub rate_limit_reads_per_minute: u32,
    /// Plans a user may have
    #[arg(long = "max-plans-per-user", env = "MAX_PLANS_PER_USER", default_value_t = 200)]
    pub max_plans_per_user: u32,
    /// Tokens a user may spend per day (UTC)
    #[arg(
        long = "token-budget-per-user-per-day",
        env = "TOKEN_BUDGET_PER_USER_PER_DAY",
        default_value_t = 0
    )]
    pub token_budget_per_user_per_day: i64,
    /// Memory of the process in MiB, near which new turns are refused; 0 = the control group's limit, if it has one
    #[arg(long = "memory-limit-mib", env = "MEMORY_LIMIT_MIB", default_value_t = 0)]
    pub memory_limit_mib: u32,
    /// Days after which an ended turn is deleted; the conversation, the values and their audit stay
    #[arg(
        long = "retention-days-turns",
        env = "RETENTION_DAYS_TURNS",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=36_500)
    )]
    pub retention_days_turns: u32,
    /// Days after which what people said is erased: messages, evidence, turns; values and their audit stay
    #[arg(
        long = "retention-days-words",
        env = "RETENTION_DAYS_WORDS",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=36_500)
    )]
    pub retention_days_words: u32,
    /// Days after which an event of the audit log is deleted; the changes of plans stay
    #[arg(
        long = "retention-days-audit",
        env = "RETENTION_DAYS_AUDIT",
        default_value_t = 0,
        value_parser = days_of_audit
    )]
    pub retention_days_audit: u32,
}

/// The database keeps the events of 30 days whatever the setting.
fn days_of_audit(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(days) if days == 0 || (30..=36_500).contains(&days) => Ok(days),
        _ => Err("must be 0, or from 30 to 36500".to_owned()),
    }
}

impl LimitsConfig {
    /// No limits.
    #[must_use]
    pub fn unlimited(self) -> Self {
        Self {
            rate_limit_turns_per_minute: 0,
            rate_limit_running_turns_per_user: 0,
            rate_limit_streams_per_user: 0,
            rate_limit_logins_per_15_minutes: 0,
            rate_limit_failed_logins_per_address_per_15_minutes: 0,
            rate_limit_writes_per_minute: 0,
            rate_limit_reads_per_minute: 0,
            max_plans_per_user: 0,
            token_budget_per_user_per_day: 0,
            memory_limit_mib: 0,
            retention_days_turns: 0,
            retention_days_words: 0,
            retention_days_audit: 0,
        }
    }
}
