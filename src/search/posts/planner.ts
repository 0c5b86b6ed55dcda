/**
 * Chooses how PostgreSQL is to find a page. The ways are:
 *
 *   walk     go through the posts in the order asked for, or by an index of another condition: as PostgreSQL likes, for it
 *            knows all columns but the tags. The tag tests are hidden from it (`to-sql.ts`) and only filter.
 *   gather   fetch everything that matches by the GIN index of tag ids, then sort. Quick when few posts match.
 *   window   walk through so many posts of the order, and gather if the page is not full by then.
 *   head     a window alone, which may find less than there is; with it a search of a period begins.
 *   postings read the posting lists of the tags (`../postings/`) in the order of ids. Quick whatever the tags have in common, and
 *            the rest is tested post by post, newest first; but only tags of many posts have lists, and only ids are in order.
 *   narrow   as a window, in the posts that a meta-tag leaves over, of which an index has few in the order of their ids.
 *   sorted   sort the ids of a meta-tag's range, which its index knows, and test the newest until the page is full.
 *   union    the newest posts of each of several tags, by their posting lists; those of tags without one are gathered.
 *
 * PostgreSQL can't choose, for it keeps no statistics of rare elements of an array: left alone it took the wrong way in
 * both directions, by factors of a hundred and more. We know how many posts each tag has, and choose for it.
 *
 * The counts say how long a walk is going to be if tags know nothing of each other. They do: some never meet, others lie
 * together at the far end of the order. Hence the window. A walk that finds fewer than `wanted` posts among W shows that
 * about wanted/W of all posts match at most, so that what is left to gather is bounded by what has been walked:
 *
 *   cost(W) = W + GATHERED_POST * wanted * posts / W + INDEX_ENTRY * entries
 *
 * is least for W = sqrt(GATHERED_POST * wanted * posts); the entries of the index, which are read in any case by then, may
 * be waited for as long again. All costs are in posts of a walk by id: half a microsecond where they were measured.
 */
import { and, conjuncts, isNegation, type MetatagTerm, type ResolvedQuery } from "./ast.js";
import { BLOCK } from "../postings/lists.js";
import { listsOf, type Postings, postingsOf } from "../postings/plan.js";
import { type Union, unionOf } from "../postings/union.js";
import { BY_ID, BY_ID_ASCENDING, type Order } from "./orders.js";

export type Plan =
  | { kind: "walk" }
  | { kind: "gather" }
  | { kind: "window"; rows: number }
  | { kind: "head"; rows: number }
  | { kind: "narrow"; rows: number }
  | { kind: "sorted" }
  | { kind: "postings"; postings: Postings }
  | { kind: "union"; union: Union };

export interface PlanInput {
  query: ResolvedQuery;
  order: Order;
  /** posts that have to be found: those of the page and those before it */
  wanted: number;
  /** posts on the board */
  posts: number;
  /** share of posts that the meta-tags beside the tags leave over, 0 to 1 */
  metatagShare?: number;
  /** an index has the posts that one of these meta-tags leaves over in the order of their ids */
  isInOrder?: boolean;
  /** an index has the ids of the posts that the only meta-tag leaves over */
  isCovered?: boolean;
  /** only posts that have a place in another order are found, of which posting lists know nothing */
  isPartial?: boolean;
}

/** A post that the index finds: it lies anywhere in the table, and is sorted. */
const GATHERED_POST = 3;
/** An entry of the index that is read to be compared with others. */
const INDEX_ENTRY = 0.05;
/** Entries that could be read in the time that it takes to skip some. */
const SKIP = 100;
/** A post of a walk in another order than by id: it lies anywhere in the table. */
const SCATTERED_POST = 6;
/** A block of a posting list, which is looked up by its key; and an id in one. */
const LISTED_BLOCK = 5;
const LISTED_ID = 0.5;
/** An id that is read from an index and sorted. */
const SORTED_ID = 0.3;
/** A tag that is looked up in the index of tag ids; and a post with it of which only the id is needed. */
const LOOKED_UP_TAG = 5;
const UNSORTED_POST = 1.5;
/** A posting list that is begun; and an id in one whose post is tested. */
const LIST = 30;
const TESTED_ID = 4;
/** A post that is looked up to be counted, often on the disk; and an entry that the index of tag ids compares before that. */
const COUNTED_POST = 20;
const COMPARED_ENTRY = 0.2;
/** So few posts are gathered in milliseconds, whatever the walk would cost. */
const FEW = 1_500;
/** Without an index of the order everything is fetched; from this share on the index of tag ids is no help with that. */
const MOST = 0.1;

