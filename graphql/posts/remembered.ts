/** The process's cache of values derived from posts, by their purpose and what differs by viewer. */
import { maySeeFile } from "../../src/resources/posts/post.policy.js";
import { isStamped, packed, type PostRecord, type PostRef, unpacked } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { filesUrlOf } from "./post.facts.js";

/** Memory of the ids of a post's tags besides the ids. */
const TAG_IDS_BYTES = 250;

/** Values of a post depend on who may see its file, and on the base of file URLs. */
const purpose = (kind: string, isShown: boolean, context: GraphQLContext): string =>
  context.board.postCache.purpose(`${kind} ${isShown ? "shown" : "hidden"} ${filesUrlOf(context)}`);

/** The value of each post for its current revisions; undefined if it isn't cached. */
export function recall(kind: string, posts: readonly PostRef[], context: GraphQLContext): unknown[] {
  const { viewer, board } = context;
  const shown = purpose(kind, true, context);
  const hidden = purpose(kind, false, context);
  return posts.map((post) =>
    isStamped(post) ? board.postCache.get(post, maySeeFile(viewer, post) ? shown : hidden) : undefined,
  );
}

const RECORD = "record";
/** Memory of a record besides its text. */
const RECORD_BYTES = 350;

/** The post's record, a new object each time; undefined if it isn't cached. */
export function recallRecord(post: PostRef, { board }: GraphQLContext): PostRecord | undefined {
  if (!isStamped(post)) return undefined;
  const record = board.postCache.get(post, RECORD) as string | undefined;
  return record === undefined ? undefined : unpacked(post, record);
}

export function rememberRecord(post: PostRecord, { board }: GraphQLContext): void {
  if (!isStamped(post) || board.postCache.get(post, RECORD) !== undefined) return;
  const record = packed(post);
  board.postCache.put(post, RECORD, record, RECORD_BYTES + record.length);
}

const TAG_IDS = "tag ids";

/** The ids of the post's tags; undefined if they aren't cached. */
export const recallTagIds = (post: PostRef, { board }: GraphQLContext): Int32Array | undefined =>
  isStamped(post) ? (board.postCache.get(post, TAG_IDS) as Int32Array | undefined) : undefined;

/** Caches them if something else of the post is cached. */
export function rememberTagIds(post: PostRecord, { board }: GraphQLContext): void {
  const bytes = TAG_IDS_BYTES + 4 * post.tagIds.length;
  if (isStamped(post)) board.postCache.putBeside(post, TAG_IDS, Int32Array.from(post.tagIds), bytes);
}

/** Caches a value of a post that was read with its revisions. @param bytes size of the value */
export function remember(kind: string, post: PostRef, context: GraphQLContext, value: unknown, bytes: number): void {
  if (!isStamped(post)) return;
  context.board.postCache.put(post, purpose(kind, maySeeFile(context.viewer, post), context), value, bytes);
}
