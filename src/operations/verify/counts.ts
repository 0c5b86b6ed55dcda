/** Counters equal what they count. */
import { type Invariant, ofEachRow } from "./invariant.js";

/** How many rows of a table belong to the row at hand. */
const rows = (table: string, owner: string, condition = "TRUE"): string =>
  `(SELECT count(*) FROM ${table} c WHERE c.${owner} = r.id AND ${condition})`;

const CATEGORIES = { general: 0, artist: 1, copyright: 3, character: 4, meta: 5 };
const columns = Object.keys(CATEGORIES).map((name) => `r.tag_count_${name}`);
const sums = Object.entries(CATEGORIES).map(
  ([name, category]) => `count(*) FILTER (WHERE t.category = ${category}) AS ${name}`,
);

/** A tag whose category has just changed has a job that will recount its posts. */
const RECOUNTED = `EXISTS (SELECT FROM graphile_worker.jobs j JOIN unnest(r.tag_ids) AS tag_id
  ON j.key = 'recount_tag_category:' || tag_id WHERE j.attempts < j.max_attempts)`;

export const COUNTS: Invariant[] = [
  {
    name: "tags.post_count",
    says: "tags count the posts that have them, and posts have no tags but those",
    table: null,
    sql: `SELECT COALESCE(t.id, n.tag_id) AS id
            FROM tags t FULL JOIN (
              SELECT tag_id, count(*) AS posts FROM posts, unnest(tag_ids) AS tag_id GROUP BY tag_id) n ON n.tag_id = t.id
           WHERE t.post_count IS DISTINCT FROM COALESCE(n.posts, 0)`,
  },
  ofEachRow(
    "posts",
    "tag_counts",
    "posts count their tags of each category",
    `(${columns.join(", ")}) IS DISTINCT FROM (n.general, n.artist, n.copyright, n.character, n.meta) AND NOT ${RECOUNTED}`,
    `CROSS JOIN LATERAL (SELECT ${sums.join(", ")} FROM tags t WHERE t.id = ANY(r.tag_ids)) n`,
  ),
  ofEachRow("posts", "fav_count", "posts count their favorites", `r.fav_count <> ${rows("favorites", "post_id")}`),
  ofEachRow(
    "posts",
    "score",
    "posts sum the votes up and down",
    `r.up_score <> ${rows("post_votes", "post_id", "c.score > 0")} OR -r.down_score <> ${rows("post_votes", "post_id", "c.score < 0")}`,
  ),
  ofEachRow(
    "comments",
    "score",
    "comments sum their votes",
    "r.score <> (SELECT COALESCE(sum(c.score), 0) FROM comment_votes c WHERE c.comment_id = r.id)",
  ),
  ofEachRow(
    "users",
    "post_upload_count",
    "users count the posts that they uploaded",
    `r.post_upload_count <> ${rows("posts", "uploader_id")}`,
  ),
  ofEachRow(
    "users",
    "favorite_count",
    "users count their favorites",
    `r.favorite_count <> ${rows("favorites", "user_id")}`,
  ),
  // Edits of posts that are gone, and those that share a version, count too.
  ofEachRow(
    "users",
    "post_update_count",
    "users count all versions of posts that are theirs",
    `r.post_update_count < ${rows("post_versions", "updater_id")}`,
  ),
  ofEachRow(
    "users",
    "note_update_count",
    "users count all versions of notes that are theirs",
    `r.note_update_count < ${rows("note_versions", "updater_id")}`,
  ),
  ofEachRow(
    "forum_topics",
    "response_count",
    "topics count their posts",
    `r.response_count <> ${rows("forum_posts", "topic_id")}`,
  ),
];
