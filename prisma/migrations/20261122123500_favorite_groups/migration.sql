-- Posts that a user keeps under a name, in an order, for everybody or alone.
CREATE TABLE "favorite_groups" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "post_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "post_count" INTEGER NOT NULL DEFAULT 0,
    "is_public" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "favorite_groups_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "favorite_groups_name_check" CHECK (char_length(name) BETWEEN 1 AND 170 AND name !~ '[ \t\n\v\f\r,*]'),
    CONSTRAINT "favorite_groups_post_ids_check" CHECK (
        array_position(post_ids, NULL) IS NULL AND post_count = cardinality(post_ids))
);

CREATE TABLE "favorite_group_versions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "favorite_group_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "updater_ip" INET,
    "name" TEXT NOT NULL,
    "post_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "added_post_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "removed_post_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "is_public" BOOLEAN NOT NULL,

    CONSTRAINT "favorite_group_versions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "favorite_group_versions_version_check" CHECK (version > 0)
);

CREATE INDEX "favorite_groups_post_ids_idx" ON "favorite_groups" USING GIN ("post_ids" gin__int_ops);
CREATE INDEX "favorite_groups_creator_id_id_idx" ON "favorite_groups"("creator_id", "id");
CREATE UNIQUE INDEX "favorite_groups_creator_id_lower_name_key" ON "favorite_groups"("creator_id", lower("name"));
CREATE INDEX "favorite_groups_lower_name_trgm_idx" ON "favorite_groups" USING GIN (lower("name") gin_trgm_ops);
CREATE INDEX "favorite_groups_public_idx" ON "favorite_groups"("id") WHERE "is_public";
CREATE UNIQUE INDEX "favorite_group_versions_favorite_group_id_version_key" ON "favorite_group_versions"("favorite_group_id", "version");
CREATE INDEX "favorite_group_versions_updater_id_id_idx" ON "favorite_group_versions"("updater_id", "id");

ALTER TABLE "favorite_groups" ADD CONSTRAINT "favorite_groups_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "favorite_group_versions" ADD CONSTRAINT "favorite_group_versions_favorite_group_id_fkey" FOREIGN KEY ("favorite_group_id") REFERENCES "favorite_groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "favorite_group_versions" ADD CONSTRAINT "favorite_group_versions_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
