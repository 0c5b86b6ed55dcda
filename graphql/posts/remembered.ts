/** What the process remembers of posts as they are, by what it was made for and what of it differs by viewer. */
import { maySeeFile } from "../../src/resources/posts/post.policy.js";
import { isStamped, type PostRecord, type PostRef, type PostStamp } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { filesUrlOf } from "./post.facts.js";

/** What the numbers of a post's tags take in memory beside themselves. */
const TAG_IDS_BYTES = 250;

/** What is made of a post depends on who may see its file, and on what the URL of files begins with. */
const purposeOf = (kind: string, post: PostStamp, context: GraphQLContext): string =>
  `${kind} ${maySeeFile(context.viewer, post) ? "shown" : "hidden"} ${filesUrlOf(context)}`;

/** What was made of the post as it is; undefined when it isn't remembered. */
export const recall = (kind: string, post: PostRef, context: GraphQLContext): unknown =>
  isStamped(post) ? context.board.postMemory.get(post, purposeOf(kind, post, context)) : undefined;

const TAG_IDS = "tag ids";

/** The numbers of the post's tags; undefined when they aren't remembered. */
export const recallTagIds = (post: PostRef, { board }: GraphQLContext): Int32Array | undefined =>
  isStamped(post) ? (board.postMemory.get(post, TAG_IDS) as Int32Array | undefined) : undefined;

/** Remembers them beside what else is remembered of the post. */
export function rememberTagIds(post: PostRecord, { board }: GraphQLContext): void {
  const bytes = TAG_IDS_BYTES + 4 * post.tagIds.length;
  if (isStamped(post)) board.postMemory.putBeside(post, TAG_IDS, Int32Array.from(post.tagIds), bytes);
}

/** Remembers it, of a post that was read with its revisions. @param bytes what the value takes */
export function remember(kind: string, post: PostRef, context: GraphQLContext, value: unknown, bytes: number): void {
  if (isStamped(post)) context.board.postMemory.put(post, purposeOf(kind, post, context), value, bytes);
}
