-- In how many pools each post is, so that searches by that number, and of posts in no pool or in some, do not read all pools.
-- Only posts that are in a pool have a row. A series that contains a post twice counts once.
CREATE TABLE "pooled_posts" (
    "post_id" INTEGER NOT NULL,
    "pools" INTEGER NOT NULL,
    "active_pools" INTEGER NOT NULL,
    "deleted_pools" INTEGER NOT NULL,
    "series_pools" INTEGER NOT NULL,
    "collection_pools" INTEGER NOT NULL,

    CONSTRAINT "pooled_posts_pkey" PRIMARY KEY ("post_id")
);

-- What a pool adds to the numbers of its posts, times `step`.
CREATE FUNCTION places_in_pool(pool pools, step integer)
RETURNS TABLE (post_id integer, pools integer, active_pools integer, deleted_pools integer, series_pools integer, collection_pools integer)
LANGUAGE sql IMMUTABLE AS $$
  SELECT place.post_id, step, step * active, step * (1 - active), step * active * series, step * active * (1 - series)
    FROM unnest(uniq(sort(pool.post_ids))) AS place(post_id),
         (SELECT (NOT pool.is_deleted)::int AS active, (pool.category = 'series')::int AS series) kind
$$;

CREATE FUNCTION count_pooled_posts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pooled_posts AS kept
  SELECT post_id, sum(pools), sum(active_pools), sum(deleted_pools), sum(series_pools), sum(collection_pools)
    FROM (SELECT * FROM places_in_pool(OLD, -1) UNION ALL SELECT * FROM places_in_pool(NEW, 1)) change
   GROUP BY post_id HAVING sum(pools) <> 0 OR sum(active_pools) <> 0 OR sum(series_pools) <> 0
   ORDER BY post_id
  ON CONFLICT (post_id) DO UPDATE SET
    pools = kept.pools + EXCLUDED.pools,
    active_pools = kept.active_pools + EXCLUDED.active_pools,
    deleted_pools = kept.deleted_pools + EXCLUDED.deleted_pools,
    series_pools = kept.series_pools + EXCLUDED.series_pools,
    collection_pools = kept.collection_pools + EXCLUDED.collection_pools;
  DELETE FROM pooled_posts WHERE pools = 0;
  RETURN NULL;
END $$;

-- After those that raise the revisions of posts, which lock them.
CREATE TRIGGER pools_then_added AFTER INSERT ON pools
  FOR EACH ROW WHEN (NEW.post_ids <> '{}') EXECUTE FUNCTION count_pooled_posts();
CREATE TRIGGER pools_then_changed AFTER UPDATE ON pools
  FOR EACH ROW WHEN (OLD.post_ids <> NEW.post_ids OR OLD.is_deleted <> NEW.is_deleted OR OLD.category <> NEW.category)
  EXECUTE FUNCTION count_pooled_posts();
CREATE TRIGGER pools_then_removed AFTER DELETE ON pools
  FOR EACH ROW WHEN (OLD.post_ids <> '{}') EXECUTE FUNCTION count_pooled_posts();

-- For pools that were there before the triggers, or were written without them.
CREATE FUNCTION fill_pooled_posts() RETURNS void LANGUAGE sql AS $$
  INSERT INTO pooled_posts
  SELECT post_id, sum(place.pools), sum(active_pools), sum(deleted_pools), sum(series_pools), sum(collection_pools)
    FROM pools, places_in_pool(pools, 1) place GROUP BY post_id
$$;

-- safe: only writers of pools wait, a second or two for each million posts in pools
SELECT fill_pooled_posts();

CREATE INDEX "pooled_posts_pools_post_id_idx" ON "pooled_posts"("pools", "post_id");
CREATE INDEX "pooled_posts_active_pools_post_id_idx" ON "pooled_posts"("active_pools", "post_id");
CREATE INDEX "pooled_posts_deleted_pools_post_id_idx" ON "pooled_posts"("deleted_pools", "post_id");
CREATE INDEX "pooled_posts_series_pools_post_id_idx" ON "pooled_posts"("series_pools", "post_id");
CREATE INDEX "pooled_posts_collection_pools_post_id_idx" ON "pooled_posts"("collection_pools", "post_id");
