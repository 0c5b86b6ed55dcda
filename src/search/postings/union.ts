/**
 * Posts that have any of several tags, such as those of a wildcard: the newest of each tag's list, and of the tags that have none
 * all posts, of which there are few. The newest of all are among the newest of each.
 */
import { join, type Sql, sql } from "../../database/client.js";
import { and, conjuncts, type ResolvedQuery, type TagMember } from "../posts/ast.js";
import { BLOCK_BITS } from "./lists.js";
import type { Range } from "./statement.js";

export interface Union {
  /** tags with lists of ids */
  listed: readonly TagMember[];
  /** tags without lists */
  others: readonly TagMember[];
  /** what the posts themselves are asked for */
  rest: ResolvedQuery;
}

/** Of a tag in bits so many posts are found at once that a walk is as quick. */
const MOST_COMMON = "bits";

const membersOf = (node: ResolvedQuery): readonly TagMember[] => {
  if (node.type === "tags") return node.members;
  if (node.type !== "or" || !node.children.every((child) => child.type === "tags")) return [];
  return node.children.flatMap(membersOf);
};

/** The alternatives of a search that lists are of use for; null when there are none. */
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

const arrayOf = (members: readonly TagMember[]): Sql => sql`${`{${members.map(({ id }) => id).join(",")}}`}::int[]`;

/**
 * The ids of a page as a statement.
 * @param test the condition on `posts` of what the lists know nothing of; null when they know everything
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
  const ofOthers = sql`
      SELECT posts.id FROM (SELECT * FROM posts WHERE posts.tag_ids && (SELECT ${arrayOf(others)}) OFFSET 0) posts
       WHERE ${between(sql`posts.id`)} AND ${test ?? sql`TRUE`}`;
  const parts = [...(listed.length > 0 ? [ofLists] : []), ...(others.length > 0 ? [ofOthers] : [])];
  return sql`SELECT found.id FROM (${join(parts, " UNION ALL ")}) found
              GROUP BY found.id ORDER BY found.id ${direction} LIMIT ${fetch}::int OFFSET ${skip}::int`;
}
