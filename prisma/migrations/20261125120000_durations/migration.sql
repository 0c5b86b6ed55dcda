-- Few files have a duration. Without this, finding those within a range reads the rows of all files.
CREATE INDEX CONCURRENTLY "media_files_duration_idx" ON "media_files" ("duration") WHERE duration IS NOT NULL;