/** Of a meta-tag that more of the posts have a walk by id soon finds enough. */
const NARROW = 0.02;

/** A walk in an order that begins anywhere passes so many posts for each that is wanted: meta-tags may leave some out. */
const QUICK = 50;

const isWalkable = (order: Order): boolean => order.isIndexed === true || order.quick !== undefined;

const WALK: Plan = { kind: "walk" };
const GATHER: Plan = { kind: "gather" };

/** Walk, gather, a window of so many posts, or posting lists. */
export function choosePlan(input: PlanInput): Plan {
  const { query, order, posts, wanted, metatagShare = 1, isPartial = false } = input;
  const candidates = upperBound(query, posts);
  const isListed = isById(order) && !isPartial;
  const postings = isListed ? usefulPostings(query, candidates) : null;
  if (postings && postings.rest.type === "all") return { kind: "postings", postings };
  // no tag that the index could serve: PostgreSQL knows the other columns well enough
  if (candidates >= posts && candidates > FEW)
    return order.quick ? { kind: "window", rows: wanted * (query.type === "all" ? 1 : QUICK) } : WALK;
  if (candidates <= FEW) return postings ? { kind: "postings", postings } : GATHER;
  if (!isWalkable(order)) return candidates > posts * MOST ? WALK : GATHER;
  const gather = candidates * GATHERED_POST + indexEntries(query) * INDEX_ENTRY;
  if (order.share !== undefined) return gather < expectedWalk(input) ? GATHER : WALK;
  if (metatagShare * posts * GATHERED_POST < Math.min(gather, expectedWalk(input))) return WALK;
  const narrow = isListed ? narrowed(input) : null;
  if (narrow && narrow.cost < gather) return { kind: "narrow", rows: narrow.rows };
  if (postings) return { kind: "postings", postings };
  if (isListed && isSorted(input, gather)) return { kind: "sorted" };
  const union = isListed ? unionOf(query) : null;
  if (union && costOfUnion(union, input) < Math.min(gather, expectedWalk(input))) return { kind: "union", union };
  return windowOr(input, gather);
}

/** A head of more posts would cost too much where it finds less than a page. */
const LONGEST_HEAD = 2_000;

/**
 * The newest posts of a period follow each other by id: walking through twice as many as should be needed finds most pages, whatever the
 * period. Null where that would be many.
 */
export function headOfPeriod({ query, order, wanted, posts }: PlanInput): Plan | null {
  const rows = Math.ceil((2 * wanted) / Math.max(likelyShare(query, posts), 1 / posts)) + wanted;
  return order === BY_ID && rows <= LONGEST_HEAD ? { kind: "head", rows } : null;
}

/** Posts of a meta-tag that few have, newest first: as many as are likely to be needed, at least as many as of a board of theirs alone. */
function narrowed({
  query,
  wanted,
  posts,
  metatagShare = 1,
  isInOrder,
}: PlanInput): { rows: number; cost: number } | null {
  if (!isInOrder || metatagShare > NARROW) return null;
  const all = Math.ceil(metatagShare * posts);
  const likely = (2 * wanted) / Math.max(likelyShare(query, posts), 1 / posts);
  const rows = Math.ceil(Math.min(all, Math.max(likely, Math.sqrt(GATHERED_POST * wanted * all))));
  return { rows, cost: all * GATHERED_POST };
}

/** Sorting the posts of a range promises less than a walk, and testing all of them would take no longer than a gather. */
function isSorted(input: PlanInput, gather: number): boolean {
  const { query, wanted, posts, metatagShare = 1, isCovered } = input;
  if (!isCovered || metatagShare > NARROW) return false;
  const all = metatagShare * posts;
  const tested = Math.min(all, wanted / Math.max(likelyShare(query, posts), 1 / posts));
  return all * SORTED_ID + tested * TESTED_ID < expectedWalk(input) && all * (SORTED_ID + TESTED_ID) < gather;
}

/** Of each list are read as many as are wanted, and those that the rest of the search leaves out. */
function costOfUnion({ listed, others, rest }: Union, { wanted, posts, metatagShare = 1 }: PlanInput): number {
  const share = Math.max(likelyShare(rest, posts) * metatagShare, 1 / posts);
  const price = rest.type === "all" ? LISTED_ID : TESTED_ID;
  const ofLists = listed.reduce((sum, { count }) => sum + LIST + Math.min(count, wanted / share) * price, 0);
  return ofLists + others.reduce((sum, { count }) => sum + LOOKED_UP_TAG + count * UNSORTED_POST, 0);
}

