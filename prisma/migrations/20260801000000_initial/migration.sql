-- The first state of the board.
--
-- Parts 1 and 3 to 6 are written by hand: what Prisma's language can't express. Part 2 is what Prisma prints for
-- prisma/schema, in which only operator classes (text_pattern_ops) and NULLS LAST were added.
-- Keep semicolons out of comments and strings: some tools split scripts at every one of them.

-- ---------------------------------------------------------------------------------------------------------------------
-- 1. Extensions and functions
-- ---------------------------------------------------------------------------------------------------------------------

-- intarray: gin__int_ops for searches by tag ids, sort() and uniq() for the checks
CREATE EXTENSION IF NOT EXISTS intarray WITH SCHEMA public;
-- pg_trgm: indexes for substrings and patterns
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

-- Names in lower case, for comparing one of them: lower_names(other_names) && ARRAY['x'].
CREATE FUNCTION lower_names(names text[]) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(SELECT lower(name) FROM unnest(names) AS name);

-- Names in lower case, joined by blanks, for patterns over all of them: names_text(other_names) LIKE '%x%'.
CREATE FUNCTION names_text(names text[]) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(array_to_string(names, ' '));

-- ---------------------------------------------------------------------------------------------------------------------
-- 2. Tables, keys and plain indexes, as Prisma prints them
-- ---------------------------------------------------------------------------------------------------------------------

-- CreateTable
CREATE TABLE "artist_commentaries" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "original_title" TEXT NOT NULL DEFAULT '',
    "original_description" TEXT NOT NULL DEFAULT '',
    "translated_title" TEXT NOT NULL DEFAULT '',
    "translated_description" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "artist_commentaries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artist_commentary_versions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "artist_commentary_id" INTEGER NOT NULL,
    "post_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "updater_ip" INET,
    "original_title" TEXT NOT NULL DEFAULT '',
    "original_description" TEXT NOT NULL DEFAULT '',
    "translated_title" TEXT NOT NULL DEFAULT '',
    "translated_description" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "artist_commentary_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artists" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "other_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "group_name" TEXT NOT NULL DEFAULT '',
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "is_banned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "artists_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artist_urls" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "artist_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "normalized_url" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "artist_urls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artist_versions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "artist_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "updater_ip" INET,
    "name" TEXT NOT NULL,
    "other_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "group_name" TEXT NOT NULL DEFAULT '',
    "urls" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "is_banned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "artist_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comments" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "creator_ip" INET,
    "updater_id" INTEGER,
    "updater_ip" INET,
    "body" TEXT NOT NULL,
    "score" INTEGER NOT NULL DEFAULT 0,
    "do_not_bump_post" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "is_sticky" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "comments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comment_votes" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "comment_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "score" INTEGER NOT NULL,

    CONSTRAINT "comment_votes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dmails" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "owner_id" INTEGER NOT NULL,
    "from_id" INTEGER NOT NULL,
    "to_id" INTEGER NOT NULL,
    "creator_ip" INET,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "is_read" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "dmails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "forum_topics" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "title" TEXT NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "category_id" SMALLINT NOT NULL DEFAULT 0,
    "min_level" INTEGER NOT NULL DEFAULT 0,
    "response_count" INTEGER NOT NULL DEFAULT 0,
    "is_sticky" BOOLEAN NOT NULL DEFAULT false,
    "is_locked" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "forum_topics_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "forum_posts" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "topic_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "creator_ip" INET,
    "updater_id" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "forum_posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media_files" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "md5" CHAR(32) NOT NULL,
    "file_ext" TEXT NOT NULL,
    "file_size" INTEGER NOT NULL,
    "image_width" INTEGER NOT NULL,
    "image_height" INTEGER NOT NULL,
    "duration" DOUBLE PRECISION,
    "frames" INTEGER NOT NULL DEFAULT 1,
    "has_sound" BOOLEAN NOT NULL DEFAULT false,
    "has_sample" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "media_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bans" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER NOT NULL,
    "banner_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "bans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mod_actions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "creator_id" INTEGER,
    "category" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "subject_type" TEXT,
    "subject_id" INTEGER,

    CONSTRAINT "mod_actions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "creator_ip" INET,
    "x" INTEGER NOT NULL,
    "y" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "note_versions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "note_id" INTEGER NOT NULL,
    "post_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "updater_ip" INET,
    "x" INTEGER NOT NULL,
    "y" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "note_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pools" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "category" TEXT NOT NULL DEFAULT 'series',
    "post_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "post_count" INTEGER NOT NULL DEFAULT 0,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "pools_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pool_versions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "pool_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "updater_ip" INET,
    "post_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "added_post_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "removed_post_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "name" TEXT NOT NULL,
    "name_changed" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT NOT NULL DEFAULT '',
    "description_changed" BOOLEAN NOT NULL DEFAULT false,
    "category" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "pool_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post_flags" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "creator_id" INTEGER,
    "creator_ip" INET,
    "reason" TEXT NOT NULL,
    "is_resolved" BOOLEAN NOT NULL DEFAULT false,
    "is_deletion" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "post_flags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post_appeals" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "creator_ip" INET,
    "reason" TEXT NOT NULL,

    CONSTRAINT "post_appeals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post_approvals" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "post_approvals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post_disapprovals" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "message" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "post_disapprovals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "posts" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "uploader_id" INTEGER NOT NULL,
    "uploader_ip" INET,
    "approver_id" INTEGER,
    "media_file_id" INTEGER NOT NULL,
    "md5" CHAR(32) NOT NULL,
    "file_ext" TEXT NOT NULL,
    "file_size" INTEGER NOT NULL,
    "image_width" INTEGER NOT NULL,
    "image_height" INTEGER NOT NULL,
    "rating" CHAR(1) NOT NULL,
    "source" TEXT NOT NULL DEFAULT '',
    "pixiv_id" INTEGER,
    "parent_id" INTEGER,
    "tag_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "tag_count" INTEGER NOT NULL DEFAULT 0,
    "tag_count_general" INTEGER NOT NULL DEFAULT 0,
    "tag_count_artist" INTEGER NOT NULL DEFAULT 0,
    "tag_count_copyright" INTEGER NOT NULL DEFAULT 0,
    "tag_count_character" INTEGER NOT NULL DEFAULT 0,
    "tag_count_meta" INTEGER NOT NULL DEFAULT 0,
    "up_score" INTEGER NOT NULL DEFAULT 0,
    "down_score" INTEGER NOT NULL DEFAULT 0,
    "score" INTEGER NOT NULL DEFAULT 0,
    "fav_count" INTEGER NOT NULL DEFAULT 0,
    "is_pending" BOOLEAN NOT NULL DEFAULT false,
    "is_flagged" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "is_banned" BOOLEAN NOT NULL DEFAULT false,
    "is_note_locked" BOOLEAN NOT NULL DEFAULT false,
    "is_rating_locked" BOOLEAN NOT NULL DEFAULT false,
    "is_status_locked" BOOLEAN NOT NULL DEFAULT false,
    "has_children" BOOLEAN NOT NULL DEFAULT false,
    "has_active_children" BOOLEAN NOT NULL DEFAULT false,
    "bit_flags" INTEGER NOT NULL DEFAULT 0,
    "last_commented_at" TIMESTAMPTZ(3),
    "last_comment_bumped_at" TIMESTAMPTZ(3),
    "last_noted_at" TIMESTAMPTZ(3),

    CONSTRAINT "posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post_versions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "updater_ip" INET,
    "tag_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "added_tag_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "removed_tag_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "rating" CHAR(1) NOT NULL,
    "rating_changed" BOOLEAN NOT NULL DEFAULT false,
    "parent_id" INTEGER,
    "parent_changed" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT NOT NULL DEFAULT '',
    "source_changed" BOOLEAN NOT NULL DEFAULT false,
    "media_file_id" INTEGER,

    CONSTRAINT "post_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "post_votes" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "post_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "score" INTEGER NOT NULL,

    CONSTRAINT "post_votes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "favorites" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER NOT NULL,
    "post_id" INTEGER NOT NULL,

    CONSTRAINT "favorites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tags" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "category" SMALLINT NOT NULL DEFAULT 0,
    "post_count" INTEGER NOT NULL DEFAULT 0,
    "is_locked" BOOLEAN NOT NULL DEFAULT false,
    "is_deprecated" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tag_aliases" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "antecedent_name" TEXT NOT NULL,
    "consequent_name" TEXT NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "approver_id" INTEGER,
    "forum_topic_id" INTEGER,
    "reason" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL DEFAULT 'pending',

    CONSTRAINT "tag_aliases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tag_implications" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "antecedent_name" TEXT NOT NULL,
    "consequent_name" TEXT NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "approver_id" INTEGER,
    "forum_topic_id" INTEGER,
    "reason" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL DEFAULT 'pending',

    CONSTRAINT "tag_implications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "uploader_id" INTEGER NOT NULL,
    "uploader_ip" INET,
    "source" TEXT NOT NULL DEFAULT '',
    "tag_string" TEXT NOT NULL DEFAULT '',
    "rating" CHAR(1) NOT NULL,
    "parent_id" INTEGER,
    "md5_confirmation" CHAR(32),
    "status" TEXT NOT NULL DEFAULT 'pending',
    "post_id" INTEGER,
    "content_type" TEXT,
    "file_size" INTEGER,
    "md5" CHAR(32),

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" VARCHAR(100) NOT NULL,
    "password_hash" TEXT NOT NULL,
    "email" TEXT,
    "level" INTEGER NOT NULL DEFAULT 20,
    "inviter_id" INTEGER,
    "is_banned" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "base_upload_limit" INTEGER NOT NULL DEFAULT 0,
    "post_upload_count" INTEGER NOT NULL DEFAULT 0,
    "post_update_count" INTEGER NOT NULL DEFAULT 0,
    "note_update_count" INTEGER NOT NULL DEFAULT 0,
    "favorite_count" INTEGER NOT NULL DEFAULT 0,
    "last_logged_in_at" TIMESTAMPTZ(3),
    "last_forum_read_at" TIMESTAMPTZ(3),
    "last_ip" INET,
    "blacklisted_tags" TEXT NOT NULL DEFAULT 'spoilers
