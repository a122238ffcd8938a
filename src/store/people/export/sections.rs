//! What is held about a person, table by table: shown, or left out for a reason.

use super::Section;

/// A name instead of an id: of the person as they are called now, or were when they were removed.
macro_rules! name_of {
    ($id:literal, $kept:literal) => {
        concat!(
            "coalesce(t.",
            $kept,
            ", (SELECT u.display_name FROM users u WHERE u.id = t.",
            $id,
            "))"
        )
    };
    ($id:literal) => {
        concat!("(SELECT u.display_name FROM users u WHERE u.id = t.", $id, ")")
    };
}

/// A time in UTC as text.
macro_rules! utc {
    ($time:literal) => {
        concat!(
            "to_char((",
            $time,
            ") AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
        )
    };
}
pub(super) use utc;

const BY_ID: &[(&str, &str)] = &[("id", "uuid")];
const BY_TIME: &[(&str, &str)] = &[("created_at", "timestamptz"), ("id", "uuid")];

/// Rows of other people's plans.
macro_rules! elsewhere {
    ($whose:literal) => {
        concat!(
            "(",
            $whose,
            ") AND NOT EXISTS (SELECT FROM plans p WHERE p.id = t.plan_id AND p.user_id = $1)"
        )
    };
}

/// The person: one row.
pub const PROFILE: Section = Section {
    key: "profile",
    table: "users",
    columns: "id email email_verified_at display_name role brand_id active_plan_id created_at disabled_at failed_logins failed_login_at",
    made: &[("hasPassword", "t.password_hash IS NOT NULL")],
    covers: "",
    rows: "t.id = $1",
    order: BY_ID,
};

/// What belongs to the person directly.
pub const OF_PERSON: &[Section] = &[
    Section {
        key: "identities",
        table: "user_identities",
        columns: "id issuer subject name email linked_by created_at",
        made: &[],
        covers: "user_id",
        rows: "t.user_id = $1",
        order: &[("issuer", "text"), ("subject", "text")],
    },
    Section {
        key: "sessions",
        table: "sessions",
        columns: "expires_at oidc_sid",
        made: &[
            ("startedAt", "t.data ->> 'logged_in_at'"),
            ("method", "t.data ->> 'method'"),
            ("userAgent", "t.data ->> 'user_agent'"),
            ("impersonation", "t.data -> 'impersonation'"),
        ],
        covers: "user_id data",
        rows: "t.user_id = $1",
        order: &[("id", "bytea")],
    },
    Section {
        key: "tokens",
        table: "access_tokens",
        columns: "id name scopes plan_id created_at last_used_on expires_at",
        made: &[],
        covers: "user_id",
        rows: "t.user_id = $1",
        order: BY_ID,
    },
    Section {
        key: "devices",
        table: "login_devices",
        columns: "created_at expires_at",
        made: &[],
        covers: "user_id",
        rows: "t.user_id = $1",
        order: &[("id", "bytea")],
    },
    Section {
        key: "invitations",
        table: "invitations",
        columns: "id email role brand_id created_at expires_at accepted_at",
        made: &[("invitedByName", name_of!("invited_by"))],
        covers: "user_id invited_by",
        rows: "t.user_id = $1 OR t.email = (SELECT u.email FROM users u WHERE u.id = $1)",
        order: BY_ID,
    },
    // The address is somebody else's.
    Section {
        key: "invitationsSent",
        table: "invitations",
        columns: "id role brand_id created_at expires_at accepted_at",
        made: &[],
        covers: "invited_by",
        rows: "t.invited_by = $1 AND t.user_id IS DISTINCT FROM $1",
        order: BY_ID,
    },
    Section {
        key: "passwordResets",
        table: "password_resets",
        columns: "created_at expires_at",
        made: &[
            ("issuedByName", name_of!("created_by")),
            ("approvedByName", name_of!("approved_by")),
        ],
        covers: "user_id created_by approved_by",
        rows: "t.user_id = $1",
        order: &[("token_hash", "bytea")],
    },
    Section {
        key: "limits",
        table: "rate_limits",
        columns: "kind tokens refilled_at",
        made: &[],
        covers: "user_id",
        rows: "t.user_id = $1",
        order: &[("kind", "text")],
    },
    Section {
        key: "spentTokens",
        table: "spent_tokens",
        columns: "day tokens",
        made: &[],
        covers: "user_id",
        rows: "t.user_id = $1",
        order: &[("day", "date")],
    },
];

