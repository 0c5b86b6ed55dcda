-- Processes remember what tags are called. They read this number with every page of posts, in the same snapshot, and forget
-- when it is another than the one they know: it counts the changes of categories, names and aliases.
CREATE TABLE tag_generation (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  value int NOT NULL DEFAULT 0
);
INSERT INTO tag_generation DEFAULT VALUES;

CREATE FUNCTION next_tag_generation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tag_generation SET value = value + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER tags_renamed AFTER UPDATE OF name, category OR DELETE ON tags
  FOR EACH STATEMENT EXECUTE FUNCTION next_tag_generation();
CREATE TRIGGER tag_aliases_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tag_aliases
  FOR EACH STATEMENT EXECUTE FUNCTION next_tag_generation();
