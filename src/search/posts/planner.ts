/**
 * Chooses how PostgreSQL finds a page. The plans are:
 *
 *   walk     scan the posts in the requested order, or by an index of another condition. PostgreSQL chooses, since it has statistics
 *            of all columns but the tags; the tag tests are hidden from its planner (`to-sql.ts`) and only filter.
 *   gather   fetch all matching posts by the GIN index of tag ids, then sort them. Fast if few posts match.
 *   window   walk through a limited number of posts, and gather if the page is not full by then: by the tags, or by the meta-tags.
 *   head     a window alone, which may find less than there is: the first attempt for a search of a period.
 *   postings read the posting lists of the tags (`../postings/`) in the order of ids. Fast for any combination of tags; other
 *            conditions are tested on each post, newest first. Only tags with many posts have lists, and only orders by id work.
 *   narrow   like a window, over the posts of a meta-tag that few have, if an index has them in the order of their ids.
 *   rare     fetch all posts of the meta-tags, by whichever index has them in another order, test the tags, and sort them.
 *   sorted   sort the ids of a meta-tag's range, read from its index alone, or those that one row lists, as a pool's, and test the
 *            newest until the page is full.
 *   few      sort the ids of the posts of a meta-tag, or of alternatives, if indexes prove to have few, and test them; otherwise another plan.
 *   union    the newest posts of each of several tags by their posting lists; those of tags without a list are gathered.
 *
 * PostgreSQL can't choose between them, because it keeps no statistics of rare array elements: its own choices were wrong in
 * both directions, by factors of a hundred and more. The planner knows how many posts each tag has.
 *
 * The counts predict the length of a walk if tags are independent. They are not: some never occur together, others occur
 * together only at the end of the order. Hence the window. If a walk finds fewer than `wanted` posts among W,
 * about wanted/W of all posts match at most, which bounds the posts that are left to gather:
 *
 *   cost(W) = W + GATHERED_POST * wanted * posts / W + INDEX_ENTRY * entries
 *
 * is minimal for W = sqrt(GATHERED_POST * wanted * posts). The index entries are read in any case if the window is not enough, so
 * the window may be longer by their cost. The unit of all costs is a post of a walk by id: half a microsecond when measured.
 */
import type { MetatagEstimate } from "../../tagging/tag-cache.js";
import { and, conjuncts, isNegation, type MetatagTerm, type ResolvedQuery } from "./ast.js";
import { COST_UNIT } from "../estimate.js";
import { BLOCK } from "../postings/lists.js";
import { listsOf, type Postings, postingsOf } from "../postings/plan.js";
import { type Union, unionOf } from "../postings/union.js";
import { isById, type Order } from "./orders.js";

export type Plan =
  | { kind: "walk" }
  | { kind: "gather" }
  | {
      kind: "window";
      rows: number;
      /** what all matching posts are gathered by if the page is not full; by default the tags */
      by?: "metatags";
    }
  | { kind: "head"; rows: number }
  | { kind: "narrow"; rows: number }
  | { kind: "rare" }
  | { kind: "sorted"; /** rows of a head that is likely to find the page sooner */ head?: number }
  | { kind: "few"; /** number of ids */ most: number; otherwise: Plan }
  | { kind: "postings"; postings: Postings }
  | { kind: "union"; union: Union };

export interface PlanInput extends Partial<MetatagEstimate> {
  query: ResolvedQuery;
  order: Order;
  /** number of posts to find: those of the page and those before it */
  wanted: number;
  /** posts on the board */
  posts: number;
  /** whether a row of another table lists the posts of one of the meta-tags */
  hasMembers?: boolean;
  /** whether an index has the ids of the posts of one of the meta-tags, however many there are */
  hasIds?: boolean;
  /** whether indexes have the ids of the posts of each of some alternatives, one of which is a meta-tag */
  hasAlternatives?: boolean;
  /** whether PostgreSQL's statistics tell how many posts a meta-tag with `ids` has */
  isEstimated?: boolean;
  /** whether an index has the posts of one of the meta-tags in the order of their ids */
  isInOrder?: boolean;
  /** whether an index contains the ids of the posts of the only meta-tag */
  isCovered?: boolean;
  /** whether one of the meta-tags compares the order's key */
  isOfKey?: boolean;
  /** whether the order includes only some posts, a condition that posting lists don't contain */
  isPartial?: boolean;
}

