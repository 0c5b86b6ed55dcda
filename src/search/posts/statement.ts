/** Writes the statements of a post search. */
import { join, identifier, type Sql, sql } from "../../database/client.js";
import type { Records } from "../estimate.js";
import { besideId } from "../listing.js";
import type { PageSelector } from "../page.js";
import { postingsCount } from "../postings/count.js";
import { postingsStatement, type Range } from "../postings/statement.js";
import { unionStatement } from "../postings/union.js";
import { ALL, conjuncts, type ResolvedQuery } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { End, SearchContext } from "./metatags/metatag.js";
import { BY_ID, BY_ID_ASCENDING, type Group, type Groups, isById, type Order, type OrderKey } from "./orders.js";
import {
  type PartsByMembers,
  partsByAlternatives,
  partsByIds,
  partsByMembers,
  partsByMetatags,
  partsByTags,
  partsOfRange,
} from "./parts.js";
import type { CountingPlan, Plan } from "./planner.js";
import { type SqlOptions, toCondition } from "./to-sql.js";
import { MAX_INT } from "../../lib/integers.js";

export interface Found {
  query: ResolvedQuery;
  order: Order;
  context: SearchContext;
}

export interface PageOfIds extends Found {
  page: PageSelector;
  fetch: number;
  skip: number;
}

/** Pages before or after an id replace the order; those after one are read in ascending order. */
export function orderOfPage(order: Order, page: PageSelector): Order {
  if (page.kind === "before") return BY_ID;
  return page.kind === "after" ? BY_ID_ASCENDING : order;
}

/** The ids of a page, in the order of `orderOfPage`. */
export function idsStatement(search: PageOfIds, plan: Plan): Sql {
  if (plan.kind === "walk") return nearby(search);
  if (plan.kind === "gather") return sql`${gather(search)} ${limits(search)}`;
  if (plan.kind === "postings") return postingsStatement(plan.postings, rangeOf(search), testOf(search, plan.postings));
  if (plan.kind === "union") return unionStatement(plan.union, rangeOf(search), testOf(search, plan.union));
  if (plan.kind === "head") return sql`${windowed(search, plan.rows)} ${limits(search)}`;
  if (plan.kind === "sorted")
    return sql`${sorted(search, partsByMembers(search) ?? partsOfRange(search))} ${limits(search)}`;
  if (plan.kind === "rare") return sql`${gather(search, "metatags")} ${limits(search)}`;
  if (plan.kind === "few") return fewOr(search, plan.most, idsStatement(search, plan.otherwise));
  if (plan.kind === "narrow")
    return headOr(search, narrowed(search, plan.rows), sql`${gather(search, "metatags")} ${limits(search)}`);
  const page = headOr(search, windowed(search, plan.rows), sql`${gather(search, plan.by)} ${limits(search)}`);
  const first = FIRST * wantedOf(search);
  const isReadFirst = orderOfPage(search.order, search.page).groups !== undefined && 4 * first <= plan.rows;
  return isReadFirst ? headOr(search, windowed(search, first), page) : page;
}

/**
 * How many posts a window through the groups of an order reads first for each one wanted. It reads all of its posts, where other windows stop at a full
 * page, so that a page of a common tag would take ten times as long.
 */
const FIRST = 10;

/**
 * The page from a head if that finds enough, otherwise from another statement, which finds it in all posts. Each returns the whole page or nothing;
 * the second one is not executed if the first one returns it.
 */
function headOr(search: PageOfIds, head: Sql, page: Sql): Sql {
  const wanted = wantedOf(search);
  return sql`
    WITH head AS MATERIALIZED (${head} LIMIT ${wanted}::int)
    (SELECT head.id FROM head WHERE (SELECT count(*) FROM head) >= ${wanted}::int ${limits(search)})
    UNION ALL
    (SELECT rest.id FROM (${page}) rest WHERE (SELECT count(*) FROM head) < ${wanted}::int)`;
}

/** Number of posts of a page, and before it. */
const wantedOf = ({ skip, fetch }: PageOfIds): number => Math.min(skip, MAX_INT - fetch) + fetch;

const limits = ({ fetch, skip }: PageOfIds): Sql => sql`LIMIT ${fetch}::int OFFSET ${Math.min(skip, MAX_INT)}::int`;

/** The range of a page in posting lists. */
function rangeOf(search: PageOfIds): Range {
  const { page, fetch, skip } = search;
  const isAscending = orderOfPage(search.order, page) === BY_ID_ASCENDING;
  const from = page.kind === "after" ? Math.min(page.id + 1, MAX_INT) : 0;
  const to =
    page.kind === "before"
      ? Math.min(page.id - 1, MAX_INT)
      : page.kind === "after" && page.id >= MAX_INT
        ? -1
        : MAX_INT;
  return { isAscending, from, to, fetch, skip: Math.min(skip, MAX_INT) };
}

