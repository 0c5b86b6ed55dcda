-- For the order of posts by their latest flag.
CREATE INDEX CONCURRENTLY "post_flags_created_at_id_idx" ON "post_flags" ("created_at", "id") WHERE NOT is_deletion;
