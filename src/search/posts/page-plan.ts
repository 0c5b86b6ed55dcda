/** The plan of a page: what the planner has to know of its search, and what PostgreSQL is asked for that. */
import type { Queryable } from "../../database/client.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import { conjuncts, leaves, type ResolvedQuery } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { Metatag, SearchContext } from "./metatags/metatag.js";
import { choosePlan, decisiveMetatags, headOfPeriod, type Plan, type PlanInput } from "./planner.js";
import { estimateStatement, orderOfPage, type PageOfIds } from "./statement.js";

export interface PlannedPage extends PageOfIds {
  /** posts on the board */
  posts: number;
}

/** Whether the best plan of a search depends on its values. */
export const isPlannedByValue = (query: ResolvedQuery): boolean =>
  leaves(query).some((leaf) => leaf.type === "metatag" && findMetatag(leaf.name)?.isPlannedByValue === true);

const isMetatagInOrder = (part: ResolvedQuery): boolean =>
  part.type === "metatag" && findMetatag(part.name)?.isInOrder?.(part.value) === true;

/** Whether there is one meta-tag, beside everything else, and of that kind. */
function onlyMetatag(query: ResolvedQuery, isOfKind: (row: Metatag, value: string) => boolean | undefined): boolean {
  const [only, ...others] = leaves(query).filter((leaf) => leaf.type === "metatag");
  if (!only || others.length > 0 || !conjuncts(query).includes(only)) return false;
  const row = findMetatag(only.name);
  return row !== undefined && isOfKind(row, only.value) === true;
}

/** With what a search of a period begins; null for other searches, and where that would rarely find a page. */
export function headOf(search: PlannedPage): Plan | null {
  const isOfPeriod = onlyMetatag(search.query, ({ isPeriod }, value) => isPeriod?.(value));
  return isOfPeriod ? headOfPeriod(inputOf(search)) : null;
}

function inputOf({ query, posts, order, page, skip, fetch }: PlannedPage): PlanInput {
  return {
    query,
    posts,
    order: orderOfPage(order, page),
    wanted: skip + fetch,
    isPartial: order.where !== undefined,
    isInOrder: conjuncts(query).some(isMetatagInOrder),
    isCovered: onlyMetatag(query, (row) => row.isCovered),
  };
}

/** How a page is found. PostgreSQL is asked what meta-tags leave over, where that decides and is not remembered. */
export function planOf(db: Queryable, search: PlannedPage, cache?: TagCache): Plan | Promise<Plan> {
  const input = inputOf(search);
  const metatags = decisiveMetatags(input);
  if (metatags.length === 0) return choosePlan(input);
  const key = JSON.stringify(metatags);
  const known = cache?.shareOf(key);
  if (known !== undefined) return choosePlan({ ...input, metatagShare: known });
  return estimate(db, metatags, search.context).then((matching) => {
    const metatagShare = matching / search.posts;
    cache?.rememberShare(key, metatagShare);
    return choosePlan({ ...input, metatagShare });
  });
}

/** How many posts PostgreSQL takes to meet all of the conditions. */
async function estimate(db: Queryable, conditions: ResolvedQuery[], context: SearchContext): Promise<number> {
  const rows = await db.query<{ "QUERY PLAN": { Plan: { "Plan Rows": number } }[] }>(
    estimateStatement(conditions, context),
  );
  return rows[0]?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0;
}