/** The conditions that posting lists don't cover; null if they cover all. */
function testOf(search: Found, { rest }: { rest: ResolvedQuery }): Sql | null {
  const ofRest = rest.type === "all" ? [] : [toCondition(rest, { context: search.context, tags: "hidden" })];
  const tests = [...ofRest, ...placesOf(search)];
  return tests.length === 0 ? null : join(tests, " AND ");
}

/** Columns of the posts of a page, in the order of `orderOfPage`: scans the posts in this order, testing each. */
export const walkStatement = (search: PageOfIds, columns: Sql): Sql => sql`${walk(search, columns)} ${limits(search)}`;

function walk(search: PageOfIds, columns: Sql): Sql {
  const order = orderOfPage(search.order, search.page);
  const condition = join([...testsOf(search, "hidden"), ...boundsOf(search), ...besidePost(search.page)], " AND ");
  return sql`SELECT ${columns} FROM ${tablesOf(order)} WHERE ${condition} ${orderBy(order, keyOfPost)}`;
}

/** Number of posts that are near: those of most pages, and before them. */
const NEAR = 1_000;

/**
 * A walk to a page. The plan of a prepared statement is for a tenth of all posts, as long as its limits are parameters; this one is for few. The
 * number is part of the text.
 */
function nearby(search: PageOfIds): Sql {
  const order = orderOfPage(search.order, search.page);
  if (order.groups) return sql`${walkInGroups(search, order, order.groups)} ${limits(search)}`;
  return sql`SELECT near.id FROM (${walk(search, sql`posts.id`)} ${nearBound(search)}) near ${limits(search)}`;
}

const nearBound = (search: PageOfIds): Sql => (wantedOf(search) <= NEAR ? sql`LIMIT 1000` : sql``);

/** Walks to a page through the groups of an order: as many posts of each as are wanted, if those before it have not enough. */
function walkInGroups(search: PageOfIds, order: Order, groups: Groups): Sql {
  const wanted = wantedOf(search);
  const tests = [...testsOf(search, "hidden"), ...besidePost(search.page)];
  const bounds = boundsAt(endsOf(order), search.query, search.context);
  const near = ({ from, join: posts, ...group }: Group, isDue: Sql): Sql => {
    const members = {
      ...group,
      from: sql`${from} ${posts ?? sql``}`,
      where: join([group.where, isDue, ...tests, ...(group.isOneKey ? bounds : [])], " AND "),
    };
    return sql`SELECT * FROM (${membersOf(members, order)} ${nearBound(search)}) near LIMIT ${wanted}::int`;
  };
  return sql`SELECT posts.id FROM (${inGroups(groups, near, wanted)}) posts ${orderBy(order, keyColumn)}`;
}

/** As a walk through a limited number of posts. */
function windowInGroups(search: PageOfIds, order: Order, groups: Groups, rows: number): Sql {
  const first = (group: Group, isDue: Sql): Sql =>
    sql`${membersOf({ ...group, where: sql`${group.where} AND ${isDue}` }, order)} LIMIT ${rows}::int`;
  const window = sql`SELECT * FROM (${inGroups(groups, first, rows)}) posts ${orderBy(order, keyColumn)} LIMIT ${rows}::int`;
  const condition = join(testsOf(search, "hidden"), " AND ");
  return sql`
    SELECT posts.id FROM (${window}) place JOIN posts ON posts.id = place.id WHERE ${condition}
    ${orderBy(order, (_, index) => sql`place.${nameOfKey(index)}`)}`;
}

/** The posts of a group with their key, in the order. */
function membersOf({ from, id, where, key, isOneKey }: Group, { keys, ties }: Order): Sql {
  const byKey = isOneKey ? [] : keys.map(({ direction }) => sql`${key} ${DIRECTIONS[direction]}`);
  const byId = ties ? [sql`${id} ${DIRECTIONS[ties]}`] : [];
  return sql`SELECT ${key} AS ${nameOfKey(0)}, ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${join([...byKey, ...byId])}`;
}

/**
 * The posts of groups that are merged, or follow each other until enough are found.
 * @param select those of one, under a further condition
 */
