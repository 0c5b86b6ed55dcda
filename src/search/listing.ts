/**
 * One engine for every listing except the post search: conditions, an order, and the three kinds of pages.
 * A page before or after an id replaces the order, and is sorted by descending id.
 */
import { type Db, identifier, type Sql, sql } from "../database/client.js";
import { toSnake } from "../lib/case.js";
import { countRecords, expected, type Total, whereOf } from "./estimate.js";
import { isIndexed, lookupOf } from "./indexed.js";
import { numberOf, otherSideOf, type PageSelector } from "./page.js";
import { MAX_INT } from "../lib/integers.js";

export interface Page<T> {
  rows: T[];
  /** whether more records follow in the page's direction: in the order of the list, or newer ones after an id */
  hasMore: boolean;
  /** whether there are records in the other direction; looked up only on demand */
  hasOthers: () => Promise<boolean>;
  /** the id that the records are newer than, if the page was chosen so: its direction is the opposite of the list's order */
  afterId: number | null;
  /** null if it was not chosen by number */
  number: number | null;
  /** whether the rows are ordered by id, so that an id can serve as a cursor */
  byId: boolean;
  /** number of records before the page, if it was chosen by number or position */
  offset: number;
  /** number of records on all pages together; computed only on demand */
  count: () => Promise<Total>;
}

export interface ListingQuery {
  /** the columns of a row, one of them `id` */
  select: Sql;
  /** tables, joined; the listed table is `t` */
  from: Sql;
  where: Sql[];
  /** by default by descending id, which also breaks ties */
  orderBy?: Sql | undefined;
  /** selects the ids of the first records in the order `orderBy`, of any number of them, where no index has the order */
  head?: Sql | undefined;
  page: PageSelector;
  limit: number;
}

export const NOTHING = sql`FALSE`;

/** Runs a listing. Fetches one row more than the page, to find out whether there is another page. */
export async function runListing<T extends { id: number }>(db: Db, query: ListingQuery): Promise<Page<T>> {
  const { page, limit } = query;
  const head = query.where.some(isIndexed) ? undefined : (headOf(query) ?? likelyHead(query));
  const first = head ? await db.query<T>(pageOfHead(query, head)) : [];
  const rows = first.length > limit ? first : await db.query<T>(pageStatement(await lookedUp(db, query)));
  const hasMore = rows.length > limit;
  const visible = rows.slice(0, limit);
  if (page.kind === "after") visible.reverse();
  const count = () => countRecords(db, { ...query, id: sql`t.id` });
  const byId = query.orderBy === undefined || isIdPage(page);
  const hasOthers = () => hasOtherSide(page, (other) => runListing(db, { ...query, page: other, limit: 1 }));
  return {
    rows: visible,
    hasMore,
    hasOthers,
    afterId: page.kind === "after" ? page.id : null,
    number: numberOf(page),
    byId,
    offset: offsetOf(page, limit),
    count,
  };
}

/** Number of records that are found and sorted in a few milliseconds, in whatever order the list is. */
const FEW = 2_000;
/** Number of records in the order of the list that are tested before all that match are looked for. */
const HEAD = 5_000;
/** A page that ends after more records than this would hardly be found among them. */
const NEAR = 1_250;

const idsAmong = (ids: Sql): Sql => sql`t.id = ANY(ARRAY(${ids}))`;

const pageOf = (query: ListingQuery, columns: Sql, conditions: readonly Sql[], skip: number): Sql => sql`
  SELECT ${columns} FROM ${query.from} ${whereOf(conditions)} ORDER BY ${orderOf(query)} LIMIT ${query.limit + 1} OFFSET ${skip}`;

function pageStatement(query: ListingQuery): Sql {
  const { page, limit, where } = query;
  const matching = [...where, ...besideId(page, sql`t.id`)];
  const skipped = offsetOf(page, limit);
  const isSelective = where.some(isIndexed);
  const found = isSelective ? [idsAmong(candidates(query, matching, skipped + limit + 1))] : matching;
  // PostgreSQL would compute the columns of skipped rows too, so the ids of the page are found without them
  return skipped > 0 || isSelective
    ? pageOf(query, query.select, [idsAmong(pageOf(query, sql`t.id`, found, skipped))], 0)
    : pageOf(query, query.select, matching, 0);
}

/** The page among the first records in the order; not a full one if they have not enough that match. */
function pageOfHead(query: ListingQuery, head: Sql): Sql {
  const skipped = offsetOf(query.page, query.limit);
  return pageOf(
    query,
    query.select,
    [idsAmong(matchingOf(query, head, query.where, skipped + query.limit + 1))],
    skipped,
  );
}

/** Selects the ids of those of the first records that match. */
function matchingOf({ from }: ListingQuery, head: Sql, matching: readonly Sql[], wanted: number): Sql {
  const isMatch = sql`EXISTS (SELECT 1 FROM ${from} ${whereOf([sql`t.id = first.id`, ...matching])} OFFSET 0)`;
  return sql`SELECT first.id FROM (${head}) first WHERE ${isMatch} LIMIT ${wanted}::int`;
}