guro
scat
furry -rating:s',
    "favorite_tags" TEXT NOT NULL DEFAULT '',
    "comment_threshold" INTEGER NOT NULL DEFAULT -1,
    "default_image_size" TEXT NOT NULL DEFAULT 'large',
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "per_page" INTEGER NOT NULL DEFAULT 20,
    "custom_style" TEXT NOT NULL DEFAULT '',
    "receive_email_notifications" BOOLEAN NOT NULL DEFAULT false,
    "enable_private_favorites" BOOLEAN NOT NULL DEFAULT false,
    "hide_deleted_posts" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_feedbacks" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "category" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "user_feedbacks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wiki_pages" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "title" TEXT NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "body" TEXT NOT NULL DEFAULT '',
    "other_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_locked" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "wiki_pages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wiki_page_versions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "wiki_page_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updater_id" INTEGER NOT NULL,
    "updater_ip" INET,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL DEFAULT '',
    "other_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_locked" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "wiki_page_versions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "artist_commentaries_post_id_key" ON "artist_commentaries"("post_id");

-- CreateIndex
CREATE INDEX "artist_commentaries_updated_at_id_idx" ON "artist_commentaries"("updated_at", "id");

-- CreateIndex
CREATE INDEX "artist_commentary_versions_post_id_id_idx" ON "artist_commentary_versions"("post_id", "id");

