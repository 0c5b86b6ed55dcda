-- Marks the versions into which no later edit is merged.
ALTER TABLE "favorite_group_versions" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
