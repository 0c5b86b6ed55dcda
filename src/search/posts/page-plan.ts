/** Plans a page: collects the planner's input, including estimates by PostgreSQL. */
import { type Queryable, sql } from "../../database/client.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import { expected } from "../estimate.js";
import { and, conjuncts, leaves, type ResolvedQuery } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { Metatag, SearchContext } from "./metatags/metatag.js";
import type { Order } from "./orders.js";
import { isFoundByTags, partsByAlternatives, partsByIds, partsByMembers } from "./parts.js";
import { choosePlan, decisiveMetatags, headOfPeriod, type Plan, type PlanInput } from "./planner.js";
import { orderOfPage, type PageOfIds, postsOf } from "./statement.js";
import { toCondition } from "./to-sql.js";

export interface PlannedPage extends PageOfIds {
  /** posts on the board */
  posts: number;
}

/**
 * Whether PostgreSQL's best plan of a statement depends on its values. A window is read by the order and, if it finds too few, the
 * tags, whatever the values of other conditions are.
 */
export const isPlannedByValue = (query: ResolvedQuery, plan: Plan): boolean =>
  !(plan.kind === "window" && plan.by !== "metatags" && isFoundByTags(query)) &&
  leaves(query).some((leaf) => leaf.type === "metatag" && findMetatag(leaf.name)?.isPlannedByValue === true);

const isMetatagInOrder = (part: ResolvedQuery): boolean =>
  part.type === "metatag" && findMetatag(part.name)?.isInOrder?.(part.value) === true;

/** Whether the search has exactly one meta-tag, as a condition of its own, and it is of that kind. */
function onlyMetatag(query: ResolvedQuery, isOfKind: (row: Metatag, value: string) => boolean | undefined): boolean {
  const [only, ...others] = leaves(query).filter((leaf) => leaf.type === "metatag");
  if (!only || others.length > 0 || !conjuncts(query).includes(only)) return false;
  const row = findMetatag(only.name);
  return row !== undefined && isOfKind(row, only.value) === true;
}

const isEstimated = (part: ResolvedQuery): boolean =>
  part.type === "metatag" && findMetatag(part.name)?.isEstimated === true;

/** Whether a meta-tag compares the first key of an order, or the last one, the id. */
const isOfKey = (part: ResolvedQuery, { keys: [key] }: Order, context: SearchContext): boolean =>
  part.type === "metatag" &&
  (part.name === "id" ||
    (key !== undefined && toCondition(part, { context, tags: "hidden" }).text.includes(`${key.expression.text} `)));

/** Whether the search has one meta-tag, a range that an index has with the ids, and no tags: its posts are as likely anywhere on the board. */
export const isOfRange = (query: ResolvedQuery): boolean =>
  leaves(query).length === 1 && onlyMetatag(query, (row) => row.isCovered);

/** The first plan for a search of a period; null for other searches, or if it would rarely find a full page. */
export function headOf(search: PlannedPage): Plan | null {
  const isOfPeriod = onlyMetatag(search.query, ({ isPeriod }, value) => isPeriod?.(value));
  return isOfPeriod ? headOfPeriod(inputOf(search)) : null;
}

function inputOf({ query, context, posts, order, page, skip, fetch }: PlannedPage): PlanInput {
  return {
    query,
    posts,
    order: orderOfPage(order, page),
    wanted: skip + fetch,
    isPartial: order.where !== undefined,
    hasMembers: partsByMembers({ query, context }) !== null,
    hasIds: partsByIds({ query, context }) !== null,
    hasAlternatives: partsByAlternatives({ query, context }) !== null,
    isEstimated: conjuncts(query).some(isEstimated),
    isInOrder: conjuncts(query).some(isMetatagInOrder),
    isCovered: onlyMetatag(query, (row) => row.isCovered),
    isOfKey: leaves(query).some((part) => isOfKey(part, orderOfPage(order, page), context)),
  };
}

/** The plan for a page. If it depends on the posts that match meta-tags, PostgreSQL estimates these, unless that is cached. */
export function planOf(db: Queryable, search: PlannedPage, cache?: TagCache): Plan | Promise<Plan> {
  const input = inputOf(search);
  const metatags = decisiveMetatags(input);
  if (metatags.length === 0) return choosePlan(input);
  const key = JSON.stringify(metatags);
  const known = cache?.estimates.get(key);
  if (known !== undefined) return choosePlan({ ...input, ...known });
  return expected(db, postsOf(and(metatags), search.context), sql`posts.tag_ids`).then(({ rows, cost }) => {
    const estimate = { metatagShare: rows / search.posts, metatagCost: cost };
    cache?.estimates.set(key, estimate);
    return choosePlan({ ...input, ...estimate });
  });
}
