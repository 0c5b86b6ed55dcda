/** The orders of a post search. */
import { randomBytes } from "node:crypto";
import { idArray, type Sql, sql } from "../../database/client.js";
import type { MetatagTerm } from "./ast.js";
import { AREA, EXACT_RATIO, rankOf } from "./columns.js";
import { COUNTED, type Counted, hasSome, isKind } from "./counted.js";
import { not } from "./not.js";

export interface OrderKey {
  expression: Sql;
  direction: "ASC" | "DESC";
  /** position of posts without a value; PostgreSQL's default is last when ascending, first when descending */
  nulls?: "FIRST" | "LAST";
}

export interface Order {
  /** in the order of their significance */
  keys: readonly OrderKey[];
  /** order of the ids of posts with equal keys; absent if keys are unique, or the order does not matter */
  ties?: "ASC" | "DESC";
  /** joins to the tables of the keys, with at most one row for each post */
  join?: Sql;
  /** the condition that a post has a place in the order, if `join` leaves out the others */
  implied?: MetatagTerm;
  /** For an order by a value of other tables that has an index: the groups of posts that make it up, without overlap. */
  groups?: Groups;
  /** whether an index has this order, so that its first posts are found without reading the others */
  isIndexed?: boolean;
  /** An equivalent order for one page that has an index, and the condition on the posts where it starts. */
  quick?: () => { order: Order; from: Sql };
  /** condition on the posts that the order includes; others are not found, on any page */
  where?: (now: Date) => Sql;
  /** estimated share of these posts, 0 to 1, if they are the first ones in the order's index */
  share?: number;
}

export interface Groups {
  /** one after the other in the order; or, if they are merged, each in the order by itself */
  each: readonly Group[];
  isMerged?: boolean;
}

/** Some of the posts of an order with one key, as an index has them. */
export interface Group {
  from: Sql;
  /** joins the table of posts, if `from` lacks it */
  join?: Sql;
  id: Sql;
  where: Sql;
  /** the order's key */
  key: Sql;
  /** whether the key of all of them is the same, so that they are in the order of their ids */
  isOneKey?: boolean;
}

/** An order and its names; the first one is documented. */
export interface OrderRow {
  names: readonly string[];
  description: string;
  order: Order;
}

/** Newest first, the default. */
export const BY_ID: Order = { keys: [], ties: "DESC", isIndexed: true };
export const BY_ID_ASCENDING: Order = { keys: [], ties: "ASC", isIndexed: true };
/** Whether an order is by id, in either direction. */
export const isById = (order: Order): boolean => order === BY_ID || order === BY_ID_ASCENDING;

const BY_MD5: Order = { keys: [{ expression: sql`posts.md5`, direction: "ASC" }], isIndexed: true };

/** A new order every time. A page starts at a random MD5 and follows the index, instead of sorting the whole board. */
export const RANDOM: Order = {
  keys: [{ expression: sql`random()`, direction: "ASC" }],
  quick: () => ({ order: BY_MD5, from: sql`posts.md5 >= ${randomBytes(16).toString("hex")}` }),
};

const indexed =
  (direction: OrderKey["direction"]) =>
  (expression: Sql): Order => ({ keys: [{ expression, direction }], ties: direction, isIndexed: true });
const [descending, ascending] = [indexed("DESC"), indexed("ASC")];

/** `name` and `name_desc` for the first order, `name_asc` for the second. */
const eitherWay = (
  names: readonly string[],
  description: string,
  [greatest, least]: readonly [Order, Order],
  otherwise = "the reverse",
): OrderRow[] => [
  { names: names.flatMap((name) => [name, `${name}_desc`]), description, order: greatest },
  { names: names.map((name) => `${name}_asc`), description: otherwise, order: least },
];

const both = (name: string, what: string, expression: Sql): OrderRow[] =>
  eitherWay([name], `${what} first`, [descending(expression), ascending(expression)]);

/** Latest event first, posts without one last. @param nullsOfAscending position of the latter in the ascending order */
const latest = (names: string[], what: string, column: Sql, nullsOfAscending: "FIRST" | "LAST"): OrderRow[] =>
  eitherWay(
    names,
    `${what} first, posts without one last`,
    [
      { keys: [{ expression: column, direction: "DESC", nulls: "LAST" }], ties: "DESC", isIndexed: true },
      { keys: [{ expression: column, direction: "ASC", nulls: nullsOfAscending }], ties: "ASC", isIndexed: true },
    ],
    `the reverse, posts without one ${nullsOfAscending.toLowerCase()}`,
  );

