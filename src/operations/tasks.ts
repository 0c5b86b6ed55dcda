/** The background tasks by name. Every task can safely run twice. */
import type { Board } from "../board.js";
import { liftExpiredBans } from "../runtime/auth/expired-bans.js";
import { isOutage } from "../database/faults.js";
import { sweepWrites } from "../database/replicas.js";
import { sweepLimits } from "../runtime/limits/store.js";
import { sweepRecoveries } from "../resources/accounts/account.changes.js";
import { applyBan, type BanOfPosts, queueBan } from "../resources/artists/artist.ban.js";
import { expirePosts } from "../resources/posts/post.expiry.js";
import { queueApplying } from "../resources/tag-relations/tag-relation.apply.js";
import { fillSpans } from "../search/postings/spans.js";
import { queueRecount } from "../tagging/store.js";
import { recountTagCategory } from "../resources/tags/tag.service.js";

export interface JobInfo {
  /** 1 for the first attempt */
  attempts: number;
  maxAttempts: number;
  /** aborted when the process is stopping: long tasks leave the rest to another job */
  stopping: AbortSignal;
}

export type Tasks = Record<string, (payload: unknown, job: JobInfo) => Promise<void>>;

/** A number in the payload. @throws TypeError, which parks the job */
function numberOf(payload: unknown, field: string): number {
  const value = (payload as Record<string, unknown> | null)?.[field];
  if (typeof value !== "number") throw new TypeError(`payload lacks ${field}`);
  return value;
}

export const tasks = (board: Board): Tasks => ({
  // a stopping process queues another job for the rest, as below
  apply_artist_ban: async (payload, { stopping }) => {
    const ban = payload as BanOfPosts;
    if (!(await applyBan(board, ban, stopping))) await queueBan(board.database, ban);
  },
  apply_tag_relation: (payload, job) => applyTagRelation(board, payload, job),
  expire_posts: async (_, { stopping }) => {
    await expirePosts(board, { stopping }); // the next hour's job deletes the rest
  },
  lift_bans: async () => {
    await liftExpiredBans(board.transact);
  },
  sweep_limits: async () => {
    await sweepLimits(board.database);
    await sweepWrites(board.database);
  },
  sweep_sessions: async () => {
    await board.sessions.sweep();
    await board.knownAddresses.sweep();
    await sweepRecoveries(board.database);
  },
  make_postings: async (_, { stopping }) => {
    await fillSpans(board.transact, stopping);
    await board.postings.maintain(stopping);
  },
  make_thumbnails: (_, { stopping }) => board.thumbnails.backfill(stopping),
  remove_files: (payload) => removeFiles(board, payload),
  recount_tag_category: async (payload, { stopping }) => {
    const tagId = numberOf(payload, "tagId");
    if (!(await recountTagCategory(board, tagId, stopping))) await queueRecount(board.database, tagId); // which begins anew
  },
});

/** Removes files whose removal was deferred because a backup was running, or the storage was unreachable. */
async function removeFiles(board: Board, payload: unknown): Promise<void> {
  const { md5, keys } = payload as { md5: string; keys: string[] };
  const error = await board.ingest.removeUnnamed(md5, keys);
  if (error)
    board.log.warn({ err: error, md5 }, "files could not be removed from the storage; the next attempt is in a minute");
}

/**
 * Retags the posts of an alias or implication. A stopping process queues another job for the rest. After the last failed attempt,
 * the relation's status contains the error.
 */
async function applyTagRelation(board: Board, payload: unknown, job: JobInfo): Promise<void> {
  const kind = (payload as { kind?: unknown } | null)?.kind === "alias" ? "alias" : "implication";
  const id = numberOf(payload, "id");
  try {
    const isDone = await board.tagRelationApplier.apply(kind, id, job.stopping);
    if (!isDone) await queueApplying(board.database, kind, id);
  } catch (error) {
    if (job.attempts >= job.maxAttempts && !isOutage(error)) await board.tagRelationApplier.park(kind, id, error);
    throw error;
  }
}
