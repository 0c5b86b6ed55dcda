/** Records with an ordered list of posts: validation of name and posts. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { invalid, type ValidationErrors } from "../../errors.js";
import { composed, hasUnseen } from "../../lib/names.js";
import { isStorable, lengthOf } from "../../lib/text.js";
import { ofText } from "../../search/filters.js";
import { indexed } from "../../search/indexed.js";
import { NOTHING } from "../../search/listing.js";
import { likeAnywhere } from "../../search/pattern.js";

const NAME_MAX = 170;
const POSTS_MAX = 10_000;

/** A name as it is stored: trimmed, composed, runs of blanks are one underscore. */
export const normalizeListName = (name: string): string => composed(name.trim()).replace(/\s+/gu, "_");

/** Part of the name, spaces for underscores; with `*` a pattern of the whole name. */
export const nameMatches = (words: string): Sql | null =>
  ofText(words, () => sql`lower(t.name) LIKE lower(${likeAnywhere(normalizeListName(words))})`);

/** Number of posts that are looked up in the index of lists. */
const LOOKED_UP = 10;

/**
 * Lists that contain all of these posts. PostgreSQL can't estimate how rare a post is, and would scan all lists; it would also rather compare many posts
 * with every list than look all of them up.
 */
export function holdsAll(postIds: readonly number[]): Sql {
  if (postIds.length === 0) return NOTHING;
  const first = sql`t.post_ids @> ${postIds.slice(0, LOOKED_UP)}::int[]`;
  return indexed(
    postIds.length > LOOKED_UP ? sql`(${first} AND _int_contains(t.post_ids, ${[...postIds]}::int[]))` : first,
  );
}

/**
 * Validates a name.
 * @param reserved words with another meaning in searches, in lower case
 */
export function checkListName(name: string, reserved: ReadonlySet<string>, problems: ValidationErrors): void {
  if (name === "") problems.add("name", "blank");
  else if (!isStorable(name) || hasUnseen(name) || /[,*\s]/u.test(name) || /^\d+$/.test(name))
    problems.add("name", "invalid");
  if (lengthOf(name) > NAME_MAX) problems.add("name", "too_long", { limit: NAME_MAX });
  if (reserved.has(name.toLowerCase())) problems.add("name", "reserved");
}

/**
 * Added posts must exist, and the posts that come or go are locked until the transaction ends, in the order of their ids.
 * @param strength of the locks: that of an update where the write of the list updates the posts
 * @throws BoardError 420
 */
export async function checkMembers(
  db: Db,
  before: readonly number[],
  after: readonly number[],
  strength = sql`FOR KEY SHARE`,
): Promise<void> {
  if (after.length > POSTS_MAX) throw invalid("post_ids", "too_many_posts", { limit: POSTS_MAX });
  const added = subtract(new Set(after), new Set(before));
  const changed = [...added, ...subtract(new Set(before), new Set(after))];
  if (changed.length === 0) return;
  const rows = await db.query<{ id: number }>(sql`
    SELECT id FROM posts WHERE id = ANY(${changed}::int[]) ORDER BY id ${strength}`);
  const unknown = subtract(
    added,
    rows.map((row) => row.id),
  );
  if (unknown.length > 0) throw invalid("post_ids", "unknown_posts", { ids: unknown.slice(0, 10).join(", ") });
}

/** Those of the posts that still exist. */
export async function membersLeft(db: Db, postIds: readonly number[]): Promise<number[]> {
  const there = await db.post.findMany({ where: { id: { in: [...postIds] } }, select: { id: true } });
  const known = new Set(there.map((post) => post.id));
  return postIds.filter((id) => known.has(id));
}

/** The added and removed posts, counting repeated ones. */
export const memberChanges = (before: readonly number[] | undefined, after: readonly number[]) => ({
  addedPostIds: subtract(after, before ?? []),
  removedPostIds: subtract(before ?? [], after),
});

/** The ids of one list beyond those of the other, each as often as the other has fewer of it. */
export function subtract(ids: Iterable<number>, others: Iterable<number>): number[] {
  const counts = new Map<number, number>();
  for (const id of others) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...ids].filter((id) => {
    const left = counts.get(id) ?? 0;
    counts.set(id, left - 1);
    return left <= 0;
  });
}
