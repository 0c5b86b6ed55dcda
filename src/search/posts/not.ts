/** Conditions whose negation PostgreSQL plans better than `IS NOT TRUE`. */
import { type Sql, sql } from "../../database/client.js";

const negations = new WeakMap<Sql, Sql>();

/** The condition, for which this one stands where it is negated. */
export function withNegation(condition: Sql, negation: Sql): Sql {
  negations.set(condition, negation);
  return condition;
}

/** The negation of a condition that is never NULL, in parentheses unless it is a column or a function. */
export const not = (condition: Sql): Sql => withNegation(negationOf(condition) ?? sql`NOT ${condition}`, condition);

/** The negation of a condition; undefined if it is `IS NOT TRUE`. */
export const negationOf = (condition: Sql): Sql | undefined => negations.get(condition);
