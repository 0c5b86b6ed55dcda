-- For the order of posts by their latest appeal.
CREATE INDEX CONCURRENTLY "post_appeals_created_at_id_idx" ON "post_appeals" ("created_at", "id");
