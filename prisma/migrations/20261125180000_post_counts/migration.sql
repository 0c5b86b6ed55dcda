-- How many comments, notes, flags and the like each post has, so that searches by these numbers, and orders by them, read
-- neither all of these records nor all posts. Only posts that have some have a row. This migration counts pools; those after it count
-- the rest, one table each, whose writers wait meanwhile.
CREATE TYPE "post_count_kind" AS ENUM ('comments', 'active_comments', 'deleted_comments', 'notes', 'active_notes', 'deleted_notes', 'flags', 'appeals', 'approvals', 'children', 'active_children', 'deleted_children', 'pools', 'active_pools', 'deleted_pools', 'series_pools', 'collection_pools');

CREATE TABLE "post_counts" (
    "kind" "post_count_kind" NOT NULL,
    "post_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "post_counts_pkey" PRIMARY KEY ("kind", "post_id")
);

-- Each kind has numbers of its own.
CREATE STATISTICS post_counts_statistics (mcv) ON kind, number FROM post_counts;
ALTER STATISTICS post_counts_statistics SET STATISTICS 1000;

-- Adds to the numbers of posts, in the order of their ids, so that no two transactions wait for each other.
CREATE FUNCTION add_to_post_counts(post_ids integer[], kinds post_count_kind[], steps integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO post_counts AS kept (kind, post_id, number)
  SELECT kind, post_id, sum(step) FROM unnest(post_ids, kinds, steps) AS change(post_id, kind, step)
   GROUP BY post_id, kind HAVING sum(step) <> 0 ORDER BY post_id, kind
  ON CONFLICT (kind, post_id) DO UPDATE SET number = kept.number + EXCLUDED.number;
  IF -1 = ANY(steps) THEN
    DELETE FROM post_counts WHERE kind = ANY(kinds) AND post_id = ANY(post_ids) AND number = 0;
  END IF;
END $$;

-- In which kinds a record counts: `post_count_kinds` of its row, for each table.
CREATE FUNCTION post_count_kinds(pool pools) RETURNS post_count_kind[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN pool.is_deleted THEN '{pools,deleted_pools}'::post_count_kind[]
              WHEN pool.category = 'series' THEN '{pools,active_pools,series_pools}'
              ELSE '{pools,active_pools,collection_pools}' END
$$;

-- A series that contains a post twice counts once.
CREATE FUNCTION count_pool() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_post_counts(array_agg(post_id), array_agg(kind), array_agg(step)) FROM (
    SELECT post_id, kind, -1 FROM unnest(uniq(sort(OLD.post_ids))) post_id, unnest(post_count_kinds(OLD)) kind
    UNION ALL SELECT post_id, kind, 1 FROM unnest(uniq(sort(NEW.post_ids))) post_id, unnest(post_count_kinds(NEW)) kind
  ) AS change(post_id, kind, step);
  RETURN NULL;
END $$;

-- Before the pools are counted, since from here on their writers wait. The names sort them after the triggers that raise the
-- revisions of posts, which lock them.
CREATE OR REPLACE TRIGGER pools_then_added AFTER INSERT ON pools
  FOR EACH ROW WHEN (NEW.post_ids <> '{}') EXECUTE FUNCTION count_pool();
CREATE OR REPLACE TRIGGER pools_then_changed AFTER UPDATE ON pools
  FOR EACH ROW WHEN (OLD.post_ids <> NEW.post_ids OR OLD.is_deleted <> NEW.is_deleted OR OLD.category <> NEW.category)
  EXECUTE FUNCTION count_pool();
CREATE OR REPLACE TRIGGER pools_then_removed AFTER DELETE ON pools
  FOR EACH ROW WHEN (OLD.post_ids <> '{}') EXECUTE FUNCTION count_pool();

INSERT INTO post_counts (kind, post_id, number)
SELECT kind, post_id, count(*)
  FROM pools, unnest(post_count_kinds(pools)) AS kind, unnest(uniq(sort(pools.post_ids))) AS post_id GROUP BY kind, post_id ORDER BY kind, post_id;

CREATE INDEX "post_counts_kind_number_post_id_idx" ON "post_counts"("kind", "number", "post_id");

-- safe: replaced by a view of the same name at once, and written by none but the triggers that are replaced
DROP TABLE pooled_posts;
-- safe: called by those triggers
DROP FUNCTION count_pooled_posts();
-- safe: called by programs that fill boards for tests
DROP FUNCTION fill_pooled_posts();

-- For the version before, which reads it.
CREATE VIEW pooled_posts AS
SELECT held.post_id, held.number AS pools, coalesce(active.number, 0) AS active_pools, coalesce(deleted.number, 0) AS deleted_pools,
       coalesce(series.number, 0) AS series_pools, coalesce(collection.number, 0) AS collection_pools
  FROM post_counts held
  LEFT JOIN post_counts active ON active.post_id = held.post_id AND active.kind = 'active_pools'
  LEFT JOIN post_counts deleted ON deleted.post_id = held.post_id AND deleted.kind = 'deleted_pools'
  LEFT JOIN post_counts series ON series.post_id = held.post_id AND series.kind = 'series_pools'
  LEFT JOIN post_counts collection ON collection.post_id = held.post_id AND collection.kind = 'collection_pools'
 WHERE held.kind = 'pools';