/// The plans, each with what is in [`OF_PLAN`] and its messages.
pub const PLANS: Section = Section {
    key: "plans",
    table: "plans",
    columns: "id name version financial_inputs created_at updated_at creation_key creation_request",
    made: &[
        (
            "brandName",
            "(SELECT b.name FROM brand_versions v JOIN brands b ON b.id = v.brand_id WHERE v.id = t.brand_version_id)",
        ),
        (
            "totalTokensUsed",
            "(SELECT c.total_tokens_used FROM ai_conversations c WHERE c.plan_id = t.id)",
        ),
        ("openingMonth", "to_char(t.opening_month, 'YYYY-MM')"),
    ],
    covers: "user_id brand_version_id opening_month",
    rows: "t.user_id = $1",
    order: BY_ID,
};

/// What belongs to a plan.
pub const OF_PLAN: &[Section] = &[
    Section {
        key: "story",
        table: "plan_stories",
        columns: "texts version updated_at",
        made: &[],
        covers: "plan_id",
        rows: "t.plan_id = $1",
        order: &[("plan_id", "uuid")],
    },
    Section {
        key: "leftCorrections",
        table: "left_corrections",
        columns: "field version left_at",
        made: &[],
        covers: "plan_id",
        rows: "t.plan_id = $1",
        order: &[("field", "text")],
    },
    Section {
        key: "scenarios",
        table: "plan_scenarios",
        columns: "id name overrides created_at updated_at turn_id",
        made: &[("createdByName", name_of!("created_by"))],
        covers: "plan_id name_key created_by",
        rows: "t.plan_id = $1",
        order: BY_ID,
    },
    Section {
        key: "turns",
        table: "prompts",
        columns: "id model state input output prompt_tokens completion_tokens total_tokens usage_estimated \
            cached_prompt_tokens cache_write_tokens reasoning_tokens error_code idempotency_key attempt replaces \
            created_at started_at completed_at user_id actor_id",
        made: &[
            ("userName", name_of!("user_id", "user_name")),
            ("actorName", name_of!("actor_id", "actor_name")),
        ],
        covers: "plan_id user_name actor_name",
        rows: "t.plan_id = $1",
        order: BY_TIME,
    },
    Section {
        key: "values",
        table: "extractions",
        columns: "id turn_id field status confidence value details evidence_start evidence_end created_at settled_at \
            settled_by note_code decided_by change_id undone_at",
        made: &[("settledByName", name_of!("settled_by", "settled_by_name"))],
        covers: "plan_id settled_by_name",
        rows: "t.plan_id = $1",
        order: BY_TIME,
    },
    Section {
        key: "changes",
        table: "plan_changes",
        columns: "id seq field old_value new_value source reason confidence evidence turn_id group_id decided_by \
            created_at actor_id effective_user_id",
        made: &[
            ("actorName", name_of!("actor_id", "actor_name")),
            (
                "effectiveUserName",
                name_of!("effective_user_id", "effective_user_name"),
            ),
        ],
        covers: "plan_id actor_name effective_user_name",
        rows: "t.plan_id = $1",
        order: &[("seq", "bigint")],
    },
    // The files are fetched one by one.
    Section {
        key: "documents",
        table: "plan_documents",
        columns: "id kind paper lang name plan_version engine_version creation_key creation_request created_at created_by",
        made: &[
            ("sha256", "encode(t.sha256, 'hex')"),
            ("bytes", "octet_length(t.content)"),
            ("createdByName", name_of!("created_by")),
        ],
        covers: "plan_id sha256 content",
        rows: "t.plan_id = $1",
        order: BY_ID,
    },
    Section {
        key: "documentLinks",
        table: "document_links",
        columns: "id document_id created_at expires_at opened last_opened_at created_by actor_id",
        made: &[
            ("createdByName", name_of!("created_by")),
            ("actorName", name_of!("actor_id")),
        ],
        covers: "",
        rows: "t.document_id IN (SELECT d.id FROM plan_documents d WHERE d.plan_id = $1)",
        order: BY_ID,
    },
    Section {
        key: "confirmations",
        table: "pending_actions",
        columns: "id turn_id tool_name arguments prompt expires_at",
        made: &[],
        covers: "plan_id user_id",
        rows: "t.plan_id = $1",
        order: BY_ID,
    },
];

