/** The posts before and after a post in a search, in the search's order. */
import { type Queryable, sql } from "../../database/client.js";
import type { PageRequest } from "../shared/paging.js";
import type { PostRef } from "./post.records.js";

export type Side = "before" | "after";

/** A search for neighbours. */
interface Search {
  /** whether its order is by descending id */
  byId: boolean;
  page: (request: PageRequest) => Promise<{ rows: PostRef[]; hasMore: boolean }>;
}

/** Matches a search that consists of the posts of a pool in their order. */
const OF_POOL = /^\s*ordpool:(\d{1,9})\s*$/i;

/** The ID of the pool whose posts a search lists in their order; null for other searches. */
export function poolIn(tags: string): number | null {
  const id = OF_POOL.exec(tags)?.[1];
  return id === undefined ? null : Number(id);
}

/** Number of positions of a pool that are read, since the search may exclude some posts. */
const PLACES = 100;

/**
 * A term that limits a search for the posts of a pool to those around one, so that pools of any length can be followed.
 * @returns nothing for other searches
 */
export async function nearPlace(db: Queryable, tags: string, id: number, side: Side): Promise<string> {
  const pool = poolIn(tags);
  if (pool === null) return "";
  const [first, last] = side === "before" ? [-PLACES, 0] : [0, PLACES];
  const [found] = await db.query<{ ids: number[] }>(sql`
    SELECT post_ids[greatest(1, place + ${first}):place + ${last}] AS ids
      FROM (SELECT post_ids, array_position(post_ids, ${id}) AS place FROM pools WHERE id = ${pool}) pool
     WHERE place IS NOT NULL`);
  return found ? `id:${found.ids.join(",")}` : "";
}

/** In orders other than by id, the post is searched for among this many first results. */
const LOOKED_THROUGH = 200;

/** @returns the posts on that side, nearest first; none if the post is not among those read */
export async function neighborsOf(search: Search, id: number, side: Side, count: number): Promise<PostRef[]> {
  if (!search.byId) return inOrder(search, id, side, count);
  // lists by id have the newest first: those before it are newer
  const { rows } = await search.page({ first: count, page: side === "after" ? `b${id}` : `a${id}` });
  return side === "after" ? rows : rows.toReversed();
}

async function inOrder(search: Search, id: number, side: Side, count: number): Promise<PostRef[]> {
  const seen: PostRef[] = [];
  let at = -1;
  const isEnough = () => at >= 0 && (side === "before" || at + count < seen.length);
  for (let page = 1, hasMore = true; hasMore && seen.length < LOOKED_THROUGH && !isEnough(); page += 1) {
    const found = await search.page({ first: LOOKED_THROUGH / 2, page: String(page) });
    seen.push(...found.rows);
    hasMore = found.hasMore;
    at = seen.findIndex((post) => post.id === id);
  }
  if (at < 0) return [];
  return side === "after" ? seen.slice(at + 1, at + 1 + count) : seen.slice(Math.max(0, at - count), at).toReversed();
}
