-- One conversation per plan. Appending to a JSONB value rewrites it whole, so what a long conversation writes per turn
-- would grow with its length: older messages move to rows of the archive, which are written once.

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
COMMENT ON COLUMN ai_conversations.archived_count IS 'Messages in ai_conversation_segments; they come before those of this row';
COMMENT ON COLUMN ai_conversations.words_from IS 'No message of this row that is not erased is older; -infinity where nobody has looked';

CREATE TABLE ai_conversation_segments (
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    messages JSONB COMPRESSION lz4 NOT NULL CHECK ((jsonb_typeof(messages) = 'array') AND (jsonb_array_length(messages) = 40)),
    words_from TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (plan_id, seq)
);
CREATE INDEX ai_conversation_segments_words_from ON ai_conversation_segments (words_from);
COMMENT ON TABLE ai_conversation_segments IS 'The older messages of long conversations, in blocks of 40 that are written once';
COMMENT ON COLUMN ai_conversation_segments.plan_id IS 'The plan';
COMMENT ON COLUMN ai_conversation_segments.seq IS '0 for the first 40 messages, 1 for the next 40 …; the newest messages are in ai_conversations';
COMMENT ON COLUMN ai_conversation_segments.messages IS 'As in ai_conversations';
COMMENT ON COLUMN ai_conversation_segments.words_from IS 'As in ai_conversations; infinity where all messages are erased';

CREATE VIEW ai_conversation_messages AS
 SELECT c.plan_id,
    ((c.first + m."position"))::integer AS "position",
    ((m.message ->> 'id'::text))::uuid AS id,
    ((m.message ->> 'turnId'::text))::uuid AS turn_id,
    (m.message ->> 'role'::text) AS role,
    (m.message ->> 'content'::text) AS content,
    (m.message -> 'extractedValues'::text) AS extracted_values,
    ((m.message ->> 'timestamp'::text))::timestamp with time zone AS "timestamp"
   FROM ( SELECT ai_conversation_segments.plan_id,
            (ai_conversation_segments.seq * 40) AS first,
            ai_conversation_segments.messages
           FROM ai_conversation_segments
        UNION ALL
         SELECT ai_conversations.plan_id,
            ai_conversations.archived_count,
            ai_conversations.messages
           FROM ai_conversations) c,
    LATERAL jsonb_array_elements(c.messages) WITH ORDINALITY m(message, "position");
COMMENT ON VIEW ai_conversation_messages IS 'Every message of every conversation, archived or not; position counts from 1 within the plan';
