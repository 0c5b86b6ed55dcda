/** What must hold of the rows at every moment between two transactions, as data: a name, a sentence, and the SQL that finds offenders. */

export interface Invariant {
  /** `table.what` */
  name: string;
  /** what should be so */
  says: string;
  /** the table whose rows are looked at, in batches by id; null: one statement looks at everything */
  table: string | null;
  /** gives the `id` of each offender; of a batch those above $1 and up to $2 */
  sql: string;
}

/**
 * An invariant of each row of a table by itself.
 * @param wrong condition on `r`, the row, that holds for offenders
 * @param from further joins
 */
export const ofEachRow = (table: string, what: string, says: string, wrong: string, from = ""): Invariant => ({
  name: `${table}.${what}`,
  says,
  table,
  sql: `SELECT r.id FROM ${table} r ${from} WHERE r.id > $1 AND r.id <= $2 AND (${wrong})`,
});