/** A post found by the index: a random read of the table, and sorting. */
const GATHERED_POST = 3;
/** An entry of the GIN index that is compared with others. */
const INDEX_ENTRY = 0.05;
/** Number of entries that are read in the time of one skip. */
const SKIP = 100;
/** A post of a walk in another order than by id: a random read of the table. */
const SCATTERED_POST = 6;
/** A post of a walk through groups that are merged: one of each is read, and what tells in which it belongs. */
const MERGED_POST = 24;
/** A block of a posting list, looked up by its key; and an id in it. */
const LISTED_BLOCK = 5;
const LISTED_ID = 0.5;
/** A post of a window that is excluded by a column. */
const EXCLUDED_POST = 0.7;
/** An id that is read from an index and sorted. */
const SORTED_ID = 0.3;
/** A lookup in the index of tag ids; and a post found by it, of which only the id is needed. */
const LOOKED_UP_TAG = 5;
const UNSORTED_POST = 1.5;
/** The start of a posting list; and an id in it whose post is tested. */
const LIST = 30;
const TESTED_ID = 4;
/** A post that is read to be counted, often from disk; and an index entry that is compared before that. */
const COUNTED_POST = 20;
const COMPARED_ENTRY = 0.2;
/** Number of posts that are always gathered, since that takes milliseconds. */
const FEW = 1_500;

/** Above this share of posts with a meta-tag, a walk by id soon finds enough; and above this one, even if they are unevenly distributed. */
const NARROW = 0.02;
const NARROW_IN_ORDER = 0.1;
/** The shortest window of posts of a rare meta-tag. */
const FEWEST_NARROW = 1_000;

/** Posts to walk for each wanted one in an order that starts anywhere, since meta-tags may exclude some. */
const QUICK = 50;

const isWalkable = (order: Order): boolean => order.isIndexed === true || order.quick !== undefined;

const WALK: Plan = { kind: "walk" };
const GATHER: Plan = { kind: "gather" };
const RARE: Plan = { kind: "rare" };

/** Number of ids that are sorted in a few milliseconds. A walk soon finds a page of more than these. */
export const FEW_IDS = 5_000;

/** The cheapest plan for a page. */
export function choosePlan(input: PlanInput): Plan {
  const plan = cheapestPlan(input);
  const isShort = upperBound(input.query, input.posts) <= FEW_IDS;
  const isMany = (input.metatagShare ?? 1) * input.posts > FEW_IDS;
  const isTold = input.isEstimated && (isMany || plan.kind === "rare");
  return (input.hasIds || input.hasAlternatives) && !isShort && !isTold
    ? { kind: "few", most: FEW_IDS, otherwise: plan }
    : plan;
}

