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
  /** whether a selected row is a violation, by what the code would compute; by default each is */
  isWrong?: (row: Record<string, unknown>) => boolean;
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

/**
 * An invariant of a column whose value the code computes from another one.
 * @param given the other column
 * @param which condition on `r`, the row, that is true at least for those whose value is not `null`
 */
export const computed = (
  table: string,
  [column, given]: [string, string],
  compute: (value: string) => unknown,
  which = "TRUE",
): Invariant => ({
  ...ofEachRow(table, column, `${column} of ${table} is what follows from their ${given}`, which),
  sql: `SELECT r.id, r.${column} AS kept, r.${given} AS given FROM ${table} r WHERE r.id > $1 AND r.id <= $2 AND (${which})`,
  isWrong: ({ kept, given: value }) => kept !== compute(value as string),
});
