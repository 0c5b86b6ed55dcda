/** Applies an edit to a post: its tags, rating, source, parent, locks and file. */
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql, type Transaction } from "../../database/client.js";
import { BoardError, failure, validate } from "../../errors.js";
import { MAX_INT } from "../../lib/integers.js";
import { toSourceSpelling } from "../../lib/names.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { notify } from "../../runtime/events/events.js";
import { countRows } from "../../runtime/limits/bulk.js";
import { mayLock } from "./post.policy.js";
import { resolveTagEdit } from "../../tagging/edit.js";
import { tagsOfIds } from "../../tagging/facts.js";
import type { Rating } from "../../tagging/rating.js";
import { changeTags, missingTags, type TagChange, tagsMoved, tagsNamed, wantsCategories } from "../../tagging/store.js";
import type { Lock, ParsedTagString } from "../../tagging/tag-string.js";
import type { MediaIngest, PreparedMedia, StoredMedia } from "../uploads/media-ingest.js";
import { checkParent, refreshParents } from "./post.family.js";
import type { PostRecord } from "./post.records.js";
import { LOCK_COLUMNS, type Locks, logLocks } from "./post.states.js";
import { postHistory, type PostState } from "./post.versions.js";
import { type EditablePost, type NextTags, type WrittenPost, writingPost } from "./post.write.js";
import { differs } from "../shared/history.js";
import { checkText } from "../shared/texts.js";

/** A validated change; undefined leaves a field unchanged. */
export interface PostChanges {
  submitted?: ParsedTagString | undefined;
  seen?: ParsedTagString | undefined;
  rating?: Rating | undefined;
  source?: string | undefined;
  parentId?: number | null | undefined;
  notParentId?: number | undefined;
  locks: Partial<Record<Lock, boolean | undefined>>;
  media?: PreparedMedia | undefined;
  /** as in `Edit` */
  isOwnVersion?: boolean;
}

const SOURCE_MAX = 1200;

/** The context of an edit. */
export interface EditWork {
  db: Transaction;
  context: RequestContext;
  config: Config;
  ingest: MediaIngest;
  /** nothing else is written: the edit is sent together with COMMIT */
  isLast: boolean;
  /** whether the tags that it creates count towards the limit of its user */
  isLimited: boolean;
  /** whether subscribers are notified */
  isNotified: boolean;
}

/**
 * Applies the changes to a post; if there are none, nothing is written.
 * @returns the changed post; null if more of it has changed than the edit itself knows
 * @throws BoardError 420 (tags, source, parent), 422 (rating locked)
 */
export async function writePostChanges(
  work: EditWork,
  editable: EditablePost,
  changes: PostChanges,
): Promise<PostRecord | null> {
  const { db, context, ingest } = work;
  const { post, recent } = editable;
  const locks = permittedLocks(context, changes);
  const rating = nextRating(post, changes, locks);
  const source = changes.source === undefined ? post.source : cleanSource(changes.source);
  const parentId = await nextParent(db, post, changes);
  const file = changes.media && (await ingest.store(db, changes.media).catch(unlessDuplicate));
  const next = await tagsAfter(work, editable, changes, file);
  const after: PostState = {
    tagIds: next.tags.map((tag) => tag.id).sort((a, b) => a - b),
    rating,
    source,
    parentId,
    mediaFileId: file?.id ?? post.mediaFileId,
  };
  const edit = { id: post.id, before: stateOf(post), after, isOwnVersion: changes.isOwnVersion };
  if (!postHistory.isChange(edit) && !differs(post, locks) && !next.isRecategorised) return post;
  await logLocks(db, context, post, locks);
  const columns = {
    rating,
    source,
    parentId,
    pixivId: pixivId(source),
    ...locks,
    ...(file ? fileColumns(file) : {}),
    updatedAt: new Date(),
  };
  const statement = writingPost(db, context, {
    next,
    columns,
    edit,
    recent: file ? [] : recent, // a merged version would no longer name the replaced file
    event: work.isNotified ? { type: "post_changed", id: post.id, about: post.id } : null,
  });
  const isMoved = parentId !== post.parentId;
  const [written] = await (work.isLast && !isMoved
    ? db.commitWith<WrittenPost>(statement)
    : db.query<WrittenPost>(statement));
  if (isMoved) await refreshParents(db, [post.parentId, parentId]);
  return isMoved || file || next.isRecategorised
    ? null
    : { ...post, ...columns, ...after, ...(written as WrittenPost) };
}

/** Of a file that another upload has brought meanwhile only the source is stored, as of any that a post has. @throws all other errors */
function unlessDuplicate(error: unknown): undefined {
  if (!(error instanceof BoardError && error.key === "duplicate")) throw error;
}