function cheapestPlan(input: PlanInput): Plan {
  const { query, order, posts, wanted, metatagShare = 1, isPartial = false } = input;
  const candidates = upperBound(query, posts);
  const isListed = isById(order) && !isPartial;
  if (input.hasMembers && isListed && candidates > FEW) return { kind: "sorted" };
  const postings = isListed ? usefulPostings(query, candidates) : null;
  if (postings && postings.rest.type === "all") return { kind: "postings", postings };
  // no tag to look up in the index, and PostgreSQL has statistics of the other columns
  if (candidates >= posts && candidates > FEW)
    return order.quick ? { kind: "window", rows: wanted * (query.type === "all" ? 1 : QUICK) } : withoutTags(input);
  if (candidates <= FEW) return postings ? { kind: "postings", postings } : GATHER;
  // a list of posts, which is shorter than the board
  if (!isWalkable(order)) return WALK;
  const gather = candidates * GATHERED_POST + indexEntries(query) * INDEX_ENTRY;
  if (order.share !== undefined) return gather < expectedWalk(input) ? GATHER : WALK;
  const narrow = isListed ? narrowed(input) : null;
  const byTags = Math.min(gather, expectedWalk(input));
  if (metatagShare * posts * GATHERED_POST < byTags) {
    if (narrow) return { kind: "narrow", rows: narrow.rows };
    if (isListed) return input.hasIds ? RARE : WALK;
    const plan = byMetatags(input, byTags);
    if (plan) return plan;
  }
  if (narrow && narrow.cost < gather) return { kind: "narrow", rows: narrow.rows };
  if (postings) return { kind: "postings", postings };
  const sorted = isListed ? sortedOr(input, gather) : null;
  if (sorted) return sorted;
  const union = isListed ? unionOf(query) : null;
  if (union && costOfUnion(union, input) < byTags) return { kind: "union", union };
  return windowOr(input, gather);
}

/** Maximum length of a head, which is wasted if it finds less than a page. */
const LONGEST_HEAD = 2_000;

/**
 * The posts of a period have successive ids, so a walk through twice the expected number of posts finds most pages, for any
 * period. Null if that is too many.
 */
export function headOfPeriod({ query, order, wanted, posts }: PlanInput): Plan | null {
  const rows = Math.ceil((2 * wanted) / Math.max(likelyShare(query, posts), 1 / posts)) + wanted;
  return isById(order) && rows <= LONGEST_HEAD ? { kind: "head", rows } : null;
}

/**
 * A plan for meta-tags that leave few posts, in another order than by id; null if reading these costs more than finding the page by
 * tags. PostgreSQL, left to choose, expects that a third of the posts have the tags, and walks through all posts where a thousandth has.
 */
function byMetatags(input: PlanInput, byTags: number): Plan | null {
  const { order, posts, metatagShare = 1 } = input;
  const window = windowByMetatags(input);
  if (window.cost >= byTags) return order.groups ? WALK : null;
  if (metatagShare * posts < FEW_IDS) return RARE;
  return order.groups ? WALK : window.plan;
}

/** A window as long as finding all posts of the meta-tags takes, and what that costs. */
function windowByMetatags(input: PlanInput) {
  const { posts, metatagShare = 1, metatagCost = Infinity } = input;
  const cost = Math.max(metatagShare * posts * GATHERED_POST, metatagCost * COST_UNIT);
  return { cost, plan: { kind: "window", rows: Math.ceil(cost / priceOfPost(input)), by: "metatags" } as const };
}

/** Number of posts up to which a page without tags is looked for in a window. */
const NEAR = 1_000;

/**
 * A plan for meta-tags alone. PostgreSQL expects their posts anywhere in the order, but few of the tallest ones have few pixels. Hence a window, unless an index finds
 * the posts in the order.
 */
function withoutTags(input: PlanInput): Plan {
  const plan = byMetatags(input, expectedWalk(input)) ?? windowByMetatags(input).plan;
  return plan.kind === "window" && (input.isOfKey || input.wanted > NEAR || plan.rows >= input.posts) ? WALK : plan;
}

/** The number of newest posts of a rare meta-tag to walk through: the expected one, or the window of a board of these posts only. */
function narrowed({
  query,
  wanted,
  posts,
  metatagShare = 1,
  isInOrder,
}: PlanInput): { rows: number; cost: number } | null {
  if (!isInOrder || metatagShare > NARROW_IN_ORDER) return null;
  const all = Math.ceil(metatagShare * posts);
  const likely = (2 * wanted) / Math.max(likelyShare(query, posts), 1 / posts);
  const least = Math.min(all, Math.max(likely, Math.sqrt(GATHERED_POST * wanted * all)));
  // there may be more than expected
  const rows = Math.ceil(Math.max(least, FEWEST_NARROW));
  return { rows, cost: all * GATHERED_POST };
}

