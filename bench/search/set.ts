/** The set of searches: requests to our board, and the same in SQL for the other layout. */
import pg from "pg";
import type { Samples } from "./samples.js";

export interface Search {
  /** name, the same on boards of any size */
  name: string;
  tags: string;
  /** parameters in addition to `tags` and `limit` */
  page?: string;
  /** path, if it is not that of the listing */
  path?: string;
  /** the same query of `other_board.posts`, in all reasonable forms, of which the fastest counts */
  theirs: string[];
}

/** The path and query. */
export function pathOf({ tags, page, path }: Search, limit: number): string {
  if (path !== undefined) return path;
  const given = { tags, ...(page === undefined ? {} : { page }), limit: String(limit) };
  return `/posts.json?${new URLSearchParams(tags === "" ? Object.entries(given).slice(1) : given).toString()}`;
}

export const NO_TAGS = "no tags";
export const APART = "two that never meet";

const text = (value: string): string => pg.escapeLiteral(value);
const list = (names: readonly string[]): string => `ARRAY[${names.map(text).join(", ")}]`;
const TAGS = "string_to_array(tag_string, ' ')";
const all = (...names: string[]): string => `${TAGS} @> ${list(names)}`;
const any = (...names: string[]): string => `${TAGS} && ${list(names)}`;
const none = (...names: string[]): string => `NOT (${any(...names)})`;

interface Form {
  order?: string;
  offset?: number;
  from?: string;
}

/** 20 rows with all columns. */
const rows = (condition: string, { order = "id DESC", offset = 0, from = "other_board.posts" }: Form = {}): string =>
  `SELECT posts.* FROM ${from} WHERE ${condition} ORDER BY ${order} LIMIT 20${offset > 0 ? ` OFFSET ${offset}` : ""}`;

const search = (name: string, tags: string, condition: string, form?: Form): Search => ({
  name,
  tags,
  theirs: [rows(condition, form)],
});

/** All searches for a board, in the order of the table. */
export function searches(samples: Samples): Search[] {
  return [
    search(NO_TAGS, "", "TRUE"),
    ...samples.decades.map(({ from, tag }) => search(`one tag, ${from}+ posts`, tag, all(tag))),
    ...ofTags(samples),
    ...ofWildcards(samples),
    ...ofOrders(samples),
    ...ofPeople(samples),
    ...ofProperties(samples),
    ...ofPages(samples),
  ];
}

function ofTags({ common, rare, middling, old, apart }: Samples): Search[] {
  const [a, b, c] = common;
  return [
    search("two common", `${a} ${b}`, all(a, b)),
    search("three common", `${a} ${b} ${c}`, all(a, b, c)),
    search("five common", common.join(" "), all(...common)),
    search("common and middling", `${a} ${middling}`, all(a, middling)),
    search("common and rare", `${a} ${rare[0]}`, all(a, rare[0])),
    search("common minus common", `${a} -${b}`, `${all(a)} AND ${none(b)}`),
    search("common minus two common", `${c} -${a} -${b}`, `${all(c)} AND ${none(a, b)}`),
    search("minus common", `-${a}`, none(a)),
    search(APART, apart.join(" "), all(...apart)),
    search("only old posts", old, all(old)),
    search("common and only old posts", `${a} ${old}`, all(a, old)),
    search("either of two common", `~${b} ~${c}`, any(b, c)),
    search("either of two rare", `~${rare[0]} ~${rare[1]}`, any(...rare)),
    search("common, either of two rare", `${a} ~${rare[0]} ~${rare[1]}`, `${all(a)} AND ${any(...rare)}`),
  ];
}

function ofWildcards({ common: [a], wildcards }: Samples): Search[] {
  const [short, long] = wildcards;
  return [
    ...withCommon(a, "wildcard of many tags", short.pattern, any(...short.tags)),
    ...withCommon(a, "wildcard of few tags", long.pattern, any(...long.tags)),
  ];
}

const RECENT = "score > 0 AND created_at > now() - interval '2 days'";
const RANK =
  "ln(greatest(score, 1)::float8) / ln(3::float8) + extract(epoch FROM created_at - '2005-05-24 00:00:00+00'::timestamptz)::float8 / 35000";

/** The pools of each post, which other boards count when they are asked for. */
const POOLED = `other_board.posts LEFT JOIN
  (SELECT post_id, count(DISTINCT pools.id) AS number FROM pools, unnest(post_ids) AS post_id GROUP BY post_id) pooled ON pooled.post_id = posts.id`;

