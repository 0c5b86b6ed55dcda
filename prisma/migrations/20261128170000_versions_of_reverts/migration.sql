-- Marks the versions into which no later edit is merged.
ALTER TABLE "artist_commentary_versions" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "artist_versions" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "note_versions" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "pool_versions" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "post_versions" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "wiki_page_versions" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
