-- The files whose larger thumbnails a job has yet to make.
CREATE INDEX CONCURRENTLY "media_files_without_placeholder_idx" ON "media_files" ("id") WHERE placeholder IS NULL;
