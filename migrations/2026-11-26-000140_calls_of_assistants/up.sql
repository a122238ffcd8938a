-- Calls of assistants are counted in one row for each hour, because an assistant may make hundreds.

ALTER TABLE audit_events ADD COLUMN calls INTEGER NOT NULL DEFAULT 1 CHECK (calls > 0);
COMMENT ON COLUMN audit_events.calls IS 'How often it happened; more than 1 only of calls of assistants (mcp.…), of which one row is kept for each token, tool, plan and hour';

-- The only change that the audit takes from everybody: one call more, and nothing else of the row.
DROP TRIGGER audit_events_append_only ON audit_events;
CREATE TRIGGER audit_events_append_only BEFORE UPDATE ON audit_events
    FOR EACH ROW WHEN (
        NOT (OLD.kind LIKE 'mcp.%' AND NEW.calls = OLD.calls + 1 AND to_jsonb(NEW) - 'calls' = to_jsonb(OLD) - 'calls')
    )
    EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER audit_events_never_deleted BEFORE DELETE ON audit_events
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_audit();
