use clap::{Args, ValueEnum};

/// When the session cookie is `Secure` and carries the `__Host-` prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SecureCookie {
    /// Always, unless the request came over plain http from loopback
    Auto,
    #[value(aliases = ["true", "yes", "1"])]
    On,
    #[value(aliases = ["false", "no", "0"])]
    Off,
}

/// `SESSION_SECURE_COOKIE`, `SESSION_IDLE_MINUTES`, `SESSION_ABSOLUTE_HOURS`.
#[derive(Debug, Clone, Args)]
pub struct SessionConfig {
    /// Whether the session cookie needs https
    #[arg(
        id = "session_secure_cookie",
        long = "session-secure-cookie",
        env = "SESSION_SECURE_COOKIE",
        default_value = "auto",
        ignore_case = true
    )]
    pub secure_cookie: SecureCookie,
    /// Minutes without use after which a session ends
    #[arg(id = "session_idle_minutes", long = "session-idle-minutes", env = "SESSION_IDLE_MINUTES", default_value_t = 120, value_parser = clap::value_parser!(i64).range(1..=43_200))]
    pub idle_minutes: i64,
    /// Hours after which a session ends in any case
    #[arg(id = "session_absolute_hours", long = "session-absolute-hours", env = "SESSION_ABSOLUTE_HOURS", default_value_t = 12, value_parser = clap::value_parser!(i64).range(1..=720))]
    pub absolute_hours: i64,
}
