/**
 * The post search, from text to ids: parse -> extract the order -> look up tags -> plan -> ids. It is one
 * statement, one more for tags that are not cached, and one if the plan depends on estimates for meta-tags.
 */
import { andThen, type MaybePromise } from "../../lib/maybe-promise.js";
import { ANONYMOUS } from "../../runtime/auth/viewer.js";
import { type Queryable, type Sql, sql } from "../../database/client.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import { about, AFFORDABLE, COST_UNIT, expected, sampled, type Total } from "../estimate.js";
import { slow } from "../indexed.js";
import { offsetOf } from "../listing.js";
import { numberOf, type PageSelector } from "../page.js";
import { and, conjuncts, leaves, type Query, type ResolvedQuery } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { SearchContext } from "./metatags/metatag.js";
import { BY_ID, isById as isOrderById, type Order } from "./orders.js";
import { literalTag, type MetatagLookup, parseSearch } from "./parser.js";
import { headOf, isOfRange, isPlannedByValue, planOf, type PlannedPage } from "./page-plan.js";
import { type CountingPlan, countingPlan, likelyShare, type Plan, testingPlan, upperBound } from "./planner.js";
import { type Shape, shapeOf } from "./shape.js";
import { countStatement, idsStatement, orderOfPage, postsOf, walkStatement } from "./statement.js";
import { resolveRemembered, resolveTerms, substituteTags, tagNamesIn, type TagReaders } from "./tags.js";
import { type TagTests, toCondition } from "./to-sql.js";

export { metatagNames } from "./metatags/index.js";

export interface PostSearch {
  tags: string;
  /** whether `tags` is the name of one tag, without aliases, wildcards and meta-tags */
  raw: boolean;
  /** further terms, of the board's own */
  also?: string;
  /** in place of the search's own order */
  order?: Order | undefined;
  viewer: SearchContext["viewer"];
  /** posts per page; if null, that of `limit:`, or else `defaultLimit` */
  limit: number | null;
  defaultLimit: number;
  /** maximum of all limits, which are clamped */
  maxLimit: number;
  page: PageSelector;
  /** maximum number of terms in `tags` */
  maxTerms: number;
  /** the time from which ages are measured; by default now */
  now?: Date;
}

export interface FoundPosts {
  /** whether more posts follow in the page's direction: older, later in the order, or newer after an id */
  hasMore: boolean;
  /** the id that the page is after; null for other pages */
  afterId: number | null;
  /** the page's; null if it was not chosen by number */
  number: number | null;
  /** whether the order is by descending id, so that an id can serve as a cursor */
  byId: boolean;
  /** number of posts before the page, if it was chosen by number or position */
  offset: number;
  /** generation of the cached tags that were used; null if all tags were looked up */
  generation: number | null;
}

interface PreparedSearch extends Pick<Shape, "limit" | "most"> {
  query: ResolvedQuery;
  order: Order;
  context: SearchContext;
  posts: number;
  /** whether cached tags were used */
  isRemembered: boolean;
}

const metatagLookup: MetatagLookup = (name) => findMetatag(name)?.name;
const noMetatags: MetatagLookup = () => undefined;

/** A page as statements that may be used as subqueries. */
export interface PageStatements {
  /** the ids, in their order */
  ids: () => Sql;
  /** columns of its posts in this order; only if a scan of the posts finds the page as fast as the ids */
  columns?: (columns: Sql) => Sql;
}

/**
 * Reads the rows of a page in the order of its ids.
 * @param shown number of posts on the page; the one after them only tells whether there is another page
 */
export type ReadPage<T> = (db: Queryable, page: PageStatements, shown: number) => Promise<T[]>;

/** Number of posts that a scan of ids skips quickly. */
const SHORT_SKIP = 1_000;

const readIds = (db: Queryable, { ids }: PageStatements): Promise<{ id: number }[]> => db.query(ids());

/**
 * The ids of one page.
 * @throws BoardError 424 for a search that is too long, too deep or of too many terms
 */