/**
 * Posting lists that answer the search, or of which the rarest one's posts are few enough to be tested one by one. Where few posts
 * have a tag without a list, these are looked up instead.
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

/** What a walk costs if tags are spread evenly. */
function expectedWalk(input: PlanInput): number {
  const { query, order, wanted, posts, metatagShare = 1 } = input;
  const share = Math.max(likelyShare(query, posts) * metatagShare, 1 / posts);
  return Math.min(posts * (order.share ?? 1), wanted / share) * priceOfPost(input);
}

const isById = (order: Order): boolean => order === BY_ID || order === BY_ID_ASCENDING;

const priceOfPost = ({ order }: PlanInput): number => (isById(order) ? 1 : SCATTERED_POST);

/** No fewer posts than the index of tag ids would deliver; all of them where it is of no use. */
function upperBound(query: ResolvedQuery, posts: number): number {
  if (query.type === "none") return 0;
  if (query.type === "tags") return Math.min(query.count, posts);
  if (query.type === "and") return Math.min(...query.children.map((child) => upperBound(child, posts)));
  if (query.type !== "or") return posts;
  const sum = query.children.reduce((total, child) => total + upperBound(child, posts), 0);
  return Math.min(sum, posts);
}

/** A meta-tag among alternatives is of any kind: half of the posts is a guess, and a cautious one for either plan. */
const SHARE_OF_METATAG = 0.5;

/** The share of posts that match if tags were spread evenly and knew nothing of each other, meta-tags beside them aside. */
function likelyShare(query: ResolvedQuery, posts: number): number {
  return conjuncts(query)
    .filter((part) => part.type !== "metatag")
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
 * Entries of the index under all tags that are asked for, rather than excluded. Beside a rare tag those of a common one are skipped, and
 * looking up where to go on takes as long as reading `SKIP` of them.
 */
function indexEntries(query: ResolvedQuery): number {
  if (query.type === "tags") return query.count;
  if (query.type !== "and" && query.type !== "or") return 0;
  const entries = query.children.map(indexEntries).filter((count) => count > 0);
  const sum = entries.reduce((total, count) => total + count, 0);
  return query.type === "or" ? sum : Math.min(sum, SKIP * entries.length * Math.min(...entries));
}

/**
 * The meta-tags whose share of posts decides between a walk and the index of tag ids; none where the decision is clear
 * without them, so that nothing has to be asked.
 */
export function decisiveMetatags({ query, order, posts }: PlanInput): (MetatagTerm | ResolvedQuery)[] {
  const candidates = upperBound(query, posts);
  if (candidates >= posts || candidates <= FEW || !isWalkable(order) || order.share !== undefined) return [];
  return conjuncts(query).filter(
    (part) => part.type === "metatag" || (isNegation(part) && part.child.type === "metatag"),
  );
}

export type CountingPlan = { cost: number } & (
  | { kind: "postings"; postings: Postings }
  /** by the index of tag ids as long as it finds few posts, else by posting lists */
  | { kind: "few"; postings: Postings }
  | { kind: "tests"; tags: "indexed" | "hidden" }
);

/** How counting is cheapest: by posting lists, by the index of tag ids, or by going through all posts. */
export function countingPlan(query: ResolvedQuery, posts: number): CountingPlan {
  const tests = testingPlan(query, posts);
  const postings = postingsOf(query);
  if (postings?.rest.type !== "all") return tests;
  const ids = postings.driver.kind === "ids" ? postings.count * LISTED_ID : 0;
  const cost = (posts / BLOCK) * listsOf(postings) * LISTED_BLOCK + ids;
  if (cost >= tests.cost) return tests;
  return { kind: costOfFew(query, posts) < cost ? "few" : "postings", postings, cost };
}

/** Counting the posts that pass all tests. */
export function testingPlan(query: ResolvedQuery, posts: number): CountingPlan & { kind: "tests" } {
  const candidates = upperBound(query, posts);
  const gather = candidates < posts ? candidates * GATHERED_POST + indexEntries(query) * INDEX_ENTRY : Infinity;
  const tags = gather <= posts ? "indexed" : "hidden";
  return { kind: "tests", tags, cost: Math.min(gather, posts) };
}

/**
 * What the index of tag ids costs if tags know nothing of each other: it compares its entries without going to the posts, skips
 * those of commoner tags, and only what is left is looked up, each anywhere in the table.
 */
function costOfFew(query: ResolvedQuery, posts: number): number {
  const wanted = conjuncts(query).filter((part) => !isNegation(part));
  const compared = wanted.length * Math.min(...wanted.map((part) => upperBound(part, posts)));
  return likelyShare(and(wanted), posts) * posts * COUNTED_POST + compared * COMPARED_ENTRY;
}
