CREATE FUNCTION post_count_kinds(comment comments) RETURNS post_count_kind[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN comment.is_deleted THEN '{comments,deleted_comments}'::post_count_kind[] ELSE '{comments,active_comments}' END
$$;

-- For any table with a `post_id`; its writers have locked the post.
CREATE FUNCTION count_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_post_counts(array_agg(post_id), array_agg(kind), array_agg(step)) FROM (
    SELECT OLD.post_id, kind, -1 FROM unnest(post_count_kinds(OLD)) kind WHERE OLD.post_id IS NOT NULL
    UNION ALL SELECT NEW.post_id, kind, 1 FROM unnest(post_count_kinds(NEW)) kind WHERE NEW.post_id IS NOT NULL
  ) AS change(post_id, kind, step);
  RETURN NULL;
END $$;

CREATE TRIGGER comments_counted AFTER INSERT OR DELETE ON comments FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER comments_recounted AFTER UPDATE ON comments
  FOR EACH ROW WHEN (OLD.post_id <> NEW.post_id OR OLD.is_deleted <> NEW.is_deleted) EXECUTE FUNCTION count_record();

-- safe: only writers of comments wait, some seconds for ten million comments
INSERT INTO post_counts (kind, post_id, number)
SELECT kind, post_id, count(*) FROM comments, unnest(post_count_kinds(comments)) AS kind GROUP BY kind, post_id ORDER BY kind, post_id;