/** Descending and ascending by a value from other tables. @param groups for either direction */
const joined = (
  join: Sql,
  expression: Sql,
  groups: (direction: OrderKey["direction"]) => Groups,
  { where, nulls }: Pick<Order, "where"> & Pick<OrderKey, "nulls"> = {},
): [Order, Order] => {
  const by = (direction: OrderKey["direction"]): Order => ({
    keys: [{ expression, direction, ...(nulls && { nulls }) }],
    ties: direction,
    join,
    groups: groups(direction),
    isIndexed: true,
    ...(where && { where }),
  });
  return [by("DESC"), by("ASC")];
};

const COMMENTARY = joined(
  sql`JOIN artist_commentaries commentary ON commentary.post_id = posts.id`,
  sql`commentary.updated_at`,
  () => ({
    each: [
      {
        from: sql`artist_commentaries commentary`,
        join: sql`JOIN posts ON posts.id = commentary.post_id`,
        id: sql`commentary.post_id`,
        where: sql`TRUE`,
        key: sql`commentary.updated_at`,
      },
    ],
  }),
  { where: () => sql`EXISTS (SELECT 1 FROM artist_commentaries written WHERE written.post_id = posts.id)` },
);

const DURATION = joined(
  sql`JOIN media_files played ON played.id = posts.media_file_id`,
  sql`played.duration`,
  () => ({
    each: [
      {
        // by the file's own type too, so that files of others than `filetype:` has are excluded before their posts are looked up
        from: sql`media_files played JOIN posts ON posts.media_file_id = played.id AND posts.file_ext = played.file_ext`,
        id: sql`posts.id`,
        where: sql`played.duration IS NOT NULL`,
        key: sql`played.duration`,
      },
      {
        from: sql`posts`,
        id: sql`posts.id`,
        where: sql`NOT EXISTS (
          SELECT 1 FROM media_files played WHERE played.id = posts.media_file_id AND played.duration IS NOT NULL)`,
        key: sql`NULL::float8`,
        isOneKey: true,
      },
    ],
  }),
  { nulls: "LAST" },
);

const FLAG_OF_POST = sql`SELECT 1 FROM post_flags flag WHERE flag.post_id = posts.id AND NOT flag.is_deletion`;
const APPEAL_OF_POST = sql`SELECT 1 FROM post_appeals appeal WHERE appeal.post_id = posts.id`;

/** OFFSET 0, so that the posts are looked up one by one: few are needed. */
const POST_OF_LAST = sql`JOIN LATERAL (SELECT * FROM posts WHERE posts.id = last.post_id OFFSET 0) posts ON TRUE`;

/** The posts whose latest event is their upload, a flag, or an appeal. */
const QUEUED: readonly Group[] = [
  {
    from: sql`posts`,
    id: sql`posts.id`,
    where: sql`NOT EXISTS (${FLAG_OF_POST} AND flag.created_at > posts.created_at)
      AND NOT EXISTS (${APPEAL_OF_POST} AND appeal.created_at > posts.created_at)`,
    key: sql`posts.created_at`,
  },
  {
    from: sql`post_flags last ${POST_OF_LAST}`,
    id: sql`posts.id`,
    where: sql`NOT last.is_deletion AND last.created_at > posts.created_at
      AND NOT EXISTS (${FLAG_OF_POST} AND (flag.created_at, flag.id) > (last.created_at, last.id))
      AND NOT EXISTS (${APPEAL_OF_POST} AND appeal.created_at >= last.created_at)`,
    key: sql`last.created_at`,
  },
  {
    from: sql`post_appeals last ${POST_OF_LAST}`,
    id: sql`posts.id`,
    where: sql`last.created_at > posts.created_at
      AND NOT EXISTS (${FLAG_OF_POST} AND flag.created_at > last.created_at)
      AND NOT EXISTS (${APPEAL_OF_POST} AND (appeal.created_at, appeal.id) > (last.created_at, last.id))`,
    key: sql`last.created_at`,
  },
];

/** The time of the upload, or of the latest flag or appeal. */
const MODQUEUE = joined(
  sql`LEFT JOIN LATERAL (
        SELECT max(event.created_at) AS latest
          FROM (SELECT created_at FROM post_flags WHERE post_id = posts.id AND NOT is_deletion
                UNION ALL SELECT created_at FROM post_appeals WHERE post_id = posts.id) event) queued ON TRUE`,
  sql`greatest(posts.created_at, queued.latest)`,
  () => ({ each: QUEUED, isMerged: true }),
);

function byNumberOf({ name, plural, description }: Counted): OrderRow[] {
  const having = {
    from: sql`post_counts counted`,
    join: sql`LEFT JOIN posts ON posts.id = counted.post_id`,
    id: sql`counted.post_id`,
    where: isKind(plural),
    key: sql`counted.number`,
  };
  const lacking = {
    from: sql`posts`,
    id: sql`posts.id`,
    where: not(hasSome(plural)),
    key: sql`0`,
    isOneKey: true,
  };
  const order = joined(
    // OFFSET 0, so that they are looked up post by post, instead of reading all of the kind
    sql`LEFT JOIN LATERAL (
          SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND ${isKind(plural)} OFFSET 0) counted ON TRUE`,
    sql`coalesce(counted.number, 0)`,
    (direction) => ({ each: direction === "DESC" ? [having, lacking] : [lacking, having] }),
  );
  return eitherWay([`${name}_count`, plural], `most ${description} first`, order);
}

