DROP INDEX prompts_with_words;
