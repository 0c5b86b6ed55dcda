/** Invariants between rows: parents, pools, times, states, aliases and implications, files. */
import { POST_LISTS } from "../../resources/histories.js";
import { BUMPING_COMMENTS } from "../../resources/comments/comment.records.js";
import { BANNED_ARTIST } from "../../resources/posts/post.states.js";
import { IN_FORCE } from "../../tagging/facts.js";
import { normalizeArtistUrl } from "../../resources/artists/artist-urls.js";
import { pixivId } from "../../resources/posts/post.edit.js";
import { computed, type Invariant, ofEachRow } from "./invariant.js";

const inForce = (table: string): string => `(SELECT * FROM ${table} WHERE status IN ${IN_FORCE.text})`;

/** Names from before they were composed, which look like others: a tag needs an alias, an account `board user rename`, the others an edit. */
const composed = (table: string, column: string, which = "TRUE"): Invariant =>
  ofEachRow(
    table,
    column,
    `each ${column} of ${table} has composed letters (Unicode NFC)`,
    `r.${column} IS NOT NFC NORMALIZED AND ${which}`,
  );

/** A ban of an artist with many posts changes them in a job. */
const TO_BE_BANNED = `r.consequent_name = '${BANNED_ARTIST}' AND EXISTS (
  SELECT FROM graphile_worker.jobs j WHERE j.key = 'apply_artist_ban:' || r.antecedent_name AND j.attempts < j.max_attempts)`;

/** An alias that is being applied gives its consequent the implications of its antecedent at once, and edits the posts one by one. */
const MOVED = `SELECT a.consequent_name AS name FROM tag_aliases a JOIN graphile_worker.jobs j
  ON j.key = 'apply_tag_relation:alias:' || a.id AND j.attempts < j.max_attempts`;

