/** Writes a change of a post: tags, rating, source, parent, locks, file; with the version, counts and parents' flags. */
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { failure, invalid, Problems } from "../../errors.js";
import { isStorable, lengthOf } from "../../lib/text.js";
import { mayLock } from "./post.policy.js";
import type { FileFacts } from "../../tagging/automatic.js";
import { resolveTagEdit } from "../../tagging/edit.js";
import type { Rating } from "../../tagging/rating.js";
import { changeTags, findOrCreateTags, type TagRow } from "../../tagging/store.js";
import type { TagActions } from "../../tagging/tag-actions.js";
import type { Lock, ParsedTagString } from "../../tagging/tag-string.js";
import type { MediaIntake, PreparedMedia, StoredMedia } from "../uploads/media-intake.js";
import type { PostRecord } from "./post.records.js";
import { postHistory, type PostState } from "./post.versions.js";

/** A change as it will be tried: undefined leaves a thing as it is. */
export interface PostChanges {
  submitted?: ParsedTagString | undefined;
  seen?: ParsedTagString | undefined;
  rating?: Rating | undefined;
  source?: string | undefined;
  parentId?: number | null | undefined;
  notParentId?: number | undefined;
  locks: Partial<Record<Lock, boolean | undefined>>;
  media?: PreparedMedia | undefined;
}

const SOURCE_MAX = 1200;

const MAX_ID = 2_147_483_647;

/** Any number; taken by whoever changes parents, so that two changes can't close a cycle that neither sees. */
const PARENT_LOCK = 7_301;

/**
 * Applies the changes to the post, whose row the transaction has locked.
 * @throws BoardError 420 (tags, source, parent), 422 (rating locked)
 */
export async function writePostChanges(
  db: Db,
  context: RequestContext,
  post: PostRecord,
  changes: PostChanges,
  config: Config,
  intake: MediaIntake,
): Promise<void> {
  const locks = permittedLocks(context, changes);
  const rating = nextRating(post, changes, locks);
  const source = changes.source === undefined ? post.source : cleanSource(changes.source);
  const parentId = await nextParent(db, post, changes);
  const file = changes.media ? await intake.store(db, changes.media) : undefined;
  const tags = await nextTags(db, context, post, changes, file, config);
  const after: PostState = {
    tagIds: tags.map((tag) => tag.id).sort((a, b) => a - b),
    rating,
    source,
    parentId,
    mediaFileId: file?.id ?? post.mediaFileId,
  };
  await updateRow(db, post.id, after, tags, locks, file);
  if (parentId !== post.parentId) await refreshParents(db, [post.parentId, parentId]);
  await record(db, context, post, after, config);
}

/**
 * Gives the post, whose row the transaction has locked, another parent or none, and nothing else.
 * @throws BoardError 420 (parent)
 */
export async function writeParent(
  db: Db,
  context: RequestContext,
  post: PostRecord,
  parentId: number | null,
  config: Config,
): Promise<void> {
  if (parentId !== null) await checkParent(db, post.id, parentId);
  await db.post.update({ where: { id: post.id }, data: { parentId, updatedAt: new Date() }, select: { id: true } });
  await refreshParents(db, [post.parentId, parentId]);
  const { tagIds, rating, source, mediaFileId } = post;
  await record(db, context, post, { tagIds, rating, source, mediaFileId, parentId }, config);
}

/** Lock attributes of users without the right are dropped, as a client sends all three with every edit. */
function permittedLocks(context: RequestContext, changes: PostChanges): Partial<Record<Lock, boolean>> {
  const wanted = Object.entries(changes.locks) as [Lock, boolean | undefined][];
  return Object.fromEntries(wanted.filter(([lock, value]) => value !== undefined && mayLock(context.viewer, lock)));
}