-- CreateIndex
CREATE INDEX "artist_commentary_versions_updater_id_id_idx" ON "artist_commentary_versions"("updater_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "artist_commentary_versions_artist_commentary_id_version_key" ON "artist_commentary_versions"("artist_commentary_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "artists_name_key" ON "artists"("name");

-- CreateIndex
CREATE INDEX "artists_creator_id_id_idx" ON "artists"("creator_id", "id");

-- CreateIndex
CREATE INDEX "artists_updated_at_id_idx" ON "artists"("updated_at", "id");

-- CreateIndex
CREATE INDEX "artists_name_trgm_idx" ON "artists" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "artist_urls_normalized_url_pattern_idx" ON "artist_urls"("normalized_url" text_pattern_ops);

-- CreateIndex
CREATE UNIQUE INDEX "artist_urls_artist_id_url_key" ON "artist_urls"("artist_id", "url");

-- CreateIndex
CREATE INDEX "artist_versions_updater_id_id_idx" ON "artist_versions"("updater_id", "id");

-- CreateIndex
CREATE INDEX "artist_versions_name_id_idx" ON "artist_versions"("name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "artist_versions_artist_id_version_key" ON "artist_versions"("artist_id", "version");

-- CreateIndex
CREATE INDEX "comments_post_id_id_idx" ON "comments"("post_id", "id");

-- CreateIndex
CREATE INDEX "comments_creator_id_id_idx" ON "comments"("creator_id", "id");

-- CreateIndex
CREATE INDEX "comments_creator_id_created_at_idx" ON "comments"("creator_id", "created_at");

-- CreateIndex
CREATE INDEX "comments_updater_id_idx" ON "comments"("updater_id");

-- CreateIndex
CREATE INDEX "comments_score_id_idx" ON "comments"("score", "id");

-- CreateIndex
CREATE INDEX "comments_updated_at_id_idx" ON "comments"("updated_at", "id");

-- CreateIndex
CREATE INDEX "comment_votes_user_id_created_at_idx" ON "comment_votes"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "comment_votes_comment_id_user_id_key" ON "comment_votes"("comment_id", "user_id");

-- CreateIndex
CREATE INDEX "dmails_owner_id_id_idx" ON "dmails"("owner_id", "id");

-- CreateIndex
CREATE INDEX "dmails_owner_id_created_at_id_idx" ON "dmails"("owner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "dmails_owner_id_from_id_idx" ON "dmails"("owner_id", "from_id");

-- CreateIndex
CREATE INDEX "dmails_owner_id_to_id_idx" ON "dmails"("owner_id", "to_id");

-- CreateIndex
CREATE INDEX "dmails_from_id_idx" ON "dmails"("from_id");

-- CreateIndex
CREATE INDEX "dmails_to_id_idx" ON "dmails"("to_id");

-- CreateIndex
CREATE INDEX "forum_topics_is_sticky_updated_at_id_idx" ON "forum_topics"("is_sticky", "updated_at", "id");

-- CreateIndex
CREATE INDEX "forum_topics_title_idx" ON "forum_topics"("title");

-- CreateIndex
CREATE INDEX "forum_topics_category_id_id_idx" ON "forum_topics"("category_id", "id");

-- CreateIndex
CREATE INDEX "forum_topics_creator_id_id_idx" ON "forum_topics"("creator_id", "id");

-- CreateIndex
CREATE INDEX "forum_topics_updater_id_idx" ON "forum_topics"("updater_id");

-- CreateIndex
CREATE INDEX "forum_topics_updated_at_id_idx" ON "forum_topics"("updated_at", "id");

-- CreateIndex
CREATE INDEX "forum_posts_topic_id_id_idx" ON "forum_posts"("topic_id", "id");

-- CreateIndex
CREATE INDEX "forum_posts_topic_id_updated_at_idx" ON "forum_posts"("topic_id", "updated_at");

-- CreateIndex
CREATE INDEX "forum_posts_creator_id_id_idx" ON "forum_posts"("creator_id", "id");

-- CreateIndex
CREATE INDEX "forum_posts_updater_id_idx" ON "forum_posts"("updater_id");

-- CreateIndex
CREATE UNIQUE INDEX "media_files_md5_key" ON "media_files"("md5");

-- CreateIndex
CREATE UNIQUE INDEX "media_files_copied_columns_key" ON "media_files"("id", "md5", "file_ext", "file_size", "image_width", "image_height");

-- CreateIndex
CREATE INDEX "bans_user_id_id_idx" ON "bans"("user_id", "id");

-- CreateIndex
CREATE INDEX "bans_banner_id_idx" ON "bans"("banner_id");

-- CreateIndex
CREATE INDEX "bans_expires_at_id_idx" ON "bans"("expires_at", "id");

-- CreateIndex
CREATE INDEX "mod_actions_creator_id_idx" ON "mod_actions"("creator_id");

-- CreateIndex
CREATE INDEX "mod_actions_category_id_idx" ON "mod_actions"("category", "id");

-- CreateIndex
CREATE INDEX "mod_actions_subject_type_subject_id_idx" ON "mod_actions"("subject_type", "subject_id");

-- CreateIndex
CREATE INDEX "notes_post_id_id_idx" ON "notes"("post_id", "id");

-- CreateIndex
CREATE INDEX "notes_creator_id_id_idx" ON "notes"("creator_id", "id");

-- CreateIndex
CREATE INDEX "note_versions_post_id_id_idx" ON "note_versions"("post_id", "id");

-- CreateIndex
CREATE INDEX "note_versions_updater_id_id_idx" ON "note_versions"("updater_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "note_versions_note_id_version_key" ON "note_versions"("note_id", "version");

-- CreateIndex
CREATE INDEX "pools_post_ids_idx" ON "pools" USING GIN ("post_ids" gin__int_ops);

-- CreateIndex
CREATE INDEX "pools_name_idx" ON "pools"("name");

-- CreateIndex
CREATE INDEX "pools_creator_id_id_idx" ON "pools"("creator_id", "id");

-- CreateIndex
CREATE INDEX "pools_category_id_idx" ON "pools"("category", "id");

-- CreateIndex
CREATE INDEX "pools_created_at_id_idx" ON "pools"("created_at", "id");

-- CreateIndex
CREATE INDEX "pools_updated_at_id_idx" ON "pools"("updated_at", "id");

-- CreateIndex
CREATE INDEX "pools_post_count_id_idx" ON "pools"("post_count", "id");

-- CreateIndex
CREATE INDEX "pool_versions_updater_id_id_idx" ON "pool_versions"("updater_id", "id");

-- CreateIndex
CREATE INDEX "pool_versions_updated_at_id_idx" ON "pool_versions"("updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pool_versions_pool_id_version_key" ON "pool_versions"("pool_id", "version");

-- CreateIndex
CREATE INDEX "post_flags_post_id_id_idx" ON "post_flags"("post_id", "id");

-- CreateIndex
CREATE INDEX "post_flags_creator_id_id_idx" ON "post_flags"("creator_id", "id");

-- CreateIndex
CREATE INDEX "post_appeals_creator_id_id_idx" ON "post_appeals"("creator_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "post_appeals_post_id_creator_id_key" ON "post_appeals"("post_id", "creator_id");

-- CreateIndex
CREATE INDEX "post_approvals_post_id_user_id_idx" ON "post_approvals"("post_id", "user_id");

-- CreateIndex
CREATE INDEX "post_approvals_user_id_id_idx" ON "post_approvals"("user_id", "id");

-- CreateIndex
CREATE INDEX "post_disapprovals_user_id_id_idx" ON "post_disapprovals"("user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "post_disapprovals_post_id_user_id_key" ON "post_disapprovals"("post_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "posts_media_file_id_key" ON "posts"("media_file_id");

-- CreateIndex
CREATE UNIQUE INDEX "posts_md5_key" ON "posts"("md5");

-- CreateIndex
CREATE INDEX "posts_tag_ids_idx" ON "posts" USING GIN ("tag_ids" gin__int_ops);

-- CreateIndex
CREATE INDEX "posts_uploader_id_id_idx" ON "posts"("uploader_id", "id");

-- CreateIndex
CREATE INDEX "posts_approver_id_id_idx" ON "posts"("approver_id", "id");

-- CreateIndex
CREATE INDEX "posts_parent_id_id_idx" ON "posts"("parent_id", "id");

-- CreateIndex
CREATE INDEX "posts_rating_id_idx" ON "posts"("rating", "id");

-- CreateIndex
CREATE INDEX "posts_file_ext_id_idx" ON "posts"("file_ext", "id");

-- CreateIndex
CREATE INDEX "posts_created_at_id_idx" ON "posts"("created_at", "id");

-- CreateIndex
CREATE INDEX "posts_updated_at_id_idx" ON "posts"("updated_at", "id");

-- CreateIndex
CREATE INDEX "posts_score_id_idx" ON "posts"("score", "id");

-- CreateIndex
CREATE INDEX "posts_up_score_id_idx" ON "posts"("up_score", "id");

-- CreateIndex
CREATE INDEX "posts_down_score_id_idx" ON "posts"("down_score", "id");

-- CreateIndex
CREATE INDEX "posts_fav_count_id_idx" ON "posts"("fav_count", "id");

-- CreateIndex
CREATE INDEX "posts_file_size_id_idx" ON "posts"("file_size", "id");

-- CreateIndex
CREATE INDEX "posts_image_width_id_idx" ON "posts"("image_width", "id");

-- CreateIndex
CREATE INDEX "posts_image_height_id_idx" ON "posts"("image_height", "id");

-- CreateIndex
CREATE INDEX "posts_tag_count_id_idx" ON "posts"("tag_count", "id");

-- CreateIndex
CREATE INDEX "posts_tag_count_general_id_idx" ON "posts"("tag_count_general", "id");

-- CreateIndex
CREATE INDEX "posts_tag_count_artist_id_idx" ON "posts"("tag_count_artist", "id");

-- CreateIndex
CREATE INDEX "posts_tag_count_copyright_id_idx" ON "posts"("tag_count_copyright", "id");

-- CreateIndex
CREATE INDEX "posts_tag_count_character_id_idx" ON "posts"("tag_count_character", "id");

-- CreateIndex
CREATE INDEX "posts_tag_count_meta_id_idx" ON "posts"("tag_count_meta", "id");

-- CreateIndex
CREATE INDEX "posts_last_commented_at_id_idx" ON "posts"("last_commented_at" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "posts_last_commented_at_asc_idx" ON "posts"("last_commented_at", "id");

-- CreateIndex
CREATE INDEX "posts_last_comment_bumped_at_id_idx" ON "posts"("last_comment_bumped_at" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "posts_last_noted_at_id_idx" ON "posts"("last_noted_at" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "posts_copied_columns_key" ON "posts"("media_file_id", "md5", "file_ext", "file_size", "image_width", "image_height");

-- CreateIndex
CREATE INDEX "post_versions_updater_id_id_idx" ON "post_versions"("updater_id", "id");

-- CreateIndex
CREATE INDEX "post_versions_updated_at_id_idx" ON "post_versions"("updated_at", "id");

-- CreateIndex
CREATE INDEX "post_versions_media_file_id_idx" ON "post_versions"("media_file_id");

-- CreateIndex
CREATE INDEX "post_versions_added_tag_ids_idx" ON "post_versions" USING GIN ("added_tag_ids" gin__int_ops);

-- CreateIndex
CREATE INDEX "post_versions_removed_tag_ids_idx" ON "post_versions" USING GIN ("removed_tag_ids" gin__int_ops);

-- CreateIndex
CREATE UNIQUE INDEX "post_versions_post_id_version_key" ON "post_versions"("post_id", "version");

-- CreateIndex
CREATE INDEX "post_votes_user_id_score_idx" ON "post_votes"("user_id", "score");

-- CreateIndex
CREATE UNIQUE INDEX "post_votes_post_id_user_id_key" ON "post_votes"("post_id", "user_id");

-- CreateIndex
CREATE INDEX "favorites_post_id_idx" ON "favorites"("post_id");

-- CreateIndex
CREATE INDEX "favorites_user_id_id_idx" ON "favorites"("user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "favorites_user_id_post_id_key" ON "favorites"("user_id", "post_id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_name_key" ON "tags"("name");

-- CreateIndex
CREATE INDEX "tags_name_pattern_idx" ON "tags"("name" text_pattern_ops);

-- CreateIndex
CREATE INDEX "tags_post_count_id_idx" ON "tags"("post_count", "id");

-- CreateIndex
CREATE INDEX "tags_category_id_idx" ON "tags"("category", "id");

-- CreateIndex
CREATE INDEX "tags_name_trgm_idx" ON "tags" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "tag_aliases_antecedent_name_idx" ON "tag_aliases"("antecedent_name");

-- CreateIndex
CREATE INDEX "tag_aliases_consequent_name_idx" ON "tag_aliases"("consequent_name");

-- CreateIndex
CREATE INDEX "tag_aliases_status_antecedent_name_consequent_name_idx" ON "tag_aliases"("status", "antecedent_name", "consequent_name");

-- CreateIndex
CREATE INDEX "tag_aliases_created_at_id_idx" ON "tag_aliases"("created_at", "id");

-- CreateIndex
CREATE INDEX "tag_aliases_updated_at_id_idx" ON "tag_aliases"("updated_at", "id");

-- CreateIndex
CREATE INDEX "tag_aliases_creator_id_idx" ON "tag_aliases"("creator_id");

-- CreateIndex
CREATE INDEX "tag_aliases_approver_id_idx" ON "tag_aliases"("approver_id");

-- CreateIndex
CREATE INDEX "tag_aliases_forum_topic_id_idx" ON "tag_aliases"("forum_topic_id");

-- CreateIndex
CREATE INDEX "tag_aliases_names_trgm_idx" ON "tag_aliases" USING GIN ("antecedent_name" gin_trgm_ops, "consequent_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "tag_implications_antecedent_name_idx" ON "tag_implications"("antecedent_name");

-- CreateIndex
CREATE INDEX "tag_implications_consequent_name_idx" ON "tag_implications"("consequent_name");

-- CreateIndex
CREATE INDEX "tag_implications_status_antecedent_name_consequent_name_idx" ON "tag_implications"("status", "antecedent_name", "consequent_name");

-- CreateIndex
CREATE INDEX "tag_implications_created_at_id_idx" ON "tag_implications"("created_at", "id");

-- CreateIndex
CREATE INDEX "tag_implications_updated_at_id_idx" ON "tag_implications"("updated_at", "id");

-- CreateIndex
CREATE INDEX "tag_implications_creator_id_idx" ON "tag_implications"("creator_id");

-- CreateIndex
CREATE INDEX "tag_implications_approver_id_idx" ON "tag_implications"("approver_id");

-- CreateIndex
CREATE INDEX "tag_implications_forum_topic_id_idx" ON "tag_implications"("forum_topic_id");

-- CreateIndex
CREATE INDEX "tag_implications_names_trgm_idx" ON "tag_implications" USING GIN ("antecedent_name" gin_trgm_ops, "consequent_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "uploads_uploader_id_id_idx" ON "uploads"("uploader_id", "id");

-- CreateIndex
CREATE INDEX "uploads_uploader_id_created_at_idx" ON "uploads"("uploader_id", "created_at");

-- CreateIndex
CREATE INDEX "uploads_post_id_idx" ON "uploads"("post_id");

-- CreateIndex
CREATE INDEX "uploads_source_idx" ON "uploads" USING HASH ("source");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_inviter_id_idx" ON "users"("inviter_id");

-- CreateIndex
CREATE INDEX "users_level_id_idx" ON "users"("level", "id");

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");

-- CreateIndex
CREATE INDEX "users_post_upload_count_id_idx" ON "users"("post_upload_count", "id");

-- CreateIndex
CREATE INDEX "users_post_update_count_id_idx" ON "users"("post_update_count", "id");

-- CreateIndex
CREATE INDEX "users_note_update_count_id_idx" ON "users"("note_update_count", "id");

-- CreateIndex
CREATE INDEX "user_feedbacks_user_id_category_idx" ON "user_feedbacks"("user_id", "category");

-- CreateIndex
CREATE INDEX "user_feedbacks_creator_id_idx" ON "user_feedbacks"("creator_id");

-- CreateIndex
CREATE UNIQUE INDEX "wiki_pages_title_key" ON "wiki_pages"("title");

-- CreateIndex
CREATE INDEX "wiki_pages_creator_id_id_idx" ON "wiki_pages"("creator_id", "id");

-- CreateIndex
CREATE INDEX "wiki_pages_updater_id_idx" ON "wiki_pages"("updater_id");

-- CreateIndex
CREATE INDEX "wiki_pages_updated_at_id_idx" ON "wiki_pages"("updated_at", "id");

-- CreateIndex
CREATE INDEX "wiki_pages_title_trgm_idx" ON "wiki_pages" USING GIN ("title" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "wiki_page_versions_updater_id_id_idx" ON "wiki_page_versions"("updater_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "wiki_page_versions_wiki_page_id_version_key" ON "wiki_page_versions"("wiki_page_id", "version");

-- AddForeignKey
ALTER TABLE "artist_commentaries" ADD CONSTRAINT "artist_commentaries_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artist_commentary_versions" ADD CONSTRAINT "artist_commentary_versions_artist_commentary_id_fkey" FOREIGN KEY ("artist_commentary_id") REFERENCES "artist_commentaries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artist_commentary_versions" ADD CONSTRAINT "artist_commentary_versions_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artist_commentary_versions" ADD CONSTRAINT "artist_commentary_versions_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artists" ADD CONSTRAINT "artists_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artist_urls" ADD CONSTRAINT "artist_urls_artist_id_fkey" FOREIGN KEY ("artist_id") REFERENCES "artists"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artist_versions" ADD CONSTRAINT "artist_versions_artist_id_fkey" FOREIGN KEY ("artist_id") REFERENCES "artists"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artist_versions" ADD CONSTRAINT "artist_versions_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_votes" ADD CONSTRAINT "comment_votes_comment_id_fkey" FOREIGN KEY ("comment_id") REFERENCES "comments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_votes" ADD CONSTRAINT "comment_votes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dmails" ADD CONSTRAINT "dmails_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dmails" ADD CONSTRAINT "dmails_from_id_fkey" FOREIGN KEY ("from_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dmails" ADD CONSTRAINT "dmails_to_id_fkey" FOREIGN KEY ("to_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forum_topics" ADD CONSTRAINT "forum_topics_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forum_topics" ADD CONSTRAINT "forum_topics_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forum_posts" ADD CONSTRAINT "forum_posts_topic_id_fkey" FOREIGN KEY ("topic_id") REFERENCES "forum_topics"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forum_posts" ADD CONSTRAINT "forum_posts_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forum_posts" ADD CONSTRAINT "forum_posts_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bans" ADD CONSTRAINT "bans_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bans" ADD CONSTRAINT "bans_banner_id_fkey" FOREIGN KEY ("banner_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mod_actions" ADD CONSTRAINT "mod_actions_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_versions" ADD CONSTRAINT "note_versions_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_versions" ADD CONSTRAINT "note_versions_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_versions" ADD CONSTRAINT "note_versions_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pools" ADD CONSTRAINT "pools_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pool_versions" ADD CONSTRAINT "pool_versions_pool_id_fkey" FOREIGN KEY ("pool_id") REFERENCES "pools"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pool_versions" ADD CONSTRAINT "pool_versions_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_flags" ADD CONSTRAINT "post_flags_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_flags" ADD CONSTRAINT "post_flags_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_appeals" ADD CONSTRAINT "post_appeals_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_appeals" ADD CONSTRAINT "post_appeals_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_approvals" ADD CONSTRAINT "post_approvals_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_approvals" ADD CONSTRAINT "post_approvals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_disapprovals" ADD CONSTRAINT "post_disapprovals_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_disapprovals" ADD CONSTRAINT "post_disapprovals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_uploader_id_fkey" FOREIGN KEY ("uploader_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_approver_id_fkey" FOREIGN KEY ("approver_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_media_file_fkey" FOREIGN KEY ("media_file_id", "md5", "file_ext", "file_size", "image_width", "image_height") REFERENCES "media_files"("id", "md5", "file_ext", "file_size", "image_width", "image_height") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "posts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_versions" ADD CONSTRAINT "post_versions_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_versions" ADD CONSTRAINT "post_versions_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_versions" ADD CONSTRAINT "post_versions_media_file_id_fkey" FOREIGN KEY ("media_file_id") REFERENCES "media_files"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_votes" ADD CONSTRAINT "post_votes_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_votes" ADD CONSTRAINT "post_votes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_aliases" ADD CONSTRAINT "tag_aliases_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_aliases" ADD CONSTRAINT "tag_aliases_approver_id_fkey" FOREIGN KEY ("approver_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_aliases" ADD CONSTRAINT "tag_aliases_forum_topic_id_fkey" FOREIGN KEY ("forum_topic_id") REFERENCES "forum_topics"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_implications" ADD CONSTRAINT "tag_implications_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_implications" ADD CONSTRAINT "tag_implications_approver_id_fkey" FOREIGN KEY ("approver_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_implications" ADD CONSTRAINT "tag_implications_forum_topic_id_fkey" FOREIGN KEY ("forum_topic_id") REFERENCES "forum_topics"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_uploader_id_fkey" FOREIGN KEY ("uploader_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_inviter_id_fkey" FOREIGN KEY ("inviter_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_feedbacks" ADD CONSTRAINT "user_feedbacks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_feedbacks" ADD CONSTRAINT "user_feedbacks_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wiki_pages" ADD CONSTRAINT "wiki_pages_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wiki_pages" ADD CONSTRAINT "wiki_pages_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wiki_page_versions" ADD CONSTRAINT "wiki_page_versions_wiki_page_id_fkey" FOREIGN KEY ("wiki_page_id") REFERENCES "wiki_pages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wiki_page_versions" ADD CONSTRAINT "wiki_page_versions_updater_id_fkey" FOREIGN KEY ("updater_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ---------------------------------------------------------------------------------------------------------------------
-- 3. Columns that Prisma's language describes only in part
-- ---------------------------------------------------------------------------------------------------------------------

-- Prisma leaves list columns nullable.
ALTER TABLE posts ALTER COLUMN tag_ids SET NOT NULL;
ALTER TABLE post_versions
  ALTER COLUMN tag_ids SET NOT NULL,
  ALTER COLUMN added_tag_ids SET NOT NULL,
  ALTER COLUMN removed_tag_ids SET NOT NULL;
ALTER TABLE pools ALTER COLUMN post_ids SET NOT NULL;
ALTER TABLE pool_versions
  ALTER COLUMN post_ids SET NOT NULL,
  ALTER COLUMN added_post_ids SET NOT NULL,
  ALTER COLUMN removed_post_ids SET NOT NULL;
ALTER TABLE artists ALTER COLUMN other_names SET NOT NULL;
ALTER TABLE artist_versions
  ALTER COLUMN other_names SET NOT NULL,
  ALTER COLUMN urls SET NOT NULL;
ALTER TABLE wiki_pages ALTER COLUMN other_names SET NOT NULL;
ALTER TABLE wiki_page_versions ALTER COLUMN other_names SET NOT NULL;

-- ---------------------------------------------------------------------------------------------------------------------
-- 4. Rules of the board, kept even if the code forgets them
-- ---------------------------------------------------------------------------------------------------------------------
-- Blanks are those of ASCII here: the services refuse more, and no check may be stricter than they are.

ALTER TABLE users
  -- no blanks, no colon (names stand in meta-tags), no underscore at either end (underscores stand for blanks)
  ADD CONSTRAINT users_name_check CHECK (char_length(name) BETWEEN 2 AND 100 AND name !~ '[ \t\n\v\f\r:]' AND name !~ '^_|_$'),
  ADD CONSTRAINT users_level_check CHECK (level IN (10, 20, 30, 31, 32, 33, 35, 40, 50)),
  ADD CONSTRAINT users_password_hash_check CHECK (password_hash ~ '^\$2[aby]\$[0-9]{2}\$.{53}$'),
  ADD CONSTRAINT users_counts_check CHECK (
    base_upload_limit >= 0 AND post_upload_count >= 0 AND post_update_count >= 0 AND note_update_count >= 0 AND favorite_count >= 0),
  ADD CONSTRAINT users_per_page_check CHECK (per_page BETWEEN 1 AND 100),
  ADD CONSTRAINT users_default_image_size_check CHECK (default_image_size IN ('large', 'original'));

ALTER TABLE user_feedbacks
  ADD CONSTRAINT user_feedbacks_category_check CHECK (category IN ('positive', 'neutral', 'negative')),
  ADD CONSTRAINT user_feedbacks_body_check CHECK (body ~ '[^ \t\n\v\f\r]');

ALTER TABLE bans
  ADD CONSTRAINT bans_reason_check CHECK (reason ~ '[^ \t\n\v\f\r]'),
  ADD CONSTRAINT bans_not_oneself_check CHECK (user_id <> banner_id);

ALTER TABLE mod_actions
  ADD CONSTRAINT mod_actions_category_check CHECK (category ~ '^[a-z_]+$'),
  ADD CONSTRAINT mod_actions_subject_check CHECK ((subject_type IS NULL) = (subject_id IS NULL));

ALTER TABLE media_files
  ADD CONSTRAINT media_files_md5_check CHECK (md5 ~ '^[0-9a-f]{32}$'),
  ADD CONSTRAINT media_files_file_ext_check CHECK (file_ext IN ('jpg', 'png', 'gif', 'webp', 'avif', 'mp4', 'webm')),
  ADD CONSTRAINT media_files_sizes_check CHECK (file_size > 0 AND image_width > 0 AND image_height > 0 AND frames >= 1),
  ADD CONSTRAINT media_files_duration_check CHECK (duration >= 0);

ALTER TABLE posts
  ADD CONSTRAINT posts_rating_check CHECK (rating IN ('s', 'q', 'e')),
  ADD CONSTRAINT posts_source_check CHECK (char_length(source) <= 1200),
  ADD CONSTRAINT posts_parent_check CHECK (parent_id <> id),
  -- Strictly ascending and without nulls: searches, differences and the GIN index rely on it.
  ADD CONSTRAINT posts_tag_ids_check CHECK (array_position(tag_ids, NULL) IS NULL AND tag_ids = public.uniq(public.sort(tag_ids))),
  ADD CONSTRAINT posts_tag_count_check CHECK (
    tag_count = cardinality(tag_ids)
    AND tag_count = tag_count_general + tag_count_artist + tag_count_copyright + tag_count_character + tag_count_meta),
  ADD CONSTRAINT posts_tag_counts_check CHECK (
    tag_count_general >= 0 AND tag_count_artist >= 0 AND tag_count_copyright >= 0 AND tag_count_character >= 0 AND tag_count_meta >= 0),
  ADD CONSTRAINT posts_score_check CHECK (up_score >= 0 AND down_score <= 0 AND score = up_score + down_score),
  ADD CONSTRAINT posts_fav_count_check CHECK (fav_count >= 0),
  -- The states of the moderation queue end when a post is deleted.
  ADD CONSTRAINT posts_state_check CHECK (NOT (is_deleted AND (is_pending OR is_flagged))),
  ADD CONSTRAINT posts_children_check CHECK (has_children OR NOT has_active_children);

ALTER TABLE post_versions
  ADD CONSTRAINT post_versions_version_check CHECK (version > 0),
  ADD CONSTRAINT post_versions_rating_check CHECK (rating IN ('s', 'q', 'e')),
  ADD CONSTRAINT post_versions_source_check CHECK (char_length(source) <= 1200),
  ADD CONSTRAINT post_versions_tag_ids_check CHECK (
    tag_ids = public.uniq(public.sort(tag_ids))
    AND added_tag_ids = public.uniq(public.sort(added_tag_ids))
    AND removed_tag_ids = public.uniq(public.sort(removed_tag_ids))),
  -- What was added is there, what was removed is not.
  ADD CONSTRAINT post_versions_changes_check CHECK (
    tag_ids OPERATOR(pg_catalog.@>) added_tag_ids AND NOT tag_ids OPERATOR(pg_catalog.&&) removed_tag_ids);

ALTER TABLE post_votes ADD CONSTRAINT post_votes_score_check CHECK (score IN (1, -1));

ALTER TABLE post_flags
  ADD CONSTRAINT post_flags_reason_check CHECK (reason ~ '[^ \t\n\v\f\r]'),
  ADD CONSTRAINT post_flags_creator_check CHECK (creator_id IS NOT NULL OR is_deletion);

ALTER TABLE post_appeals ADD CONSTRAINT post_appeals_reason_check CHECK (reason ~ '[^ \t\n\v\f\r]');

ALTER TABLE post_disapprovals
  ADD CONSTRAINT post_disapprovals_reason_check CHECK (reason IN ('breaks_rules', 'poor_quality', 'disinterest'));

ALTER TABLE uploads
  ADD CONSTRAINT uploads_rating_check CHECK (rating IN ('s', 'q', 'e')),
  ADD CONSTRAINT uploads_status_check CHECK (status IN ('pending', 'processing', 'completed') OR status LIKE 'error: %'),
  -- The other way round does not hold: the post of a completed upload may have been expunged.
  ADD CONSTRAINT uploads_post_check CHECK (post_id IS NULL OR status = 'completed'),
  ADD CONSTRAINT uploads_md5_check CHECK (md5 ~ '^[0-9a-f]{32}$'),
  ADD CONSTRAINT uploads_file_size_check CHECK (file_size >= 0);

ALTER TABLE tags
  -- What the search language needs: no blanks, no wildcard, no list separator, no operator in front.
  ADD CONSTRAINT tags_name_check CHECK (
    char_length(name) BETWEEN 1 AND 170 AND name !~ '[ \t\n\v\f\r*,]' AND name !~ '^[-~]' AND name = lower(name)),
  ADD CONSTRAINT tags_category_check CHECK (category IN (0, 1, 3, 4, 5)),
  ADD CONSTRAINT tags_post_count_check CHECK (post_count >= 0);

ALTER TABLE tag_aliases
  ADD CONSTRAINT tag_aliases_names_check CHECK (
    antecedent_name <> consequent_name
    AND antecedent_name = lower(antecedent_name) AND antecedent_name !~ '[ \t\n\v\f\r*,]' AND char_length(antecedent_name) BETWEEN 1 AND 170
    AND consequent_name = lower(consequent_name) AND consequent_name !~ '[ \t\n\v\f\r*,]' AND char_length(consequent_name) BETWEEN 1 AND 170),
  ADD CONSTRAINT tag_aliases_status_check CHECK (
    status IN ('pending', 'queued', 'processing', 'active', 'deleted', 'retired') OR status LIKE 'error: %');

ALTER TABLE tag_implications
  ADD CONSTRAINT tag_implications_names_check CHECK (
    antecedent_name <> consequent_name
    AND antecedent_name = lower(antecedent_name) AND antecedent_name !~ '[ \t\n\v\f\r*,]' AND char_length(antecedent_name) BETWEEN 1 AND 170
    AND consequent_name = lower(consequent_name) AND consequent_name !~ '[ \t\n\v\f\r*,]' AND char_length(consequent_name) BETWEEN 1 AND 170),
  ADD CONSTRAINT tag_implications_status_check CHECK (
    status IN ('pending', 'queued', 'processing', 'active', 'deleted', 'retired') OR status LIKE 'error: %');

ALTER TABLE comments ADD CONSTRAINT comments_body_check CHECK (body ~ '[^ \t\n\v\f\r]');
ALTER TABLE comment_votes ADD CONSTRAINT comment_votes_score_check CHECK (score IN (1, -1));

ALTER TABLE dmails
  ADD CONSTRAINT dmails_text_check CHECK (title ~ '[^ \t\n\v\f\r]' AND body ~ '[^ \t\n\v\f\r]'),
  -- Nobody owns a copy of other people's mail.
  ADD CONSTRAINT dmails_owner_check CHECK (owner_id IN (from_id, to_id));

ALTER TABLE artists
  ADD CONSTRAINT artists_name_check CHECK (
    char_length(name) BETWEEN 1 AND 170 AND name = lower(name) AND name !~ '[ \t\n\v\f\r*,]' AND name !~ '^[-~]'),
  ADD CONSTRAINT artists_other_names_check CHECK (array_position(other_names, NULL) IS NULL);
ALTER TABLE artist_urls
  ADD CONSTRAINT artist_urls_url_check CHECK (url ~ '[^ \t\n\v\f\r]' AND char_length(url) <= 600),
  ADD CONSTRAINT artist_urls_normalized_url_check CHECK (normalized_url ~ '[^ \t\n\v\f\r]' AND char_length(normalized_url) <= 610);
ALTER TABLE artist_versions ADD CONSTRAINT artist_versions_version_check CHECK (version > 0);

-- Zero size is allowed (marks of copied notes). The picture's right and lower edges are the service's business.
ALTER TABLE notes
  ADD CONSTRAINT notes_geometry_check CHECK (x >= 0 AND y >= 0 AND width >= 0 AND height >= 0),
  ADD CONSTRAINT notes_body_check CHECK (body ~ '[^ \t\n\v\f\r]'),
  ADD CONSTRAINT notes_version_check CHECK (version > 0);
ALTER TABLE note_versions
  ADD CONSTRAINT note_versions_geometry_check CHECK (x >= 0 AND y >= 0 AND width >= 0 AND height >= 0),
  ADD CONSTRAINT note_versions_version_check CHECK (version > 0);

ALTER TABLE pools
  ADD CONSTRAINT pools_name_check CHECK (char_length(name) BETWEEN 1 AND 170 AND name !~ '[ \t\n\v\f\r,]'),
  ADD CONSTRAINT pools_category_check CHECK (category IN ('series', 'collection')),
  ADD CONSTRAINT pools_post_ids_check CHECK (array_position(post_ids, NULL) IS NULL AND post_count = cardinality(post_ids)),
  -- Only a series may show a post twice.
  ADD CONSTRAINT pools_collection_check CHECK (
    category <> 'collection' OR cardinality(post_ids) = cardinality(public.uniq(public.sort(post_ids))));
ALTER TABLE pool_versions
  ADD CONSTRAINT pool_versions_version_check CHECK (version > 0),
  ADD CONSTRAINT pool_versions_category_check CHECK (category IN ('series', 'collection'));

ALTER TABLE wiki_pages
  ADD CONSTRAINT wiki_pages_title_check CHECK (char_length(title) BETWEEN 1 AND 170 AND title = lower(title) AND title !~ '[ \t\n\v\f\r]'),
  ADD CONSTRAINT wiki_pages_other_names_check CHECK (array_position(other_names, NULL) IS NULL);
ALTER TABLE wiki_page_versions ADD CONSTRAINT wiki_page_versions_version_check CHECK (version > 0);

ALTER TABLE forum_topics
  ADD CONSTRAINT forum_topics_title_check CHECK (title ~ '[^ \t\n\v\f\r]' AND char_length(title) <= 255),
  ADD CONSTRAINT forum_topics_category_check CHECK (category_id IN (0, 1, 2)),
  ADD CONSTRAINT forum_topics_min_level_check CHECK (min_level IN (0, 10, 20, 30, 31, 32, 33, 35, 40, 50)),
  ADD CONSTRAINT forum_topics_response_count_check CHECK (response_count >= 0);
ALTER TABLE forum_posts ADD CONSTRAINT forum_posts_body_check CHECK (body ~ '[^ \t\n\v\f\r]');

ALTER TABLE artist_commentary_versions ADD CONSTRAINT artist_commentary_versions_version_check CHECK (version > 0);

-- ---------------------------------------------------------------------------------------------------------------------
-- 5. Uniqueness that needs an expression or a condition
-- ---------------------------------------------------------------------------------------------------------------------

CREATE UNIQUE INDEX users_lower_name_key ON users (lower(name));
CREATE UNIQUE INDEX pools_lower_name_key ON pools (lower(name));

-- One flag for each user and post, deletions apart.
CREATE UNIQUE INDEX post_flags_post_id_creator_id_key ON post_flags (post_id, creator_id) WHERE NOT is_deletion;

-- A retired or deleted relation may be asked for again.
CREATE UNIQUE INDEX tag_aliases_antecedent_name_key ON tag_aliases (antecedent_name) WHERE status NOT IN ('deleted', 'retired');
CREATE UNIQUE INDEX tag_implications_names_key ON tag_implications (antecedent_name, consequent_name)
  WHERE status NOT IN ('deleted', 'retired');

-- ---------------------------------------------------------------------------------------------------------------------
-- 6. Indexes for searches. A query is served when it writes the same expression.
-- ---------------------------------------------------------------------------------------------------------------------

-- 6.1 Posts

-- Substrings, prefixes and wildcards of source:, and sources that are empty.
CREATE INDEX posts_lower_source_trgm_idx ON posts USING GIN (lower(source) gin_trgm_ops);
CREATE INDEX posts_without_source_idx ON posts (id) WHERE source = '';
CREATE INDEX posts_pixiv_id_idx ON posts (pixiv_id, id) WHERE pixiv_id IS NOT NULL;

-- mpixels: and order:mpixels compare the area in pixels, ratio: the ratio rounded to two places, order:portrait and
-- order:landscape the exact one.
CREATE INDEX posts_area_idx ON posts ((image_width::bigint * image_height), id);
CREATE INDEX posts_rounded_ratio_idx ON posts (round(image_width::numeric / image_height, 2), id);
CREATE INDEX posts_ratio_idx ON posts ((image_width::double precision / image_height), id);

-- States that few posts are in.
CREATE INDEX posts_pending_idx ON posts (id) WHERE is_pending;
CREATE INDEX posts_flagged_idx ON posts (id) WHERE is_flagged;
CREATE INDEX posts_deleted_idx ON posts (id) WHERE is_deleted;
CREATE INDEX posts_banned_idx ON posts (id) WHERE is_banned;
CREATE INDEX posts_note_locked_idx ON posts (id) WHERE is_note_locked;
CREATE INDEX posts_rating_locked_idx ON posts (id) WHERE is_rating_locked;
CREATE INDEX posts_status_locked_idx ON posts (id) WHERE is_status_locked;
CREATE INDEX posts_with_parent_idx ON posts (id) WHERE parent_id IS NOT NULL;
CREATE INDEX posts_with_children_idx ON posts (id) WHERE has_children;

-- 6.2 Flags, appeals, uploads

CREATE INDEX post_flags_lower_reason_trgm_idx ON post_flags USING GIN (lower(reason) gin_trgm_ops);
CREATE INDEX post_flags_unresolved_idx ON post_flags (created_at, id) WHERE NOT is_resolved;
CREATE INDEX post_appeals_lower_reason_trgm_idx ON post_appeals USING GIN (lower(reason) gin_trgm_ops);
-- Work that a restart has to look after.
CREATE INDEX uploads_unfinished_idx ON uploads (id) WHERE status IN ('pending', 'processing');

-- 6.3 Names and patterns with "*" (those of tags, aliases, implications, artists and wiki pages are in part 2)

CREATE INDEX users_lower_name_trgm_idx ON users USING GIN (lower(name) gin_trgm_ops);
-- The most used tags are what completion and wildcards ask for.
CREATE INDEX tags_used_idx ON tags (post_count DESC, name) WHERE post_count > 0;
CREATE INDEX pools_lower_name_trgm_idx ON pools USING GIN (lower(name) gin_trgm_ops);
CREATE INDEX pools_lower_description_trgm_idx ON pools USING GIN (lower(description) gin_trgm_ops);
CREATE INDEX artists_lower_group_name_trgm_idx ON artists USING GIN (lower(group_name) gin_trgm_ops);
CREATE INDEX artist_urls_lower_url_trgm_idx ON artist_urls USING GIN (lower(url) gin_trgm_ops);
CREATE INDEX artist_versions_lower_name_trgm_idx ON artist_versions USING GIN (lower(name) gin_trgm_ops);

-- Other names: one of them exactly (&&, @>), or a pattern over all of them.
CREATE INDEX artists_other_names_idx ON artists USING GIN (lower_names(other_names));
CREATE INDEX artists_other_names_trgm_idx ON artists USING GIN (names_text(other_names) gin_trgm_ops);
CREATE INDEX wiki_pages_other_names_idx ON wiki_pages USING GIN (lower_names(other_names));
CREATE INDEX wiki_pages_other_names_trgm_idx ON wiki_pages USING GIN (names_text(other_names) gin_trgm_ops);

-- 6.4 Words of texts (English, stemmed), and patterns over the same texts

CREATE INDEX comments_body_words_idx ON comments USING GIN (to_tsvector('english', body));
CREATE INDEX comments_lower_body_trgm_idx ON comments USING GIN (lower(body) gin_trgm_ops);
CREATE INDEX notes_body_words_idx ON notes USING GIN (to_tsvector('english', body));
CREATE INDEX notes_lower_body_trgm_idx ON notes USING GIN (lower(body) gin_trgm_ops);
CREATE INDEX dmails_words_idx ON dmails USING GIN (to_tsvector('english', title || ' ' || body));
CREATE INDEX dmails_lower_text_trgm_idx ON dmails USING GIN (lower(title || ' ' || body) gin_trgm_ops);
CREATE INDEX wiki_pages_words_idx ON wiki_pages USING GIN (to_tsvector('english', title || ' ' || body));
CREATE INDEX wiki_pages_lower_text_trgm_idx ON wiki_pages USING GIN (lower(title || ' ' || body) gin_trgm_ops);
CREATE INDEX forum_topics_title_words_idx ON forum_topics USING GIN (to_tsvector('english', title));
CREATE INDEX forum_topics_lower_title_trgm_idx ON forum_topics USING GIN (lower(title) gin_trgm_ops);
CREATE INDEX forum_posts_body_words_idx ON forum_posts USING GIN (to_tsvector('english', body));
CREATE INDEX forum_posts_lower_body_trgm_idx ON forum_posts USING GIN (lower(body) gin_trgm_ops);
-- Any of the four texts: the query joins four conditions by OR, and each of them uses this index.
CREATE INDEX artist_commentaries_texts_trgm_idx ON artist_commentaries USING GIN (
  lower(original_title) gin_trgm_ops, lower(original_description) gin_trgm_ops,
  lower(translated_title) gin_trgm_ops, lower(translated_description) gin_trgm_ops);

-- 6.5 Conditions that few rows meet, newest first

CREATE INDEX users_banned_idx ON users (id) WHERE is_banned;
CREATE INDEX comments_deleted_idx ON comments (id) WHERE is_deleted;
CREATE INDEX comments_sticky_idx ON comments (id) WHERE is_sticky;
CREATE INDEX comments_not_bumping_idx ON comments (id) WHERE do_not_bump_post;
-- Time of the latest bump of a post.
CREATE INDEX comments_bumping_idx ON comments (post_id, created_at) WHERE NOT is_deleted AND NOT do_not_bump_post;
CREATE INDEX dmails_unread_idx ON dmails (owner_id, id) WHERE NOT is_read AND NOT is_deleted;
CREATE INDEX notes_inactive_idx ON notes (id) WHERE NOT is_active;
CREATE INDEX notes_active_idx ON notes (post_id) WHERE is_active;
CREATE INDEX artists_inactive_idx ON artists (id) WHERE NOT is_active;
CREATE INDEX artists_banned_idx ON artists (name, id) WHERE is_banned;
CREATE INDEX artist_versions_inactive_idx ON artist_versions (id) WHERE NOT is_active;
CREATE INDEX artist_versions_banned_idx ON artist_versions (id) WHERE is_banned;
CREATE INDEX pools_inactive_idx ON pools (id) WHERE NOT is_active;
CREATE INDEX pools_deleted_idx ON pools (id) WHERE is_deleted;
CREATE INDEX wiki_pages_deleted_idx ON wiki_pages (id) WHERE is_deleted;
CREATE INDEX wiki_pages_named_idx ON wiki_pages (id) WHERE other_names <> '{}';
CREATE INDEX forum_topics_deleted_idx ON forum_topics (id) WHERE is_deleted;
CREATE INDEX forum_posts_deleted_idx ON forum_posts (id) WHERE is_deleted;
CREATE INDEX artist_commentaries_original_idx ON artist_commentaries (id)
  WHERE original_title <> '' OR original_description <> '';
CREATE INDEX artist_commentaries_translated_idx ON artist_commentaries (id)
  WHERE translated_title <> '' OR translated_description <> '';
CREATE INDEX artist_commentaries_untranslated_idx ON artist_commentaries (id)
  WHERE translated_title = '' AND translated_description = '';
CREATE INDEX artist_commentaries_without_original_idx ON artist_commentaries (id)
  WHERE original_title = '' AND original_description = '';