export const RELATIONS: Invariant[] = [
  ofEachRow(
    "posts",
    "has_children",
    "has_children and has_active_children of posts are right",
    `r.has_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = r.id)
     OR r.has_active_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = r.id AND NOT c.is_deleted)`,
  ),
  {
    name: "posts.parent_id",
    rule: "no post is its own ancestor",
    table: "posts",
    sql: `WITH RECURSIVE line(id, ancestor) AS (
            SELECT id, parent_id FROM posts WHERE id > $1 AND id <= $2 AND parent_id IS NOT NULL
            UNION SELECT line.id, p.parent_id FROM line JOIN posts p ON p.id = line.ancestor WHERE p.parent_id IS NOT NULL
          ) SELECT id FROM line WHERE id = ancestor`,
  },
  ...POST_LISTS.map(({ of: { table } }) =>
    ofEachRow(
      table,
      "post_ids",
      `the posts in ${table} exist`,
      "EXISTS (SELECT FROM unnest(r.post_ids) AS member WHERE NOT EXISTS (SELECT FROM posts p WHERE p.id = member))",
    ),
  ),
  ofEachRow(
    "posts",
    "counts",
    "the numbers of comments, notes, flags, children, pools and the like of posts are right",
    `(SELECT array_agg((n.kind, n.number) ORDER BY n.kind)::text FROM post_counts n WHERE n.post_id = r.id)
     IS DISTINCT FROM (
       SELECT array_agg((n.kind, n.number) ORDER BY n.kind)::text
         FROM (SELECT kind, count(*)::int AS number
                 FROM (SELECT kind FROM post_count_records WHERE post_id = r.id
                       UNION ALL SELECT kind FROM pools, unnest(post_count_kinds(pools)) AS kind
                                  WHERE pools.post_ids @> ARRAY[r.id]) records GROUP BY kind) n)`,
  ),
  {
    // triggers keep them, except when a table is truncated
    name: "post_counts.posts",
    rule: "all posts of post_counts exist",
    table: null,
    sql: `SELECT DISTINCT c.post_id AS id FROM post_counts c LEFT JOIN posts p ON p.id = c.post_id WHERE p.id IS NULL`,
  },
  ofEachRow(
    "media_files",
    "posts",
    "every file belongs to a post or a version of one",
    `NOT EXISTS (SELECT FROM posts p WHERE p.media_file_id = r.id)
     AND NOT EXISTS (SELECT FROM post_versions v WHERE v.media_file_id = r.id)`,
  ),
  ofEachRow(
    "posts",
    "comment_times",
    // an edit of a comment can change whether it bumps, but does not move the post: for edited ones, either is right
    "the times of the last comment, and of the last one that bumped the post, are right",
    `r.last_commented_at IS DISTINCT FROM (
       SELECT max(created_at) FROM comments c WHERE c.post_id = r.id AND NOT c.is_deleted)
     OR r.last_comment_bumped_at IS DISTINCT FROM (
       SELECT max(created_at) FROM (SELECT * FROM comments c WHERE c.post_id = r.id ORDER BY id LIMIT ${BUMPING_COMMENTS}) early
        WHERE NOT is_deleted AND CASE WHEN updater_id IS NULL THEN NOT do_not_bump_post ELSE created_at <= r.last_comment_bumped_at END)`,
  ),
  ofEachRow(
    "posts",
    "last_noted_at",
    "last_noted_at of posts is the last change of their notes",
    `r.last_noted_at IS DISTINCT FROM (SELECT max(updated_at) FROM notes n WHERE n.post_id = r.id AND n.is_active)`,
  ),
  ofEachRow(
    "posts",
    "is_flagged",
    "posts are flagged that have an open flag and are not deleted",
    `r.is_flagged <> (NOT r.is_deleted AND EXISTS (
       SELECT FROM post_flags f WHERE f.post_id = r.id AND NOT f.is_resolved AND NOT f.is_deletion))`,
  ),
  ofEachRow(
    "users",
    "is_banned",
    "users with a current ban are banned",
    `NOT r.is_banned AND EXISTS (
       SELECT FROM bans b WHERE b.user_id = r.id AND (b.expires_at IS NULL OR b.expires_at > now()))`,
  ),
  ofEachRow(
    "artists",
    "is_banned",
    "the tags of banned artists imply that of bans, unless one of them is aliased",
    `r.is_banned AND r.name <> '${BANNED_ARTIST}'
     AND NOT EXISTS (SELECT FROM ${inForce("tag_implications")} i WHERE i.antecedent_name = r.name AND i.consequent_name = '${BANNED_ARTIST}')
     AND NOT EXISTS (SELECT FROM ${inForce("tag_aliases")} a WHERE a.antecedent_name IN (r.name, '${BANNED_ARTIST}'))`,
  ),
  {
    // a retagging leaves out posts that the edit would be refused for, as they would have too many tags
    name: "posts.tags",
    rule: "posts have no tag that is aliased, and all tags that theirs imply",
    table: "posts",
    sql: `WITH moved AS MATERIALIZED (${MOVED}), rules AS MATERIALIZED (
            SELECT a.id AS had, NULL::int AS needed
              FROM tag_aliases r JOIN tags a ON a.name = r.antecedent_name WHERE r.status = 'active'
            UNION ALL SELECT a.id, c.id
              FROM tag_implications r JOIN tags a ON a.name = r.antecedent_name JOIN tags c ON c.name = r.consequent_name
             WHERE r.status = 'active' AND NOT (${TO_BE_BANNED})
               AND NOT EXISTS (SELECT FROM moved WHERE name IN (r.antecedent_name, r.consequent_name))
          ) SELECT DISTINCT p.id
              FROM posts p CROSS JOIN LATERAL unnest(p.tag_ids) AS tag_id JOIN rules ON rules.had = tag_id
             WHERE p.id > $1 AND p.id <= $2 AND (needed IS NULL OR needed <> ALL(p.tag_ids))`,
  },
  {
    name: "tag_aliases.chains",
    rule: "no alias has a consequent that is aliased itself",
    table: null,
    sql: `SELECT a.id FROM ${inForce("tag_aliases")} a
            JOIN ${inForce("tag_aliases")} b ON b.antecedent_name = a.consequent_name`,
  },
  {
    name: "tag_implications.aliased",
    rule: "no implication has a tag that is aliased to another one",
    table: null,
    sql: `SELECT DISTINCT i.id FROM ${inForce("tag_implications")} i
            JOIN ${inForce("tag_aliases")} a ON a.antecedent_name IN (i.antecedent_name, i.consequent_name)`,
  },
  {
    name: "tag_implications.cycles",
    rule: "no tag implies itself transitively",
    table: null,
    sql: `WITH RECURSIVE i AS ${inForce("tag_implications")}, line(name, implied) AS (
            SELECT antecedent_name, consequent_name FROM i
            UNION SELECT line.name, i.consequent_name FROM line JOIN i ON i.antecedent_name = line.implied
          ) SELECT id FROM i JOIN line ON name = antecedent_name AND implied = antecedent_name`,
  },
  composed("tags", "name", "r.post_count > 0"),
  composed("users", "name"),
  ...POST_LISTS.map(({ of: { table } }) => composed(table, "name")),
  composed("wiki_pages", "title"),
  composed("artists", "name"),
  computed(
    "posts",
    ["pixiv_id", "source"],
    pixivId,
    "r.pixiv_id IS NOT NULL OR r.source ILIKE '%pixiv%' OR r.source ILIKE '%pximg%'",
  ),
  computed("artist_urls", ["normalized_url", "url"], normalizeArtistUrl),
];
