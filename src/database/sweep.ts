/** Removes expired rows of tables that grow with requests. */
import { type Executor, identifier, type Sql, sql } from "./client.js";

/** Number of rows that one statement removes: there may be millions, and a statement may take only so long. */
const REMOVED_AT_ONCE = 10_000;

/** Rows that are being written are left to the next time. @param isExpired condition on the row @returns the number of removed rows */
export async function removeExpired(db: Executor, table: string, isExpired: Sql): Promise<number> {
  const name = identifier(table);
  for (let removed = 0; ;) {
    const count = await db.execute(sql`
      DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${name} AS t WHERE ${isExpired} LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED))`);
    if (count === 0) return removed;
    removed += count;
  }
}