const stateOf = ({ tagIds, rating, source, parentId, mediaFileId }: PostRecord): PostState => ({
  tagIds: [...tagIds].sort((a, b) => a - b),
  rating,
  source,
  parentId,
  mediaFileId,
});

/** Changes only the parent, to another one, of a post whose row the transaction has locked. @throws BoardError 420 (parent) */
export async function writeParent(
  db: Db,
  context: RequestContext,
  post: PostRecord,
  parentId: number | null,
  config: Config,
): Promise<void> {
  if (parentId !== null) await checkParent(db, post.id, parentId);
  const before = stateOf(post);
  const edit = { id: post.id, before, after: { ...before, parentId } };
  await postHistory.write(db, context, config, edit);
  await refreshParents(db, [post.parentId, parentId]);
  await notify(db, { type: "post_changed", id: post.id, about: post.id });
  await db.execute(sql`UPDATE users SET post_update_count = post_update_count + 1 WHERE id = ${context.viewer.id}`);
}

/** Lock attributes sent without the right are ignored, as clients send all three with every edit. */
export function permittedLocks({ viewer }: RequestContext, { locks }: Pick<PostChanges, "locks">): Locks {
  const wanted = Object.entries(locks) as [Lock, boolean | undefined][];
  const permitted = wanted.filter(([lock, value]) => value !== undefined && mayLock(viewer, lock));
  return Object.fromEntries(permitted.map(([lock, value]) => [LOCK_COLUMNS[lock], value]));
}

/** A locked rating does not change, unless the same request unlocks it. */
function nextRating(post: PostRecord, changes: PostChanges, locks: Locks): Rating {
  const rating = changes.rating ?? post.rating;
  if (rating !== post.rating && post.isRatingLocked && locks.isRatingLocked !== false) throw failure("rating_locked");
  return rating;
}

/** A source as it is stored. @throws BoardError 420 */
export function cleanSource(text: string): string {
  const source = toSourceSpelling(text);
  validate((problems) => checkText(problems, "source", source, { most: SOURCE_MAX }));
  return source;
}

/** The id of the Pixiv work in the source, or null. */
export function pixivId(source: string): number | null {
  const match =
    /^https?:\/\/(?:[\w-]+\.)*pixiv\.net\/(?:\w\w\/)?(?:artworks\/|i\/|member_illust\.php\?(?:.*&)?illust_id=)(\d{1,10})(?!\d)/i.exec(
      source,
    ) ?? /^https?:\/\/(?:[\w-]+\.)*(?:pixiv\.net|pximg\.net)\/.*\/(\d{1,10})(?:_\w+)?\.\w+/i.exec(source);
  const id = Number(match?.[1]);
  return id <= MAX_INT ? id : null;
}

async function nextParent(db: Db, post: PostRecord, changes: PostChanges): Promise<number | null> {
  const cleared = changes.notParentId !== undefined && changes.notParentId === post.parentId;
  const wanted = changes.parentId === undefined ? (cleared ? null : post.parentId) : changes.parentId;
  if (wanted !== null && wanted !== post.parentId) await checkParent(db, post.id, wanted);
  return wanted;
}

async function tagsAfter(
  { db, context, config, isLimited }: EditWork,
  { post, facts }: EditablePost,
  changes: PostChanges,
  file: StoredMedia | undefined,
): Promise<NextTags> {
  const current = tagsOfIds(facts, post.tagIds);
  if (!changes.submitted && !file) return { tags: current, added: [], removed: [], isRecategorised: false };
  const names = current.map((tag) => tag.name);
  const submitted = changes.submitted ?? { names, removed: [], categories: new Map(), locks: {} };
  const edit = { current: names, submitted, seen: changes.seen, file: file ?? post };
  const resolved = resolveTagEdit(edit, facts, config.TAGS_PER_POST);
  if (isLimited) await countRows(db, config, context, "newTag", missingTags(resolved, facts).length);
  const tags = await tagsNamed(db, resolved, facts, submitted.categories);
  return nextTags(db, { had: post.tagIds, tags, categories: submitted.categories }, context.viewer);
}

/** The resulting tags; counted already if prefixes change categories, otherwise by the statement that writes the post. */
export async function nextTags(db: Db, change: TagChange, viewer: Viewer): Promise<NextTags> {
  if (!wantsCategories(change)) return { tags: change.tags, ...tagsMoved(change), isRecategorised: false };
  const tags = await changeTags(db, change, viewer);
  const isRecategorised = tags.some(({ category }, index) => category !== change.tags[index]?.category);
  return { tags, added: [], removed: [], isRecategorised };
}

/** The columns of a post that are copied from its file, so that searches need one table only. */
export const fileColumns = (file: StoredMedia) => ({
  mediaFileId: file.id,
  md5: file.md5,
  fileExt: file.fileExt,
  fileSize: file.fileSize,
  imageWidth: file.imageWidth,
  imageHeight: file.imageHeight,
});
