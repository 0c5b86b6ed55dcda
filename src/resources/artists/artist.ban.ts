/**
 * Bans of artists: all posts with the artist's tag are banned, and the tag implies
 * `banned_artist`, which the posts get at once. Unbanning reverses all of it, except for posts that another banned
 * artist's tag is on. A few posts are written by the transaction of the ban; more of them, and those that others were writing without
 * knowing of the ban, by a job, in transactions of their own, since others wait for these posts, and for all changes of aliases and
 * implications, until a transaction ends.
 */
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { olderWritersEnded } from "../../database/older-writers.js";
import { inBatches } from "../../lib/in-batches.js";
import { batchesOf } from "../../lib/lists.js";
import { TagCategory } from "../../tagging/categories.js";
import { assignedCounts, countedByCategory } from "../../tagging/category-counts.js";
import { APPROVED, withImplications } from "../../tagging/facts.js";
import { findOrCreateTags } from "../../tagging/store.js";
import { BANNED_ARTIST } from "../posts/post.states.js";
import { requireAccount } from "../shared/policy.js";
import type { ServiceParts } from "../shared/service.js";
import { checkConsistency } from "../tag-relations/tag-relation.consistency.js";

/** Number of posts that one transaction writes. */
const BATCH = 100;
/** Number of posts that are looked up at once: a lookup takes time for all posts with the tag, whatever its limit. */
const FOUND_AT_ONCE = 1_000;

/** A change of the posts of an artist, in the name of who bans or unbans. */
export interface BanOfPosts {
  name: string;
  userId: number;
  address: string;
}

const banOf = ({ viewer, address }: RequestContext, name: string): BanOfPosts => ({
  name,
  userId: requireAccount(viewer).id,
  address,
});

/**
 * Bans the posts of the artist of this name, unless they are banned.
 * @param locked what `lockForMove` returned
 * @throws BoardError 420 when the tag can't imply `banned_artist`: one is aliased, or `banned_artist` implies the tag
 */
export async function imposeBan(db: Db, context: RequestContext, name: string, locked?: Locked): Promise<void> {
  await lockKey(db, "tagRelations");
  await imply(db, context, name);
  await changePosts(db, banOf(context, name), true, locked);
}

/** Lifts a ban. @param locked what `lockForMove` returned */
export async function liftBan(db: Db, context: RequestContext, name: string, locked?: Locked): Promise<void> {
  await lockKey(db, "tagRelations");
  await db.tagImplication.updateMany({
    where: { antecedentName: name, consequentName: BANNED_ARTIST, status: { notIn: ["deleted", "retired"] } },
    data: { status: "deleted" },
  });
  await changePosts(db, banOf(context, name), false, locked);
}

/** The ids of locked posts. */
type Locked = ReadonlySet<number>;

/**
 * Locks what will be changed when a ban moves from one name to another, each in the order of their ids: the posts, and then the tags. To be
 * called before any tag is created or locked.
 */
export async function lockForMove(db: Db, names: readonly string[]): Promise<Locked> {
  await lockKey(db, "tagRelations");
  const found = await Promise.all(names.map((name) => findPosts(db, name, BATCH + 1)));
  const few = found.filter((posts) => posts.length <= BATCH).flat();
  const ids = few.map(({ id }) => id);
  await db.execute(sql`SELECT FROM posts WHERE id = ANY(${ids}::int[]) ORDER BY id FOR NO KEY UPDATE`);
  const tags = [...names, ...(await withImplications(db, [BANNED_ARTIST]))];
  await db.execute(sql`SELECT FROM tags WHERE name = ANY(${tags}::text[]) ORDER BY id FOR NO KEY UPDATE`);
  return new Set(ids);
}

/**
 * The job: bans the posts of an artist, or unbans them, depending on whether the artist is banned at that time. It may be interrupted and run again.
 * @returns false if it was stopped
 */
export async function applyBan(
  { database, transact }: Pick<ServiceParts, "database" | "transact">,
  ban: BanOfPosts,
  stopping: AbortSignal,
): Promise<boolean> {
  if (!(await olderWritersEnded(database, stopping))) return false; // they may have read implications before the ban, or its end
  for await (const found of inBatches((after) => findPosts(database, ban.name, FOUND_AT_ONCE, after))) {
    for (const batch of batchesOf(found, BATCH)) {
      if (stopping.aborted) return false;
      const ids = batch.map(({ id }) => id);
      await transact(async (db) => {
        await lockKey(db, "tagRelations");
        const isBanned = (await db.artist.count({ where: { name: ban.name, isBanned: true } })) > 0;
        await changeBatch(db, ban, ids, isBanned);
      });
    }
  }
  return true;
}

/** Queues the job after the commit; it replaces a waiting one. */
export const queueBan = (db: Db, ban: BanOfPosts): Promise<number> =>
  db.execute(sql`
    SELECT graphile_worker.add_job('apply_artist_ban', ${JSON.stringify(ban)}::json,
      queue_name => 'apply_artist_ban', job_key => ${`apply_artist_ban:${ban.name}`})`);

/** Changes the posts now if they are few, of them only those that are locked if some are, and leaves the rest to the job. */
async function changePosts(db: Db, ban: BanOfPosts, isBanned: boolean, locked?: Locked): Promise<void> {
  const ids = (await findPosts(db, ban.name, BATCH + 1)).map(({ id }) => id);
  const changed = locked ? ids.filter((id) => locked.has(id)) : ids;
  if (ids.length <= BATCH) await changeBatch(db, ban, changed, isBanned);
  await queueBan(db, ban);
}

