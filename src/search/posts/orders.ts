/** The orders of a post search. */
import { type Sql, sql } from "../../database/client.js";
import { AREA, EXACT_RATIO } from "./columns.js";

export interface OrderKey {
  expression: Sql;
  direction: "ASC" | "DESC";
  /** where posts without a value stand; by PostgreSQL's habit last when ascending, first when descending */
  nulls?: "FIRST" | "LAST";
}

export interface Order {
  /** compared one after the other */
  keys: readonly OrderKey[];
  /** order of ids among equals; absent when nothing is equal, or it does not matter */
  ties?: "ASC" | "DESC";
  /** tables that the keys are in; each post is joined to one row at most */
  join?: Sql;
  /** an index gives this order, so that its first posts can be had without looking at the others */
  isIndexed?: boolean;
  /** which posts have a place in this order; only these are found, on any kind of page */
  where?: (now: Date) => Sql;
}

/** Newest first: what a search without an order gets. */
export const BY_ID: Order = { keys: [], ties: "DESC", isIndexed: true };
export const BY_ID_ASCENDING: Order = { keys: [], ties: "ASC", isIndexed: true };
/** A new order every time. */
export const RANDOM: Order = { keys: [{ expression: sql`random()`, direction: "ASC" }] };

const descending = (expression: Sql): Order => ({
  keys: [{ expression, direction: "DESC" }],
  ties: "DESC",
  isIndexed: true,
});

const ascending = (expression: Sql): Order => ({
  keys: [{ expression, direction: "ASC" }],
  ties: "ASC",
  isIndexed: true,
});

/** `name` and `name_desc` from the greatest, `name_asc` from the least. */
const both = (name: string, expression: Sql): Record<string, Order> => ({
  [name]: descending(expression),
  [`${name}_desc`]: descending(expression),
  [`${name}_asc`]: ascending(expression),
});

/** Latest event first, posts without one last; the other way round they come first, save where one wants the events. */
const latest = (name: string, column: Sql, nullsOfAscending: "FIRST" | "LAST"): Record<string, Order> => ({
  [name]: { keys: [{ expression: column, direction: "DESC", nulls: "LAST" }], ties: "DESC", isIndexed: true },
  [`${name}_asc`]: {
    keys: [{ expression: column, direction: "ASC", nulls: nullsOfAscending }],
    ties: "ASC",
    isIndexed: true,
  },
});

const commentary = (direction: "ASC" | "DESC"): Order => ({
  keys: [{ expression: sql`commentary.updated_at`, direction }],
  ties: direction,
  join: sql`JOIN artist_commentaries commentary ON commentary.post_id = posts.id`,
  where: () => sql`EXISTS (SELECT 1 FROM artist_commentaries written WHERE written.post_id = posts.id)`,
});

const HOT_FOR = 2 * 86_400_000;

/** Hot: three times the score makes up for 35,000 seconds of age. Only what is younger than two days and liked. */
const RANK: Order = {
  keys: [
    {
      expression: sql`(ln(greatest(posts.score, 1)::float8) / ln(3::float8)
        + extract(epoch FROM posts.created_at - '2005-05-24 00:00:00+00'::timestamptz)::float8 / 35000)`,
      direction: "DESC",
    },
  ],
  ties: "DESC",
  where: (now) => sql`(posts.score > 0
    AND posts.created_at > ${new Date(now.getTime() - HOT_FOR).toISOString()}::timestamptz)`,
};

const ORDERS: Readonly<Record<string, Order>> = {
  id: BY_ID_ASCENDING,
  id_asc: BY_ID_ASCENDING,
  id_desc: BY_ID,
  none: BY_ID,
  ...both("score", sql`posts.score`),
  ...both("upvotes", sql`posts.up_score`),
  // stored negative: the most down votes are the least score
  downvotes: ascending(sql`posts.down_score`),
  downvotes_desc: ascending(sql`posts.down_score`),
  downvotes_asc: descending(sql`posts.down_score`),
  ...both("favcount", sql`posts.fav_count`),
  ...both("change", sql`posts.updated_at`),
  ...both("created_at", sql`posts.created_at`),
  ...both("mpixels", AREA),
  ...both("filesize", sql`posts.file_size`),
  ...both("width", sql`posts.image_width`),
  ...both("height", sql`posts.image_height`),
  ...both("md5", sql`posts.md5`),
  ...both("tagcount", sql`posts.tag_count`),
  ...both("gentags", sql`posts.tag_count_general`),
  ...both("arttags", sql`posts.tag_count_artist`),
  ...both("copytags", sql`posts.tag_count_copyright`),
  ...both("chartags", sql`posts.tag_count_character`),
  ...both("metatags", sql`posts.tag_count_meta`),
  ...latest("comment", sql`posts.last_commented_at`, "LAST"),
  ...latest("comm", sql`posts.last_commented_at`, "LAST"),
  ...latest("comment_bumped", sql`posts.last_comment_bumped_at`, "FIRST"),
  ...latest("note", sql`posts.last_noted_at`, "FIRST"),
  artcomm: commentary("DESC"),
  artcomm_asc: commentary("ASC"),
  portrait: ascending(EXACT_RATIO),
  landscape: descending(EXACT_RATIO),
  rank: RANK,
  random: RANDOM,
  // the order of the ids in `id:`, which the search fills in
  custom: BY_ID,
};

export const ORDER_NAMES: readonly string[] = Object.keys(ORDERS);

/** The order of a name in any case; null for an unknown one. */
export function orderByName(name: string): Order | null {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(ORDERS, key) ? (ORDERS[key] ?? null) : null;
}

/** The order in which ids are listed; ids that are not come last. */
export const orderByList = (ids: readonly number[]): Order => ({
  keys: [
    { expression: sql`array_position(${`{${ids.join(",")}}`}::int[], posts.id)`, direction: "ASC", nulls: "LAST" },
  ],
  ties: "DESC",
});
