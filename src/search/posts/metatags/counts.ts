/** Meta-tags that count related records of a post. */
import { type Sql, sql } from "../../../database/client.js";
import { COUNTED, type Counted, hasSome, isKind } from "../counted.js";
import { not } from "../not.js";
import type { Metatag } from "./metatag.js";
import { includes, onlySpan, parseItems, rangeSql } from "./ranges.js";
import { INTEGER } from "./values.js";

/** Posts without any have no row, so a value that includes zero is negated. */
function countSql(counted: Counted, value: string): Sql | null {
  const items = parseItems(value, INTEGER);
  const condition = conditionOf(value);
  if (items === null || condition === null) return null;
  if (isAnyNumber(value)) return hasSome(counted.plural);
  if (isZero(value)) return not(hasSome(counted.plural));
  return items.some((item) => includes(item, 0))
    ? not(hasSome(counted.plural, sql`NOT ${condition}`))
    : hasSome(counted.plural, condition);
}

const conditionOf = (value: string): Sql | null => rangeSql(sql`counted.number`, value, INTEGER);

/** Whether a value is one range of all numbers above zero. */
function isAnyNumber(value: string): boolean {
  const span = onlySpan(value, INTEGER);
  return span !== null && !span.to && includes(span, 1) && !includes(span, 0);
}

/** Whether a value is one range with zero, and no number above. */
function isZero(value: string): boolean {
  const span = onlySpan(value, INTEGER);
  return span !== null && includes(span, 0) && (span.to?.value ?? 1) <= 0;
}

/** The posts that have such a number of them, which is not zero. */
function idsOf({ plural }: Counted, value: string): Sql | null {
  const isOfSome = !isAnyNumber(value) && parseItems(value, INTEGER)?.every((item) => !includes(item, 0));
  const condition = isOfSome ? conditionOf(value) : null;
  return (
    condition && sql`SELECT counted.post_id AS id FROM post_counts counted WHERE ${isKind(plural)} AND ${condition}`
  );
}

export const COUNTS: readonly Metatag[] = COUNTED.map((counted) => ({
  name: `${counted.name}_count`,
  aliases: [counted.plural],
  value: `${INTEGER.name}; ranges, lists`,
  description: `number of ${counted.description}`,
  examples: [`${counted.name}_count:>2`, `${counted.name}_count:0`],
  toSql: (value) => countSql(counted, value),
  isPlannedByValue: true,
  isInOrder: isAnyNumber,
  ids: (value) => idsOf(counted, value),
}));
