-- Searches that had no index: reasons of bans, the log of staff actions by its words and by what was acted on, and locked
-- topics in the order of the forum's list.
-- Keep semicolons out of comments and strings: some tools split scripts at every one of them.

CREATE INDEX bans_lower_reason_trgm_idx ON bans USING GIN (lower(reason) gin_trgm_ops);
CREATE INDEX mod_actions_lower_description_trgm_idx ON mod_actions USING GIN (lower(description) gin_trgm_ops);
CREATE INDEX mod_actions_lower_subject_idx ON mod_actions (lower(subject_type), id);
CREATE INDEX mod_actions_subject_id_idx ON mod_actions (subject_id, id) WHERE subject_id IS NOT NULL;
CREATE INDEX forum_topics_locked_idx ON forum_topics (is_sticky, updated_at, id) WHERE is_locked;
