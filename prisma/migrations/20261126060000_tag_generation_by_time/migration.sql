-- After a failover that lost the last changes, the next ones counted to the same numbers, and processes that knew these went on
-- showing names from before. So the number is the time in seconds, since the beginning of 2026, or one more than it was.
CREATE OR REPLACE FUNCTION next_tag_generation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tag_generation SET value = greatest(value + 1, (extract(epoch FROM clock_timestamp()) - 1767225600)::int);
  RETURN NULL;
END $$;