function inGroups({ each, isMerged }: Groups, select: (group: Group, isDue: Sql) => Sql, wanted: number): Sql {
  const names = each.map((_, index) => identifier(`group_${index}`));
  const missing = (before: Sql[]): Sql =>
    sql`${join(
      before.map((name) => sql`(SELECT count(*) FROM ${name})`),
      " + ",
    )} < ${wanted}::int`;
  const parts = each.map((group, index) => {
    const isDue = isMerged || index === 0 ? sql`TRUE` : missing(names.slice(0, index));
    return sql`${names[index]} AS MATERIALIZED (${select(group, isDue)})`;
  });
  return sql`WITH ${join(parts)} ${join(
    names.map((name) => sql`SELECT * FROM ${name}`),
    " UNION ALL ",
  )}`;
}

/** A walk through a limited number of posts. */
function windowed(search: PageOfIds, rows: number): Sql {
  const asked = orderOfPage(search.order, search.page);
  if (asked.groups) return windowInGroups(search, asked, asked.groups, rows);
  const { order, from } = asked.quick?.() ?? { order: asked, from: sql`TRUE` };
  const places = join([from, ...boundsOf(search), ...besidePost(search.page)], " AND ");
  // with the keys as columns, since PostgreSQL does not know that an expression of the window's columns is in its order, and would sort it
  const window = sql`SELECT *${keysOf(order)} FROM posts WHERE ${places} ${orderBy(order, keyOfPost)} LIMIT ${rows}::int`;
  const condition = join(testsOf(search, "hidden"), " AND ");
  return sql`SELECT posts.id FROM (${window}) posts WHERE ${condition} ${orderBy(order, keyColumn)}`;
}

/** The page from the ids of a meta-tag's posts if an index has few, otherwise from another statement, which is not executed if it has. */
function fewOr(search: PageOfIds, most: number, otherwise: Sql): Sql {
  const { members, rest } = (partsByIds(search) ?? partsByAlternatives(search)) as PartsByMembers;
  const isFew = sql`(SELECT count(*) FROM few) <= ${most}::int`;
  const ids = sql`SELECT DISTINCT few.id FROM few WHERE ${isFew}`;
  const all = isById(orderOfPage(search.order, search.page))
    ? sorted(search, { members: ids, rest })
    : gather({ ...search, query: rest }, ids);
  return sql`
    WITH few(id) AS MATERIALIZED (${members} LIMIT ${most + 1}::int)
    (${all} ${limits(search)})
    UNION ALL
    (SELECT other.id FROM (${otherwise}) other WHERE NOT ${isFew})`;
}

/** Sorts the ids of a meta-tag's posts, and tests the other conditions on these posts in this order. */
function sorted(search: PageOfIds, { members, rest }: PartsByMembers): Sql {
  const places = join([sql`TRUE`, ...besidePost(search.page)], " AND ");
  const order = orderBy(orderOfPage(search.order, search.page), keyOfPost);
  const condition = join(testsOf({ ...search, query: rest }, "hidden"), " AND ");
  return sql`
    SELECT found.id FROM (SELECT posts.id FROM (${members}) posts(id) WHERE ${places} ${order} OFFSET 0) found
     WHERE EXISTS (SELECT 1 FROM posts WHERE posts.id = found.id AND ${condition} OFFSET 0)`;
}

/** Reads the first posts of a meta-tag in the order of its index, and tests the tags of each. */
function narrowed(search: PageOfIds, rows: number): Sql {
  const order = orderBy(orderOfPage(search.order, search.page), keyOfPost);
  const options = { context: search.context, tags: "hidden" } as const;
  const [metatags, rest] = partsByMetatags(search);
  const inside = join([toCondition(metatags, options), ...boundsOf(search), ...besidePost(search.page)], " AND ");
  const first = sql`SELECT * FROM posts WHERE ${inside} ${order} LIMIT ${rows}::int`;
  return sql`SELECT posts.id FROM (${first}) posts WHERE ${toCondition(rest, options)} ${order}`;
}

/**
 * All matching posts, sorted. OFFSET 0 prevents PostgreSQL from pushing LIMIT down, which could lead to a walk, and
 * from combining the index of tag ids, which finds few posts, with that of another condition, which finds half of them.
 * @param by what finds the posts that are tested: the index of tag ids, those of the meta-tags, or a statement that selects ids, each once
 */