/** `order:` with its condition and key, and the tables of it: alone, with a common tag, and with a rare one. */
const ORDERS: readonly (readonly [name: string, where: string, order: string, from?: string])[] = [
  ["score", "TRUE", "score DESC, id DESC"],
  ["rank", RECENT, `${RANK} DESC, id DESC`],
  ["comment_bumped", "TRUE", "last_comment_bumped_at DESC NULLS LAST, id DESC"],
  ["pool_count", "TRUE", "coalesce(pooled.number, 0) DESC, id DESC", POOLED],
];

const ofOrders = ({ common: [a], rare: [rare] }: Samples): Search[] =>
  ORDERS.flatMap(([name, where, order, from]) => {
    const form: Form = from === undefined ? { order } : { order, from };
    return [
      search(`order:${name}`, `order:${name}`, where, form),
      search(`common, order:${name}`, `${a} order:${name}`, `${all(a)} AND ${where}`, form),
      search(`rare, order:${name}`, `${rare} order:${name}`, `${all(rare)} AND ${where}`, form),
    ];
  });

/** A term alone, and with a common tag. */
const withCommon = (common: string, name: string, term: string, condition: string): Search[] => [
  search(name, term, condition),
  search(`common, ${name}`, `${common} ${term}`, `${all(common)} AND ${condition}`),
];

const userId = (name: string): string => `(SELECT id FROM users WHERE lower(name) = ${text(name.toLowerCase())})`;

function ofPeople({ common: [a], uploaders, fan, pool }: Samples): Search[] {
  const uploaded = (name: string) => `uploader_id = ${userId(name)}`;
  const favorites = `FROM favorites WHERE user_id = ${userId(fan)}`;
  return [
    ...withCommon(a, "user: of many", `user:${uploaders[0]}`, uploaded(uploaders[0])),
    ...withCommon(a, "user: of few", `user:${uploaders[1]}`, uploaded(uploaders[1])),
    ...withCommon(a, "fav:", `fav:${fan}`, `posts.id IN (SELECT post_id ${favorites})`).map((row) => ({
      ...row,
      theirs: [...row.theirs, byFavorite(row.tags.startsWith(a) ? all(a) : "TRUE", fan)],
    })),
    ...withCommon(a, "pool:", `pool:${pool}`, `posts.id IN (SELECT unnest(post_ids) FROM pools WHERE id = ${pool})`),
  ];
}

/** By favorites, whose index has a user's posts in order. */
const byFavorite = (condition: string, fan: string): string =>
  rows(`favorites.user_id = ${userId(fan)} AND ${condition}`, {
    from: "other_board.posts JOIN favorites ON favorites.post_id = posts.id",
    order: "favorites.post_id DESC",
  });

function ofProperties({ common: [a], rare: [rare], day, year, width, wide }: Samples): Search[] {
  const from = (date: string) => `'${date} 00:00:00+00'::timestamptz`;
  return [
    ...withCommon(
      a,
      "date: of a day",
      `date:${day}`,
      `created_at >= ${from(day)} AND created_at < ${from(day)} + interval '1 day'`,
    ),
    ...withCommon(
      a,
      "date: of a year",
      `date:${year.join("...")}`,
      `created_at >= ${from(year[0])} AND created_at < ${from(year[1])}`,
    ),
    ...withCommon(a, "age:", "age:<1d", "created_at > now() - interval '1 day'"),
    ...withCommon(a, "width:", `width:${width}`, `image_width = ${width}`),
    ...withCommon(a, "width: or more", `width:>${wide}`, `image_width > ${wide}`),
    ...withCommon(a, "rating:", "rating:e", "rating = 'e'"),
    search("rare, rating:", `${rare} rating:e`, `${all(rare)} AND rating = 'e'`),
    ...withCommon(a, "status:pending", "status:pending", "is_pending"),
    ...withCommon(a, "status:flagged", "status:flagged", "is_flagged"),
  ];
}

function ofPages({ common: [a], middle }: Samples): Search[] {
  const offset = 499 * 20;
  return [
    { ...search("page 500", "", "TRUE", { offset }), page: "500" },
    { ...search("common, page 500", a, all(a), { offset }), page: "500" },
    { ...search("page=b", "", `id < ${middle}`), page: `b${middle}` },
    { ...search("common, page=b", a, `${all(a)} AND id < ${middle}`), page: `b${middle}` },
    { ...search("post by id", "", `id = ${middle}`), path: `/posts/${middle}.json` },
  ];
}
