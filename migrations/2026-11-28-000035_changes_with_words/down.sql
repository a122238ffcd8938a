DROP INDEX plan_changes_with_words;
