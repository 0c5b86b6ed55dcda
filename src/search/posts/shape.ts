/**
 * Meta-tags about the result as a whole: its order and page size. They must be conditions of the whole search: if one is
 * negated or one of several alternatives, the search matches nothing.
 * The last order (or limit) counts, and `ordpool:` and `ordfav:` take precedence over `order:`.
 */
import { ALL, and, conjuncts, leaves, mapLeaves, type MetatagTerm, NONE, type Query, type Term } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import { isDirective, type Metatag, parseId, type SearchContext } from "./metatags/metatag.js";
import { type Order, orderByList } from "./orders.js";

export interface Shape {
  /** the search without meta-tags that match every post or none */
  query: Query;
  /** null for none, or an unknown one */
  order: Order | null;
  limit: number | null;
  /** maximum number of posts on all pages together */
  most: number;
}

/** The row of a node that is such a meta-tag. */
function directiveOf(node: Query): { term: MetatagTerm; row: Metatag } | null {
  if (node.type !== "metatag") return null;
  const row = findMetatag(node.name);
  return row && isDirective(row) ? { term: node, row } : null;
}

/** Replaces meta-tags that match every post, or none, such as those with an invalid value. @throws BoardError 424 for a value that is too long */
const settled = (query: Query, context: SearchContext): Query =>
  mapLeaves<Term, Term>(query, (term) => {
    if (term.type !== "metatag") return term;
    const condition = findMetatag(term.name)?.toSql?.(term.value, context)?.text ?? "FALSE";
    return condition === "TRUE" ? ALL : condition === "FALSE" ? NONE : term;
  });

/** Extracts the order and the page size from a search. */
export function shapeOf(query: Query, context: SearchContext): Shape {
  const parts = conjuncts(query);
  const misplaced = parts.some(
    (part) => part.type !== "metatag" && leaves(part).some((leaf) => directiveOf(leaf) !== null),
  );
  const directives = parts.map(directiveOf).filter((directive) => directive !== null);
  const most = directives.flatMap(({ term, row }) => row.most?.(term.value) ?? []);
  if (misplaced || most.includes(0)) return { query: NONE, order: null, limit: null, most: 0 };
  const conditions = parts.filter((part) => directiveOf(part)?.row.toSql !== undefined || directiveOf(part) === null);
  return {
    query: settled(and(conditions), context),
    order: orderAmong(directives, parts, context),
    limit:
      directives.map(({ term, row }) => row.limit?.(term.value) ?? null).findLast((limit) => limit !== null) ?? null,
    most: most.at(-1) ?? Infinity,
  };
}

function orderAmong(
  directives: NonNullable<ReturnType<typeof directiveOf>>[],
  parts: Query[],
  context: SearchContext,
): Order | null {
  const ordering = directives.filter(({ row }) => row.order);
  const chosen = ordering.findLast(({ row }) => row.toSql) ?? ordering.at(-1);
  if (!chosen) return null;
  const isCustom = chosen.row.name === "order" && chosen.term.value.trim().toLowerCase() === "custom";
  if (isCustom) return customOrder(parts);
  const order = chosen.row.order?.(chosen.term.value, context) ?? null;
  return order && chosen.row.toSql ? { ...order, implied: chosen.term } : order;
}

/** `order:custom id:3,1,2`: the order of the listed ids; null without a plain list. */
function customOrder(parts: Query[]): Order | null {
  const list = parts.find((part): part is MetatagTerm => part.type === "metatag" && part.name === "id");
  const ids = list?.value.split(",").map((id) => parseId(id.trim())) ?? [];
  const listed = ids.filter((id) => id !== null);
  return listed.length > 0 && listed.length === ids.length ? orderByList(listed) : null;
}
