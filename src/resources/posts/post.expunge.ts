/** Removes a post for good, with everything that belongs only to it. */
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, identifier, join, type Sql, sql } from "../../database/client.js";
import { conflict } from "../../database/transaction.js";
import { failure } from "../../errors.js";
import { batchesOf, without } from "../../lib/lists.js";
import { notifying } from "../../runtime/events/events.js";
import { possibleKeys } from "../../storage/keys.js";
import { countTags } from "../../tagging/store.js";
import { lockForDeletion, refreshParents } from "./post.family.js";
import { moveFavorites, removeFavorites } from "../favorites/post.favorites.js";
import type { PostRecord } from "./post.records.js";
import type { Edit } from "../shared/history.js";
import { logPostAction } from "./post.states.js";
import { postHistory } from "./post.versions.js";
import { queueRemoval } from "../uploads/media-ingest.js";

/** Files to which no row refers once the transaction has committed. */
export interface ExpungedFile {
  md5: string;
  keys: string[];
}

/** Events of children in one statement. */
const EVENTS_AT_ONCE = 500;
/** Lists, of up to 10,000 posts each, that are compared and written at once: the comparison blocks the event loop. */
const LISTS_AT_ONCE = 10;

/** The history of records with a list of posts. */
export interface PostListHistory {
  of: { table: string };
  lockAll(db: Db, condition: Sql): Promise<{ id: number; postIds: number[] }[]>;
  recordAll(db: Db, context: RequestContext, edits: readonly Edit<never>[]): Promise<void>;
}

/**
 * Locks a post to be expunged: the lists that contain it, which are locked before posts in all edits, then the post and its relatives.
 * @param lists lists that may contain posts
 */
export async function lockForExpunge(
  db: Db,
  id: number,
  lists: readonly PostListHistory[],
): Promise<PostRecord | null> {
  const locked = new Map<PostListHistory, number[]>();
  for (const history of lists) locked.set(history, await listsWith(db, history, id, sql`FOR NO KEY UPDATE`));
  const post = await lockForDeletion(db, id);
  for (const [history, ids] of locked) {
    const others = without(await listsWith(db, history, id), ids);
    if (others.length > 0) throw conflict(); // the post was put into it meanwhile, and it can't be locked after the post
  }
  return post;
}

/** The ids of the lists of a kind that contain a post, in ascending order. @param locking a locking clause */
async function listsWith(db: Db, history: PostListHistory, postId: number, locking = sql``): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    SELECT id FROM ${identifier(history.of.table)} WHERE post_ids @> ARRAY[${postId}]::int[] ORDER BY id ${locking}`);
  return rows.map(({ id }) => id);
}

/**
 * Expunges a post that the transaction has locked with `lockForExpunge`. A job will remove its files.
 * @param lists lists that may contain posts
 * @throws BoardError 422 for a status-locked post
 */
export async function expungePost(
  db: Db,
  context: RequestContext,
  admin: SignedIn,
  post: PostRecord,
  lists: readonly PostListHistory[],
): Promise<ExpungedFile[]> {
  if (post.isStatusLocked) throw failure("status_locked");
  const children = await moveChildren(db, context, post);
  for (const history of lists) await removeFromLists(db, context, history, post.id);
  // not before: other writes of these tags and users wait until the transaction ends
  await countTags(db, [], post.tagIds);
  if (post.parentId === null) await removeFavorites(db, post.id);
  else await moveFavorites(db, post.id, post.parentId);
  const mediaFileIds = await mediaFilesOf(db, post);
  await db.execute(sql`DELETE FROM posts WHERE id = ${post.id}`);
  await db.execute(sql`
    UPDATE users SET post_upload_count = greatest(post_upload_count - (id = ${post.uploaderId})::int, 0),
           post_update_count = post_update_count + (id = ${admin.id})::int * ${children.length}::int
     WHERE id IN (${post.uploaderId}, ${admin.id})`);
  await refreshParents(db, [children[0] ?? null, post.parentId]);
  const file = post.isBanned ? "" : ` (md5 ${post.md5})`; // the log is public, and leads to copies elsewhere
  await logPostAction(db, context, "post_expunge", `expunged post #${post.id}${file}`, post);
  const files = await removeMediaFiles(db, mediaFileIds);
  for (const { md5, keys } of files) await queueRemoval(db, md5, keys); // if this process ends before it has removed them
  return files;
}

/** Makes the oldest child the parent of its siblings. @returns the ids of all children, that one first */
async function moveChildren(db: Db, context: RequestContext, post: PostRecord): Promise<number[]> {
  const children = await postHistory.lockAll(db, sql`parent_id = ${post.id}`);
  const newParentId = children[0]?.id;
  if (newParentId === undefined) return [];
  await db.execute(sql`SELECT move_children(${post.id}, ${newParentId})`);
  const edits = children.map((child) => {
    const after = { ...child, parentId: child.id === newParentId ? null : newParentId };
    return { id: child.id, before: child, after };
  });
  await postHistory.recordAll(db, context, edits);
  for (const batch of batchesOf(children, EVENTS_AT_ONCE)) {
    const events = batch.map(({ id }) => notifying(db, { type: "post_changed", id, about: id }));
    await db.execute(sql`SELECT ${join(events)}`);
  }
  return children.map(({ id }) => id);
}

/** Removes the post from every list of a kind, with a version of each; the transaction has locked them. */
async function removeFromLists(
  db: Db,
  context: RequestContext,
  history: PostListHistory,
  postId: number,
): Promise<void> {
  for (const ids of batchesOf(await listsWith(db, history, postId), LISTS_AT_ONCE)) {
    const lists = await history.lockAll(db, sql`id = ANY(${ids}::int[])`);
    const edits = lists.map((before) => {
      const postIds = before.postIds.filter((member) => member !== postId);
      return { id: before.id, before, after: { ...before, postIds } };
    });
    await history.recordAll(db, context, edits as unknown as Edit<never>[]);
    await db.execute(sql`
      UPDATE ${identifier(history.of.table)} SET post_ids = array_remove(post_ids, ${postId}::int),
        post_count = cardinality(array_remove(post_ids, ${postId}::int)), updated_at = now()
       WHERE id = ANY(${ids}::int[])`);
  }
}

/** The post's file, and its earlier files. */
async function mediaFilesOf(db: Db, post: PostRecord): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    SELECT DISTINCT media_file_id AS id FROM post_versions WHERE post_id = ${post.id} AND media_file_id IS NOT NULL`);
  return [...new Set([post.mediaFileId, ...rows.map(({ id }) => id)])];
}

async function removeMediaFiles(db: Db, ids: readonly number[]): Promise<ExpungedFile[]> {
  const gone = await db.query<{ md5: string; fileExt: string }>(sql`
    DELETE FROM media_files m WHERE m.id = ANY(${[...ids]}::int[])
       AND NOT EXISTS (SELECT FROM posts p WHERE p.media_file_id = m.id)
       AND NOT EXISTS (SELECT FROM post_versions v WHERE v.media_file_id = m.id)
    RETURNING m.md5, m.file_ext AS "fileExt"`);
  return gone.map((file) => ({ md5: file.md5, keys: possibleKeys(file) }));
}
