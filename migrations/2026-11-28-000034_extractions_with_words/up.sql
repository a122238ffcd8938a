CREATE INDEX CONCURRENTLY extractions_with_words ON extractions (created_at) WHERE details ->> 'evidence' IS NOT NULL;
