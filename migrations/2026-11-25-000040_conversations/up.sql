-- One conversation per plan. Appending to a JSONB value rewrites it whole, so what a long conversation writes per turn
-- would grow with its length: older messages move to rows of the archive.

CREATE TABLE ai_conversations (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL UNIQUE REFERENCES plans (id) ON DELETE CASCADE,
    messages JSONB COMPRESSION lz4 NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(messages) = 'array'),
    total_tokens_used BIGINT NOT NULL DEFAULT 0,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    archived_count INTEGER NOT NULL DEFAULT 0,
    words_from TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX ai_conversations_words_from ON ai_conversations (words_from);
COMMENT ON TABLE ai_conversations IS 'One row per plan: the messages of its finished turns';
COMMENT ON COLUMN ai_conversations.id IS 'UUID v7';
COMMENT ON COLUMN ai_conversations.plan_id IS 'The plan; one conversation each';
COMMENT ON COLUMN ai_conversations.messages IS 'Array of {id, turnId, role, content, extractedValues, timestamp, stopped?, erased?}, appended in SQL';
COMMENT ON COLUMN ai_conversations.total_tokens_used IS 'Sum of the usage of all stored turns; survives clearing';
COMMENT ON COLUMN ai_conversations.created_at IS 'Database clock';
COMMENT ON COLUMN ai_conversations.updated_at IS 'Database clock';
COMMENT ON COLUMN ai_conversations.archived_count IS 'Messages in ai_conversation_archive; they come before those of this row';
COMMENT ON COLUMN ai_conversations.words_from IS 'No message of this row that is not erased is older; -infinity where nobody has looked';

CREATE TABLE ai_conversation_archive (
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    message JSONB COMPRESSION lz4 NOT NULL,
    PRIMARY KEY (plan_id, position)
);
CREATE INDEX ai_conversation_archive_id ON ai_conversation_archive (plan_id, (message ->> 'id'));
CREATE INDEX ai_conversation_archive_with_words ON ai_conversation_archive ((message ->> 'timestamp') COLLATE "C") WHERE NOT message ? 'erased';
COMMENT ON TABLE ai_conversation_archive IS 'The older messages of long conversations, one row each';
COMMENT ON COLUMN ai_conversation_archive.plan_id IS 'The plan';
COMMENT ON COLUMN ai_conversation_archive.position IS '1 for the first message of the conversation, without gaps; those behind the last are in ai_conversations';
COMMENT ON COLUMN ai_conversation_archive.message IS 'As in ai_conversations';

CREATE VIEW ai_conversation_messages AS
SELECT c.plan_id, c.position, (c.message ->> 'id')::uuid AS id, (c.message ->> 'turnId')::uuid AS turn_id,
    c.message ->> 'role' AS role, c.message ->> 'content' AS content, c.message -> 'extractedValues' AS extracted_values,
    (c.message ->> 'timestamp')::timestamptz AS "timestamp"
FROM (
    SELECT plan_id, position, message FROM ai_conversation_archive
    UNION ALL
    SELECT plan_id, (archived_count + m.position)::integer, m.message
    FROM ai_conversations, jsonb_array_elements(messages) WITH ORDINALITY m (message, position)
) c;
COMMENT ON VIEW ai_conversation_messages IS 'Every message of every conversation, archived or not; position counts from 1 within the plan';
