DROP INDEX extractions_with_words;
