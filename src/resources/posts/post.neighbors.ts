/** The posts beside a post in a search, in the search's own order. */
import { type Queryable, sql } from "../../database/client.js";
import type { PageRequest } from "../shared/paging.js";
import type { PostRef } from "./post.records.js";

export type Side = "before" | "after";

/** A search whose neighbors are asked for. */
interface Search {
  /** whether its order is by descending id */
  byId: boolean;
  page: (request: PageRequest) => Promise<{ rows: PostRef[]; hasMore: boolean }>;
}

/** The whole of a search that is for the posts of a pool in their order. */
const OF_POOL = /^\s*ordpool:(\d{1,9})\s*$/i;
/** So many places of a pool are looked through: posts may be there that the search leaves out. */
const PLACES = 100;

/**
 * A search for the posts of a pool, narrowed to those around one, so that one walks through a pool of any length.
 * @returns the search as it is where it is for something else
 */
export async function narrowedToPlace(db: Queryable, tags: string, id: number, side: Side): Promise<string> {
  const pool = OF_POOL.exec(tags)?.[1];
  if (!pool) return tags;
  const [first, last] = side === "before" ? [-PLACES, 0] : [0, PLACES];
  const [found] = await db.query<{ ids: number[] }>(sql`
    SELECT post_ids[greatest(1, place + ${first}):place + ${last}] AS ids
      FROM (SELECT post_ids, array_position(post_ids, ${id}) AS place FROM pools WHERE id = ${Number(pool)}) pool
     WHERE place IS NOT NULL`);
  return found ? `${tags} id:${found.ids.join(",")}` : tags;
}

/** In another order than by number the post is looked for among so many of the search's first ones. */
const LOOKED_THROUGH = 200;

/** @returns the posts on that side, nearest first; none where the post is not among what is looked through */
export async function neighborsOf(search: Search, id: number, side: Side, count: number): Promise<PostRef[]> {
  if (!search.byId) return inOrder(search, id, side, count);
  // lists by number have the latest first: those before it are newer
  const { rows } = await search.page({ first: count, page: side === "after" ? `b${id}` : `a${id}` });
  return side === "after" ? rows : rows.toReversed();
}

async function inOrder(search: Search, id: number, side: Side, count: number): Promise<PostRef[]> {
  const seen: PostRef[] = [];
  for (let page = 1, hasMore = true; hasMore && seen.length < LOOKED_THROUGH; page += 1) {
    const found = await search.page({ first: LOOKED_THROUGH / 2, page: String(page) });
    seen.push(...found.rows);
    hasMore = found.hasMore;
    const at = seen.findIndex((post) => post.id === id);
    const isEnough = at >= 0 && (side === "before" || at + count < seen.length);
    if (isEnough) break;
  }
  const at = seen.findIndex((post) => post.id === id);
  if (at < 0) return [];
  return side === "after" ? seen.slice(at + 1, at + 1 + count) : seen.slice(Math.max(0, at - count), at).toReversed();
}