export async function searchPostIds(db: Queryable, search: PostSearch): Promise<FoundPosts & { ids: number[] }> {
  const found = await searchPosts({ db, read: readIds }, search);
  return { ...found, ids: found.rows.map((row) => row.id) };
}

export interface SearchReaders extends TagReaders {
  /** cached tags; without it, all tags are looked up */
  cache?: TagCache;
}

export interface SearchParts<T> extends SearchReaders {
  read: ReadPage<T>;
  /** rows that `read` takes of other tables per post, and one; if there is only one, PostgreSQL plans its statement quickly */
  rowsPerPost?: number;
}

/**
 * The posts of one page; ids and rows in one statement if it can be prepared.
 * @throws BoardError 424 for a search that is too long, too deep or of too many terms
 */
export function searchPosts<T extends { id: number }>(
  parts: SearchParts<T>,
  search: PostSearch,
): Promise<FoundPosts & { rows: T[] }> {
  const known = parts.cache?.known ?? null;
  return andThen(prepare(parts, search), (prepared) => searchPrepared(parts, search, prepared, known));
}

function searchPrepared<T extends { id: number }>(
  parts: SearchParts<T>,
  search: PostSearch,
  prepared: PreparedSearch,
  known: number | null,
): Promise<FoundPosts & { rows: T[] }> {
  const size = Math.min(Math.max(search.limit ?? prepared.limit ?? search.defaultLimit, 1), search.maxLimit);
  const { page } = search;
  const skip = offsetOf(page, size);
  const isBesideId = page.kind === "before" || page.kind === "after";
  // pages beside an id have no position among a number of random posts
  const left = isBesideId && prepared.most < Infinity ? 0 : prepared.most - skip;
  const limit = Math.min(size, left);
  const byId = prepared.order === BY_ID || isBesideId;
  const found = {
    byId,
    afterId: page.kind === "after" ? page.id : null,
    number: numberOf(page),
    offset: skip,
    generation: prepared.isRemembered ? known : null,
  };
  if (prepared.query.type === "none" || left <= 0) return Promise.resolve({ ...found, rows: [], hasMore: false });

  const { implied } = orderOfPage(prepared.order, page);
  const query = implied ? and(conjuncts(prepared.query).filter((part) => part !== implied)) : prepared.query;
  // one more than the page has, to find out whether there is another page
  const pageOfIds = { ...prepared, query, page, fetch: limit + 1, skip };
  return readPage(parts, pageOfIds).then((all) => {
    const rows = all.slice(0, limit);
    if (page.kind === "after") rows.reverse();
    return { ...found, rows, hasMore: all.length > limit && limit < left };
  });
}

function readPage<T>(parts: SearchParts<T>, search: PlannedPage): Promise<T[]> {
  const head = headOf(search);
  return head ? readHeadOr(head, parts, search, () => readPlanned(parts, search)) : readPlanned(parts, search);
}

/** Tries a plan that may find less than there is, and the other way if the page is not full. */
async function readHeadOr<T>(
  head: Plan,
  { db, prepared = db, read }: SearchParts<T>,
  search: PlannedPage,
  otherwise: () => Promise<T[]>,
): Promise<T[]> {
  const rows = await read(prepared, { ids: () => idsStatement(search, head) }, search.fetch - 1);
  return rows.length === search.fetch ? rows : otherwise();
}

function readPlanned<T>(parts: SearchParts<T>, search: PlannedPage): Promise<T[]> {
  const plan = planOf(parts.db, search, parts.cache);
  return plan instanceof Promise ? plan.then((each) => readBy(each, parts, search)) : readBy(plan, parts, search);
}

