/**
 * The states of a post: pending, flagged, deleted, banned, locked. Every function runs in a transaction
 * that has locked the post's row, and its parent's where the post may be deleted or undeleted; rights are checked by the caller.
 */
import { Level } from "../../runtime/auth/levels.js";
import { type Db, sql } from "../../database/client.js";
import { failure, invalid, ValidationErrors } from "../../errors.js";
import type { Lock } from "../../tagging/tag-string.js";
import { type Actor, userIdOf, viewerOf } from "../shared/actor.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import { refreshParents } from "./post.family.js";
import { checkReason } from "./post-report.js";
import type { PostRecord } from "./post.records.js";
import { differs } from "../shared/history.js";

/** Posts with this tag, which the tags of banned artists imply, are banned when they are deleted. */
export const BANNED_ARTIST = "banned_artist";

/** How long an approval keeps its approver from approving the same post again. */
const APPROVAL_DAYS = 30;

/** Adds a mod action on a post. */
export const logPostAction = (
  db: Db,
  actor: Actor,
  category: string,
  description: string,
  { id }: { id: number },
): Promise<void> => recordModAction(db, viewerOf(actor), category, description, { type: "Post", id });

/**
 * Approves a post: out of the queue, or undeleted.
 * @throws BoardError 420 (active post), 422 (status-locked), 423 (approved by the same user before)
 */
export async function approvePost(db: Db, actor: Actor, post: PostRecord): Promise<void> {
  if (post.isStatusLocked) throw failure("status_locked");
  if (!post.isPending && !post.isFlagged && !post.isDeleted) throw invalid("post", "is_active");
  await refuseSecondApproval(db, actor, post);
  await activate(db, actor, post);
}

/**
 * Undeletes a post.
 * @throws BoardError 420 (not deleted), 422 (status-locked), 423 (approved by the same user before, Admins apart)
 */
export async function undeletePost(db: Db, actor: Actor, post: PostRecord): Promise<void> {
  if (post.isStatusLocked) throw failure("status_locked");
  if (!post.isDeleted) throw invalid("post", "not_deleted");
  const isAdmin = (viewerOf(actor)?.level ?? Level.Admin) >= Level.Admin;
  if (!isAdmin) await refuseSecondApproval(db, actor, post);
  await activate(db, actor, post);
}

async function refuseSecondApproval(db: Db, actor: Actor, post: PostRecord): Promise<void> {
  const userId = userIdOf(actor);
  if (userId === null) return;
  const createdAt = { gt: new Date(Date.now() - APPROVAL_DAYS * 86_400_000) };
  const isApprover = post.approverId === userId;
  if (isApprover || (await db.postApproval.findFirst({ where: { postId: post.id, userId, createdAt } }))) {
    throw failure("already_approved");
  }
}

/** Clears every state except the ban, resolves the flags, and sets the approver. */
async function activate(db: Db, actor: Actor, post: PostRecord): Promise<void> {
  const userId = userIdOf(actor);
  const postId = post.id;
  await db.postFlag.updateMany({ where: { postId, isResolved: false }, data: { isResolved: true } });
  if (userId !== null) await db.postApproval.create({ data: { postId, userId }, select: { id: true } });
  const data = { isPending: false, isFlagged: false, isDeleted: false, approverId: userId, updatedAt: new Date() };
  await db.post.update({ where: { id: postId }, data, select: { id: true } });
  if (post.isDeleted) await refreshParents(db, [post.parentId]);
  const [category, done] = post.isDeleted ? ["post_undelete", "undeleted"] : ["post_approve", "approved"];
  await logPostAction(db, actor, category, `${done} post #${postId}`, post);
}

/**
 * Deletes a post: a state that can be undone. The reason is stored as a flag.
 * @throws BoardError 420 (reason, deleted before), 422 (status-locked)
 */
export async function deletePost(db: Db, actor: Actor, post: PostRecord, reason: string): Promise<void> {
  if (post.isStatusLocked) throw failure("status_locked");
  const problems = new ValidationErrors();
  const checked = checkReason(reason, problems);
  if (post.isDeleted) problems.add("post", "is_deleted");
  problems.throwIfAny();
  const postId = post.id;
  const creator = { creatorId: userIdOf(actor), creatorIp: actor === "board" ? null : actor.address };
  await db.postFlag.create({ data: { postId, ...creator, reason: checked, isDeletion: true }, select: { id: true } });
  await db.execute(sql`
    UPDATE posts SET is_deleted = TRUE, is_pending = FALSE, is_flagged = FALSE, updated_at = clock_timestamp(),
      is_banned = is_banned OR EXISTS (
        SELECT FROM tags WHERE tags.name = ${BANNED_ARTIST} AND tags.id = ANY(posts.tag_ids))
     WHERE id = ${postId}`);
  await refreshParents(db, [post.parentId]);
  await logPostAction(db, actor, "post_delete", `deleted post #${postId}: ${checked}`, post);
}

/**
 * Bans a post, so that its file is for Gold and above, or lifts the ban.
 * @throws BoardError 420 if it already is in that state
 */
export async function setPostBan(db: Db, actor: Actor, post: PostRecord, isBanned: boolean): Promise<void> {
  if (post.isBanned === isBanned) throw invalid("post", isBanned ? "is_banned" : "not_banned");
  await db.execute(sql`UPDATE posts SET is_banned = ${isBanned} WHERE id = ${post.id}`);
  const [category, done] = isBanned ? ["post_ban", "banned"] : ["post_unban", "unbanned"];
  await logPostAction(db, actor, category, `${done} post #${post.id}`, post);
}

export const LOCK_COLUMNS = { note: "isNoteLocked", rating: "isRatingLocked", status: "isStatusLocked" } as const;
const WORDS: Record<Lock, string> = { note: "notes", rating: "rating", status: "status" };

/** Columns of locks. */
export type Locks = Partial<Record<(typeof LOCK_COLUMNS)[Lock], boolean>>;

/** Locks or unlocks the named attributes; those already in that state are neither changed nor logged. */
export async function setPostLocks(
  db: Db,
  actor: Actor,
  post: PostRecord,
  locks: readonly Lock[],
  isLocked: boolean,
): Promise<void> {
  const data: Locks = Object.fromEntries(locks.map((lock) => [LOCK_COLUMNS[lock], isLocked]));
  if (!differs(post, data)) return;
  await db.post.update({ where: { id: post.id }, data: { ...data, updatedAt: new Date() }, select: { id: true } });
  await logLocks(db, actor, post, data);
}

/** Logs what a change locks, and what it unlocks. @param post before the change */
export async function logLocks(
  db: Db,
  actor: Actor,
  post: Required<Locks> & { id: number },
  after: Locks,
): Promise<void> {
  for (const [isLocked, category, done] of [
    [true, "post_lock", "locked"],
    [false, "post_unlock", "unlocked"],
  ] as const) {
    const locks = Object.entries(LOCK_COLUMNS) as [Lock, keyof Locks][];
    const changed = locks.filter(([, column]) => after[column] === isLocked && post[column] !== isLocked);
    if (changed.length === 0) continue;
    const what = changed.map(([lock]) => WORDS[lock]);
    await logPostAction(db, actor, category, `${done} ${what.join(", ")} of post #${post.id}`, post);
  }
}
