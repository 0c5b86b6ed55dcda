/**
 * Bans of artists: all posts with the artist's tag are banned, and the tag implies
 * `banned_artist`, which the posts get at once. Unbanning reverses all of it, except for posts that another banned
 * artist's tag is on. Part of the transaction of the ban; posts are written in batches, a few statements each.
 */
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { TagCategory } from "../../tagging/categories.js";
import { assignedCounts, countedByCategory } from "../../tagging/category-counts.js";
import { APPROVED, withImplications } from "../../tagging/facts.js";
import { findOrCreateTags } from "../../tagging/store.js";
import { BANNED_ARTIST } from "../posts/post.states.js";
import { requireAccount } from "../shared/policy.js";
import { checkConsistency } from "../tag-relations/tag-relation.consistency.js";

const BATCH = 500;

interface Change {
  isBanned: boolean;
  added: number[];
  removed: number[];
}

/**
 * Bans the posts of the artist of this name, unless they are banned.
 * @throws BoardError 420 when the tag can't imply `banned_artist`: one is aliased, or `banned_artist` implies the tag
 */
export async function imposeBan(db: Db, context: RequestContext, name: string): Promise<void> {
  await lockKey(db, "tagRelations");
  const categories = new Map([[BANNED_ARTIST, TagCategory.artist]]);
  await imply(db, context, name);
  const posts = await lockPosts(db, name, sql`TRUE`);
  const implied = await withImplications(db, [BANNED_ARTIST]);
  const added = (await findOrCreateTags(db, implied, categories)).map((tag) => tag.id);
  await changePosts(db, context, posts, { isBanned: true, added, removed: [] });
}

export async function liftBan(db: Db, context: RequestContext, name: string): Promise<void> {
  await lockKey(db, "tagRelations");
  await db.tagImplication.updateMany({
    where: { antecedentName: name, consequentName: BANNED_ARTIST, status: { notIn: ["deleted", "retired"] } },
    data: { status: "deleted" },
  });
  const posts = await lockPosts(db, name, sql`NOT ${hasOtherBan(name)}`);
  const tag = await db.tag.findUnique({ where: { name: BANNED_ARTIST }, select: { id: true } });
  await changePosts(db, context, posts, { isBanned: false, added: [], removed: tag ? [tag.id] : [] });
}

/** Activates the implication; a requested one is approved. */
async function imply(db: Db, context: RequestContext, name: string): Promise<void> {
  if (name === BANNED_ARTIST) return;
  const names = { antecedentName: name, consequentName: BANNED_ARTIST };
  await checkConsistency(db, "implication", names, APPROVED);
  const { viewer } = context;
  await db.execute(sql`
    INSERT INTO tag_implications (antecedent_name, consequent_name, creator_id, approver_id, status)
    VALUES (${name}, ${BANNED_ARTIST}, ${viewer.id}, ${viewer.id}, 'active')
    ON CONFLICT (antecedent_name, consequent_name) WHERE status NOT IN ('deleted', 'retired')
    DO UPDATE SET status = 'active', approver_id = excluded.approver_id, updated_at = now()
     WHERE tag_implications.status <> 'active'`);
}

/** Locks the posts with a tag that meet a condition, to be called before any tag is created or locked, as every edit of a post does. */
async function lockPosts(db: Db, name: string, condition: Sql): Promise<number[]> {
  const posts = await db.query<{ id: number }>(sql`
    SELECT id FROM posts
     WHERE tag_ids && ARRAY(SELECT id FROM tags WHERE name = ${name}) AND ${condition}
     ORDER BY id FOR NO KEY UPDATE`);
  return posts.map(({ id }) => id);
}

/** Locks the tags whose counts change, so that their categories can't change meanwhile, and writes the posts. */
async function changePosts(db: Db, context: RequestContext, posts: readonly number[], change: Change): Promise<void> {
  const counted = [...change.added, ...change.removed];
  await db.query(sql`SELECT id FROM tags WHERE id = ANY(${counted}::int[]) ORDER BY id FOR NO KEY UPDATE`);
  for (let start = 0; start < posts.length; start += BATCH) {
    await changeBatch(db, context, posts.slice(start, start + BATCH), change);
  }
}

/** The post has the tag of a banned artist other than the one of this name; `banned_artist`, if it is one, is no reason. */
const hasOtherBan = (name: string): Sql => sql`(tag_ids && ARRAY(
  SELECT tags.id FROM artists JOIN tags ON tags.name = artists.name
   WHERE artists.is_banned AND artists.name NOT IN (${name}, ${BANNED_ARTIST})))`;

/** Writes the posts, a version for each whose tags change, and the counters of tags and user. */
async function changeBatch(db: Db, context: RequestContext, ids: number[], change: Change): Promise<void> {
  const viewer = requireAccount(context.viewer);
  const changes = await db.query<{ tagId: number; posts: number; versions: number }>(sql`
    WITH changed AS MATERIALIZED (
      SELECT p.id, p.tag_ids AS before, ARRAY(
        SELECT unnest(p.tag_ids) UNION SELECT unnest(${change.added}::int[])
        EXCEPT SELECT unnest(${change.removed}::int[]) ORDER BY 1) AS after
        FROM posts p WHERE p.id = ANY(${ids}::int[])
    ), written AS (
      UPDATE posts p SET is_banned = ${change.isBanned}, tag_ids = c.after, tag_count = cardinality(c.after),
        ${assignedCounts}, updated_at = now()
        FROM changed c, LATERAL (SELECT ${countedByCategory} FROM tags WHERE tags.id = ANY(c.after)) AS n
       WHERE p.id = c.id AND (p.is_banned <> ${change.isBanned} OR c.before <> c.after)
      RETURNING p.*, c.before
    ), versions AS (
      INSERT INTO post_versions (post_id, version, updater_id, updater_ip, tag_ids, added_tag_ids, removed_tag_ids,
        rating, rating_changed, parent_id, parent_changed, source, source_changed, media_file_id)
      SELECT id, (SELECT COALESCE(max(version), 0) + 1 FROM post_versions v WHERE v.post_id = w.id), ${viewer.id},
        ${context.address}::inet, tag_ids, ARRAY(SELECT unnest(tag_ids) EXCEPT SELECT unnest(before) ORDER BY 1),
        ARRAY(SELECT unnest(before) EXCEPT SELECT unnest(tag_ids) ORDER BY 1),
        rating, FALSE, parent_id, FALSE, source, FALSE, media_file_id
        FROM written w WHERE before <> tag_ids
      RETURNING added_tag_ids, removed_tag_ids
    )
    SELECT tag_id AS "tagId", sum(posts)::int AS posts, (SELECT count(*)::int FROM versions) AS versions
      FROM (SELECT unnest(added_tag_ids) AS tag_id, 1 AS posts FROM versions
            UNION ALL SELECT unnest(removed_tag_ids), -1 FROM versions) AS counts
     GROUP BY tag_id`);
  await count(db, changes);
  const versions = changes[0]?.versions ?? 0;
  await db.execute(sql`UPDATE users SET post_update_count = post_update_count + ${versions} WHERE id = ${viewer.id}`);
}

async function count(db: Db, changes: { tagId: number; posts: number }[]): Promise<void> {
  const ids = changes.map(({ tagId }) => tagId);
  const posts = changes.map((change) => change.posts);
  await db.execute(sql`
    UPDATE tags SET post_count = post_count + new.posts
      FROM unnest(${ids}::int[], ${posts}::int[]) AS new(id, posts) WHERE tags.id = new.id`);
}