function readBy<T>(plan: Plan, parts: SearchParts<T>, search: PlannedPage): Promise<T[]> {
  const { db, prepared = db, byKeys, rowsPerPost, read } = parts;
  if (plan.kind === "sorted" && plan.head !== undefined) {
    const head: Plan = { kind: "head", rows: plan.head };
    return readHeadOr(head, parts, search, () => readBy({ kind: "sorted" }, parts, search));
  }
  const page = { ids: () => idsStatement(search, plan) };
  const scanned = { ...page, columns: (columns: Sql) => walkStatement(search, columns) };
  const shown = search.fetch - 1;
  if (byKeys && rowsPerPost && isByKeys(search)) return read(byKeys(search.fetch * rowsPerPost), scanned, shown);
  if (!isPlannedByValue(search.query, plan)) return read(prepared, page, shown);
  if (rowsPerPost === 1 && plan.kind === "walk" && !search.order.groups && isOfRange(search.query))
    return read(db, scanned, shown);
  return readIds(db, page).then((rows) => {
    const ids = rows.map((row) => row.id);
    return read(prepared, { ids: () => sql`SELECT unnest(${ids}::int[]) AS id` }, shown);
  });
}

/** Whether a page is read by the index of ids alone, as fast as posts by their ids. */
const isByKeys = ({ query, order, page, skip }: PlannedPage): boolean =>
  query.type === "all" && skip <= SHORT_SKIP && (order === BY_ID || page.kind === "before" || page.kind === "after");

/** Above this number, the number of all posts is that of PostgreSQL's statistics. */
const COUNTED_ALL = 60_000;
/**
 * The number of posts that a search finds. It is known for a single tag, counted if that is cheap, and otherwise
 * estimated from a sample of 30,000 posts, or PostgreSQL's of a column, rounded to two digits.
 * @throws BoardError 424 for a search that is too long, too deep or of too many terms
 */
export async function countPosts(
  { cache, ...readers }: SearchReaders,
  search: Omit<PostSearch, "page" | "limit" | "defaultLimit" | "maxLimit">,
): Promise<Total> {
  const found = await Promise.resolve(prepare(readers, search));
  const { db, prepared = db } = readers;
  const total = await countMatching({ db, prepared, cache }, found);
  return total.count > found.most ? { count: found.most, isEstimate: false } : total;
}

async function countMatching(
  { db, prepared, cache }: Pick<SearchReaders, "db"> & { prepared: Queryable; cache: TagCache | undefined },
  found: PreparedSearch,
): Promise<Total> {
  const { query, order, posts } = found;
  if (query.type === "none") return { count: 0, isEstimate: false };
  if (query.type === "all" && !order.where) return countAll(db, cache);
  if (query.type === "tags" && query.ids.length === 1 && !order.where) return { count: query.count, isEstimate: false };
  const plan = order.where ? testingPlan(query, posts) : countingPlan(query, posts);
  const estimated = order.where ? null : await approximate(db, found, plan);
  if (estimated !== null) return about(estimated);
  const [row] = await (plan.kind === "tests" ? db : prepared).query<{ count: number }>(countStatement(found, plan));
  return { count: row?.count ?? 0, isEstimate: false };
}

/** The number of all posts; for many, that of PostgreSQL's statistics, since counting reads a whole index. */
async function countAll(db: Queryable, cache?: TagCache): Promise<Total> {
  const known = cache?.counts.get("estimate");
  if (known !== undefined) return { count: known, isEstimate: true };
  const [row] = await db.query<Total>(sql`
    SELECT (CASE WHEN about.posts > ${COUNTED_ALL} THEN about.posts ELSE (SELECT count(*) FROM posts) END)::int AS count,
           about.posts > ${COUNTED_ALL} AS "isEstimate"
      FROM (SELECT reltuples::float8 AS posts FROM pg_class WHERE oid = 'posts'::regclass) about`);
  if (row?.isEstimate) cache?.counts.set("estimate", row.count);
  return row ?? { count: 0, isEstimate: false };
}

/**
 * About how many posts match, if counting them costs too much; null if it doesn't, or the sample is too small. PostgreSQL knows what a search
 * without tags costs, and how the values of one column are distributed.
 */
async function approximate(db: Queryable, found: PreparedSearch, plan: CountingPlan): Promise<number | null> {
  const records = postsOf(found.query, found.context);
  if (Number.isFinite(plan.cost)) return plan.cost > AFFORDABLE ? sampled(db, records) : null;
  const { rows, cost } = await expected(db, records);
  if (cost * COST_UNIT <= AFFORDABLE) return null;
  return isOfRange(found.query) ? rows : sampled(db, records);
}

