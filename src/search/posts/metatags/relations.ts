/** Meta-tags of related records: parents, children, pools, comments and the like. */
import { type Sql, sql } from "../../../database/client.js";
import { nameKey } from "../../../lib/names.js";
import { likePattern } from "../../pattern.js";
import { hasSome } from "../counted.js";
import { not } from "../not.js";
import type { Order } from "../orders.js";
import { FILE_TYPES, fileTypeSql } from "./files.js";
import { amongMembers, having, lookUp, type Metatag, parseId, type SearchContext } from "./metatag.js";
import { idsOfState, isStateInOrder, ratingSql, STATE_WORDS, statusSql } from "./states.js";

function parentSql(value: string, context: SearchContext): Sql | null {
  const word = value.toLowerCase();
  if (word === "none") return sql`posts.parent_id IS NULL`;
  if (word === "any") return sql`posts.parent_id IS NOT NULL`;
  const id = parseId(value);
  if (id !== null) return sql`(posts.id = ${id}::int OR posts.parent_id = ${id}::int)`;
  const status = statusSql(value, context, sql`parent`);
  return (
    status &&
    sql`(posts.parent_id IS NOT NULL AND (SELECT ${status} FROM posts parent WHERE parent.id = posts.parent_id))`
  );
}

function childSql(value: string, context: SearchContext): Sql | null {
  const word = value.toLowerCase();
  if (word === "none") return not(sql`posts.has_children`);
  if (word === "any") return sql`posts.has_children`;
  if (word === "deleted") return hasSome("deleted_children");
  const status = statusSql(value, context, sql`child`);
  return (
    status &&
    sql`(posts.has_children AND EXISTS (SELECT 1 FROM posts child WHERE child.parent_id = posts.id AND ${status} OFFSET 0))`
  );
}

/** The posts with a relative in a state that few have, which are looked up one by one. @param found those of one `relative` */
function idsByRelatives(value: string, context: SearchContext, found: Sql): Sql | null {
  const relatives = idsOfState(value, context);
  return relatives && sql`SELECT found.id FROM (${relatives}) relative CROSS JOIN LATERAL (${found} OFFSET 0) found`;
}

/** The pool with this id or name. */
function onePool(value: string): Sql | null {
  if (/^\d+$/.test(value)) {
    const id = parseId(value);
    return id === null ? null : sql`pools.id = ${id}::int`;
  }
  return value === "" ? null : sql`lower(pools.name) = ${nameKey(value)}`;
}

/** The ids of the posts in pools; a series may contain a post twice. */
const membersOf = (pools: Sql | null): Sql | null =>
  pools && sql`SELECT unnest(pools.post_ids) AS id FROM pools WHERE ${pools}`;

/** The ids of the posts in a pool, each once. */
function membersOfPool(value: string): Sql | null {
  const members = membersOf(onePool(value));
  return members && sql`SELECT DISTINCT place.id FROM (${members}) place`;
}

const IN_SOME_POOL = hasSome("active_pools");

const POOLED: Readonly<Record<string, Sql>> = {
  any: IN_SOME_POOL,
  none: not(IN_SOME_POOL),
  series: hasSome("series_pools"),
  collection: hasSome("collection_pools"),
};

const isNamed = (value: string): Sql => sql`lower(pools.name) LIKE ${likePattern(nameKey(value))}`;

/** OFFSET 0, so that the pools of a post are looked up, and only their names are compared. */
const inPoolNamed = (value: string): Sql => sql`EXISTS (
  SELECT 1 FROM (SELECT pools.name FROM pools WHERE pools.post_ids @> ARRAY[posts.id] OFFSET 0) pools WHERE ${isNamed(value)})`;

/** The posts in some of many pools, or in none; null for a value that is the id or name of one. */
const poolsSql = (value: string): Sql | null =>
  lookUp(POOLED, value) ?? (value.includes("*") ? inPoolNamed(value) : null);

/** By position in the pool; a post that a series contains twice is at its first position. */
function byPlaceInPool(value: string): Order | null {
  const pool = onePool(value);
  return (
    pool && {
      join: sql`JOIN (SELECT member.post_id, min(member.place) AS place
                        FROM pools, unnest(pools.post_ids) WITH ORDINALITY AS member(post_id, place)
                       WHERE ${pool} GROUP BY member.post_id) member ON member.post_id = posts.id`,
      keys: [{ expression: sql`member.place`, direction: "ASC" }],
    }
  );
}

