/** Deletes posts that were not approved in time, in an hourly job. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { oneByOne } from "../../lib/in-batches.js";
import { notify } from "../../runtime/events/events.js";
import { REJECTED, UNAPPROVED } from "../post-flags/post-flag.service.js";
import { lockWithParent } from "./post.family.js";
import { deletePost } from "./post.states.js";
import type { ServiceParts } from "../shared/service.js";

/** How long a post may wait. */
const DAYS = 3;

type ExpiryParts = Pick<ServiceParts, "database" | "transact">;

interface ExpiryOptions {
  /** the end of the three days */
  now?: Date;
  /** number of posts per batch */
  batch?: number;
  /** when it is aborted, the current post is the last one */
  stopping?: AbortSignal;
}

/** The condition that a post `p` has waited since before that time. */
type Overdue = (before: Date) => Sql;

const isPending: Overdue = (before) => sql`p.is_pending AND p.created_at < ${before}`;
const isFlagged: Overdue = (before) => sql`p.is_flagged AND EXISTS (
  SELECT FROM post_flags f
   WHERE f.post_id = p.id AND NOT f.is_resolved AND NOT f.is_deletion AND f.created_at < ${before})`;

/**
 * Deletes posts that were pending or flagged for more than three days, except status-locked ones. Each in a transaction of
 * its own, so that it may be interrupted and run again.
 * @returns the ids of the posts
 */
export async function expirePosts(parts: ExpiryParts, options: ExpiryOptions = {}): Promise<number[]> {
  const { now = new Date() } = options;
  const before = new Date(now.getTime() - DAYS * 86_400_000);
  const pending = await expire(parts, isPending(before), UNAPPROVED, options);
  const flagged = await expire(parts, isFlagged(before), REJECTED, options);
  return [...pending, ...flagged];
}

async function expire(
  { database, transact }: ExpiryParts,
  overdue: Sql,
  reason: string,
  { batch = 100, stopping }: ExpiryOptions,
): Promise<number[]> {
  const expired: number[] = [];
  const next = (after: number) => find(database, sql`${overdue} AND p.id > ${after} ORDER BY p.id LIMIT ${batch}`);
  for await (const { id } of oneByOne(next)) {
    if (stopping?.aborted) break;
    if (await transact((db) => expireOne(db, id, overdue, reason))) expired.push(id);
  }
  return expired;
}

const find = (db: Db, condition: Sql): Promise<{ id: number }[]> =>
  db.query(sql`SELECT p.id FROM posts p WHERE NOT p.is_status_locked AND ${condition}`);

/** Checks again under the lock: it may have been approved since. */
async function expireOne(db: Db, id: number, overdue: Sql, reason: string): Promise<boolean> {
  const post = await lockWithParent(db, id);
  const isStillOverdue = post !== null && (await find(db, sql`${overdue} AND p.id = ${id}`)).length > 0;
  if (!isStillOverdue) return false;
  await deletePost(db, "board", post, reason);
  await notify(db, { type: "post_changed", id, about: id });
  return true;
}
