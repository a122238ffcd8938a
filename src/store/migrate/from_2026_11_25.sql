-- From the schema of the release cbb8d9a to that of the migrations by topic. Runs in one transaction, while no server runs.

-- The answer of a turn is in prompts.output only; endings that have it, too, are read as they are.
ALTER TABLE instances DROP COLUMN reads_short_ending;
COMMENT ON COLUMN prompts.ending IS 'How the turn ended: its terminal event without fullResponse, which is in output; the first releases stored it here, too';

-- Rates as token buckets. Nothing is moved: what a minute allows is there again after a minute, and running turns are counted
-- in prompts.
DROP TABLE user_limits;
-- A row is rewritten with every turn or write: free space in the page keeps the updates off the index.
CREATE UNLOGGED TABLE rate_limits (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    tokens DOUBLE PRECISION NOT NULL,
    refilled_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, kind)
) WITH (fillfactor = 50);
COMMENT ON TABLE rate_limits IS 'Token buckets: how often each user may do something, over all instances; may be lost at a crash';
COMMENT ON COLUMN rate_limits.user_id IS 'The user';
COMMENT ON COLUMN rate_limits.kind IS 'What is limited: turns or writes';
COMMENT ON COLUMN rate_limits.tokens IS 'How often it was still allowed at refilled_at; a full bucket is the limit per minute';
COMMENT ON COLUMN rate_limits.refilled_at IS 'When the bucket was last refilled; it is refilled evenly, by the limit each minute';

CREATE INDEX prompts_running_of_user ON prompts (user_id) WHERE state = 'running';

-- Spent tokens belong to the user instead of the turn. Only today's count.
CREATE TABLE spent_tokens (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    day DATE NOT NULL,
    tokens BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
) WITH (fillfactor = 50);
COMMENT ON TABLE spent_tokens IS 'Tokens that each user has spent; they stay spent when the turn or its plan is deleted';
COMMENT ON COLUMN spent_tokens.user_id IS 'In whose name the turns were sent';
COMMENT ON COLUMN spent_tokens.day IS 'On which the attempt was started, UTC';
COMMENT ON COLUMN spent_tokens.tokens IS 'Of all attempts that were started on the day and have ended';
INSERT INTO spent_tokens (user_id, day, tokens)
SELECT user_id, utc.day, sum(spent_before - spent_on_earlier_days + total_tokens)
FROM prompts, (SELECT (now() AT TIME ZONE 'UTC')::date AS day) utc
WHERE user_id IS NOT NULL AND (coalesce(started_at, created_at) AT TIME ZONE 'UTC')::date = utc.day
GROUP BY user_id, utc.day;
DROP INDEX prompts_started_at;
ALTER TABLE prompts DROP COLUMN spent_before, DROP COLUMN spent_on_earlier_days;

-- Older messages are rows of their own instead of blocks of 40, so that no more than a block of them is in memory at once.
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

INSERT INTO ai_conversation_archive (plan_id, position, message)
SELECT s.plan_id, s.seq * 40 + m.position, m.message
FROM ai_conversation_segments s, jsonb_array_elements(s.messages) WITH ORDINALITY m (message, position);
DROP VIEW ai_conversation_messages;
DROP TABLE ai_conversation_segments;
COMMENT ON COLUMN ai_conversations.archived_count IS 'Messages in ai_conversation_archive; they come before those of this row';

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

CREATE FUNCTION erased_message(message jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT message || '{"content": "", "erased": true}'
        || jsonb_build_object('extractedValues', erased_values(message -> 'extractedValues'))
$$;
COMMENT ON FUNCTION erased_message(message jsonb) IS 'A message without words';

CREATE OR REPLACE FUNCTION erased_messages(messages jsonb, before text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        jsonb_agg(
            CASE
                WHEN NOT m.message ? 'erased' AND (before IS NULL OR m.message ->> 'timestamp' < before COLLATE "C") THEN
                    erased_message(m.message)
                ELSE m.message
            END
            ORDER BY m.position
        ),
        '[]'
    )
    FROM jsonb_array_elements(messages) WITH ORDINALITY m (message, position)
$$;

CREATE OR REPLACE FUNCTION erase_words(target uuid) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF NOT has_table_privilege(session_user, 'prompts', 'UPDATE') THEN
        RAISE EXCEPTION 'permission denied to erase words' USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Nothing can refer anew to a plan that is locked like this: no turn is claimed.
    PERFORM FROM plans WHERE id = target FOR UPDATE;
    IF EXISTS (SELECT FROM prompts WHERE plan_id = target AND state = 'running') THEN
        RETURN false;
    END IF;
    PERFORM set_config('plan_advisor.erasure', 'on', true);
    DELETE FROM pending_actions WHERE plan_id = target;
    DELETE FROM turn_progress WHERE turn_id IN (SELECT id FROM prompts WHERE plan_id = target);
    UPDATE prompts
    SET input = '', output = CASE WHEN output IS NOT NULL THEN '' END, ending = erased_ending(ending)
    WHERE plan_id = target AND state <> 'running' AND (input <> '' OR output <> '');
    UPDATE ai_conversations
    SET messages = erased_messages(messages, NULL), updated_at = now(), words_from = now()
    WHERE plan_id = target;
    UPDATE ai_conversation_archive
    SET message = erased_message(message)
    WHERE plan_id = target AND NOT message ? 'erased';
    UPDATE plan_changes SET evidence = NULL WHERE plan_id = target AND evidence IS NOT NULL;
    UPDATE extractions
    SET details = details || '{"evidence": null}', evidence_start = NULL, evidence_end = NULL
    WHERE plan_id = target AND (details ->> 'evidence' IS NOT NULL OR evidence_start IS NOT NULL);
    UPDATE plans SET creation_request = NULL WHERE id = target AND creation_request IS NOT NULL;
    -- A failed turn that is run again needs no lock of its plan.
    IF EXISTS (SELECT FROM prompts WHERE plan_id = target AND state = 'running') THEN
        RAISE EXCEPTION 'a turn runs' USING ERRCODE = 'object_in_use';
    END IF;
    PERFORM set_config('plan_advisor.erasure', '', true);
    RETURN true;
EXCEPTION
    WHEN object_in_use THEN
        RETURN false;
END
$$;

-- CREATE OR REPLACE has put it back: whoever calls the function cannot put tables of their own in the place of ours.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION erase_words(uuid) SET search_path = %I, pg_temp', current_schema());
END
$$;

