/** Meta-tags that count related records of a post. */
import { type Sql, sql } from "../../../database/client.js";
import { COUNTED, type Counted } from "../counted.js";
import type { Metatag } from "./metatag.js";
import { includes, parseItems, rangeSql } from "./ranges.js";
import { INTEGER } from "./values.js";

/**
 * Posts without any have no row, so a value that includes zero is negated. As EXISTS over the
 * counts, PostgreSQL can either look up those of one post or join with all of them.
 */
function countSql(counted: Counted, value: string): Sql | null {
  const items = parseItems(value, INTEGER);
  const condition = rangeSql(sql`counted.number`, value, INTEGER);
  if (items === null || condition === null) return null;
  const some = (test: Sql): Sql =>
    sql`EXISTS (SELECT 1 FROM (${counted.counts}) counted WHERE counted.post_id = posts.id AND ${test})`;
  return items.some((item) => includes(item, 0)) ? sql`NOT ${some(sql`NOT ${condition}`)}` : some(condition);
}

export const COUNTS: readonly Metatag[] = COUNTED.map((counted) => ({
  name: `${counted.name}_count`,
  aliases: [counted.plural],
  value: `${INTEGER.name}; ranges, lists`,
  description: `number of ${counted.description}`,
  examples: [`${counted.name}_count:>2`, `${counted.name}_count:0`],
  toSql: (value) => countSql(counted, value),
  isPlannedByValue: true,
}));
