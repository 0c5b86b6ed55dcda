import { TagCategory } from "../../tagging/categories.js";
import { type Invariant, ofEachRow } from "./invariant.js";

/** The number of rows of a table that reference the current row. */
const rows = (table: string, owner: string, condition = "TRUE"): string =>
  `(SELECT count(*) FROM ${table} c WHERE c.${owner} = r.id AND ${condition})`;

/** A counter of the rows of another table that reference a row by `owner`. */
const counter = (table: string, column: string, counted: string, owner: string): Invariant => {
  const rule = `${column} of ${table} is the number of their ${counted}`;
  return ofEachRow(table, column, rule, `r.${column} <> ${rows(counted, owner)}`);
};

/** A user's counter of edits of posts or notes. Edits of expunged posts, and those merged into one version, are counted too. */
const editCounter = (record: "post" | "note"): Invariant => {
  const column = `${record}_update_count`;
  const rule = `${column} of users includes all their versions of ${record}s`;
  return ofEachRow("users", column, rule, `r.${column} < ${rows(`${record}_versions`, "updater_id")}`);
};

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
  counter("posts", "fav_count", "favorites", "post_id"),
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
  counter("users", "post_upload_count", "posts", "uploader_id"),
  counter("users", "favorite_count", "favorites", "user_id"),
  counter("forum_topics", "response_count", "forum_posts", "topic_id"),
  editCounter("post"),
  editCounter("note"),
];
