-- The children of a post that is removed are counted once, not for each of them, since each of thousands would otherwise update the same rows,
-- past all versions of them that the transaction has written before. The setting ends with the function: set by its declaration it would need
-- a superuser.
CREATE FUNCTION move_children(from_id integer, to_id integer) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('graphbooru.children_counted', 'together', true);
  WITH moved AS (
    UPDATE posts SET parent_id = nullif(to_id, id), updated_at = clock_timestamp() WHERE parent_id = from_id RETURNING posts AS child
  )
  SELECT add_to_post_counts(array_agg(post_id), array_agg(kind), array_agg(step))
    FROM moved, unnest(post_count_kinds(child)) AS kind, unnest(ARRAY[from_id, (child).parent_id], ARRAY[-1, 1]) AS change(post_id, step)
   WHERE post_id IS NOT NULL;
  SELECT set_config('graphbooru.children_counted', '', true);
  SELECT revise_posts(ARRAY[from_id, to_id]);
$$;

CREATE OR REPLACE TRIGGER posts_child_moved AFTER UPDATE ON posts
  FOR EACH ROW WHEN ((OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.id <> NEW.id AND NEW.parent_id IS NOT NULL)
                     AND current_setting('graphbooru.children_counted', true) IS DISTINCT FROM 'together')
  EXECUTE FUNCTION revise_parents();
CREATE OR REPLACE TRIGGER posts_then_child_changed AFTER UPDATE ON posts
  FOR EACH ROW WHEN ((OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.is_deleted <> NEW.is_deleted AND NEW.parent_id IS NOT NULL)
                     AND current_setting('graphbooru.children_counted', true) IS DISTINCT FROM 'together')
  EXECUTE FUNCTION count_child();
