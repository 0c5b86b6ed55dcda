/**
 * The post search: text in, ids out. The way of a search is parse -> take out the order -> look up tags -> plan -> ids, in
 * two statements, or one when it names no tags.
 */
import { ANONYMOUS } from "../../auth/viewer.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { failure } from "../../errors.js";
import { offsetOf } from "../listing.js";
import type { PageSelector } from "../page.js";
import { leaves, type Query, type ResolvedQuery } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { SearchContext } from "./metatags/metatag.js";
import { BY_ID, type Order } from "./orders.js";
import { literalTag, type MetatagLookup, parseSearch, type ParsedSearch } from "./parser.js";
import { choosePlan } from "./planner.js";
import { shapeOf } from "./shape.js";
import { countStatement, idsStatement, orderOfPage } from "./statement.js";
import { resolveTerms, substituteTags, tagNamesIn } from "./tags.js";
import { toCondition } from "./to-sql.js";

export { metatagNames } from "./metatags/index.js";

export interface PostSearch {
  tags: string;
  /** take `tags` as the name of one tag: no aliases, wildcards or meta-tags */
  raw: boolean;
  viewer: SearchContext["viewer"];
  /** posts a page; null leaves it to `limit:`, and then to `defaultLimit` */
  limit: number | null;
  defaultLimit: number;
  /** what every limit is clamped to */
  maxLimit: number;
  page: PageSelector;
  /** most terms in a search */
  maxTerms: number;
  /** what ages are counted from; by default the time of the call */
  now?: Date;
}

export interface FoundPosts {
  ids: number[];
  /** whether more posts follow the page, in its own direction: older, lower in the order, or newer after an id */
  hasMore: boolean;
  /** the order is by descending id, so that an id marks a place between pages */
  byId: boolean;
  /** posts before the first one of the page, as far as it was chosen by number or position */
  offset: number;
}

interface PreparedSearch {
  query: ResolvedQuery;
  order: Order;
  limit: number | null;
  context: SearchContext;
  posts: number;
}

const metatagLookup: MetatagLookup = (name) => findMetatag(name)?.name;
const noMetatags: MetatagLookup = () => undefined;

/**
 * The ids of one page.
 * @throws BoardError 424 for too many terms
 */
export async function searchPostIds(db: Db, search: PostSearch): Promise<FoundPosts> {
  const prepared = await prepare(db, search);
  const limit = Math.min(Math.max(search.limit ?? prepared.limit ?? search.defaultLimit, 1), search.maxLimit);
  const skip = offsetOf(search.page, limit);
  const { page } = search;
  const order = orderOfPage(prepared.order, page);
  const byId = prepared.order === BY_ID || page.kind === "before" || page.kind === "after";
  if (prepared.query.type === "none") return { ids: [], hasMore: false, byId, offset: skip };

  // one more than the page holds, to know whether there is another page
  const fetch = limit + 1;
  const plan = choosePlan({ query: prepared.query, posts: prepared.posts, order, wanted: skip + fetch });
  const statement = idsStatement({ ...prepared, page, fetch, skip }, plan);
  const rows = await db.$queryRaw<{ id: number }[]>`${statement}`;
  const ids = rows.slice(0, limit).map((row) => row.id);
  if (page.kind === "after") ids.reverse();
  return { ids, hasMore: rows.length > limit, byId, offset: skip };
}

/**
 * How many posts a search finds on all its pages. A single tag's count is known; everything else is counted.
 * @throws BoardError 424 for too many terms
 */
export async function countPosts(
  db: Db,
  search: Omit<PostSearch, "page" | "limit" | "defaultLimit" | "maxLimit">,
): Promise<number> {
  const prepared = await prepare(db, search);
  const { query, order } = prepared;
  if (query.type === "none") return 0;
  if (query.type === "tags" && query.ids.length === 1 && !order.where) return query.count;
  const [row] = await db.$queryRaw<{ count: number }[]>`${countStatement(prepared)}`;
  return row?.count ?? 0;
}

/**
 * A condition on a column of post ids: the post has these tags. Tags, wildcards and the grammar are understood, but no
 * meta-tags: `word:rest` is a tag. For the `post_tags_match` of other listings.
 * @throws BoardError 424 for too many terms
 */
export async function postTagsMatch(db: Db, column: Sql, tags: string, maxTerms: number): Promise<Sql> {
  const { query } = parseWithin(tags, noMetatags, maxTerms);
  const { query: resolved } = await resolve(db, query);
  const context = { viewer: ANONYMOUS, now: new Date() };
  if (resolved.type === "none") return sql`FALSE`;
  return sql`EXISTS (SELECT 1 FROM posts WHERE posts.id = ${column}
                        AND ${toCondition(resolved, { context, tags: "indexed" })})`;
}

async function prepare(
  db: Db,
  search: Pick<PostSearch, "tags" | "raw" | "viewer" | "maxTerms" | "now">,
): Promise<PreparedSearch> {
  const context = { viewer: search.viewer, now: search.now ?? new Date() };
  const isLiteral = search.raw && search.tags.trim() !== "";
  const parsed = isLiteral ? literalTag(search.tags) : parseWithin(search.tags, metatagLookup, search.maxTerms).query;
  const { query, order, limit } = shapeOf(parsed, context);
  return { ...(await resolve(db, query)), order: order ?? BY_ID, limit, context };
}

function parseWithin(tags: string, lookup: MetatagLookup, maxTerms: number): ParsedSearch {
  const parsed = parseSearch(tags, lookup);
  if (parsed.terms > maxTerms) throw failure("too_many_tags", { limit: maxTerms });
  return parsed;
}

/** Looks up the tags, unless the search names none; then the number of posts is of no interest, and is not asked. */
async function resolve(db: Db, query: Query): Promise<{ query: ResolvedQuery; posts: number }> {
  if (!leaves(query).some((term) => term.type !== "metatag")) {
    return { query: substituteTags(query, NO_TAGS), posts: Number.POSITIVE_INFINITY };
  }
  const tags = await resolveTerms(db, tagNamesIn(query));
  return { query: substituteTags(query, tags), posts: tags.posts };
}

const NO_TAGS = { names: new Map(), literals: new Map(), wildcards: new Map(), posts: 0 };
