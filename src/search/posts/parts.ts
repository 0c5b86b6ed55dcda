/** Splits a search into the conditions that find posts, and those that are tested on what is found. */
import { join, type Sql, sql } from "../../database/client.js";
import { ALL, and, conjuncts, isNegation, leaves, type ResolvedQuery } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { Metatag, SearchContext } from "./metatags/metatag.js";
import { FEW_IDS } from "./planner.js";
import { toCondition } from "./to-sql.js";

interface Searched {
  query: ResolvedQuery;
  context: SearchContext;
}

/** The posts of one condition, and the other conditions. */
export interface PartsByMembers {
  /** selects their ids */
  members: Sql;
  rest: ResolvedQuery;
}

/** The posts of the first meta-tag that a row of another table lists; null if there is none. */
export const partsByMembers = ({ query, context }: Searched): PartsByMembers | null =>
  partsBy(query, ({ members }, value) => members?.(value, context));

/** The posts of the first meta-tag whose ids an index has; null if there is none. */
export const partsByIds = ({ query, context }: Searched): PartsByMembers | null =>
  partsBy(query, ({ ids }, value) => ids?.(value, context));

/** The posts of the first alternatives of meta-tags and tags, if indexes have the ids of each, some more than once; null if there are none. */
export function partsByAlternatives({ query, context }: Searched): PartsByMembers | null {
  const parts = conjuncts(query);
  for (const part of parts) {
    if (part.type !== "or") continue;
    const ids = part.children.map((child) => idsOfAlternative(child, context)).filter((each) => each !== null);
    if (ids.length === part.children.length)
      return { members: join(ids, " UNION ALL "), rest: and(parts.filter((other) => other !== part)) };
  }
  return null;
}

/** Selects the ids of the posts of a tag or a meta-tag by an index; null if none has them, or a tag has many. */
function idsOfAlternative(part: ResolvedQuery, context: SearchContext): Sql | null {
  const found = (): Sql => sql`(SELECT posts.id FROM posts WHERE ${toCondition(part, { context, tags: "indexed" })})`;
  if (part.type === "tags") return part.count <= FEW_IDS ? found() : null;
  const row = part.type === "metatag" ? findMetatag(part.name) : undefined;
  if (!row || part.type !== "metatag") return null;
  const ids = row.ids?.(part.value, context) ?? row.members?.(part.value, context);
  if (ids) return sql`(${ids})`;
  return row.isIndexed || row.isInOrder?.(part.value) ? found() : null;
}

function partsBy(
  query: ResolvedQuery,
  select: (row: Metatag, value: string) => Sql | null | undefined,
): PartsByMembers | null {
  const parts = conjuncts(query);
  for (const part of parts) {
    const row = part.type === "metatag" ? findMetatag(part.name) : undefined;
    const members = row && part.type === "metatag" ? select(row, part.value) : null;
    if (members) return { members, rest: and(parts.filter((other) => other !== part)) };
  }
  return null;
}

/** The posts that all meta-tags together find, read at once. */
export function partsOfRange(search: Searched): PartsByMembers {
  const [inside, rest] = partsByMetatags(search);
  const condition = toCondition(inside, { context: search.context, tags: "hidden" });
  return { members: sql`SELECT posts.id FROM posts WHERE ${condition} OFFSET 0`, rest };
}

/** The conditions of meta-tags only, and the rest. */
export function partsByMetatags({ query }: Pick<Searched, "query">): [metatags: ResolvedQuery, rest: ResolvedQuery] {
  const parts = conjuncts(query);
  const isOfMetatags = (part: ResolvedQuery) => leaves(part).every((leaf) => leaf.type === "metatag");
  return [and(parts.filter(isOfMetatags)), and(parts.filter((part) => !isOfMetatags(part)))];
}

/** The conditions of tags only, if the index finds them, and the rest. */
export function partsByTags(query: ResolvedQuery): [tagged: ResolvedQuery, others: ResolvedQuery] {
  const parts = conjuncts(query);
  const isTagged = (part: ResolvedQuery) => leaves(part).every((leaf) => leaf.type === "tags");
  if (!parts.some((part) => isTagged(part) && !isNegation(part))) return [ALL, query];
  return [and(parts.filter(isTagged)), and(parts.filter((part) => !isTagged(part)))];
}

/** Whether the index of tag ids finds the posts of a search. */
export const isFoundByTags = (query: ResolvedQuery): boolean => partsByTags(query)[0].type !== "all";