const BELONGINGS: Readonly<Record<string, Sql>> = {
  parent: sql`posts.parent_id IS NOT NULL`,
  child: sql`posts.has_children`,
  children: sql`posts.has_children`,
  source: sql`posts.source <> ''`,
  appeals: hasSome("appeals"),
  flags: hasSome("flags"),
  comments: hasSome("active_comments"),
  commentary: having(sql`artist_commentaries`),
  notes: hasSome("active_notes"),
  pools: IN_SOME_POOL,
};

const NATURES: Readonly<Record<string, Sql>> = {
  parent: sql`posts.has_children`,
  child: sql`posts.parent_id IS NOT NULL`,
  sfw: sql`posts.rating = 's'`,
  nsfw: sql`posts.rating <> 's'`,
};

const RATING_WORDS = new Set(["safe", "general", "sensitive", "questionable", "explicit", "s", "g", "q", "e"]);

function isSql(value: string, context: SearchContext): Sql | null {
  const word = value.toLowerCase();
  if (RATING_WORDS.has(word)) return ratingSql(word);
  if (word.includes(",")) return null;
  return lookUp(NATURES, word) ?? statusSql(word, context) ?? fileTypeSql(word);
}

export const RELATIONS: readonly Metatag[] = [
  {
    name: "parent",
    value: "ID, any, none, status",
    description: "the post with this ID and its children, or posts whose parent has this status",
    examples: ["parent:12", "parent:none", "parent:deleted"],
    words: ["any", "none", ...STATE_WORDS],
    toSql: parentSql,
    isIndexed: true,
    isInOrder: (value) => !/^none$/i.test(value) && parseId(value) === null,
    ids: (value, context) =>
      idsByRelatives(value, context, sql`SELECT posts.id FROM posts WHERE posts.parent_id = relative.id`),
  },
  {
    name: "child",
    value: "any, none, status",
    description: "has children, or a child with this status",
    examples: ["child:any", "child:none", "child:pending"],
    words: ["any", "none", ...STATE_WORDS],
    toSql: childSql,
    isInOrder: (value) => !/^none$/i.test(value),
    ids: (value, context) =>
      idsByRelatives(
        value,
        context,
        sql`SELECT posts.parent_id AS id FROM posts WHERE posts.id = relative.id AND posts.parent_id IS NOT NULL`,
      ),
  },
  {
    name: "pool",
    value: "ID, name, any, none, series, collection; * in names",
    description: "is in the pool",
    examples: ["pool:12", "pool:some_series", "pool:none", "pool:series", "pool:*party*"],
    words: ["any", "none", "series", "collection"],
    names: "pool",
    toSql: (value) => poolsSql(value) ?? amongMembers(membersOf(onePool(value))),
    isInOrder: (value) => lookUp(POOLED, value)?.text.startsWith("EXISTS (") === true,
    members: (value) => (poolsSql(value) ? null : membersOfPool(value)),
    ids: (value) => (value.includes("*") ? membersOf(isNamed(value)) : null),
  },
  {
    name: "ordpool",
    value: "ID or name",
    description: "is in the pool, sorted in its reading order",
    examples: ["ordpool:12", "ordpool:some_series"],
    names: "pool",
    toSql: (value) => amongMembers(membersOf(onePool(value))),
    members: membersOfPool,
    order: byPlaceInPool,
  },
  {
    name: "is",
    value: [...Object.keys(NATURES), "status, rating or file type"].join(", "),
    description: "has this property",
    examples: ["is:child", "is:sfw", "is:png", "is:pending", "is:explicit"],
    words: [...Object.keys(NATURES), ...STATE_WORDS, "safe", "questionable", "explicit", ...FILE_TYPES],
    toSql: isSql,
    isInOrder: (value) => ["parent", "child"].includes(value.trim().toLowerCase()) || isStateInOrder(value),
  },
  {
    name: "has",
    value: Object.keys(BELONGINGS).join(", "),
    description: "has one of these",
    examples: ["has:notes", "-has:source", "has:pools", "has:children"],
    words: Object.keys(BELONGINGS),
    toSql: (value) => lookUp(BELONGINGS, value),
    isInOrder: (value) => value.trim().toLowerCase() !== "source",
  },
];