/** Sorts the ids of a range, if that is expected to be faster than a walk, and at worst no slower than a gather; otherwise null. */
function sortedOr(input: PlanInput, gather: number): Plan | null {
  const { query, wanted, posts, metatagShare = 1, isCovered } = input;
  if (!isCovered || metatagShare > NARROW) return null;
  const all = metatagShare * posts;
  const tested = Math.min(all, wanted / Math.max(likelyShare(query, posts), 1 / posts));
  const cost = all * SORTED_ID + tested * TESTED_ID;
  const walk = expectedWalk(input);
  if (cost >= walk || all * (SORTED_ID + TESTED_ID) >= gather) return null;
  return walk * EXCLUDED_POST < cost ? { kind: "sorted", head: Math.ceil(2 * walk) } : { kind: "sorted" };
}

/** From each list, the wanted posts are read, and those that don't match the rest of the search. */
function costOfUnion({ listed, others, rest }: Union, { wanted, posts, metatagShare = 1 }: PlanInput): number {
  const share = Math.max(likelyShare(rest, posts) * metatagShare, 1 / posts);
  const price = rest.type === "all" ? LISTED_ID : TESTED_ID;
  const ofLists = listed.reduce((sum, { count }) => sum + LIST + Math.min(count, wanted / share) * price, 0);
  return ofLists + others.reduce((sum, { count }) => sum + LOOKED_UP_TAG + count * UNSORTED_POST, 0);
}

/**
 * Posting lists that answer the whole search, or whose rarest one is short enough to test its posts one by one. Null if
 * few posts have a tag without a list: these are looked up instead.
 */
function usefulPostings(query: ResolvedQuery, candidates: number): Postings | null {
  const postings = postingsOf(query);
  if (!postings || candidates < postings.count) return null;
  return postings.rest.type === "all" || postings.driver.kind === "ids" ? postings : null;
}

function windowOr(input: PlanInput, gather: number): Plan {
  const { query, posts, wanted } = input;
  const price = priceOfPost(input);
  const entries = indexEntries(query) * INDEX_ENTRY;
  const rows = Math.ceil((Math.sqrt(GATHERED_POST * wanted * posts * price) + entries) / price);
  const expected = expectedWalk(input);
  if (expected > gather || expected > rows * price) return GATHER;
  return rows >= posts ? WALK : { kind: "window", rows };
}

/** The cost of a walk if tags are evenly distributed. */
function expectedWalk(input: PlanInput): number {
  const { query, order, wanted, posts, metatagShare = 1 } = input;
  const share = Math.max(likelyShare(query, posts) * metatagShare, 1 / posts);
  return Math.min(posts * (order.share ?? 1), wanted / share) * priceOfPost(input);
}

function priceOfPost({ order }: PlanInput): number {
  if (order.groups?.isMerged) return MERGED_POST;
  return isById(order) ? 1 : SCATTERED_POST;
}

/** An upper bound of the posts found by the index of tag ids; all posts if it can't be used. */
export function upperBound(query: ResolvedQuery, posts: number): number {
  if (query.type === "none") return 0;
  if (query.type === "tags") return Math.min(query.count, posts);
  if (query.type === "and") return Math.min(...query.children.map((child) => upperBound(child, posts)));
  if (query.type !== "or") return posts;
  const sum = query.children.reduce((total, child) => total + upperBound(child, posts), 0);
  return Math.min(sum, posts);
}

/** The share of posts of a meta-tag among alternatives is unknown; half is a cautious guess for either plan. */
const SHARE_OF_METATAG = 0.5;

/** The share of matching posts if tags are evenly distributed and independent, without meta-tags. */
export function likelyShare(query: ResolvedQuery, posts: number): number {
  return conjuncts(query)
    .filter((part) => !isOfMetatag(part))
    .reduce((share, part) => share * shareOf(part, posts), 1);
}

