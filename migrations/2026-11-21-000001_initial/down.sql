ALTER TABLE users DROP CONSTRAINT users_active_plan_id_fkey;
DROP TABLE audit_events, sessions, pending_actions, plan_changes, extractions, turn_progress, instances, prompts,
    ai_conversations, plans, users, brand_versions, brands;
DROP FUNCTION refuse_rewriting_audit();
