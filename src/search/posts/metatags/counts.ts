/** Meta-tags that count related records of a post. */
import { type Sql, sql } from "../../../database/client.js";
import { COUNTED, type Counted, hasSome } from "../counted.js";
import type { Metatag } from "./metatag.js";
import { includes, parseItems, rangeSql } from "./ranges.js";
import { INTEGER } from "./values.js";

/** Posts without any have no row, so a value that includes zero is negated. */
function countSql(counted: Counted, value: string): Sql | null {
  const items = parseItems(value, INTEGER);
  const condition = rangeSql(sql`counted.number`, value, INTEGER);
  if (items === null || condition === null) return null;
  return items.some((item) => includes(item, 0))
    ? sql`NOT ${hasSome(counted.plural, sql`NOT ${condition}`)}`
    : hasSome(counted.plural, condition);
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