/// What the person did in other people's plans, without what those plans hold.
pub const ELSEWHERE_OF_PERSON: &[Section] = &[
    Section {
        key: "turns",
        table: "prompts",
        columns: "id plan_id model state input total_tokens created_at completed_at",
        made: &[],
        covers: "",
        rows: elsewhere!("t.user_id = $1 OR t.actor_id = $1"),
        order: BY_TIME,
    },
    Section {
        key: "changes",
        table: "plan_changes",
        columns: "id plan_id field source reason turn_id created_at",
        made: &[("evidence", "CASE WHEN t.actor_id = $1 THEN t.evidence END")],
        covers: "",
        rows: elsewhere!("t.actor_id = $1 OR t.effective_user_id = $1"),
        order: &[("seq", "bigint")],
    },
    Section {
        key: "decisions",
        table: "extractions",
        columns: "id plan_id field status settled_at",
        made: &[],
        covers: "",
        rows: elsewhere!("t.settled_by = $1"),
        order: BY_ID,
    },
    Section {
        key: "scenarios",
        table: "plan_scenarios",
        columns: "id plan_id name created_at",
        made: &[],
        covers: "",
        rows: elsewhere!("t.created_by = $1"),
        order: BY_ID,
    },
    Section {
        key: "documents",
        table: "plan_documents",
        columns: "id plan_id kind created_at",
        made: &[],
        covers: "",
        rows: elsewhere!("t.created_by = $1"),
        order: BY_ID,
    },
    Section {
        key: "documentLinks",
        table: "document_links",
        columns: "id document_id created_at expires_at",
        made: &[],
        covers: "",
        rows: "(t.created_by = $1 OR t.actor_id = $1) AND NOT EXISTS (SELECT FROM plan_documents d JOIN plans p ON p.id = d.plan_id \
            WHERE d.id = t.document_id AND p.user_id = $1)",
        order: BY_ID,
    },
    Section {
        key: "confirmations",
        table: "pending_actions",
        columns: "id plan_id tool_name prompt expires_at",
        made: &[],
        covers: "",
        rows: elsewhere!("t.user_id = $1"),
        order: BY_ID,
    },
];

/// Events of the audit log that the person caused, that happened in their name or that are about them.
pub const AUDIT_EVENTS: Section = Section {
    key: "auditEvents",
    table: "audit_events",
    columns: "id kind plan_id turn_id created_at calls",
    made: &[
        ("actorName", name_of!("actor_id", "actor_name")),
        (
            "effectiveUserName",
            name_of!("effective_user_id", "effective_user_name"),
        ),
        (
            "detail",
            "CASE WHEN t.detail ->> 'email' = (SELECT u.email FROM users u WHERE u.id = $1) THEN t.detail ELSE t.detail - 'email' END",
        ),
    ],
    covers: "actor_id effective_user_id actor_name effective_user_name detail",
    rows: "t.actor_id = $1 OR t.effective_user_id = $1 OR t.detail ->> 'userId' = $1::text OR t.detail ->> 'invitationId' IN \
        (SELECT i.id::text FROM invitations i WHERE i.user_id = $1 OR i.email = (SELECT u.email FROM users u WHERE u.id = $1))",
    order: BY_TIME,
};

/// All sections.
pub fn all() -> impl Iterator<Item = &'static Section> {
    let lists = OF_PERSON.iter().chain(OF_PLAN).chain(ELSEWHERE_OF_PERSON);
    lists.chain([&PROFILE, &PLANS, &AUDIT_EVENTS])
}

/// Columns that no section shows, and why; `*` are all of a table.
pub const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("users", "password_hash", "a secret; hasPassword says that there is one"),
    ("sessions", "id", "the hash of a key"),
    ("access_tokens", "hash", "the hash of a key"),
    ("login_devices", "id", "the hash of a key"),
    ("invitations", "token_hash", "the hash of a key"),
    ("password_resets", "token_hash", "the hash of a key"),
    ("document_links", "token_hash", "the hash of a key"),
    (
        "prompts",
        "ending",
        "repeats the output, the values and the results of the plan as they were then",
    ),
    ("prompts", "fingerprint", "the hash of the input"),
    (
        "prompts",
        "fence owner lease_until cancel_requested",
        "which process runs the turn",
    ),
    (
        "ai_conversations",
        "*",
        "its messages and token total are in the plan; the rest says how they are stored",
    ),
    (
        "ai_conversation_archive",
        "*",
        "its messages are in the plan's conversation",
    ),
    ("pending_actions", "argument_hash", "the hash of tool and arguments"),
    (
        "turn_progress",
        "*",
        "the answer that is being given; it is the turn's output when it ends",
    ),
    (
        "login_failures",
        "*",
        "hashes that nobody can be found by; they go after 15 minutes",
    ),
    ("brands", "*", "nothing about a person"),
    (
        "brand_versions",
        "*",
        "a brand's numbers; that a person published one is among the audit events",
    ),
    ("instances", "*", "nothing about a person"),
    ("reviewer_checks", "*", "nothing about a person"),
];
