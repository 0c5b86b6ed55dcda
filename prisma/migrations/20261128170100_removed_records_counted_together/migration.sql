-- Records that are removed are counted once for each statement, not for each row: a post is expunged with all its comments and notes, and each
-- of a thousand would otherwise update the same numbers, past all versions of them that the transaction has written before.
CREATE FUNCTION count_removed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'SELECT add_to_post_counts(array_agg(post_id), array_agg(kind), array_agg(-1)) FROM removed, unnest(post_count_kinds(removed::%I)) AS kind',
    TG_TABLE_NAME);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER comments_counted AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER comments_removed AFTER DELETE ON comments
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();

CREATE OR REPLACE TRIGGER notes_counted AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER notes_removed AFTER DELETE ON notes
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();
