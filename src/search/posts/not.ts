/** Negated conditions, which can be recognized. */
import { type Sql, sql } from "../../database/client.js";

const negated = new WeakMap<Sql, Sql>();

/** The negation of a condition that is never NULL, in parentheses unless it is a column or a function. */
export function not(condition: Sql): Sql {
  const negation = sql`NOT ${condition}`;
  negated.set(negation, condition);
  return negation;
}

/** The condition of which this one is the negation; undefined if it is none. */
export const negatedBy = (condition: Sql): Sql | undefined => negated.get(condition);
