-- Appending to a JSONB value rewrites it whole, so what a long conversation writes per turn grows with its length.
-- The older part moves to blocks that are written once.

CREATE TABLE ai_conversation_segments (
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    messages JSONB COMPRESSION lz4 NOT NULL CHECK (jsonb_typeof(messages) = 'array' AND jsonb_array_length(messages) = 40),
    PRIMARY KEY (plan_id, seq)
);
COMMENT ON TABLE ai_conversation_segments IS 'The older messages of long conversations, in blocks of 40 that are written once';
COMMENT ON COLUMN ai_conversation_segments.plan_id IS 'The plan';
COMMENT ON COLUMN ai_conversation_segments.seq IS '0 for the first 40 messages, 1 for the next 40 …; the newest messages are in ai_conversations';
COMMENT ON COLUMN ai_conversation_segments.messages IS 'As in ai_conversations';

ALTER TABLE ai_conversations ADD COLUMN archived_count INTEGER NOT NULL DEFAULT 0 CHECK (archived_count >= 0 AND archived_count % 40 = 0);
COMMENT ON COLUMN ai_conversations.archived_count IS 'Messages in ai_conversation_segments; they come before those of this row';

INSERT INTO ai_conversation_segments (plan_id, seq, messages)
SELECT plan_id, seq, jsonb_path_query_array(messages, '$[$first to $last]', jsonb_build_object('first', seq * 40, 'last', seq * 40 + 39))
FROM ai_conversations, generate_series(0, (jsonb_array_length(messages) - 10) / 40 - 1) seq
WHERE jsonb_array_length(messages) > 100;

UPDATE ai_conversations SET
    archived_count = (jsonb_array_length(messages) - 10) / 40 * 40,
    messages = jsonb_path_query_array(messages, '$[$first to last]', jsonb_build_object('first', (jsonb_array_length(messages) - 10) / 40 * 40))
WHERE jsonb_array_length(messages) > 100;

CREATE VIEW ai_conversation_messages AS
SELECT c.plan_id, (c.first + m.position)::integer AS position, (m.message ->> 'id')::uuid AS id, (m.message ->> 'turnId')::uuid AS turn_id,
    m.message ->> 'role' AS role, m.message ->> 'content' AS content, m.message -> 'extractedValues' AS extracted_values,
    (m.message ->> 'timestamp')::timestamptz AS "timestamp"
FROM (
    SELECT plan_id, seq * 40 AS first, messages FROM ai_conversation_segments
    UNION ALL
    SELECT plan_id, archived_count, messages FROM ai_conversations
) c, jsonb_array_elements(c.messages) WITH ORDINALITY m (message, position);
COMMENT ON VIEW ai_conversation_messages IS 'Every message of every conversation, archived or not; position counts from 1 within the plan';