function gather(search: PageOfIds, by: "tags" | "metatags" | Sql = "tags"): Sql {
  const order = orderOfPage(search.order, search.page);
  const [found, others] =
    by === "tags"
      ? partsByTags(search.query)
      : by === "metatags"
        ? partsByMetatags(search)
        : ([ALL, search.query] as const);
  const options = { context: search.context, tags: by === "tags" ? "indexed" : "hidden" } as const;
  const bounds = by === "metatags" ? [...boundsOf(search), ...besidePost(search.page)] : [];
  const read =
    typeof by === "string"
      ? sql`SELECT * FROM posts WHERE ${join([toCondition(found, options), ...bounds], " AND ")} OFFSET 0`
      : sql`SELECT post.* FROM (${by}) among CROSS JOIN LATERAL (SELECT * FROM posts WHERE posts.id = among.id OFFSET 0) post`;
  const isScan = typeof by === "string" && found.type === "all";
  const tests = toCondition(others, options);
  // tested post by post: PostgreSQL would join records that it expects to be one, and find the posts again for each of them
  const posts = isScan
    ? sql`posts`
    : sql`(${read}) posts CROSS JOIN LATERAL (SELECT ${tests} AS is_found OFFSET 0) test`;
  const isFound = isScan ? tests : sql`test.is_found`;
  const condition = join([isFound, ...placesOf(search), ...besidePost(search.page)], " AND ");
  return sql`
    SELECT posts.id FROM (SELECT posts.id${keysOf(order)}
                            FROM ${posts} ${order.join ?? sql``} WHERE ${condition} OFFSET 0) posts
    ${orderBy(order, keyColumn)}`;
}

/** Bounds of the ids of a walk by id. The end of one from the newest post is not looked for: that would take longer than most pages. */
function boundsOf({ query, order, page, context }: PageOfIds): Sql[] {
  const walked = orderOfPage(order, page);
  return isById(walked) ? boundsAt(endsOf(walked), query, context) : [];
}

const endsOf = ({ ties }: Order): readonly End[] => (ties === "DESC" ? ["newest"] : ["oldest", "newest"]);

/** The bounds of the ids of a search at some ends. */
function boundsAt(ends: readonly End[], query: ResolvedQuery, context: SearchContext): Sql[] {
  const metatags = conjuncts(query).filter((part) => part.type === "metatag");
  return metatags.flatMap(({ name, value }) =>
    ends.flatMap((end) => findMetatag(name)?.bound?.(value, context, end) ?? []),
  );
}

const tablesOf = (order: Order): Sql => sql`posts ${order.join ?? sql``}`;

const testsOf = (search: Found, tags: SqlOptions["tags"]): Sql[] => [
  toCondition(search.query, { context: search.context, tags }),
  ...placesOf(search),
];

/** From this number of matches on, counting by posting lists is faster than looking them up. */
const MANY = 1_000;

export function countStatement(search: Found, plan: CountingPlan): Sql {
  if (plan.kind === "postings") return postingsCount(plan.postings);
  const matching = join(testsOf(search, plan.kind === "tests" ? plan.tags : "indexed"), " AND ");
  if (plan.kind === "tests") return sql`SELECT count(*)::int AS count FROM posts WHERE ${matching}`;
  return sql`
    SELECT CASE WHEN few.count < ${MANY}::int THEN few.count ELSE (${postingsCount(plan.postings)}) END AS count
      FROM (SELECT count(*)::int AS count FROM (SELECT 1 FROM posts WHERE ${matching} LIMIT ${MANY}::int) found) few`;
}

/** The posts that a search finds, for estimates of their number. */
export const postsOf = (query: ResolvedQuery, context: SearchContext): Records => ({
  from: sql`posts`,
  id: sql`posts.id`,
  where: [toCondition(query, { context, tags: "hidden" })],
  bounds: { lower: boundsAt(["oldest"], query, context), upper: boundsAt(["newest"], query, context) },
});

const placesOf = ({ order, context }: Found): Sql[] => (order.where ? [order.where(context.now)] : []);

const besidePost = (page: PageSelector): Sql[] => besideId(page, sql`posts.id`);

/** The keys of an order, as further columns. */
function keysOf({ keys }: Order): Sql {
  const columns = keys.map(({ expression }, index) => sql`, ${expression} AS ${nameOfKey(index)}`);
  return columns.length > 0 ? join(columns, "") : sql``;
}

const nameOfKey = (index: number): Sql => identifier(`key_${index}`);
const keyColumn = (_: OrderKey, index: number): Sql => sql`posts.${nameOfKey(index)}`;
const keyOfPost = (key: OrderKey): Sql => key.expression;

const DIRECTIONS = { ASC: sql`ASC`, DESC: sql`DESC` };
const NULLS = { FIRST: sql`NULLS FIRST`, LAST: sql`NULLS LAST` };

function orderBy(order: Order, name: (key: OrderKey, index: number) => Sql): Sql {
  const keys = order.keys.map((key, index) => {
    const nulls = key.nulls ? NULLS[key.nulls] : sql``;
    return sql`${name(key, index)} ${DIRECTIONS[key.direction]} ${nulls}`;
  });
  const ties = order.ties ? [sql`posts.id ${DIRECTIONS[order.ties]}`] : [];
  return sql`ORDER BY ${join([...keys, ...ties])}`;
}