/** Number of posts whose records are looked up in a few milliseconds. A page of the records of more posts is soon found in their order. */
const FEW_POSTS = 5_000;

/**
 * The condition on a column of post ids that the post matches a search without meta-tags, in which `word:rest` is a
 * tag. For the `post_tags_match` of other listings. If no other condition can find few records sooner, many posts are looked up too.
 * @throws BoardError 424 for a search that is too long, too deep or of too many terms
 */
export async function postTagsMatch(
  db: Queryable,
  column: Sql,
  tags: string,
  { maxTerms, isAlone = false }: { maxTerms: number; isAlone?: boolean },
): Promise<Sql> {
  const { query } = parseSearch(tags, noMetatags, maxTerms);
  const { query: resolved, posts } = await Promise.resolve(resolve({ db }, query));
  const context = { viewer: ANONYMOUS, now: new Date() };
  if (resolved.type === "none") return sql`FALSE`;
  const number = upperBound(resolved, posts);
  const matching = (by: TagTests) => toCondition(resolved, { context, tags: by });
  const found = sql`${column} = ANY(ARRAY(SELECT posts.id FROM posts WHERE ${matching("indexed")}))`;
  if (number <= FEW_POSTS) return found;
  const lookup =
    isAlone && number < posts ? { condition: found, keys: number, share: likelyShare(resolved, posts) } : undefined;
  return slow(sql`(SELECT ${matching("hidden")} FROM posts WHERE posts.id = ${column})`, lookup);
}

/** Without a promise if no tag has to be looked up. */
function prepare(
  readers: SearchReaders,
  search: SearchText & Pick<PostSearch, "order" | "viewer" | "now">,
): MaybePromise<PreparedSearch> {
  const context = { viewer: search.viewer, now: search.now ?? new Date() };
  const { query, order, limit, most } = shaped(search, context);
  const rest = { order: search.order ?? order ?? BY_ID, limit, most, context };
  return andThen(resolve(readers, query, rest.order), (resolved) => ({ ...resolved, ...rest }));
}

type SearchText = Pick<PostSearch, "tags" | "raw" | "also" | "maxTerms">;

function shaped({ tags, raw, also = "", maxTerms }: SearchText, context: SearchContext) {
  const isLiteral = raw && tags.trim() !== "";
  const query = isLiteral ? literalTag(tags) : parseSearch(tags, metatagLookup, maxTerms).query;
  return shapeOf(and([query, parseSearch(also, metatagLookup, Number.POSITIVE_INFINITY).query]), context);
}

/** Whether a search's order is by descending id. @throws BoardError 424 as `searchPosts` */
export const isById = (search: SearchText & Pick<PostSearch, "viewer">): boolean =>
  (shaped(search, { viewer: search.viewer, now: new Date() }).order ?? BY_ID) === BY_ID;

type Resolved = Pick<PreparedSearch, "query" | "posts" | "isRemembered">;

/** Looks up the tags. A search without any does not need the number of posts either, unless it has meta-tags in another order than by id. */
function resolve(readers: SearchReaders, query: Query, order = BY_ID): MaybePromise<Resolved> {
  const terms = leaves(query);
  if (terms.every((term) => term.type === "metatag") && (isOrderById(order) || terms.length === 0)) {
    return { query: substituteTags(query, NO_TAGS), posts: Number.POSITIVE_INFINITY, isRemembered: false };
  }
  return lookUp(readers, query);
}

async function lookUp(readers: SearchReaders, query: Query): Promise<Resolved> {
  const names = tagNamesIn(query);
  const { cache } = readers;
  const tags = cache ? await resolveRemembered(readers, names, cache) : await resolveTerms(readers, names);
  const isRemembered = cache !== undefined && leaves(query).some(({ type }) => type !== "metatag"); // the number of posts may be an earlier one
  return { query: substituteTags(query, tags), posts: tags.posts, isRemembered };
}

const NO_TAGS = { names: new Map(), literals: new Map(), wildcards: new Map(), posts: 0 };
