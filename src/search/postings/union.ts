/**
 * Posts with any of several tags, such as those of a wildcard: the newest of each tag's list, and for tags without lists
 * all of their few posts. The newest of all are among the newest of each.
 */
import { idArray, join, type Sql, sql } from "../../database/client.js";
import { and, conjuncts, type ResolvedQuery, type TagMember } from "../posts/ast.js";
import { BLOCK_BITS } from "./lists.js";
import type { Range } from "./statement.js";

export interface Union {
  /** tags with lists of ids */
  listed: readonly TagMember[];
  /** tags without lists */
  others: readonly TagMember[];
  /** conditions tested on the posts themselves */
  rest: ResolvedQuery;
}

/** A tag with bits has so many posts that a walk is as fast. */
const MOST_COMMON = "bits";

const membersOf = (node: ResolvedQuery): readonly TagMember[] => {
  if (node.type === "tags") return node.members;
  if (node.type !== "or" || !node.children.every((child) => child.type === "tags")) return [];
  return node.children.flatMap(membersOf);
};

/** The alternatives of a search for which lists are of use; null if there are none. */
export function unionOf(query: ResolvedQuery): Union | null {
  const nodes = conjuncts(query);
  for (const node of nodes) {
    const members = membersOf(node);
    if (members.length < 2 || members.some(({ listed }) => listed === MOST_COMMON)) continue;
    return {
      listed: members.filter(({ listed }) => listed === "ids"),
      others: members.filter(({ listed }) => listed === null),
      rest: and(nodes.filter((other) => other !== node)),
    };
  }
  return null;
}

const arrayOf = (members: readonly TagMember[]): Sql => idArray(members.map(({ id }) => id));

/**
 * The ids of a page as a statement.
 * @param test the condition on `posts` that the lists don't cover; null if they cover everything
 */
export function unionStatement({ listed, others }: Union, range: Range, test: Sql | null): Sql {
  const { from, to, fetch, skip, isAscending } = range;
  const direction = isAscending ? sql`ASC` : sql`DESC`;
  const between = (id: Sql): Sql => sql`${id} >= ${from}::int AND ${id} <= ${to}::int`;
  const isFound = test ? sql`EXISTS (SELECT 1 FROM posts WHERE posts.id = each.id AND ${test} OFFSET 0)` : sql`TRUE`;
  const ofLists = sql`
      SELECT newest.id FROM unnest(${arrayOf(listed)}) AS tag(id) CROSS JOIN LATERAL (
        SELECT each.id
          FROM (SELECT p.ids FROM posting_ids p
                 WHERE p.tag_id = tag.id AND p.block >= ${from >> BLOCK_BITS}::int AND p.block <= ${to >> BLOCK_BITS}::int
                 ORDER BY p.block ${direction}) b
         CROSS JOIN LATERAL (SELECT id FROM unnest(b.ids) AS id ORDER BY id ${direction}) each
         WHERE ${between(sql`each.id`)} AND ${isFound} LIMIT ${skip + fetch}::bigint) newest`;
  // tag by tag: asked for all at once, the index compares each of its entries with all tags
  const ofOthers = sql`
      SELECT tagged.id FROM unnest(${arrayOf(others)}) AS tag(id) CROSS JOIN LATERAL (
        SELECT posts.id FROM posts WHERE posts.tag_ids @> ARRAY[tag.id] OFFSET 0) tagged
       WHERE ${between(sql`tagged.id`)}`;
  const parts = [...(listed.length > 0 ? [ofLists] : []), ...(others.length > 0 ? [ofOthers] : [])];
  // posts of the others are tested in order, until there are enough
  return sql`
    SELECT each.id FROM (SELECT found.id FROM (${join(parts, " UNION ALL ")}) found
                          GROUP BY found.id ORDER BY found.id ${direction} OFFSET 0) each
     WHERE ${others.length > 0 ? isFound : sql`TRUE`} LIMIT ${fetch}::int OFFSET ${skip}::int`;
}