/** A locked rating does not change, unless the lock is changed by the same request. */
function nextRating(post: PostRecord, changes: PostChanges, locks: Partial<Record<Lock, boolean>>): Rating {
  const rating = changes.rating ?? post.rating;
  if (rating !== post.rating && post.isRatingLocked && locks.rating === undefined) throw failure("rating_locked");
  return rating;
}

/**
 * A source as it is stored: trimmed, in Unicode's composed form unless it is a URL.
 * @throws BoardError 420
 */
export function cleanSource(text: string): string {
  const trimmed = text.trim();
  const source = /^https?:\/\//i.test(trimmed) ? trimmed : trimmed.normalize("NFC");
  const problems = new Problems();
  if (!isStorable(source)) problems.add("source", "invalid");
  if (lengthOf(source) > SOURCE_MAX) problems.add("source", "too_long", { limit: SOURCE_MAX });
  problems.throwIfAny();
  return source;
}

/** The number of a Pixiv work that the source points at, or null. */
export function pixivId(source: string): number | null {
  const match =
    /^https?:\/\/(?:[\w-]+\.)*pixiv\.net\/(?:\w\w\/)?(?:artworks\/|i\/|member_illust\.php\?(?:.*&)?illust_id=)(\d{1,9})/i.exec(
      source,
    ) ?? /^https?:\/\/(?:[\w-]+\.)*(?:pixiv\.net|pximg\.net)\/.*\/(\d{1,9})(?:_\w+)?\.\w+/i.exec(source);
  return match ? Number(match[1]) : null;
}

async function nextParent(db: Db, post: PostRecord, changes: PostChanges): Promise<number | null> {
  const cleared = changes.notParentId !== undefined && changes.notParentId === post.parentId;
  const wanted = changes.parentId === undefined ? (cleared ? null : post.parentId) : changes.parentId;
  if (wanted !== null && wanted !== post.parentId) await checkParent(db, post.id, wanted);
  return wanted;
}

/** Holds off everybody else who would give a post a parent, until the transaction ends. */
export const lockFamilies = (db: Db): Promise<number> => db.execute(sql`SELECT pg_advisory_xact_lock(${PARENT_LOCK})`);

/** What an edit or upload says about the relatives of its post. */
export interface Relatives {
  parentId?: number | null | undefined;
  notParentId?: number | undefined;
  children?: TagActions["children"] | undefined;
}

/**
 * To be called before any row is locked, by whoever may move posts under others: locks all posts that are touched, old and
 * new parents too, in the order of their ids, so that no two edits wait for each other.
 * @param postId null for a post that is yet to be made
 */
export async function lockFamily(db: Db, postId: number | null, relatives: Relatives): Promise<void> {
  const { parentId, notParentId, children = [] } = relatives;
  if (parentId === undefined && notParentId === undefined && children.length === 0) return;
  const named = [postId, parentId, ...children.map((child) => child.id)].filter((id) => typeof id === "number");
  const ids = named.map((id) => Math.min(id, MAX_ID));
  const withChildren = children.some((child) => child.id === "all");
  await lockFamilies(db);
  await db.execute(sql`
    SELECT FROM posts
     WHERE id = ANY(${ids}::int[]) OR id IN (SELECT parent_id FROM posts WHERE id = ANY(${ids}::int[]))
        OR (${withChildren} AND parent_id = ${postId}::int)
     ORDER BY id FOR NO KEY UPDATE`);
}

/**
 * A parent must exist, be another post, and not descend from this one.
 * @throws BoardError 420
 */
export async function checkParent(db: Db, postId: number | null, parentId: number): Promise<void> {
  if (parentId === postId) throw invalid("parent", "own_parent");
  await lockFamilies(db);
  const ancestors = await db.query<{ id: number }>(sql`
    WITH RECURSIVE line(id) AS (
      SELECT id FROM posts WHERE id = ${Math.min(parentId, MAX_ID)}
      UNION SELECT p.parent_id FROM posts p JOIN line USING (id) WHERE p.parent_id IS NOT NULL
    ) SELECT id FROM line`);
  if (ancestors.length === 0) throw invalid("parent", "does_not_exist");
  if (ancestors.some((ancestor) => ancestor.id === postId)) throw invalid("parent", "cycle");
}

