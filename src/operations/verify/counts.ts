/** Invariants of counters. */
import { TagCategory } from "../../tagging/categories.js";
import { type Invariant, ofEachRow } from "./invariant.js";

/** The number of rows of a table that reference the current row. */
const rows = (table: string, owner: string, condition = "TRUE"): string =>
  `(SELECT count(*) FROM ${table} c WHERE c.${owner} = r.id AND ${condition})`;

const columns = Object.keys(TagCategory).map((name) => `r.tag_count_${name}`);
const sums = Object.entries(TagCategory).map(
  ([name, category]) => `count(*) FILTER (WHERE t.category = ${category}) AS ${name}`,
);

/** After a change of a tag's category, a queued job recounts its posts. */
const RECOUNTED = `EXISTS (SELECT FROM graphile_worker.jobs j JOIN unnest(r.tag_ids) AS tag_id
  ON j.key = 'recount_tag_category:' || tag_id WHERE j.attempts < j.max_attempts)`;

export const COUNTS: Invariant[] = [
  {
    name: "tags.post_count",
    rule: "post_count of tags is the number of their posts, and all tags of posts exist",
    table: null,
    sql: `SELECT COALESCE(t.id, n.tag_id) AS id
            FROM tags t FULL JOIN (
              SELECT tag_id, count(*) AS posts FROM posts, unnest(tag_ids) AS tag_id GROUP BY tag_id) n ON n.tag_id = t.id
           WHERE t.post_count IS DISTINCT FROM COALESCE(n.posts, 0)`,
  },
  ofEachRow(
    "posts",
    "tag_counts",
    "the tag counts of posts by category are right",
    `(${columns.join(", ")}) IS DISTINCT FROM (n.general, n.artist, n.copyright, n.character, n.meta) AND NOT ${RECOUNTED}`,
    `CROSS JOIN LATERAL (SELECT ${sums.join(", ")} FROM tags t WHERE t.id = ANY(r.tag_ids)) n`,
  ),
  ofEachRow(
    "posts",
    "fav_count",
    "fav_count of posts is the number of their favorites",
    `r.fav_count <> ${rows("favorites", "post_id")}`,
  ),
  ofEachRow(
    "posts",
    "score",
    "the scores of posts are the sums of their votes",
    `r.up_score <> ${rows("post_votes", "post_id", "c.score > 0")} OR -r.down_score <> ${rows("post_votes", "post_id", "c.score < 0")}`,
  ),
  ofEachRow(
    "comments",
    "score",
    "the scores of comments are the sums of their votes",
    "r.score <> (SELECT COALESCE(sum(c.score), 0) FROM comment_votes c WHERE c.comment_id = r.id)",
  ),
  ofEachRow(
    "users",
    "post_upload_count",
    "post_upload_count of users is the number of their posts",
    `r.post_upload_count <> ${rows("posts", "uploader_id")}`,
  ),
  ofEachRow(
    "users",
    "favorite_count",
    "favorite_count of users is the number of their favorites",
    `r.favorite_count <> ${rows("favorites", "user_id")}`,
  ),
  // Edits of expunged posts, and those merged into one version, are counted too.
  ofEachRow(
    "users",
    "post_update_count",
    "post_update_count of users includes all their versions of posts",
    `r.post_update_count < ${rows("post_versions", "updater_id")}`,
  ),
  ofEachRow(
    "users",
    "note_update_count",
    "note_update_count of users includes all their versions of notes",
    `r.note_update_count < ${rows("note_versions", "updater_id")}`,
  ),
  ofEachRow(
    "forum_topics",
    "response_count",
    "response_count of topics is the number of their posts",
    `r.response_count <> ${rows("forum_posts", "topic_id")}`,
  ),
];
