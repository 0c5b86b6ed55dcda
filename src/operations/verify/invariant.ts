/** Invariants of committed rows as data: a name, a sentence, and the SQL that finds violations. */

export interface Invariant {
  /** `table.what` */
  name: string;
  /** a sentence for reports */
  rule: string;
  /** the table whose rows are checked in batches by id; null to check all rows in one statement */
  table: string | null;
  /** selects the `id` of each violation; in a batch, of the ids above $1 and up to $2 */
  sql: string;
}

/**
 * An invariant of single rows of a table.
 * @param wrong condition on `r`, the row, that is true for violations
 * @param from additional joins
 */
export const ofEachRow = (table: string, what: string, rule: string, wrong: string, from = ""): Invariant => ({
  name: `${table}.${what}`,
  rule,
  table,
  sql: `SELECT r.id FROM ${table} r ${from} WHERE r.id > $1 AND r.id <= $2 AND (${wrong})`,
});
