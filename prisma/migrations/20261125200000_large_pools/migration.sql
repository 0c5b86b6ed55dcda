-- A post shows the numbers of the pools that it is in: those that came or went. Writing a post takes half a millisecond, with all of
-- its indexes, so that a thousand of them aren't written for the revisions alone: all posts are read anew instead, as after the
-- change of a tag's category.
CREATE OR REPLACE FUNCTION revise_pooled_posts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before integer[] := coalesce(OLD.post_ids, '{}');
  after integer[] := coalesce(NEW.post_ids, '{}');
  changed integer[] := CASE WHEN OLD.id <> NEW.id THEN before | after ELSE (before - after) | (after - before) END;
BEGIN
  IF icount(changed) > 1000 THEN
    UPDATE tag_generation SET names_revision = next_revision(names_revision);
  ELSE
    PERFORM revise_posts(changed);
  END IF;
  RETURN NULL;
END $$;
