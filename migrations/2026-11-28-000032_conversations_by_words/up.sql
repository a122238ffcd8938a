CREATE INDEX CONCURRENTLY ai_conversations_words_from ON ai_conversations (words_from);
