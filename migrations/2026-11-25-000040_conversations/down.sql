DROP VIEW ai_conversation_messages;
DROP TABLE ai_conversation_segments, ai_conversations;