const findPosts = (db: Db, name: string, limit: number, after = 0): Promise<{ id: number }[]> =>
  db.query(sql`SELECT id FROM posts WHERE ${hasTag(name)} AND id > ${after} ORDER BY id LIMIT ${limit}`);

const hasTag = (name: string): Sql => sql`tag_ids && ARRAY(SELECT id FROM tags WHERE name = ${name})`;

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

/** Changes those of these posts that have the tag, of which an unban leaves out those of other banned artists. */
async function changeBatch(db: Db, ban: BanOfPosts, ids: readonly number[], isBanned: boolean): Promise<void> {
  const posts = await lockPosts(db, ban.name, ids, isBanned);
  const implied = await withImplications(db, [BANNED_ARTIST]);
  const categories = new Map([[BANNED_ARTIST, TagCategory.artist]]);
  const added = isBanned ? (await findOrCreateTags(db, implied, categories)).map((tag) => tag.id) : [];
  const tag = isBanned ? null : await db.tag.findUnique({ where: { name: BANNED_ARTIST }, select: { id: true } });
  const change = { isBanned, added, removed: tag ? [tag.id] : [] };
  // so that their categories can't change meanwhile
  const counted = [...change.added, ...change.removed];
  await db.query(sql`SELECT id FROM tags WHERE id = ANY(${counted}::int[]) ORDER BY id FOR NO KEY UPDATE`);
  await writePosts(db, ban, posts, change);
}

/** To be called before any tag is created or locked, as every edit of a post does. */
async function lockPosts(db: Db, name: string, ids: readonly number[], isBanned: boolean): Promise<number[]> {
  const posts = await db.query<{ id: number }>(sql`
    SELECT id FROM posts
     WHERE id = ANY(${[...ids]}::int[]) AND ${hasTag(name)} AND (${isBanned} OR NOT ${hasOtherBan(name)})
     ORDER BY id FOR NO KEY UPDATE`);
  return posts.map(({ id }) => id);
}

/** The post has the tag of a banned artist other than the one of this name; `banned_artist`, if it is one, is no reason. */
const hasOtherBan = (name: string): Sql => sql`(tag_ids && ARRAY(
  SELECT tags.id FROM artists JOIN tags ON tags.name = artists.name
   WHERE artists.is_banned AND artists.name NOT IN (${name}, ${BANNED_ARTIST})))`;

/** Writes the posts, a version for each whose tags change, and the counters of tags and user. */
async function writePosts(
  db: Db,
  ban: BanOfPosts,
  ids: number[],
  change: { isBanned: boolean; added: number[]; removed: number[] },
): Promise<void> {
  const changes = await db.query<{ tagId: number; posts: number; versions: number }>(sql`
    WITH changed AS MATERIALIZED (
      SELECT p.id, p.tag_ids AS before, ARRAY(
        SELECT unnest(p.tag_ids) UNION SELECT unnest(${change.added}::int[])
        EXCEPT SELECT unnest(${change.removed}::int[]) ORDER BY 1) AS after
        FROM posts p WHERE p.id = ANY(${ids}::int[])
    ), written AS (
      UPDATE posts p SET is_banned = ${change.isBanned}, tag_ids = c.after, tag_count = cardinality(c.after),
        ${assignedCounts}, updated_at = clock_timestamp()
        FROM changed c, LATERAL (SELECT ${countedByCategory} FROM tags WHERE tags.id = ANY(c.after)) AS n
       WHERE p.id = c.id AND (p.is_banned <> ${change.isBanned} OR c.before <> c.after)
      RETURNING p.*, c.before
    ), versions AS (
      INSERT INTO post_versions (post_id, version, updater_id, updater_ip, tag_ids, added_tag_ids, removed_tag_ids,
        rating, rating_changed, parent_id, parent_changed, source, source_changed, media_file_id, created_at, updated_at)
      SELECT id, (SELECT COALESCE(max(version), 0) + 1 FROM post_versions v WHERE v.post_id = w.id), ${ban.userId},
        ${ban.address}::inet, tag_ids, ARRAY(SELECT unnest(tag_ids) EXCEPT SELECT unnest(before) ORDER BY 1),
        ARRAY(SELECT unnest(before) EXCEPT SELECT unnest(tag_ids) ORDER BY 1),
        rating, FALSE, parent_id, FALSE, source, FALSE, media_file_id, updated_at, updated_at
        FROM written w WHERE before <> tag_ids
      RETURNING added_tag_ids, removed_tag_ids
    )
    SELECT tag_id AS "tagId", sum(posts)::int AS posts, (SELECT count(*)::int FROM versions) AS versions
      FROM (SELECT unnest(added_tag_ids) AS tag_id, 1 AS posts FROM versions
            UNION ALL SELECT unnest(removed_tag_ids), -1 FROM versions) AS counts
     GROUP BY tag_id`);
  await count(db, changes);
  const versions = changes[0]?.versions ?? 0;
  await db.execute(sql`UPDATE users SET post_update_count = post_update_count + ${versions} WHERE id = ${ban.userId}`);
}

async function count(db: Db, changes: { tagId: number; posts: number }[]): Promise<void> {
  const ids = changes.map(({ tagId }) => tagId);
  const posts = changes.map((change) => change.posts);
  await db.execute(sql`
    UPDATE tags SET post_count = post_count + new.posts
      FROM unnest(${ids}::int[], ${posts}::int[]) AS new(id, posts) WHERE tags.id = new.id`);
}
