-- Only for posts that come or go, unless the pool counts in other kinds than before: an edit of a pool of 10,000 posts would otherwise
-- subtract and add each of them. The difference of two arrays has no duplicates.
CREATE OR REPLACE FUNCTION count_pool() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone integer[] := uniq(sort(OLD.post_ids));
  come integer[] := uniq(sort(NEW.post_ids));
BEGIN
  IF TG_OP = 'UPDATE' AND post_count_kinds(OLD) = post_count_kinds(NEW) THEN
    gone := OLD.post_ids - NEW.post_ids;
    come := NEW.post_ids - OLD.post_ids;
  END IF;
  PERFORM add_to_post_counts(array_agg(post_id), array_agg(kind), array_agg(step)) FROM (
    SELECT post_id, kind, -1 FROM unnest(gone) post_id, unnest(post_count_kinds(OLD)) kind
    UNION ALL SELECT post_id, kind, 1 FROM unnest(come) post_id, unnest(post_count_kinds(NEW)) kind
  ) AS change(post_id, kind, step);
  RETURN NULL;
END $$;
