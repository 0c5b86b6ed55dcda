-- When the posts of each 8,192 ids were uploaded, so that a search of a date begins at the newest posts that can be of that
-- date. A span may be wider than what its posts say: it never gets narrower, and a new one ends an hour after its post, lest
-- each upload writes it. A job fills in the blocks that were there before, and at last the first block, which has all times:
-- once that is there, all are.
CREATE TABLE "post_spans" (
    "block" INTEGER NOT NULL,
    "first" TIMESTAMPTZ(3) NOT NULL,
    "last" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "post_spans_pkey" PRIMARY KEY ("block"),
    CONSTRAINT "post_spans_last_check" CHECK (first <= last)
);

CREATE FUNCTION widen_post_spans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO post_spans AS kept (block, first, last)
  SELECT p.id >> 13, min(p.created_at), max(p.created_at) + interval '1 hour' FROM new_posts p
   WHERE p.id >= 8192 AND NOT EXISTS (
           SELECT FROM post_spans s WHERE s.block = p.id >> 13 AND p.created_at BETWEEN s.first AND s.last)
   GROUP BY 1 ORDER BY 1
  ON CONFLICT (block) DO UPDATE SET first = least(kept.first, EXCLUDED.first), last = greatest(kept.last, EXCLUDED.last);
  RETURN NULL;
END $$;

CREATE FUNCTION widen_post_span() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO post_spans AS kept (block, first, last)
  SELECT NEW.id >> 13, NEW.created_at, NEW.created_at + interval '1 hour'
   WHERE NEW.id >= 8192 AND NOT EXISTS (
           SELECT FROM post_spans s WHERE s.block = NEW.id >> 13 AND NEW.created_at BETWEEN s.first AND s.last)
  ON CONFLICT (block) DO UPDATE SET first = least(kept.first, EXCLUDED.first), last = greatest(kept.last, EXCLUDED.last);
  RETURN NULL;
END $$;

CREATE TRIGGER posts_spans_added AFTER INSERT ON posts
  REFERENCING NEW TABLE AS new_posts FOR EACH STATEMENT EXECUTE FUNCTION widen_post_spans();
CREATE TRIGGER posts_spans_changed AFTER UPDATE OF id, created_at ON posts
  FOR EACH ROW WHEN (OLD.created_at <> NEW.created_at OR OLD.id <> NEW.id) EXECUTE FUNCTION widen_post_span();
