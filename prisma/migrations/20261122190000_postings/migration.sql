-- An inverted index of the tags that many posts have: which posts, in blocks of 8,192 ids, newest block first for whoever reads
-- a page. A common tag has a bit for each id of a block, the others have their ids. A job makes the lists of a tag, triggers
-- keep them true from then on, in the transaction that writes the posts.

-- The lists that there are. They are kept from the moment that the row is there, and read from "ready" to "retired".
CREATE TABLE "posting_lists" (
    "tag_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'building',
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "posting_lists_pkey" PRIMARY KEY ("tag_id", "kind"),
    CONSTRAINT "posting_lists_kind_check" CHECK (kind IN ('bits', 'ids')),
    CONSTRAINT "posting_lists_state_check" CHECK (state IN ('building', 'ready', 'retired'))
);
CREATE INDEX "posting_lists_building_idx" ON "posting_lists" ("tag_id") WHERE state = 'building';

-- A block of a tag: bit n is set when the post 8192 * block + n has the tag.
CREATE TABLE "posting_bits" (
    "tag_id" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "bits" BIT(8192) NOT NULL,

    CONSTRAINT "posting_bits_pkey" PRIMARY KEY ("tag_id", "block")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

-- A block of a tag: the posts 8192 * block to 8192 * block + 8191 that have it, ascending.
CREATE TABLE "posting_ids" (
    "tag_id" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "ids" INTEGER[] NOT NULL,

    CONSTRAINT "posting_ids_pkey" PRIMARY KEY ("tag_id", "block"),
    CONSTRAINT "posting_ids_ids_check" CHECK (array_position(ids, NULL) IS NULL)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

ALTER TABLE "posting_lists" ADD CONSTRAINT "posting_lists_tag_id_fkey"
  FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "posting_bits" ADD CONSTRAINT "posting_bits_tag_id_fkey"
  FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "posting_ids" ADD CONSTRAINT "posting_ids_tag_id_fkey"
  FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Turns round whether the posts have the tags, pair by pair. Rows are written in the order of tags and blocks. Whoever changes
-- the tags of posts has locked the rows of these tags before, in order, so that no two wait for each other here.
-- While lists are made, their maker has one block after the other to itself.
CREATE FUNCTION turn_postings(pairs_tags integer[], pairs_posts integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM posting_lists WHERE state = 'building') THEN
    PERFORM pg_advisory_xact_lock_shared(hashtext('postings'), block)
       FROM (SELECT DISTINCT post_id >> 13 AS block FROM unnest(pairs_posts) AS post_id ORDER BY 1) AS blocks;
  END IF;
  INSERT INTO posting_bits AS kept (tag_id, block, bits)
  SELECT lists.tag_id, pairs.post_id >> 13, bit_or(set_bit(0::bit(8192), pairs.post_id & 8191, 1))
    FROM unnest(pairs_tags, pairs_posts) AS pairs(tag_id, post_id)
    JOIN posting_lists AS lists ON lists.tag_id = pairs.tag_id AND lists.kind = 'bits'
   GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (tag_id, block) DO UPDATE SET bits = kept.bits # EXCLUDED.bits;
  INSERT INTO posting_ids AS kept (tag_id, block, ids)
  SELECT lists.tag_id, pairs.post_id >> 13, sort(array_agg(pairs.post_id))
    FROM unnest(pairs_tags, pairs_posts) AS pairs(tag_id, post_id)
    JOIN posting_lists AS lists ON lists.tag_id = pairs.tag_id AND lists.kind = 'ids'
   GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (tag_id, block) DO UPDATE SET ids = (kept.ids | EXCLUDED.ids) - (kept.ids & EXCLUDED.ids);
END $$;

-- For each statement, not for each row: of a post that is only voted for, or of many posts at once.
CREATE FUNCTION keep_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  pairs_tags integer[];
  pairs_posts integer[];
BEGIN
  IF NOT EXISTS (SELECT FROM posting_lists) THEN
    RETURN NULL;
  ELSIF TG_OP = 'UPDATE' THEN
    SELECT array_agg(changed.tag_id), array_agg(changed.id) INTO pairs_tags, pairs_posts
      FROM (SELECT id, unnest((coalesce(o.tag_ids, '{}') - coalesce(n.tag_ids, '{}'))
                            | (coalesce(n.tag_ids, '{}') - coalesce(o.tag_ids, '{}'))) AS tag_id
              FROM old_posts o FULL JOIN new_posts n USING (id) WHERE o.tag_ids IS DISTINCT FROM n.tag_ids) AS changed;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(tag_id), array_agg(id) INTO pairs_tags, pairs_posts FROM new_posts, unnest(tag_ids) AS tag_id;
  ELSE
    SELECT array_agg(tag_id), array_agg(id) INTO pairs_tags, pairs_posts FROM old_posts, unnest(tag_ids) AS tag_id;
  END IF;
  IF pairs_tags IS NOT NULL THEN
    PERFORM turn_postings(pairs_tags, pairs_posts);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER posts_postings_added AFTER INSERT ON posts
  REFERENCING NEW TABLE AS new_posts FOR EACH STATEMENT EXECUTE FUNCTION keep_postings();
CREATE TRIGGER posts_postings_changed AFTER UPDATE ON posts
  REFERENCING OLD TABLE AS old_posts NEW TABLE AS new_posts FOR EACH STATEMENT EXECUTE FUNCTION keep_postings();
CREATE TRIGGER posts_postings_removed AFTER DELETE ON posts
  REFERENCING OLD TABLE AS old_posts FOR EACH STATEMENT EXECUTE FUNCTION keep_postings();

-- All posts at once are removed by nobody but an operator. What is kept of them is of no use then, and is made anew.
CREATE FUNCTION drop_postings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE posting_lists, posting_bits, posting_ids;
  RETURN NULL;
END $$;

CREATE TRIGGER posts_postings_dropped AFTER TRUNCATE ON posts FOR EACH STATEMENT EXECUTE FUNCTION drop_postings();
