CREATE FUNCTION post_count_kinds(note notes) RETURNS post_count_kind[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN note.is_active THEN '{notes,active_notes}'::post_count_kind[] ELSE '{notes,deleted_notes}' END
$$;

CREATE TRIGGER notes_counted AFTER INSERT OR DELETE ON notes FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER notes_recounted AFTER UPDATE ON notes
  FOR EACH ROW WHEN (OLD.post_id <> NEW.post_id OR OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_record();

-- safe: only writers of notes wait, some seconds for ten million notes
INSERT INTO post_counts (kind, post_id, number)
SELECT kind, post_id, count(*) FROM notes, unnest(post_count_kinds(notes)) AS kind GROUP BY kind, post_id ORDER BY kind, post_id;
