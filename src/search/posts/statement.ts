/** Writes the statements of a post search. */
import { join, raw, type Sql, sql } from "../../database/client.js";
import type { PageSelector } from "../page.js";
import type { ResolvedQuery } from "./ast.js";
import type { SearchContext } from "./metatags/metatag.js";
import { BY_ID, BY_ID_ASCENDING, type Order, type OrderKey } from "./orders.js";
import type { Plan } from "./planner.js";
import { toCondition } from "./to-sql.js";

const MAX_ID = 2_147_483_647;

export interface Found {
  query: ResolvedQuery;
  order: Order;
  context: SearchContext;
}

export interface PageOfIds extends Found {
  page: PageSelector;
  /** ids to fetch */
  fetch: number;
  /** posts to skip */
  skip: number;
}

/** Pages beside an id replace every order: those after one are fetched upwards from it. */
export function orderOfPage(order: Order, page: PageSelector): Order {
  if (page.kind === "before") return BY_ID;
  return page.kind === "after" ? BY_ID_ASCENDING : order;
}

/** The ids of a page, in the order of `orderOfPage`. */
export function idsStatement(search: PageOfIds, plan: Plan): Sql {
  const { page, context } = search;
  const order = orderOfPage(search.order, page);
  const tests = toCondition(search.query, { context, tags: plan === "gather" ? "indexed" : "hidden" });
  const condition = join([tests, ...placesOf(search), ...besideId(page)], " AND ");
  const tables = sql`posts ${order.join ?? sql``}`;
  const window = sql`LIMIT ${search.fetch}::int OFFSET ${Math.min(search.skip, MAX_ID)}::int`;
  if (plan === "walk") {
    return sql`SELECT posts.id FROM ${tables} WHERE ${condition} ${orderBy(order, keyOfPost)} ${window}`;
  }
  // OFFSET 0 keeps PostgreSQL from carrying LIMIT inside, where it would walk after all
  const keys = order.keys.map((key, index) => sql`, ${key.expression} AS ${nameOfKey(index)}`);
  return sql`
    SELECT posts.id FROM (SELECT posts.id${keys.length > 0 ? join(keys, "") : sql``}
                            FROM ${tables} WHERE ${condition} OFFSET 0) posts
    ${orderBy(order, (_, index) => sql`posts.${nameOfKey(index)}`)} ${window}`;
}

/** How many posts a search finds, on all pages together. */
export function countStatement(search: Found): Sql {
  const tests = toCondition(search.query, { context: search.context, tags: "indexed" });
  return sql`SELECT count(*)::int AS count FROM posts WHERE ${join([tests, ...placesOf(search)], " AND ")}`;
}

const placesOf = ({ order, context }: Found): Sql[] => (order.where ? [order.where(context.now)] : []);

/** Ids beyond the type: everything is before them, nothing after. */
function besideId(page: PageSelector): Sql[] {
  if (page.kind === "before") return page.id > MAX_ID ? [] : [sql`posts.id < ${page.id}::int`];
  if (page.kind === "after") return [page.id >= MAX_ID ? sql`FALSE` : sql`posts.id > ${page.id}::int`];
  return [];
}

const nameOfKey = (index: number): Sql => raw(`key_${index}`);
const keyOfPost = (key: OrderKey): Sql => key.expression;

function orderBy(order: Order, name: (key: OrderKey, index: number) => Sql): Sql {
  const keys = order.keys.map((key, index) => {
    const nulls = key.nulls ? ` NULLS ${key.nulls}` : "";
    return sql`${name(key, index)} ${raw(`${key.direction}${nulls}`)}`;
  });
  const ties = order.ties ? [sql`posts.id ${raw(order.ties)}`] : [];
  return sql`ORDER BY ${join([...keys, ...ties])}`;
}
