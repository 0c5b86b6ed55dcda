-- Nor one of everybody's trigrams.
DROP INDEX CONCURRENTLY IF EXISTS dmails_lower_text_trgm_idx;
