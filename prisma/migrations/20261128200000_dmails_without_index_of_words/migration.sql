-- A search of one's own dmails reads no index of everybody's words, and each dmail that is sent or read was added to it.
DROP INDEX CONCURRENTLY IF EXISTS dmails_words_idx;
