-- Whatever a post's answer shows has a revision: posts.revision for what is the post's own (its row, its file, its pools, its
-- children), tag_generation.names_revision for what many posts show (names and categories of tags, names of users). Who finds
-- both as they were may answer with what was made then. Triggers raise them, so that no writer has to remember it.

ALTER TABLE "posts" ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "tag_generation" ADD COLUMN "names_revision" BIGINT NOT NULL DEFAULT 0;

-- Microseconds, and more than the revision before. Not a count: of a write that a failover has lost, or of a post whose number
-- is given once more, the revision must not come back with something else behind it.
CREATE FUNCTION next_revision(previous bigint) RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
  RETURN greatest(previous + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);

-- The post's own row.
CREATE FUNCTION revise_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := next_revision(OLD.revision);
  RETURN NEW;
END $$;

CREATE TRIGGER posts_revised BEFORE INSERT OR UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION revise_post();

-- Posts that show something of another row which has changed; in the order of their ids, so that no two wait for each other.
CREATE FUNCTION revise_posts(ids integer[]) RETURNS void LANGUAGE sql AS $$
  WITH locked AS MATERIALIZED (SELECT id FROM posts WHERE id = ANY(ids) ORDER BY id FOR NO KEY UPDATE)
  UPDATE posts SET revision = revision FROM locked WHERE posts.id = locked.id
$$;

-- A post shows the numbers of its children.
CREATE FUNCTION revise_parents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM revise_posts(ARRAY[OLD.parent_id, NEW.parent_id]);
  RETURN NULL;
END $$;

CREATE TRIGGER posts_child_added AFTER INSERT ON posts
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION revise_parents();
CREATE TRIGGER posts_child_moved AFTER UPDATE ON posts
  FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.id <> NEW.id AND NEW.parent_id IS NOT NULL)
  EXECUTE FUNCTION revise_parents();
CREATE TRIGGER posts_child_removed AFTER DELETE ON posts
  FOR EACH ROW WHEN (OLD.parent_id IS NOT NULL) EXECUTE FUNCTION revise_parents();

-- A post shows the numbers of the pools that it is in: those that came or went.
CREATE FUNCTION revise_pooled_posts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before integer[] := coalesce(OLD.post_ids, '{}');
  after integer[] := coalesce(NEW.post_ids, '{}');
BEGIN
  PERFORM revise_posts(CASE WHEN OLD.id <> NEW.id THEN before | after ELSE (before - after) | (after - before) END);
  RETURN NULL;
END $$;

CREATE TRIGGER pools_added AFTER INSERT ON pools
  FOR EACH ROW WHEN (NEW.post_ids <> '{}') EXECUTE FUNCTION revise_pooled_posts();
CREATE TRIGGER pools_changed AFTER UPDATE ON pools
  FOR EACH ROW WHEN (OLD.post_ids <> NEW.post_ids OR OLD.id <> NEW.id) EXECUTE FUNCTION revise_pooled_posts();
CREATE TRIGGER pools_removed AFTER DELETE ON pools
  FOR EACH ROW WHEN (OLD.post_ids <> '{}') EXECUTE FUNCTION revise_pooled_posts();

-- A post shows facts of its file.
CREATE FUNCTION revise_post_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM revise_posts(ARRAY(SELECT id FROM posts WHERE media_file_id = NEW.id));
  RETURN NULL;
END $$;

CREATE TRIGGER media_files_changed AFTER UPDATE ON media_files
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION revise_post_of_file();

-- What many posts show. Pools are emptied at once by nobody but an operator.
CREATE FUNCTION revise_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tag_generation SET names_revision = next_revision(names_revision);
  RETURN NULL;
END $$;

CREATE TRIGGER tags_names_revised AFTER UPDATE OF name, category OR DELETE ON tags
  FOR EACH STATEMENT EXECUTE FUNCTION revise_names();
CREATE TRIGGER users_renamed AFTER UPDATE OF name ON users
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION revise_names();
CREATE TRIGGER pools_emptied AFTER TRUNCATE ON pools FOR EACH STATEMENT EXECUTE FUNCTION revise_names();
