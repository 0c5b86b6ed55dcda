/**
 * Converts a search to a condition on `posts`. One test of the array of tag ids covers all required tags of a
 * conjunction (`@>`), a group of alternatives (`&&`), or all excluded tags (`NOT &&`). Each array is one text
 * parameter.
 */
import { idArray, join, type Sql, sql } from "../../database/client.js";
import { conjuncts, isNegation, type MetatagTerm, type ResolvedQuery, type TagSet } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { SearchContext } from "./metatags/metatag.js";
import { negationOf } from "./not.js";

/**
 * "indexed" makes PostgreSQL use the GIN index of tag ids: the values come from a subquery, so that its planner does not see them and
 * assumes that half a percent of the posts match, whatever the statistics.
 * "hidden" tests the same by functions of intarray, which no index supports. The planner assumes that a third of the
 * posts match; with the much lower estimates of the operators, it would sort everything instead of walking through an index
 * in the requested order.
 */
export type TagTests = "indexed" | "hidden";

export interface SqlOptions {
  tags: TagTests;
  context: SearchContext;
}

const isTagSet = (node: ResolvedQuery): node is TagSet => node.type === "tags";

const unique = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

const idsOf = (sets: readonly TagSet[]): number[] => unique(sets.flatMap((set) => set.ids));

function containsAll(ids: readonly number[], tags: TagTests): Sql {
  const array = idArray(ids);
  return tags === "indexed" ? sql`posts.tag_ids @> (SELECT ${array})` : sql`_int_contains(posts.tag_ids, ${array})`;
}

function containsAny(ids: readonly number[], tags: TagTests): Sql {
  if (ids.length === 1) return containsAll(ids, tags);
  const array = idArray(ids);
  return tags === "indexed" ? sql`posts.tag_ids && (SELECT ${array})` : sql`_int_overlap(posts.tag_ids, ${array})`;
}

export function toCondition(query: ResolvedQuery, options: SqlOptions): Sql {
  switch (query.type) {
    case "all":
      return sql`TRUE`;
    case "none":
      return sql`FALSE`;
    case "tags":
      return containsAny(unique(query.ids), options.tags);
    case "metatag":
      return metatagCondition(query, options.context);
    case "or":
      return disjunction(query.children, options);
    default:
      return conjunction(conjuncts(query), options);
  }
}

function conjunction(nodes: readonly ResolvedQuery[], options: SqlOptions): Sql {
  const sets = nodes.filter(isTagSet);
  const required = idsOf(sets.filter((set) => set.ids.length === 1));
  const negated = nodes.filter(isNegation).map((node) => node.child);
  const excluded = idsOf(negated.filter(isTagSet));
  // PostgreSQL evaluates tests of equal cost in this order, and columns are faster to read than arrays
  const conditions = [
    ...nodes.filter((node) => !isTagSet(node) && !isNegation(node)).map((node) => toCondition(node, options)),
    ...(required.length > 0 ? [containsAll(required, options.tags)] : []),
    ...sets.filter((set) => set.ids.length > 1).map((set) => containsAny(unique(set.ids), options.tags)),
    ...(excluded.length > 0 ? [sql`NOT ${containsAny(excluded, options.tags)}`] : []),
    ...negated.filter((node) => !isTagSet(node)).map((node) => complement(node, options)),
  ];
  return conditions.length === 1 ? (conditions[0] as Sql) : sql`(${join(conditions, " AND ")})`;
}

/** Posts that do not match, including those for which the condition is NULL: a post without a parent is not a child of post 1. */
function complement(node: ResolvedQuery, options: SqlOptions): Sql {
  const condition = toCondition(node, options);
  // PostgreSQL joins tables, and finds an index of the condition, if there is no more than one negation
  const negation = negationOf(condition);
  if (negation) return negation;
  return condition.text.startsWith("EXISTS (") ? sql`NOT (${condition})` : sql`(${condition}) IS NOT TRUE`;
}

function disjunction(nodes: readonly ResolvedQuery[], options: SqlOptions): Sql {
  const alternatives = idsOf(nodes.filter(isTagSet));
  const conditions = [
    ...(alternatives.length > 0 ? [containsAny(alternatives, options.tags)] : []),
    ...nodes.filter((node) => !isTagSet(node)).map((node) => toCondition(node, options)),
  ];
  return conditions.length === 1 ? (conditions[0] as Sql) : sql`(${join(conditions, " OR ")})`;
}

/** Invalid values match nothing. */
const metatagCondition = (term: MetatagTerm, context: SearchContext): Sql =>
  findMetatag(term.name)?.toSql?.(term.value, context) ?? sql`FALSE`;