function shareOf(query: ResolvedQuery, posts: number): number {
  if (query.type === "all") return 1;
  if (query.type === "none") return 0;
  if (query.type === "tags") return Math.min(query.count / Math.max(posts, 1), 1);
  if (isNegation(query)) return 1 - shareOf(query.child, posts);
  if (query.type === "and") return query.children.reduce((share, child) => share * shareOf(child, posts), 1);
  if (query.type === "or") return 1 - query.children.reduce((rest, child) => rest * (1 - shareOf(child, posts)), 1);
  return SHARE_OF_METATAG;
}

/**
 * The number of index entries of all required tags. Most entries of a common tag beside a rare one are skipped; each skip takes
 * as long as reading `SKIP` entries.
 */
function indexEntries(query: ResolvedQuery): number {
  if (query.type === "tags") return query.count;
  if (query.type !== "and" && query.type !== "or") return 0;
  const entries = query.children.map(indexEntries).filter((count) => count > 0);
  const sum = entries.reduce((total, count) => total + count, 0);
  return query.type === "or" ? sum : Math.min(sum, SKIP * entries.length * Math.min(...entries));
}

/**
 * The meta-tags whose share of posts decides between a walk and the index of tag ids; none if the decision does not
 * depend on them, so that no estimate is needed.
 */
export function decisiveMetatags({ query, order, posts }: PlanInput): (MetatagTerm | ResolvedQuery)[] {
  const candidates = upperBound(query, posts);
  // by id, PostgreSQL chooses well between a walk and an index of the meta-tags
  const isLeft = candidates >= posts && (isById(order) || order.quick !== undefined);
  if (isLeft || candidates <= FEW || !isWalkable(order) || order.share !== undefined) return [];
  return conjuncts(query).filter(isOfMetatag);
}

/** Whether a condition is a meta-tag, or excludes one. */
const isOfMetatag = (part: ResolvedQuery): boolean =>
  part.type === "metatag" || (isNegation(part) && part.child.type === "metatag");

export type CountingPlan = { cost: number } & (
  | { kind: "postings"; postings: Postings }
  /** by the index of tag ids if it finds few posts, otherwise by posting lists */
  | { kind: "few"; postings: Postings }
  | { kind: "tests"; tags: "indexed" | "hidden" }
);

/** The cheapest way to count: by posting lists, by the index of tag ids, or by scanning all posts. */
export function countingPlan(query: ResolvedQuery, posts: number): CountingPlan {
  const tests = testingPlan(query, posts);
  const postings = postingsOf(query);
  if (postings?.rest.type !== "all") return tests;
  const ids = postings.driver.kind === "ids" ? postings.count * LISTED_ID : 0;
  const cost = (posts / BLOCK) * listsOf(postings) * LISTED_BLOCK + ids;
  if (cost >= tests.cost) return tests;
  return { kind: costOfFew(query, posts) < cost ? "few" : "postings", postings, cost };
}

export function testingPlan(query: ResolvedQuery, posts: number): CountingPlan & { kind: "tests" } {
  const candidates = upperBound(query, posts);
  const gather = candidates < posts ? candidates * GATHERED_POST + indexEntries(query) * INDEX_ENTRY : Infinity;
  const tags = gather <= posts ? "indexed" : "hidden";
  return { kind: "tests", tags, cost: Math.min(gather, posts) };
}

/**
 * The cost of counting by the index of tag ids if tags are independent: it compares its entries without reading posts, skips those
 * of more common tags, and reads only the remaining posts, which are scattered over the table.
 */
function costOfFew(query: ResolvedQuery, posts: number): number {
  const wanted = conjuncts(query).filter((part) => !isNegation(part));
  const compared = wanted.length * Math.min(...wanted.map((part) => upperBound(part, posts)));
  return likelyShare(and(wanted), posts) * posts * COUNTED_POST + compared * COMPARED_ENTRY;
}
