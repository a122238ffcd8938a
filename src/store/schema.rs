//! The tables for diesel. Maintained by hand; `tests/schema.rs` compares it with a migrated database.

diesel::table! {
    brands (id) {
        id -> Uuid,
        slug -> Text,
        name -> Text,
        current_version -> Int4,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    brand_versions (id) {
        id -> Uuid,
        brand_id -> Uuid,
        version -> Int4,
        document -> Jsonb,
        created_at -> Timestamptz,
        published_by -> Nullable<Uuid>,
        publisher_name -> Nullable<Text>,
    }
}

diesel::table! {
    users (id) {
        id -> Uuid,
        email -> Text,
        display_name -> Text,
        role -> Text,
        brand_id -> Nullable<Uuid>,
        password_hash -> Nullable<Text>,
        active_plan_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        failed_logins -> Int4,
        failed_login_at -> Nullable<Timestamptz>,
        disabled_at -> Nullable<Timestamptz>,
        email_verified_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    plans (id) {
        id -> Uuid,
        user_id -> Uuid,
        brand_version_id -> Uuid,
        name -> Text,
        version -> Int8,
        financial_inputs -> Nullable<Jsonb>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        creation_key -> Nullable<Text>,
        creation_request -> Nullable<Text>,
        opening_month -> Nullable<Date>,
    }
}

diesel::table! {
    ai_conversations (id) {
        id -> Uuid,
        plan_id -> Uuid,
        messages -> Jsonb,
        total_tokens_used -> Int8,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        archived_count -> Int4,
        words_from -> Timestamptz,
    }
}

diesel::table! {
    ai_conversation_archive (plan_id, position) {
        plan_id -> Uuid,
        position -> Int4,
        message -> Jsonb,
    }
}

diesel::table! {
    prompts (id) {
        id -> Uuid,
        plan_id -> Uuid,
        user_id -> Nullable<Uuid>,
        actor_id -> Nullable<Uuid>,
        model -> Text,
        state -> Text,
        input -> Text,
        output -> Nullable<Text>,
        prompt_tokens -> Int8,
        completion_tokens -> Int8,
        total_tokens -> Int8,
        usage_estimated -> Bool,
        ending -> Nullable<Jsonb>,
        error_code -> Nullable<Text>,
        idempotency_key -> Nullable<Text>,
        fingerprint -> Nullable<Bytea>,
        attempt -> Int4,
        fence -> Int8,
        owner -> Uuid,
        lease_until -> Timestamptz,
        cancel_requested -> Bool,
        created_at -> Timestamptz,
        completed_at -> Nullable<Timestamptz>,
        cached_prompt_tokens -> Nullable<Int8>,
        cache_write_tokens -> Nullable<Int8>,
        reasoning_tokens -> Nullable<Int8>,
        replaces -> Nullable<Uuid>,
        started_at -> Nullable<Timestamptz>,
        user_name -> Nullable<Text>,
        actor_name -> Nullable<Text>,
    }
}

diesel::table! {
    turn_progress (turn_id) {
        turn_id -> Uuid,
        attempt -> Int4,
        content -> Text,
    }
}

diesel::table! {
    rate_limits (user_id, kind) {
        user_id -> Uuid,
        kind -> Text,
        tokens -> Float8,
        refilled_at -> Timestamptz,
    }
}

diesel::table! {
    spent_tokens (user_id, day) {
        user_id -> Uuid,
        day -> Date,
        tokens -> Int8,
    }
}

diesel::table! {
    instances (id) {
        id -> Uuid,
        seen_at -> Timestamptz,
    }
}

diesel::table! {
    extractions (id) {
        id -> Uuid,
        plan_id -> Uuid,
        turn_id -> Nullable<Uuid>,
        field -> Text,
        status -> Text,
        confidence -> Text,
        value -> Jsonb,
        details -> Jsonb,
        evidence_start -> Nullable<Int4>,
        evidence_end -> Nullable<Int4>,
        created_at -> Timestamptz,
        settled_at -> Nullable<Timestamptz>,
        settled_by -> Nullable<Uuid>,
        note_code -> Nullable<Text>,
        decided_by -> Nullable<Text>,
        change_id -> Nullable<Uuid>,
        undone_at -> Nullable<Timestamptz>,
        settled_by_name -> Nullable<Text>,
    }
}

diesel::table! {
    plan_changes (id) {
        id -> Uuid,
        seq -> Int8,
        plan_id -> Uuid,
        field -> Text,
        old_value -> Nullable<Jsonb>,
        new_value -> Jsonb,
        source -> Text,
        reason -> Text,
        confidence -> Nullable<Text>,
        evidence -> Nullable<Text>,
        turn_id -> Nullable<Uuid>,
        actor_id -> Nullable<Uuid>,
        effective_user_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        group_id -> Nullable<Uuid>,
        decided_by -> Nullable<Text>,
        actor_name -> Nullable<Text>,
        effective_user_name -> Nullable<Text>,
    }
}

diesel::table! {
    pending_actions (plan_id) {
        plan_id -> Uuid,
        id -> Uuid,
        user_id -> Uuid,
        turn_id -> Uuid,
        tool_name -> Text,
        arguments -> Jsonb,
        argument_hash -> Bytea,
        prompt -> Text,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    sessions (id) {
        id -> Bytea,
        user_id -> Nullable<Uuid>,
        data -> Jsonb,
        expires_at -> Timestamptz,
        oidc_sid -> Nullable<Text>,
    }
}

diesel::table! {
    audit_events (id) {
        id -> Uuid,
        kind -> Text,
        actor_id -> Nullable<Uuid>,
        effective_user_id -> Nullable<Uuid>,
        plan_id -> Nullable<Uuid>,
        turn_id -> Nullable<Uuid>,
        detail -> Jsonb,
        created_at -> Timestamptz,
        actor_name -> Nullable<Text>,
        effective_user_name -> Nullable<Text>,
        calls -> Int4,
    }
}

diesel::table! {
    login_failures (key) {
        key -> Bytea,
        failures -> Int4,
        since -> Timestamptz,
    }
}

diesel::table! {
    login_devices (id) {
        id -> Bytea,
        user_id -> Uuid,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    plan_scenarios (id) {
        id -> Uuid,
        plan_id -> Uuid,
        name -> Text,
        name_key -> Text,
        overrides -> Jsonb,
        created_by -> Nullable<Uuid>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        turn_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    plan_stories (plan_id) {
        plan_id -> Uuid,
        texts -> Jsonb,
        version -> Int8,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    left_corrections (plan_id, field) {
        plan_id -> Uuid,
        field -> Text,
        version -> Int4,
        left_at -> Timestamptz,
    }
}

diesel::joinable!(plans -> brand_versions (brand_version_id));
diesel::joinable!(ai_conversations -> plans (plan_id));
diesel::joinable!(plan_changes -> plans (plan_id));

diesel::table! {
    user_identities (issuer, subject) {
        issuer -> Text,
        subject -> Text,
        user_id -> Uuid,
        created_at -> Timestamptz,
        id -> Uuid,
        linked_by -> Text,
        name -> Nullable<Text>,
        email -> Nullable<Text>,
    }
}

diesel::table! {
    reviewer_checks (model) {
        model -> Text,
        is_fit -> Bool,
        measured_at -> Timestamptz,
    }
}

diesel::table! {
    invitations (id) {
        id -> Uuid,
        token_hash -> Bytea,
        email -> Text,
        role -> Text,
        brand_id -> Nullable<Uuid>,
        invited_by -> Nullable<Uuid>,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        accepted_at -> Nullable<Timestamptz>,
        user_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    password_resets (token_hash) {
        token_hash -> Bytea,
        user_id -> Uuid,
        created_by -> Nullable<Uuid>,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        approved_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    access_tokens (id) {
        id -> Uuid,
        user_id -> Uuid,
        name -> Text,
        hash -> Bytea,
        scopes -> Array<Text>,
        plan_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        last_used_on -> Nullable<Date>,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    plan_documents (id) {
        id -> Uuid,
        plan_id -> Uuid,
        kind -> Text,
        paper -> Text,
        lang -> Text,
        name -> Text,
        plan_version -> Int8,
        engine_version -> Text,
        sha256 -> Bytea,
        content -> Bytea,
        creation_key -> Nullable<Text>,
        creation_request -> Nullable<Text>,
        created_by -> Nullable<Uuid>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    document_links (id) {
        id -> Uuid,
        document_id -> Uuid,
        token_hash -> Bytea,
        created_by -> Uuid,
        actor_id -> Uuid,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        opened -> Int8,
        last_opened_at -> Nullable<Timestamptz>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    brands,
    brand_versions,
    users,
    plans,
    ai_conversations,
    ai_conversation_archive,
    prompts,
    turn_progress,
    rate_limits,
    spent_tokens,
    instances,
    reviewer_checks,
    extractions,
    plan_changes,
    pending_actions,
    plan_scenarios,
    sessions,
    user_identities,
    invitations,
    password_resets,
    access_tokens,
    audit_events,
    plan_documents,
    document_links,
);