async function nextTags(
  db: Db,
  context: RequestContext,
  post: PostRecord,
  changes: PostChanges,
  file: StoredMedia | undefined,
  config: Config,
): Promise<TagRow[]> {
  const current = await tagsOf(db, post.tagIds);
  if (!changes.submitted && !file) return current;
  const names = current.map((tag) => tag.name);
  const submitted = changes.submitted ?? { names, removed: [], categories: new Map(), locks: {} };
  const edit = { current: names, submitted, seen: changes.seen, file: file ?? factsOf(post) };
  const resolved = await resolveTagEdit(db, edit, config.TAGS_PER_POST);
  const tags = await findOrCreateTags(db, resolved, submitted.categories, current);
  return changeTags(db, { had: post.tagIds, tags, categories: submitted.categories }, context.viewer);
}

const factsOf = (post: PostRecord): FileFacts => post;

const tagsOf = (db: Db, ids: readonly number[]): Promise<TagRow[]> =>
  db.query<TagRow>(sql`SELECT id, name, category::int FROM tags WHERE id = ANY(${[...ids]}::int[])`);

const countOf = (tags: readonly TagRow[], category: number): number =>
  tags.filter((tag) => tag.category === category).length;

/** The columns that say how many tags of which category a post has. */
export const tagCounts = (tags: readonly TagRow[]) => ({
  tagCount: tags.length,
  tagCountGeneral: countOf(tags, 0),
  tagCountArtist: countOf(tags, 1),
  tagCountCopyright: countOf(tags, 3),
  tagCountCharacter: countOf(tags, 4),
  tagCountMeta: countOf(tags, 5),
});

/** The columns of a post that repeat facts of its file, so that searches stay in one table. */
export const fileColumns = (file: StoredMedia) => ({
  mediaFileId: file.id,
  md5: file.md5,
  fileExt: file.fileExt,
  fileSize: file.fileSize,
  imageWidth: file.imageWidth,
  imageHeight: file.imageHeight,
});

async function updateRow(
  db: Db,
  id: number,
  after: PostState,
  tags: readonly TagRow[],
  locks: Partial<Record<Lock, boolean>>,
  file: StoredMedia | undefined,
): Promise<void> {
  await db.post.update({
    where: { id },
    data: {
      tagIds: after.tagIds,
      ...tagCounts(tags),
      rating: after.rating,
      source: after.source,
      pixivId: pixivId(after.source),
      parentId: after.parentId,
      ...(locks.note === undefined ? {} : { isNoteLocked: locks.note }),
      ...(locks.rating === undefined ? {} : { isRatingLocked: locks.rating }),
      ...(locks.status === undefined ? {} : { isStatusLocked: locks.status }),
      ...(file ? fileColumns(file) : {}),
      updatedAt: new Date(),
    },
    select: { id: true },
  });
}

/** Makes `has_children` and `has_active_children` of these posts true to their children. */
export async function refreshParents(db: Db, ids: readonly (number | null)[]): Promise<void> {
  const parents = ids.filter((id) => id !== null);
  if (parents.length === 0) return;
  await db.execute(sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM posts WHERE id = ANY(${parents}::int[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE posts p SET
      has_children = EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id),
      has_active_children = EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id AND NOT c.is_deleted)
      FROM locked WHERE p.id = locked.id`);
}

async function record(
  db: Db,
  context: RequestContext,
  post: PostRecord,
  after: PostState,
  config: Config,
): Promise<void> {
  const before = { ...post, tagIds: [...post.tagIds].sort((a, b) => a - b) };
  const version = await postHistory.record(db, context, config, { id: post.id, before, after });
  if (version !== null)
    await db.execute(sql`UPDATE users SET post_update_count = post_update_count + 1 WHERE id = ${context.viewer.id}`);
}
