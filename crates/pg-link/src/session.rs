//! The settings of our sessions.

use std::sync::LazyLock;

/// What our sessions need.
///
/// The queries are key lookups, so a generic plan is right if the text of a query has all that chooses an index
/// ([`crate::literal`]); by default PostgreSQL plans the first five executions of each statement on every connection
/// (<https://www.postgresql.org/docs/current/sql-prepare.html#SQL-PREPARE-NOTES>).
pub(crate) const SESSION: [(&str, &str); 5] = [
    // A second less than the client waits for an answer, so that the server says why (`pool.rs`).
    ("statement_timeout", "5s"),
    // Less than the statement's own time: what it waited for is named.
    ("lock_timeout", "2s"),
    // No transaction waits for anything but its next statement; what stays open was left by a process that hangs.
    ("idle_in_transaction_session_timeout", "10s"),
    ("plan_cache_mode", "force_generic_plan"),
    ("TimeZone", "UTC"),
];

/// Gives two columns: whether the server accepts no writes, and whether the session has all of [`SESSION`].
pub(crate) static CHECK: LazyLock<String> = LazyLock::new(|| {
    let is_set = SESSION.map(|(name, value)| format!("current_setting('{name}') = '{value}'"));
    format!(
        "SELECT current_setting('transaction_read_only') = 'on', {}",
        is_set.join(" AND ")
    )
});

/// Sets [`SESSION`] for one session. Where a pooler hands it to another client of the role, that one wants the same.
pub(crate) static SET: LazyLock<String> = LazyLock::new(|| {
    SESSION
        .map(|(name, value)| format!("SET {name} = '{value}'"))
        .join("; ")
});