const HOT_FOR = 2 * 86_400_000;

/**
 * Hot: a score three times as high equals 35,000 seconds of age. Only posts of the last two days with a positive score, whose
 * rank is at least that of a two days old post with score 1.
 */
const RANK: Order = {
  keys: [{ expression: rankOf(sql`posts.score`, sql`posts.created_at`), direction: "DESC" }],
  ties: "DESC",
  isIndexed: true,
  where: (now) => {
    const since = sql`${new Date(now.getTime() - HOT_FOR).toISOString()}::timestamptz`;
    return sql`(posts.score > 0 AND posts.created_at > ${since}
      AND ${rankOf(sql`posts.score`, sql`posts.created_at`)} >= ${rankOf(sql`1`, since)})`;
  },
  share: 0.001,
};

/** All orders; posts with equal keys are ordered by id, in the same direction. */
export const ORDERS: readonly OrderRow[] = [
  { names: ["id_desc", "none"], description: "newest post first (the default)", order: BY_ID },
  { names: ["id", "id_asc"], description: "oldest post first", order: BY_ID_ASCENDING },
  ...both("score", "highest score", sql`posts.score`),
  ...both("upvotes", "most upvotes", sql`posts.up_score`),
  // stored as a negative number, so that most down votes are the lowest value
  ...eitherWay(["downvotes"], "most downvotes first", [
    ascending(sql`posts.down_score`),
    descending(sql`posts.down_score`),
  ]),
  ...both("favcount", "most favorites", sql`posts.fav_count`),
  ...both("change", "most recently edited", sql`posts.updated_at`),
  ...both("created_at", "most recently uploaded", sql`posts.created_at`),
  ...both("mpixels", "most pixels", AREA),
  ...both("filesize", "largest file", sql`posts.file_size`),
  ...both("width", "widest", sql`posts.image_width`),
  ...both("height", "tallest", sql`posts.image_height`),
  { names: ["landscape"], description: "widest aspect ratio first", order: descending(EXACT_RATIO) },
  { names: ["portrait"], description: "tallest aspect ratio first", order: ascending(EXACT_RATIO) },
  ...eitherWay(
    ["duration"],
    "longest duration first, still images last",
    DURATION,
    "shortest duration first, still images last",
  ),
  ...both("md5", "highest MD5", sql`posts.md5`),
  ...both("tagcount", "most tags", sql`posts.tag_count`),
  ...both("gentags", "most general tags", sql`posts.tag_count_general`),
  ...both("arttags", "most artist tags", sql`posts.tag_count_artist`),
  ...both("copytags", "most copyright tags", sql`posts.tag_count_copyright`),
  ...both("chartags", "most character tags", sql`posts.tag_count_character`),
  ...both("metatags", "most meta tags", sql`posts.tag_count_meta`),
  ...COUNTED.flatMap(byNumberOf),
  ...latest(["comment", "comm"], "most recently commented", sql`posts.last_commented_at`, "LAST"),
  ...latest(["comment_bumped"], "most recently bumped by a comment", sql`posts.last_comment_bumped_at`, "FIRST"),
  ...latest(["note"], "most recently annotated", sql`posts.last_noted_at`, "FIRST"),
  ...eitherWay(["artcomm"], "most recently edited artist commentary first; only posts that have one", COMMENTARY),
  ...eitherWay(["modqueue"], "most recently uploaded, flagged or appealed first", MODQUEUE),
  {
    names: ["rank"],
    description: "hot: posts of the last two days with a positive score, by score and age",
    order: RANK,
  },
  { names: ["random"], description: "random", order: RANDOM },
  // the order of the ids in `id:`, which the search fills in
  { names: ["custom"], description: "in the order of the IDs listed in `id:3,1,2`", order: BY_ID },
];

const byName: ReadonlyMap<string, Order> = new Map(
  ORDERS.flatMap(({ names, order }) => names.map((name) => [name, order] as const)),
);

/** The order of a name in any case; null for an unknown one. */
export const orderByName = (name: string): Order | null => byName.get(name.trim().toLowerCase()) ?? null;

/** The order of a list of ids; other ids come last. */
export const orderByList = (ids: readonly number[]): Order => ({
  keys: [{ expression: sql`array_position(${idArray(ids)}, posts.id)`, direction: "ASC", nulls: "LAST" }],
  ties: "DESC",
});
