DROP TRIGGER audit_events_never_deleted ON audit_events;
DROP TRIGGER audit_events_append_only ON audit_events;
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE ON audit_events
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_audit();
ALTER TABLE audit_events DROP COLUMN calls;