/** Selects the ids of the first records of any kind. */
const firstOf = (query: ListingQuery, rows: number): Sql =>
  sql`SELECT t.id FROM ${query.from} ${whereOf(besideId(query.page, sql`t.id`))} ORDER BY ${orderOf(query)} LIMIT ${rows}::int`;

/**
 * The first records among which a page of a slow condition is if those that match are evenly distributed; none if no index finds these otherwise, or it
 * finds them sooner.
 */
function likelyHead(query: ListingQuery): Sql | undefined {
  const lookup = query.where.map(lookupOf).find((each) => each !== undefined);
  const wanted = offsetOf(query.page, query.limit) + query.limit + 1;
  const rows = Math.max(FEW, Math.ceil((2 * wanted) / (lookup?.share ?? 1)));
  return lookup && rows < lookup.keys ? firstOf(query, rows) : undefined;
}

/** A record is tested in the time in which so many keys are looked up. */
const KEYS = 2;

/**
 * The listing with the conditions of indexes in place of slow ones, if its page is not among the first records; of fewer records than keys, each is
 * tested instead.
 */
async function lookedUp(db: Db, query: ListingQuery): Promise<ListingQuery> {
  const lookup = query.where.map(lookupOf).find((each) => each !== undefined);
  if (!lookup || query.where.some(isIndexed)) return query;
  const { rows } = await expected(db, { from: query.from, id: sql`t.id`, where: [] });
  if (KEYS * rows < lookup.keys) return query;
  return { ...query, where: query.where.map((each) => lookupOf(each)?.condition ?? each) };
}

const headOf = ({ page, head }: ListingQuery): Sql | undefined => (isIdPage(page) ? undefined : head);

/**
 * Selects the ids of records among which are the first ones of a listing: all that match, if these are few, or else the first ones, if a limited number
 * of records has enough that match, or else all.
 */
function candidates(query: ListingQuery, matching: readonly Sql[], wanted: number): Sql {
  const { from } = query;
  const all = sql`SELECT t.id FROM ${from}`;
  const isMany = sql`(SELECT count(*) FROM few) > ${FEW}::int`;
  const isFull = sql`(SELECT count(*) FROM head) = ${wanted}::int`;
  const rows = wanted > NEAR ? 0 : HEAD;
  const first = headOf(query) ?? firstOf(query, rows);
  return sql`
    WITH few AS MATERIALIZED (${all} ${whereOf(matching)} LIMIT ${FEW + 1}::int),
         head AS MATERIALIZED (${matchingOf(query, first, [isMany, ...matching], wanted)})
    SELECT id FROM few WHERE NOT ${isMany}
    UNION ALL SELECT id FROM head WHERE ${isFull}
    UNION ALL ${all} ${whereOf([...matching, isMany, sql`NOT ${isFull}`])}`;
}

const isIdPage = (page: PageSelector): boolean => page.kind === "before" || page.kind === "after";

/** The condition of a page before or after an id, which may exceed the type of ids. @param id their column */
export function besideId(page: PageSelector, id: Sql): Sql[] {
  if (page.kind === "before") return page.id > MAX_INT ? [] : [sql`${id} < ${page.id}::int`];
  if (page.kind === "after") return [page.id >= MAX_INT ? NOTHING : sql`${id} > ${page.id}::int`];
  return [];
}

/** Always ends with the id: without a unique order, pages would repeat some records and miss others. */
function orderOf({ page, orderBy }: ListingQuery): Sql {
  if (page.kind === "after") return sql`t.id ASC`;
  if (page.kind === "before" || orderBy === undefined) return sql`t.id DESC`;
  return sql`${orderBy}, t.id DESC`;
}

/** Whether there are records in the direction opposite to a page's. @param read a page of one record */
export async function hasOtherSide(
  page: PageSelector,
  read: (page: PageSelector) => Promise<{ rows: unknown[] }>,
): Promise<boolean> {
  const other = otherSideOf(page);
  return other ? (await read(other)).rows.length > 0 : offsetOf(page, 1) > 0;
}

/** Number of records before a page. */
export function offsetOf(page: PageSelector, limit: number): number {
  if (page.kind === "number") return (page.page - 1) * limit;
  return page.kind === "offset" ? page.offset : 0;
}

/**
 * The condition for a value of a `search[...]` attribute; null for none. A text that is too long, or has too many
 * `*`, is a BoardError (424).
 * @param column the attribute's own, unless the filter is `on` another one
 */
export type Filter<Value> = (value: Value, column: Sql) => Sql | null;

/** The filters of a listing by the names of the attributes. */
export type Filters = Readonly<Record<string, Filter<never>>>;

/** The attributes of a search with these filters. An absent one is no condition. */
export type SearchOf<Of extends Filters> = {
  [Name in keyof Of]?: (Of[Name] extends Filter<infer Value> ? Value : never) | null;
};

/** The conditions of a search, in the order of the filters; the column of `creatorId` is `t.creator_id`. */
export function conditionsOf<Of extends Filters>(filters: Of, search: SearchOf<Of>): Sql[] {
  return Object.entries<Filter<never>>(filters).flatMap(([name, filter]) => {
    const value = search[name] ?? null;
    return (value === null ? null : filter(value as never, sql`t.${identifier(toSnake(name))}`)) ?? [];
  });
}
