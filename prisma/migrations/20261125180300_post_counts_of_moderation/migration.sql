CREATE FUNCTION post_count_kinds(flag post_flags) RETURNS post_count_kind[] LANGUAGE sql IMMUTABLE AS $$ SELECT '{flags}'::post_count_kind[] $$;
CREATE FUNCTION post_count_kinds(appeal post_appeals) RETURNS post_count_kind[] LANGUAGE sql IMMUTABLE AS $$ SELECT '{appeals}'::post_count_kind[] $$;
CREATE FUNCTION post_count_kinds(approval post_approvals) RETURNS post_count_kind[] LANGUAGE sql IMMUTABLE AS $$ SELECT '{approvals}'::post_count_kind[] $$;

CREATE TRIGGER post_flags_counted AFTER INSERT OR DELETE ON post_flags FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER post_flags_recounted AFTER UPDATE ON post_flags
  FOR EACH ROW WHEN (OLD.post_id <> NEW.post_id) EXECUTE FUNCTION count_record();
CREATE TRIGGER post_appeals_counted AFTER INSERT OR DELETE ON post_appeals FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER post_appeals_recounted AFTER UPDATE ON post_appeals
  FOR EACH ROW WHEN (OLD.post_id <> NEW.post_id) EXECUTE FUNCTION count_record();
CREATE TRIGGER post_approvals_counted AFTER INSERT OR DELETE ON post_approvals FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER post_approvals_recounted AFTER UPDATE ON post_approvals
  FOR EACH ROW WHEN (OLD.post_id <> NEW.post_id) EXECUTE FUNCTION count_record();

-- safe: only moderators wait, some seconds for ten million approvals
INSERT INTO post_counts (kind, post_id, number)
SELECT 'flags'::post_count_kind, post_id, count(*) FROM post_flags GROUP BY post_id
UNION ALL SELECT 'appeals', post_id, count(*) FROM post_appeals GROUP BY post_id
UNION ALL SELECT 'approvals', post_id, count(*) FROM post_approvals GROUP BY post_id;
