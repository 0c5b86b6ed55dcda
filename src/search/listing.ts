/**
 * One engine for every listing except the post search: conditions, an order, and the three kinds of pages.
 * A page before or after an id replaces the order, and is delivered by descending id.
 */
import { type Db, join, type Sql, sql } from "../database/client.js";
import { normalizeUserName } from "../lib/names.js";
import { isSearchable } from "./bounds.js";
import type { PageSelector } from "./page.js";
import { likePattern } from "./pattern.js";

export interface Page<T> {
  rows: T[];
  hasMore: boolean;
  /** true when the rows are ordered by id, so that an id marks a place between pages */
  byId: boolean;
  /** records before the first one of the page, as far as the page was chosen by number or position */
  offset: number;
  /** how many there are on all pages together; asked only when a caller wants to know */
  count: () => Promise<Total>;
}

/** How many records there are. */
export interface Total {
  count: number;
  /** it is not exact: counting every record would take too long */
  isEstimate: boolean;
}

export interface ListingQuery {
  /** the columns of a row, one of them `id` */
  select: Sql;
  /** tables, joined; the listed table is `t` */
  from: Sql;
  where: Sql[];
  /** absent: by descending id, as are those that it does not tell apart */
  orderBy?: Sql | undefined;
  page: PageSelector;
  limit: number;
}

const MAX_ID = 2_147_483_647;

export const NOTHING = sql`FALSE`;

/** Runs a listing. Fetches one row more than the page holds, to know whether there is another page. */
export async function runListing<T extends { id: number }>(db: Db, query: ListingQuery): Promise<Page<T>> {
  const { page, limit } = query;
  const conditions = [...query.where, ...pageCondition(page)];
  const rows = await db.query<T>(sql`
    SELECT ${query.select} FROM ${query.from} ${where(conditions)}
     ORDER BY ${orderOf(query)} LIMIT ${limit + 1} OFFSET ${offsetOf(page, limit)}`);
  const hasMore = rows.length > limit;
  const visible = rows.slice(0, limit);
  if (page.kind === "after") visible.reverse();
  const count = async () => {
    const [row] = await db.query<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM ${query.from} ${where(query.where)}`);
    return { count: row?.count ?? 0, isEstimate: false };
  };
  const byId = query.orderBy === undefined || isIdPage(page);
  return { rows: visible, hasMore, byId, offset: offsetOf(page, limit), count };
}

export const where = (conditions: Sql[]): Sql =>
  conditions.length > 0 ? sql`WHERE ${join(conditions, " AND ")}` : sql``;

const isIdPage = (page: PageSelector): boolean => page.kind === "before" || page.kind === "after";

function pageCondition(page: PageSelector): Sql[] {
  if (page.kind === "before") return page.id > MAX_ID ? [] : [sql`t.id < ${page.id}`];
  if (page.kind === "after") return [page.id >= MAX_ID ? NOTHING : sql`t.id > ${page.id}`];
  return [];
}

/** Ends with the id always: pages of an order that leaves equals to chance would repeat some and drop others. */
function orderOf({ page, orderBy }: ListingQuery): Sql {
  if (page.kind === "after") return sql`t.id ASC`;
  if (page.kind === "before" || orderBy === undefined) return sql`t.id DESC`;
  return sql`${orderBy}, t.id DESC`;
}

/** How many records a page skips. */
export function offsetOf(page: PageSelector, limit: number): number {
  if (page.kind === "number") return (page.page - 1) * limit;
  return page.kind === "offset" ? page.offset : 0;
}

/**
 * Conditions of `search[...]` attributes. An absent or blank value is no condition at all; a text that is too long to be
 * compared, or has too many `*`, is a BoardError (424).
 */
export class Filters {
  readonly conditions: Sql[] = [];

  add(condition: Sql | null): this {
    if (condition) this.conditions.push(condition);
    return this;
  }

  /** One of the ids; an empty list matches nothing. */
  ids(column: Sql, ids: readonly number[] | null | undefined): this {
    if (!ids) return this;
    return this.add(ids.length === 0 ? NOTHING : sql`${column} = ANY(${[...ids]}::int[])`);
  }

  /** Exactly this value. */
  equals(column: Sql, value: string | number | boolean | null | undefined): this {
    if (value === null || value === undefined || value === "") return this;
    if (typeof value === "string" && !isSearchable(value)) return this.add(NOTHING);
    return this.add(sql`${column} = ${value}`);
  }

  /** A pattern with `*`, anchored at both ends. */
  pattern(column: Sql, text: string | null | undefined): this {
    if (text === null || text === undefined || text === "") return this;
    return this.add(isSearchable(text) ? sql`${column} LIKE ${likePattern(text)}` : NOTHING);
  }

  /** True or false. */
  flag(column: Sql, value: boolean | null | undefined): this {
    return typeof value === "boolean" ? this.add(sql`${column} = ${value}`) : this;
  }

  /**
   * All words of the text, in any form of theirs, in any order; a text with `*` is a pattern of the whole instead.
   * @param column text, of which there is an index of `to_tsvector('english', ...)` and one of trigrams of its lower case
   */
  words(column: Sql, text: string | null | undefined): this {
    if (text === null || text === undefined || text.trim() === "") return this;
    if (!isSearchable(text)) return this.add(NOTHING);
    if (text.includes("*")) return this.add(sql`lower(${column}) LIKE ${likePattern(text.trim().toLowerCase())}`);
    return this.add(sql`to_tsvector('english', ${column}) @@ plainto_tsquery('english', ${text})`);
  }

  /** The text somewhere in one of the columns, in any case; `*` stands for anything. */
  contains(columns: readonly Sql[], text: string | null | undefined): this {
    if (text === null || text === undefined || text.trim() === "") return this;
    if (!isSearchable(text)) return this.add(NOTHING);
    const pattern = `%${likePattern(text.trim().toLowerCase())}%`;
    return this.add(
      sql`(${join(
        columns.map((column) => sql`lower(${column}) LIKE ${pattern}`),
        " OR ",
      )})`,
    );
  }

  /** The user of this name; an unknown name matches nothing. */
  userName(column: Sql, name: string | null | undefined): this {
    if (name === null || name === undefined || name === "") return this;
    if (!isSearchable(name)) return this.add(NOTHING);
    return this.add(sql`${column} = (SELECT id FROM users WHERE lower(name) = ${normalizeUserName(name)})`);
  }
}
