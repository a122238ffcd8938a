-- A lease that is renewed stays in its page and out of the indexes, if the page has room for it.
ALTER TABLE prompts SET (fillfactor = 90);
