/**
 * Chooses how PostgreSQL is to find a page. There are two ways:
 *
 *   walk    go through the posts in the order asked for, test each, and stop when the page is full. Quick when many posts
 *           match; when few do, it goes through all of them.
 *   gather  fetch everything that matches by the GIN index of tag ids, then sort. Quick when few posts match; when many
 *           do, it fetches all of them for one page.
 *
 * PostgreSQL can't choose, for it keeps no statistics of rare elements of an array: left alone it took the wrong way in
 * both directions, by factors of a hundred and more. We know how many posts each tag has, and choose for it: the
 * statement of a walk hides the tag tests from the index (`to-sql.ts`), that of a gathering leaves the sorting outside.
 *
 * Two kinds of tags are the weak spot, for the walk looks cheap and is not: common ones that hardly ever meet, and those
 * that lie together at the far end of the order. CAUTION below pushes such searches towards the index. A walk in bounded
 * windows (so many ids, and the rest by the index if the page is not full by then) would end the risk; `choosePlan` is the
 * place for it, as a third kind of plan.
 */
import { isNegation, type ResolvedQuery } from "./ast.js";
import type { Order } from "./orders.js";

export type Plan = "walk" | "gather";

export interface PlanInput {
  query: ResolvedQuery;
  order: Order;
  /** posts that have to be found: those of the page and those before it */
  wanted: number;
  /** posts on the board */
  posts: number;
}

/** Cost of a post that the index finds, in posts passed by a walk: it lies anywhere in the table, and is sorted. */
const GATHERED_POST = 4;
/** Cost of an entry of the index that is read to be compared with others. */
const INDEX_ENTRY = 0.05;
/** Tags come in clusters and avoid each other, so a walk may well take many times as long as chance would have it. */
const CAUTION = 30;
/** So few posts are gathered in milliseconds, whatever the walk would cost. */
const FEW = 2_000;

/** Walk or gather. */
export function choosePlan({ query, order, wanted, posts }: PlanInput): Plan {
  const candidates = upperBound(query, posts);
  // no tag that the index could serve: PostgreSQL knows the other columns well enough
  if (candidates >= posts && candidates > FEW) return "walk";
  if (!order.isIndexed || candidates <= FEW) return "gather";
  const share = Math.max(likelyShare(query, posts), 1 / posts);
  const walk = Math.min(posts, (wanted / share) * CAUTION);
  const gather = share * posts * GATHERED_POST + indexEntries(query) * INDEX_ENTRY;
  return walk < gather ? "walk" : "gather";
}

/** No fewer posts than the index of tag ids would deliver; all of them where it is of no use. */
export function upperBound(query: ResolvedQuery, posts: number): number {
  if (query.type === "none") return 0;
  if (query.type === "tags") return Math.min(query.count, posts);
  if (query.type === "and") return Math.min(...query.children.map((child) => upperBound(child, posts)));
  if (query.type !== "or") return posts;
  const sum = query.children.reduce((total, child) => total + upperBound(child, posts), 0);
  return Math.min(sum, posts);
}

/** Meta-tags are of any kind: half of the posts is a guess, and a cautious one for either plan. */
const SHARE_OF_METATAG = 0.5;

/** The share of posts that match if tags were spread evenly and knew nothing of each other. */
export function likelyShare(query: ResolvedQuery, posts: number): number {
  if (query.type === "all") return 1;
  if (query.type === "none") return 0;
  if (query.type === "tags") return Math.min(query.count / Math.max(posts, 1), 1);
  if (isNegation(query)) return 1 - likelyShare(query.child, posts);
  if (query.type === "and") return query.children.reduce((share, child) => share * likelyShare(child, posts), 1);
  if (query.type === "or") return 1 - query.children.reduce((rest, child) => rest * (1 - likelyShare(child, posts)), 1);
  return SHARE_OF_METATAG;
}

/** Entries of the index under all tags that are asked for, rather than excluded. */
function indexEntries(query: ResolvedQuery): number {
  if (query.type === "tags") return query.count;
  if (query.type !== "and" && query.type !== "or") return 0;
  return query.children.reduce((sum, child) => sum + indexEntries(child), 0);
}
