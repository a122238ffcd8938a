DROP VIEW ai_conversation_messages;

UPDATE ai_conversations c SET messages = archive.messages || c.messages
FROM (
    SELECT s.plan_id, jsonb_agg(m.message ORDER BY s.seq, m.position) AS messages
    FROM ai_conversation_segments s, jsonb_array_elements(s.messages) WITH ORDINALITY m (message, position)
    GROUP BY s.plan_id
) archive
WHERE archive.plan_id = c.plan_id;

DROP TABLE ai_conversation_segments;
ALTER TABLE ai_conversations DROP COLUMN archived_count;
