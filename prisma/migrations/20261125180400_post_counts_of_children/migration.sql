CREATE FUNCTION post_count_kinds(child posts) RETURNS post_count_kind[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN child.is_deleted THEN '{children,deleted_children}'::post_count_kind[] ELSE '{children,active_children}' END
$$;

-- Whoever changes parents, or deletes a post, locks all others out who do.
CREATE FUNCTION count_child() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_post_counts(array_agg(post_id), array_agg(kind), array_agg(step)) FROM (
    SELECT OLD.parent_id, kind, -1 FROM unnest(post_count_kinds(OLD)) kind WHERE OLD.parent_id IS NOT NULL
    UNION ALL SELECT NEW.parent_id, kind, 1 FROM unnest(post_count_kinds(NEW)) kind WHERE NEW.parent_id IS NOT NULL
  ) AS change(post_id, kind, step);
  RETURN NULL;
END $$;

-- After those that raise the revisions of parents, which lock them.
CREATE TRIGGER posts_then_child_added AFTER INSERT ON posts
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION count_child();
CREATE TRIGGER posts_then_child_changed AFTER UPDATE ON posts
  FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.is_deleted <> NEW.is_deleted AND NEW.parent_id IS NOT NULL)
  EXECUTE FUNCTION count_child();
CREATE TRIGGER posts_then_child_removed AFTER DELETE ON posts
  FOR EACH ROW WHEN (OLD.parent_id IS NOT NULL) EXECUTE FUNCTION count_child();

-- safe: writers of posts wait, about a second for ten million posts, of which an index has those with a parent
INSERT INTO post_counts (kind, post_id, number)
SELECT kind, parent_id, count(*) FROM posts, unnest(post_count_kinds(posts)) AS kind WHERE parent_id IS NOT NULL GROUP BY kind, parent_id ORDER BY kind, parent_id;

-- A row for each kind in which a record counts. Without pools, of which those with a post are found by an index of their own.
CREATE VIEW post_count_records AS
SELECT post_id, kind FROM comments, unnest(post_count_kinds(comments)) AS kind
UNION ALL SELECT post_id, kind FROM notes, unnest(post_count_kinds(notes)) AS kind
UNION ALL SELECT post_id, kind FROM post_flags, unnest(post_count_kinds(post_flags)) AS kind
UNION ALL SELECT post_id, kind FROM post_appeals, unnest(post_count_kinds(post_appeals)) AS kind
UNION ALL SELECT post_id, kind FROM post_approvals, unnest(post_count_kinds(post_approvals)) AS kind
UNION ALL SELECT parent_id, kind FROM posts, unnest(post_count_kinds(posts)) AS kind WHERE parent_id IS NOT NULL;

-- For records that were written without the triggers.
CREATE FUNCTION fill_post_counts() RETURNS void LANGUAGE sql AS $$
  INSERT INTO post_counts (kind, post_id, number)
  SELECT kind, post_id, count(*) FROM post_count_records GROUP BY kind, post_id
  UNION ALL SELECT kind, post_id, count(*)
    FROM pools, unnest(post_count_kinds(pools)) AS kind, unnest(uniq(sort(pools.post_ids))) AS post_id GROUP BY kind, post_id
   ORDER BY kind, post_id
$$;

ANALYZE post_counts;
